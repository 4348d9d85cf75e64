//! Declaring events, and the snapshots that are folded from them.

use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ermine_core::{Aggregate, Backend, Document, Error, ErrorKind, Event, EventStorage, Result};

use super::{Declared, StoreBuilder};
use crate::collection::Opened;
use crate::events::{DeclaredEvents, EventTypes, Events, Snapshot, SnapshotType, Upcast};

/// What was declared of events.
#[derive(Default)]
pub(super) struct EventDeclarations {
    events: Vec<DeclaredEvents>,
    upcasts: Vec<Upcast>,
    snapshots: Vec<SnapshotType>,
}

impl<B: Backend> StoreBuilder<B>
where
    B::Store: EventStorage,
{
    /// Declares a type of events. Two event types of one name are refused by open (rule E2).
    pub fn events<E: Event>(mut self) -> Self {
        self.types.events.events.push(DeclaredEvents::of::<E>());
        self
    }

    /// Reads events stored under the name `from` as events named `to`, their data
    /// brought up to date by `upcast`, wherever they are read (rule E2). What is
    /// stored stays as it is.
    ///
    /// Steps make a chain: `to` may be an older name itself, whose own step goes on
    /// from there; open refuses a chain that does not end in a declared type.
    ///
    /// ```
    /// # use ermine_compliance::Reference;
    /// # use ermine_macros::Event;
    /// # use ermine_store::Store;
    /// # use serde::{Deserialize, Serialize};
    /// #[derive(Event, Serialize, Deserialize)]
    /// # #[event(crate = "ermine_core")]
    /// #[event(name = "deposit")]
    /// struct Deposit(i64); // the first version of the program
    ///
    /// #[derive(Event, Serialize, Deserialize)]
    /// # #[event(crate = "ermine_core")]
    /// struct Deposited { amount: i64 } // the next one
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// # let backend = Reference::new();
    /// # let store = Store::builder(backend.clone()).events::<Deposit>().open().await?;
    /// # let mut session = store.session_without_tenant();
    /// # session.append("account-1", [Deposit(5)]);
    /// # session.commit().await?;
    ///
    /// let store = Store::builder(backend)
    ///     .events::<Deposited>()
    ///     .upcast("deposit", "deposited", |amount| Ok(format!(r#"{{"amount":{amount}}}"#)))
    ///     .open().await?;
    /// let events = store.reader_without_tenant().stream("account-1").of::<Deposited>().await?;
    /// assert_eq!(events[0].data.amount, 5);
    /// # Ok::<(), ermine_core::Error>(()) }).unwrap();
    /// ```
    pub fn upcast(
        mut self,
        from: impl Into<String>,
        to: impl Into<String>,
        upcast: impl Fn(&str) -> Result<String> + Send + Sync + 'static,
    ) -> Self {
        self.types.events.upcasts.push(Upcast {
            from: from.into(),
            to: to.into(),
            upcast: Box::new(upcast),
        });
        self
    }

    /// Declares an inline snapshot: a document that is what its stream adds up to,
    /// written in the unit that appends to the stream (rules E3, E4). It declares
    /// the document type and its events too.
    ///
    /// The document's id is its stream's, so `A`'s ids are uuids or texts, and a
    /// stream with `A`'s events is named by one; where tenants append, `A` is
    /// conjoined. A type that is a snapshot is written by its streams only: sessions
    /// refuse to store or delete it. Where the fold comes to nothing the document is
    /// deleted, as its type declares.
    ///
    /// Each commit folds the stream from its beginning, so that the snapshot is the
    /// live fold whatever was stored before; a stream that is opened with `start` is
    /// folded without reading. A stream of many thousand events costs as many at
    /// each append. The fold sees the events of the unit before they have a
    /// [`Position`](ermine_core::Position): theirs is `START`.
    pub fn snapshot<A: Document + Aggregate>(mut self) -> Self {
        self.types
            .events
            .events
            .push(DeclaredEvents::of::<A::Event>());
        self.types.events.snapshots.push(SnapshotType::of::<A>());
        self
    }
}

impl EventDeclarations {
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.upcasts.is_empty()
    }

    /// Declares events that something else rests on.
    pub(super) fn also(&mut self, events: impl IntoIterator<Item = DeclaredEvents>) {
        self.events.extend(events);
    }

    /// The snapshots' document types that nobody declared.
    pub(super) fn documents(&self, declared: &[Declared]) -> Vec<Declared> {
        let mut known: HashSet<TypeId> = declared.iter().filter_map(|d| d.type_id).collect();
        let undeclared = self.snapshots.iter().filter(|s| known.insert(s.rust));
        undeclared
            .map(|snapshot| Declared {
                type_id: Some(snapshot.rust),
                schema: (snapshot.schema)(),
            })
            .collect()
    }

    /// What is known of events before anything is opened; the snapshots follow.
    pub(super) fn check(self) -> Result<(EventTypes, Vec<SnapshotType>)> {
        let mut known = HashSet::new();
        for snapshot in &self.snapshots {
            if !known.insert(snapshot.rust) {
                return Err(Error::new(
                    ErrorKind::Declaration,
                    format!(
                        "`{}` is declared as a snapshot twice; leave one out",
                        snapshot.rust_name
                    ),
                ));
            }
            snapshot.check(&(snapshot.schema)()?)?;
        }
        let types = EventTypes::of(self.events, self.upcasts)?;
        Ok((types, self.snapshots))
    }
}

/// What the runtime knows of events, once its types are opened.
pub(super) fn opened(
    types: EventTypes,
    snapshots: Vec<SnapshotType>,
    opened: &HashMap<TypeId, Arc<Opened>>,
) -> Events {
    let snapshots = snapshots.into_iter().filter_map(|snapshot| {
        let opened = opened.get(&snapshot.rust)?;
        Some(Snapshot::new(snapshot, opened.clone()))
    });
    Events {
        types,
        snapshots: snapshots.collect(),
        projections: Vec::new(),
    }
}
