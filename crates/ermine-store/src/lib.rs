#![doc = include_str!("../README.md")]

mod builder;
mod collection;
mod events;
mod fusion;
mod query;
mod reader;
mod runtime;
mod search;
mod session;
mod store;
mod to_id;
mod unit_of_work;

pub use builder::StoreBuilder;
pub use collection::Collection;
pub use ermine_text::{Analyzer, TextStyle};
pub use events::{
    AggregateQuery, AggregateStream, EventBuilder, EventsQuery, StreamPages, StreamQuery, ToEvent,
    ToStreamId,
};
pub use fusion::{Fusion, FusionKey, NoLeg, TextLegOf, VectorLegOf};
pub use query::{Owned, Query, SortKey};
pub use reader::{CrossTenantReader, Reader};
pub use search::{
    HybridOptions, HybridQuery, MatchingQuery, MaxDistance, MinScore, NearestQuery, Search,
    TextOptions, VectorOptions,
};
pub use session::Session;
pub use store::Store;
pub use to_id::ToId;
