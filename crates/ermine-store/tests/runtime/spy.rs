//! A store that records what it is asked, and can be made to fail.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ermine_compliance::Reference;
use ermine_core::{
    Answer, Backend, Capabilities, Committed, Declaration, Engine, Error, ErrorKind, HybridAnswer,
    HybridRequest, HybridSearch, LegAnswer, LegRequest, Op, Read, Result, SchemaMode, SchemaReport,
    Storage, TextAnswer, TextRequest, TextSearch, Unit, VectorAnswer, VectorRequest, VectorSearch,
    VectorWrite,
};
use ermine_embed::DeterministicProvider;
use ermine_store::Store;

use crate::documents::{Note, Page, Point};
use crate::wait;

type Hook = Box<dyn FnOnce() + Send>;

/// The reference store, watched.
pub(crate) struct Spy {
    inner: Engine,
    units: Mutex<Vec<Unit>>,
    reads: AtomicUsize,
    searches: AtomicUsize,
    failures: Mutex<VecDeque<ErrorKind>>,
    before_commit: Mutex<VecDeque<Hook>>,
}

impl Spy {
    pub(crate) fn over(reference: &Reference) -> Arc<Self> {
        Arc::new(Self {
            inner: wait(reference.clone().connect()).unwrap(),
            units: Mutex::default(),
            reads: AtomicUsize::new(0),
            searches: AtomicUsize::new(0),
            failures: Mutex::default(),
            before_commit: Mutex::default(),
        })
    }

    pub(crate) fn engine(self: &Arc<Self>) -> Engine {
        Engine::searching(self.clone())
    }

    /// What the last commit that reached the store was to write to each vector
    /// field of each put.
    pub(crate) fn last_writes(&self) -> Vec<VectorWrite> {
        let units = self.units.lock().unwrap();
        let ops = units.last().map(|unit| unit.ops.as_slice());
        let puts = ops.unwrap_or_default().iter().filter_map(|op| match op {
            Op::Put(put) => Some(put.vectors.clone()),
            _ => None,
        });
        puts.flatten().collect()
    }

    /// How many units reached the store.
    pub(crate) fn commits(&self) -> usize {
        self.units.lock().unwrap().len()
    }

    /// How many reads reached the store.
    pub(crate) fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }

    /// How many searches reached the store.
    pub(crate) fn searches(&self) -> usize {
        self.searches.load(Ordering::Relaxed)
    }

    /// Makes the next commits fail.
    pub(crate) fn fail(&self, kinds: impl IntoIterator<Item = ErrorKind>) {
        self.failures.lock().unwrap().extend(kinds);
    }

    /// Runs something when the next commit arrives, before it is written.
    pub(crate) fn before_commit(&self, hook: impl FnOnce() + Send + 'static) {
        self.before_commit.lock().unwrap().push_back(Box::new(hook));
    }

    fn searched(&self) {
        self.searches.fetch_add(1, Ordering::Relaxed);
    }
}

impl Storage for Spy {
    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    async fn ensure(&self, declaration: &Declaration, mode: SchemaMode) -> Result<SchemaReport> {
        self.inner.ensure(declaration, mode).await
    }

    async fn declarations(&self) -> Result<Vec<Declaration>> {
        self.inner.declarations().await
    }

    async fn read(&self, reads: &[Read]) -> Result<Vec<Answer>> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.inner.read(reads).await
    }

    async fn commit(&self, unit: &Unit) -> Result<Committed> {
        self.units.lock().unwrap().push(unit.clone());
        let hook = self.before_commit.lock().unwrap().pop_front();
        hook.into_iter().for_each(|hook| hook());
        let failure = self.failures.lock().unwrap().pop_front();
        match failure {
            Some(kind) => Err(Error::new(kind, "made to fail")),
            None => self.inner.commit(unit).await,
        }
    }
}

impl VectorSearch for Spy {
    async fn vector_search(&self, request: &VectorRequest) -> Result<VectorAnswer> {
        self.searched();
        self.inner.vector_search(request).await
    }
}

impl TextSearch for Spy {
    async fn text_search(&self, request: &TextRequest) -> Result<TextAnswer> {
        self.searched();
        self.inner.text_search(request).await
    }
}

impl HybridSearch for Spy {
    async fn hybrid_search(&self, request: &HybridRequest) -> Result<HybridAnswer> {
        self.searched();
        self.inner.hybrid_search(request).await
    }

    async fn search_legs(&self, legs: &[LegRequest]) -> Result<Vec<LegAnswer>> {
        self.searched();
        self.inner.search_legs(legs).await
    }
}

/// A store of every type of these tests, watched, and the provider of its notes and pages.
pub(crate) struct Watched {
    pub(crate) store: Store<Engine>,
    pub(crate) spy: Arc<Spy>,
    pub(crate) provider: DeterministicProvider,
    pub(crate) reference: Reference,
}

pub(crate) fn watched() -> Watched {
    let reference = Reference::new();
    let spy = Spy::over(&reference);
    let provider = DeterministicProvider::new(8);
    let store = wait(
        Store::builder(spy.engine())
            .document::<Note>()
            .document::<Point>()
            .document::<Page>()
            .embeddings(provider.clone())
            .open(),
    )
    .unwrap();
    Watched {
        store,
        spy,
        provider,
        reference,
    }
}

impl Watched {
    /// Stores notes of the tenant `a` and forgets what it cost.
    pub(crate) fn with_notes(self, notes: impl IntoIterator<Item = Note>) -> Self {
        let mut session = self.store.session("a");
        notes.into_iter().for_each(|note| session.store(&note));
        wait(session.commit()).unwrap();
        self.provider.reset_counts();
        self
    }

    /// The vector stored with a note of the tenant `a`.
    pub(crate) fn vector_of(&self, id: i64) -> Option<Vec<f32>> {
        let note = wait(self.store.reader("a").load::<Note>(id)).unwrap();
        let embedding = note.unwrap().embedding;
        embedding.vector().map(|v| v.as_slice().to_vec())
    }
}
