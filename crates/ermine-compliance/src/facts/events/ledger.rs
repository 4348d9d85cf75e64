//! The streams that facts about sessions, aggregates and snapshots append to.

use ermine_core::{Aggregate, Embedding, Engine, Envelope, ErrorKind, Feature, Result, Storage};
use ermine_macros::{Document, Event};
use ermine_store::{Reader, Store, StoreBuilder};
use serde::{Deserialize, Serialize};

use crate::facts::World;
use crate::facts::kit::refused;
use crate::facts::provider::Scribe;

/// What happens to an account.
#[derive(Debug, Clone, PartialEq, Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", prefix = "account")]
pub(super) enum AccountEvent {
    Opened { owner: String },
    Deposited(i64),
    Renamed { owner: String },
    Closed,
}

/// Something else that happens in the same streams, and no account's fold knows.
#[derive(Debug, Clone, PartialEq, Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
pub(super) struct Noted {
    pub(super) text: String,
}

/// What an account's stream adds up to: nothing before it is opened and after it is closed.
#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(
    crate = "ermine_core",
    name = "accounts",
    tenancy = "conjoined",
    soft_delete
)]
pub(super) struct Account {
    #[document(id)]
    pub(super) id: String,
    #[document(index, text)]
    pub(super) owner: String,
    #[document(index)]
    pub(super) balance: i64,
    pub(super) versions: Vec<u64>,
    #[document(vector(dimensions = 2, metric = "l2", from = "owner"))]
    pub(super) embedding: Embedding,
}

impl Account {
    /// Without what the fold does not make.
    pub(super) fn plain(mut self) -> Self {
        self.embedding = Embedding::Absent;
        self
    }
}

impl Aggregate for Account {
    type Event = AccountEvent;

    fn fold(state: Option<Self>, event: &Envelope<AccountEvent>) -> Result<Option<Self>> {
        let state = match (state, &event.data) {
            (None, AccountEvent::Opened { owner }) => Some(Self {
                id: event.stream.document_id()?,
                owner: owner.clone(),
                balance: 0,
                versions: Vec::new(),
                embedding: Embedding::Absent,
            }),
            (Some(account), AccountEvent::Deposited(amount)) => Some(Self {
                balance: account.balance + amount,
                ..account
            }),
            (Some(account), AccountEvent::Renamed { owner }) => Some(Self {
                owner: owner.clone(),
                ..account
            }),
            (_, AccountEvent::Closed) => None,
            (state, _) => state,
        };
        Ok(state.map(|mut account| {
            account.versions.push(event.version);
            account
        }))
    }
}

pub(super) fn opened(owner: &str) -> AccountEvent {
    AccountEvent::Opened {
        owner: owner.to_owned(),
    }
}

pub(super) fn renamed(owner: &str) -> AccountEvent {
    AccountEvent::Renamed {
        owner: owner.to_owned(),
    }
}

pub(super) fn deposited(amount: i64) -> AccountEvent {
    AccountEvent::Deposited(amount)
}

/// Opens the database with events; `None` where the store keeps none, which it
/// must say by name when they are declared.
pub(super) async fn open(
    world: &World,
    declare: impl FnOnce(StoreBuilder<Engine>) -> StoreBuilder<Engine>,
) -> Result<Option<Store<Engine>>> {
    let engine = world.engine().await?;
    if engine.capabilities().features.contains(&Feature::Events) {
        return world.store(declare).await.map(Some);
    }
    let store = engine.capabilities().store;
    let declared = declare(Store::builder(engine)).open().await;
    refused(declared, ErrorKind::Unsupported, &[store, "events"]);
    Ok(None)
}

/// A store of accounts that are folded as they are written, and of notes.
pub(super) async fn accounts(world: &World) -> Result<Option<Store<Engine>>> {
    let declare = |builder: StoreBuilder<Engine>| {
        builder
            .snapshot::<Account>()
            .events::<Noted>()
            .embeddings(Scribe::new())
    };
    open(world, declare).await
}

/// The snapshot of an account, which must be what its stream adds up to.
#[track_caller]
pub(super) fn account<'a>(
    reader: &'a Reader<Engine>,
    stream: &'a str,
) -> impl Future<Output = Result<Option<Account>>> + use<'a> {
    let place = std::panic::Location::caller();
    async move {
        let live = reader.aggregate::<Account>(stream).await?;
        let stored = reader.load::<Account>(stream).await?;
        if let Some(stored) = &stored {
            let expected = Scribe::vector(&stored.owner);
            assert_eq!(
                stored.embedding.vector(),
                Some(&expected),
                "the vector is its text's; asked at {place}"
            );
        }
        assert_eq!(
            stored.map(Account::plain),
            live.clone(),
            "the snapshot of {stream} is what it adds up to; asked at {place}"
        );
        Ok(live)
    }
}
