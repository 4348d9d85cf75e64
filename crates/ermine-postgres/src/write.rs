//! Writing units, and tending the text index.

mod commit;
mod failure;
mod put;
mod runs;
mod seal;
mod sealer;
mod statement;
mod vectors;

pub(crate) use commit::commit;
pub(crate) use sealer::Sealer;
