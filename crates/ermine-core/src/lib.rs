#![doc = include_str!("../README.md")]

mod backend;
mod capabilities;
mod engine;
mod error;
mod event;
mod filter;
mod fusion;
mod id;
mod matches;
mod projection;
mod provider;
mod record;
mod schema;
mod score;
mod search;
mod storage;
mod tenant;
mod value;
mod vector;

use std::future::Future;
use std::pin::Pin;

pub use backend::Backend;
pub use capabilities::{Capabilities, Feature};
pub use engine::Engine;
pub use error::{Error, ErrorKind, Result};
pub use event::{
    Aggregate, Envelope, Event, EventType, Fold, NewEvent, Position, StoredEvent, StreamId, fold_to,
};
pub use filter::{
    Column, Comparable, Compare, Expr, Filter, IndexedText, MAX_FILTER_DEPTH, Nested, TextField,
    VectorField,
};
pub use fusion::{Contribution, DEFAULT_K, Fused, RankedLeg, by_distance, by_score, fuse};
pub use id::{DocumentId, Id, IdType, new_id};
pub use matches::{FusedMatch, HybridMatch, Matches, TextMatch, VectorMatch};
pub use projection::{
    ApplyError, Content, EmbeddedRows, EmbeddingPlan, NeededAggregate, NeededStream, PlannedRow,
    PlannedRows, RowKey, RowWrite, SelectedContent, SelectedId, StreamFold, VectorProjectionMap,
    by_stream,
};
pub use provider::{
    BatchLimits, DynEmbeddingProvider, EmbeddingProvider, ModelIdentity, Role, embed_checked,
};
pub use record::{
    Document, DynamicRecord, Fields, Record, RecordParts, StoredRecord, VectorPart, body_of,
    content_hash, source_text,
};
pub use schema::{
    ColumnSchema, Deletion, Element, Filterable, Hnsw, Schema, SchemaBuilder, Tenancy,
    TextFieldSchema, VectorFieldSchema, VectorIndex,
};
pub use score::Score;
pub use search::*;
pub use storage::{
    Advance, Answer, Append, Committed, Declaration, DeleteMode, Direction, Epoch, EventFilter,
    EventPage, EventStorage, Expected, ForwardRecord, LeaseOp, LeaseState, Mask, Op, OrderBy,
    Parked, ParkedKey, Put, PutMode, Query, Read, Receipt, SchemaChange, SchemaMode, SchemaReport,
    ShardName, ShardRow, ShardState, Storage, StoredVectorState, StreamRange, StreamState,
    TakenTicket, Ticket, Token, Unit, VectorWrite,
};
pub use tenant::{DeletedScope, Scope, TenantId, TenantScope};
pub use value::{ColumnType, ColumnValue, Operand, ScalarType, TextValue, Timestamp, Value};
pub use vector::{Distance, DistanceUnit, Embedding, MAX_DIMENSIONS, Metric, Vector};

/// What the derive macros refer to, whichever crate they are used through.
#[doc(hidden)]
pub mod __core {
    pub use crate::event::data as event_data;
    pub use crate::vector::VectorValue;
    pub use crate::*;
    pub use serde;
    pub use serde_json;
}

/// A boxed future that can move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
