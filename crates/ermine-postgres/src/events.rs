//! Events: streams in an order, the shards that follow it, and who waits for more.

mod bell;
mod order;
mod page;
mod parked;
mod row;
mod shards;
mod streams;
mod tables;
mod watch;

pub(crate) use page::page;
pub(crate) use parked::parked;
pub(crate) use shards::{SHARD, lease, shard_row, shards};
pub(crate) use streams::{state, stream};
pub(crate) use tables::CREATE_MISSING;
pub(crate) use watch::Watch;
