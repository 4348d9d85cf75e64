//! Documents and their embeddings in the database an application already runs,
//! searched by vector, by text, and by both, with one meaning on every store.
//!
//! This crate is what applications depend on. Its features choose stores and providers:
//!
//! | feature | default | what it brings |
//! |---|---|---|
//! | `sqlite` | yes | `Sqlite`, a store inside the process |
//! | `postgres` | no | `Postgres`, a database server with pgvector |
//! | `bundled-model` | yes | `StaticModel::bundled()`, an English model that needs no download |
//! | `metrics` | no | what the daemon does, told to the recorder of the `metrics` crate |
//!
#![cfg_attr(all(feature = "sqlite", feature = "bundled-model"), doc = include_str!("../docs/first-steps.md"))]
#![cfg_attr(all(feature = "sqlite", feature = "bundled-model"), doc = include_str!("../docs/projections.md"))]

#[doc(hidden)]
pub use ermine_core::__core;
pub use ermine_core::{
    Accuracy, Aggregate, ApplyError, Backend, BatchLimits, BoxFuture, Capabilities, Column,
    ColumnType, ColumnValue, Comparable, Compare, Content, Contribution, DEFAULT_K, DEFAULT_LIMIT,
    Declaration, DeletedScope, Deletion, Direction, Distance, DistanceUnit, Document, DocumentId,
    DynamicRecord, EmbeddedRows, Embedding, EmbeddingPlan, EmbeddingProvider, EmptyLeg, Engine,
    Envelope, Error, ErrorKind, Event, EventStorage, EventType, Expr, Feature, Fields, Figure,
    Filter, FilterPlace, Fold, Fused, FusedMatch, Hnsw, HybridMatch, HybridSearch, Id, IdType,
    Include, IndexedText, LegHit, LegKind, LegOutcome, MAX_DIMENSIONS, MAX_LIMIT, Matches, Metric,
    ModelIdentity, NeededAggregate, NeededStream, Nested, NewEvent, Operand, Outcome, Plan,
    PlannedRow, PlannedRows, Position, RankedLeg, Record, Result, Role, RowKey, RowWrite,
    ScalarType, Schema, SchemaBuilder, SchemaChange, SchemaMode, SchemaReport, Score, Storage,
    StoredEvent, StoredVectorState, StreamFold, StreamId, Tenancy, TenantId, TextField, TextMatch,
    TextSearch, TextValue, Timestamp, Token, Value, Vector, VectorField, VectorFieldSchema,
    VectorIndex, VectorMatch, VectorProjectionMap, VectorSearch, by_stream, content_hash, fold_to,
    fuse, new_id, source_text,
};
#[cfg(feature = "bundled-model")]
pub use ermine_embed::{DeterministicProvider, StaticModel};
pub use ermine_macros::{Document, Event, Fields};
#[cfg(feature = "postgres")]
pub use ermine_postgres::{IndexProgress, Postgres, PostgresStore};
#[cfg(feature = "sqlite")]
pub use ermine_sqlite::{Sqlite, SqliteStore};
pub use ermine_store::{
    AggregateProjection, AggregateQuery, AggregateStream, Clock, Collection, CrossTenantReader,
    Daemon, DaemonHandle, ErrorPolicy, EventBuilder, EventProjection, EventsPage, EventsQuery,
    Fusion, HybridOptions, HybridQuery, MapProjection, MatchingQuery, MaxDistance, MinScore,
    NearestQuery, Owned, ProjectedDocuments, ProjectedRow, Projecting, Query, Reader,
    RebuildEstimate, ReplayReport, Search, Session, ShardCounts, ShardStatus, SortKey, Store,
    StoreBuilder, StreamPages, StreamQuery, Subscription, SystemClock, TextOptions, TextStyle,
    ToEvent, ToId, ToStreamId, VectorOptions, VectorProjection,
};

/// The analyser, and what shows why a text was found: highlights and snippets.
pub mod text {
    pub use ermine_text::*;
}

/// The listings of the repository's front page, so that they compile.
#[cfg(all(doctest, feature = "sqlite", feature = "bundled-model"))]
#[doc = include_str!("../../../README.md")]
struct FrontPage;
