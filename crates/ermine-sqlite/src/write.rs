//! Writing: one thread, which commits what is queued in groups.

mod apply;
mod group;
mod put;
mod queue;
mod seal;
mod vector;
mod writer;

pub(crate) use queue::{Alone, Queue, UnitWork, Work};
pub(crate) use writer::Writer;
