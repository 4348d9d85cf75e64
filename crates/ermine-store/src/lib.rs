#![doc = include_str!("../README.md")]

mod builder;
mod collection;
mod daemon;
mod events;
mod fusion;
mod projection;
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
pub use daemon::{
    Clock, Daemon, DaemonHandle, RebuildEstimate, ReplayReport, ShardCounts, ShardStatus,
    SystemClock,
};
pub use ermine_text::{Analyzer, TextStyle};
pub use events::{
    AggregateQuery, AggregateStream, EventBuilder, EventsQuery, StreamPages, StreamQuery, ToEvent,
    ToStreamId,
};
pub use fusion::{Fusion, FusionKey, NoLeg, TextLegOf, VectorLegOf};
pub use projection::{
    AggregateProjection, ErrorPolicy, EventProjection, EventsPage, MapProjection,
    ProjectedDocuments, ProjectedRow, Projecting, Subscription, VectorProjection,
};
pub use query::{Owned, Query, SortKey};
pub use reader::{CrossTenantReader, Reader};
pub use search::{
    HybridOptions, HybridQuery, MatchingQuery, MaxDistance, MinScore, NearestQuery, Search,
    TextOptions, VectorOptions,
};
pub use session::Session;
pub use store::Store;
pub use to_id::ToId;
