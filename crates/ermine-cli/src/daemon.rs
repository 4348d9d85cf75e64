//! `ermine daemon`, and running it for a while.

mod catch_up;

pub(crate) use catch_up::{Telling, catch_up};
