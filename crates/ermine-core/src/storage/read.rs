//! Reads of a store, and their answers.

use std::sync::Arc;

use super::event::{Parked, ShardName, ShardState, StreamRange, StreamState};
use super::unit::check_id_type;
use crate::search::{check_scope, vector_field};
use crate::{
    ColumnType, Error, ErrorKind, Id, Include, Page, Position, Result, Schema, Scope, StoredEvent,
    StoredRecord, StreamId, Target, TenantId, TenantScope,
};

/// One read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Read {
    /// Documents by id. Answered by [`Answer::Records`] in the order of the ids,
    /// those not in scope left out.
    Get {
        /// The type, the scope, and a filter.
        target: Target,
        /// The ids.
        ids: Vec<Id>,
        /// What else is wanted.
        include: Include,
    },
    /// Documents in an order. Answered by [`Answer::Records`].
    Query(Query),
    /// How many documents are in scope and pass the filter. Answered by [`Answer::Count`].
    Count {
        /// The type, the scope, and a filter.
        target: Target,
        /// What the snapshot must hold.
        include: Include,
    },
    /// How many of those documents hold a vector in a field. Answered by [`Answer::Count`].
    CountVectors {
        /// The type, the scope, and a filter.
        target: Target,
        /// The place of the field in [`Schema::vectors`].
        field: usize,
    },
    /// What is recorded beside the vectors of a field, soft-deleted documents
    /// included. Answered by [`Answer::Vectors`], one entry per id.
    Vectors {
        /// The type.
        schema: Arc<Schema>,
        /// Whose documents: [`TenantScope::One`], or `Untenanted`.
        tenant: Option<TenantId>,
        /// The place of the field in [`Schema::vectors`].
        field: usize,
        /// The ids.
        ids: Vec<Id>,
    },
    /// A stream's events, by version, at most `limit` of them. Answered by
    /// [`Answer::Events`]; archived streams are read like others.
    Stream {
        /// Which part.
        range: StreamRange,
        /// The most events.
        limit: usize,
    },
    /// What is known about a stream. Answered by [`Answer::Stream`].
    StreamState {
        /// Whose stream; `None` for the streams of no tenant.
        tenant: Option<TenantId>,
        /// The stream.
        stream: StreamId,
    },
    /// What is known about every shard. Answered by [`Answer::Shards`], by name.
    Shards,
    /// The events a shard set aside after a position, at most `limit` of them.
    /// Answered by [`Answer::Parked`], by position.
    Parked {
        /// The shard.
        shard: ShardName,
        /// The position before the first.
        after: Position,
        /// The most events.
        limit: usize,
    },
}

impl Read {
    /// Whether only a store that keeps events knows it.
    pub(crate) fn is_of_events(&self) -> bool {
        matches!(
            self,
            Self::Stream { .. } | Self::StreamState { .. } | Self::Shards | Self::Parked { .. }
        )
    }

    /// Refuses scopes, filters, ids, orders and limits that do not fit the type.
    ///
    /// # Errors
    ///
    /// `Tenancy`, `UnknownField`, `NotIndexed`, `TypeMismatch`, `InvalidOption`.
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Get { target, ids, .. } => {
                target.check()?;
                ids.iter()
                    .try_for_each(|id| check_id_type(&target.schema, id))
            }
            Self::Count { target, .. } => target.check(),
            Self::CountVectors { target, field } => {
                target.check()?;
                vector_field(&target.schema, *field).map(drop)
            }
            Self::Query(query) => query.check(),
            Self::Vectors {
                schema,
                tenant,
                field,
                ids,
            } => {
                vector_field(schema, *field)?;
                check_scope(schema, &Scope::live(Self::scope_of(tenant)))?;
                ids.iter().try_for_each(|id| check_id_type(schema, id))
            }
            Self::Stream { .. } | Self::StreamState { .. } | Self::Shards | Self::Parked { .. } => {
                Ok(())
            }
        }
    }

    /// The tenant scope of a read of one tenant, or of a type without tenants.
    pub fn scope_of(tenant: &Option<TenantId>) -> TenantScope {
        tenant
            .clone()
            .map_or(TenantScope::Untenanted, TenantScope::One)
    }
}

/// Documents in an order: by the fields given, absent before present, then by
/// tenant and id (rule D10).
#[derive(Debug, Clone)]
pub struct Query {
    /// The type, the scope, and a filter.
    pub target: Target,
    /// The fields to order by, most significant first.
    pub order: Vec<OrderBy>,
    /// Which part of the order is returned.
    pub page: Page,
    /// What else is wanted.
    pub include: Include,
}

impl Query {
    fn check(&self) -> Result<()> {
        self.target.check()?;
        for OrderBy { field, .. } in &self.order {
            let schema = &self.target.schema;
            if let ColumnType::List(_) = schema.filterable(field)?.column_type() {
                return Err(Error::new(
                    ErrorKind::TypeMismatch,
                    format!("field `{field}` of `{schema}` is a list, which has no order"),
                ));
            }
        }
        self.page.check()
    }
}

/// A field to order by: the id, or an indexed scalar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderBy {
    /// The field.
    pub field: String,
    /// Which way.
    pub direction: Direction,
}

/// Which way an order runs. Descending is the exact reverse, absent last; ties
/// are by ascending tenant and id in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// Absent first, then smallest first.
    #[default]
    Ascending,
    /// Largest first, absent last.
    Descending,
}

/// The answer to a [`Read`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Answer {
    /// Documents.
    Records(Vec<StoredRecord>),
    /// A number of documents.
    Count(u64),
    /// What is recorded beside vectors; `None` where the document does not exist,
    /// its field records nothing, or what is stored is no vector of the field: a
    /// damaged one is missing (rules V6, P7).
    Vectors(Vec<Option<StoredVectorState>>),
    /// Events of one stream.
    Events(Vec<StoredEvent>),
    /// A stream; `None` where there is none.
    Stream(Option<StreamState>),
    /// Shards.
    Shards(Vec<ShardState>),
    /// Events that were set aside.
    Parked(Vec<Parked>),
}

/// What is recorded beside a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVectorState {
    /// The hash of the text it was made from; `None` where a caller set it.
    pub hash: Option<String>,
    /// Whether there is a vector. With a hash and none, the text cannot be
    /// represented by the model, which is an answer too (rule P7).
    pub present: bool,
}
