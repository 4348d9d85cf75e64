//! Writing units, and tending the text index.

mod commit;
mod copy;
mod events;
mod failure;
mod load;
mod put;
mod runs;
mod seal;
mod sealer;
mod segment;
mod statement;
mod vectors;

pub(crate) use commit::commit;
pub(crate) use sealer::Sealer;
