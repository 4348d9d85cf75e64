//! Snapshots: documents that are folded from their streams.

use std::any::{TypeId, type_name};
use std::sync::Arc;

use ermine_core::{
    Aggregate, Document, Error, ErrorKind, Event, Fold, Id, IdType, RecordParts, Result, Schema,
    StoredEvent, StreamId, Tenancy, TenantId,
};

use crate::collection::Opened;

/// A type of documents that are snapshots, as the builder was told of it.
#[derive(Clone, Copy)]
pub(crate) struct SnapshotType {
    pub(crate) rust: TypeId,
    pub(crate) rust_name: &'static str,
    pub(crate) schema: fn() -> Result<Schema>,
    event_types: fn() -> &'static [&'static str],
    folding: fn() -> Box<dyn Folding>,
}

/// A snapshot type of an open store.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) opened: Arc<Opened>,
    kind: SnapshotType,
}

/// A fold whose type is erased.
pub(crate) trait Folding: Send + Sync {
    /// Goes on to the next event of the stream, which was upcast.
    fn fold(&mut self, event: &StoredEvent) -> Result<()>;

    /// What the stream adds up to, taken apart; `None` where there is nothing.
    fn parts(&self, schema: &Schema) -> Result<Option<RecordParts>>;
}

impl SnapshotType {
    pub(crate) fn of<A: Document + Aggregate>() -> Self {
        Self {
            rust: TypeId::of::<A>(),
            rust_name: type_name::<A>(),
            schema: A::schema,
            event_types: <A::Event as Event>::event_types,
            folding: || Box::new(Fold::<A>::new()),
        }
    }

    /// The names of the event types that it is folded from.
    pub(crate) fn event_types(&self) -> &'static [&'static str] {
        (self.event_types)()
    }

    /// Refuses a type whose ids cannot be those of streams.
    pub(crate) fn check(&self, schema: &Schema) -> Result<()> {
        match schema.id_type() {
            IdType::Uuid | IdType::Text => Ok(()),
            other => Err(Error::new(
                ErrorKind::Declaration,
                format!(
                    "`{schema}` is a snapshot of streams, whose ids are uuids or texts, and its own ids are {other}"
                ),
            )),
        }
    }
}

impl Snapshot {
    pub(crate) fn new(kind: SnapshotType, opened: Arc<Opened>) -> Self {
        Self { opened, kind }
    }

    /// A fold of a stream from its beginning.
    pub(crate) fn folding(&self) -> Box<dyn Folding> {
        (self.kind.folding)()
    }

    /// Whether it is folded from events of a type.
    pub(crate) fn folds(&self, event_type: &str) -> bool {
        (self.kind.event_types)().contains(&event_type)
    }

    /// Whether a stream can have a snapshot of this type.
    pub(crate) fn fits(&self, tenant: Option<&TenantId>, stream: &StreamId) -> bool {
        self.check_fits(tenant, stream).is_ok()
    }

    /// Refuses a stream that cannot have a snapshot of this type: where two
    /// tenants' streams would share one, and where the stream's id is no id of it.
    pub(crate) fn check_fits(&self, tenant: Option<&TenantId>, stream: &StreamId) -> Result<()> {
        let schema = &self.opened.schema;
        let refuse = |kind, problem: String| {
            Err(Error::new(
                kind,
                format!("stream {stream} cannot be folded into `{schema}`: {problem}"),
            ))
        };
        match (tenant, schema.tenancy()) {
            (Some(tenant), Tenancy::None) => {
                return refuse(
                    ErrorKind::Tenancy,
                    format!(
                        "the stream is the tenant {tenant}'s and the type has no tenants; declare it with conjoined tenancy, or append in a session without a tenant"
                    ),
                );
            }
            (None, Tenancy::Conjoined) => {
                return refuse(
                    ErrorKind::Tenancy,
                    "the type belongs to tenants and the stream to none; append in a tenant's session".to_owned(),
                );
            }
            _ => {}
        }
        let named_by = Id::from(stream.clone()).id_type();
        if named_by == schema.id_type() {
            return Ok(());
        }
        refuse(
            ErrorKind::TypeMismatch,
            format!(
                "the stream is named by {named_by} and the type's ids are {}",
                schema.id_type()
            ),
        )
    }

    /// What a fold comes to, whose id must be its stream's.
    pub(crate) fn parts(
        &self,
        folding: &dyn Folding,
        stream: &StreamId,
    ) -> Result<Option<RecordParts>> {
        let schema = &self.opened.schema;
        let Some(parts) = folding.parts(schema)? else {
            return Ok(None);
        };
        if parts.id == Id::from(stream.clone()) {
            return Ok(Some(parts));
        }
        Err(Error::new(
            ErrorKind::InvalidValue,
            format!(
                "stream {stream} is folded into document {} of `{schema}`; a snapshot has its stream's id: `event.stream.document_id()?`",
                parts.id
            ),
        ))
    }
}
