//! The oracle: a store that holds everything in memory and optimises nothing.
//!
//! It reads every document for every question, evaluates filters as they are
//! written, takes distances from the one function and scores from the one
//! formula, and counts its statistics anew for every search. Where another
//! store's answer differs, the other store is wrong.

mod commit;
mod ensure;
mod event_storage;
mod events;
mod filter;
mod fixture;
mod ranking;
mod read;
mod search;
mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use ermine_core::{
    Answer, Backend, Capabilities, Committed, Declaration, Engine, Error, ErrorKind, Feature, Id,
    Include, Read, Result, SchemaMode, SchemaReport, Storage, TenantId, Token, Unit,
};

pub use fixture::ReferenceFixture;
use state::State;

/// The address of a reference store. Clones open the same one.
#[derive(Debug, Clone, Default)]
pub struct Reference {
    store: Arc<ReferenceStore>,
}

impl Reference {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts bytes in place of a document's stored vector, as somebody else's
    /// program could; they need not be a vector.
    ///
    /// Refused where the document has none stored.
    pub fn overwrite_vector(
        &self,
        collection: &str,
        tenant: Option<&TenantId>,
        id: &Id,
        field: &str,
        bytes: &[u8],
    ) -> Result<()> {
        self.store.change(|state| {
            let document = state.named_mut(collection)?.stored_mut(tenant, id)?;
            let stored = document
                .vectors
                .get_mut(field)
                .and_then(|v| v.bytes.as_mut());
            let stored = stored.ok_or_else(|| {
                let problem = format!("document {id} of `{collection}` has no vector in `{field}`");
                Error::new(ErrorKind::Missing, problem)
            })?;
            bytes.clone_into(stored);
            Ok(())
        })
    }

    /// Puts text in place of a document's stored body; it need not be JSON.
    ///
    /// Refused where there is no such document.
    pub fn overwrite_body(
        &self,
        collection: &str,
        tenant: Option<&TenantId>,
        id: &Id,
        body: &str,
    ) -> Result<()> {
        self.store.change(|state| {
            let document = state.named_mut(collection)?.stored_mut(tenant, id)?;
            document.body = body.to_owned();
            Ok(())
        })
    }
}

impl Backend for Reference {
    type Store = ReferenceStore;

    async fn connect(self) -> Result<Engine> {
        let events = Arc::clone(&self.store);
        Ok(Engine::searching(self.store).with_events(events))
    }
}

/// The store behind [`Reference`].
#[derive(Debug)]
pub struct ReferenceStore {
    capabilities: Capabilities,
    state: Mutex<Arc<State>>,
    /// Who waits for the next commit.
    waiting: Mutex<Vec<Waker>>,
}

impl Default for ReferenceStore {
    fn default() -> Self {
        let mut capabilities = Capabilities::all("reference");
        capabilities.features.push(Feature::Events);
        Self {
            capabilities,
            state: Mutex::default(),
            waiting: Mutex::default(),
        }
    }
}

impl ReferenceStore {
    fn current(&self) -> MutexGuard<'_, Arc<State>> {
        // A state is replaced as a whole, so a panic elsewhere leaves it sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything as it is now; later commits do not change it.
    ///
    /// Refused where one of `includes` asks for a commit that has not happened.
    fn snapshot(&self, includes: impl IntoIterator<Item = Include>) -> Result<Arc<State>> {
        let state = Arc::clone(&self.current());
        let last = Token::at(state.commits);
        let mut tokens = includes.into_iter().filter_map(|include| include.at_least);
        match tokens.find(|token| token.commit() > state.commits) {
            None => Ok(state),
            Some(token) => Err(Error::new(
                ErrorKind::Timeout,
                format!(
                    "the read must see commit {token}, and the store's last is {last}; was the token made by another store?"
                ),
            )),
        }
    }

    /// Wakes a task at the next commit, whatever it writes.
    fn wake_at_commit(&self, waker: Waker) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if !waiting.iter().any(|other| other.will_wake(&waker)) {
            waiting.push(waker);
        }
    }

    /// Replaces the state by what `change` makes of a copy, unless it fails.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> Result<T>) -> Result<T> {
        let mut current = self.current();
        let mut next = State::clone(&current);
        let answer = change(&mut next)?;
        *current = Arc::new(next);
        drop(current);
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.drain(..).for_each(Waker::wake);
        Ok(answer)
    }
}

impl Storage for ReferenceStore {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    async fn ensure(&self, declaration: &Declaration, mode: SchemaMode) -> Result<SchemaReport> {
        self.change(|state| state.ensure(declaration, mode))
    }

    async fn declarations(&self) -> Result<Vec<Declaration>> {
        let state = self.snapshot([])?;
        Ok(state
            .collections
            .values()
            .map(|collection| collection.declaration.clone())
            .collect())
    }

    async fn read(&self, reads: &[Read]) -> Result<Vec<Answer>> {
        let state = self.snapshot(reads.iter().map(read::include_of))?;
        reads.iter().map(|read| state.answer(read)).collect()
    }

    async fn commit(&self, unit: &Unit) -> Result<Committed> {
        self.change(|state| {
            let before = state.events.last();
            if !unit.ops.is_empty() {
                unit.ops.iter().try_for_each(|op| state.apply(op))?;
                state.commits += 1;
            }
            let last = state.events.last();
            let token = Token::at(state.commits).with_position((last > before).then_some(last));
            Ok(Committed { token })
        })
    }
}
