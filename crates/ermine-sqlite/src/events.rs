//! Events: streams in an order, the shards that follow it, and who waits for more.

mod append;
mod page;
mod parked;
mod row;
mod shards;
mod streams;
mod tables;
mod watch;

pub(crate) use append::{append, archive, mask, tombstone};
pub(crate) use page::page;
pub(crate) use parked::{park, parked, unpark};
pub(crate) use shards::{advance, lease, shards};
pub(crate) use streams::{state, stream};
pub(crate) use tables::{CREATE, create_missing, prepare};
pub(crate) use watch::{Reached, Watch};

#[cfg(test)]
mod tests;
