//! A document type, a store, and calls in few words.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use ermine_core::{
    Accuracy, Answer, Backend, ColumnType, Committed, Declaration, DeleteMode, DeletedScope,
    Deletion, Engine, Expr, ForwardRecord, HybridAnswer, HybridRequest, HybridSearch, IdType,
    Include, Matching, Metric, Op, Page, Put, PutMode, QueryTerm, Read, Result, ScalarType, Schema,
    SchemaMode, Scope, Storage, StoredRecord, Target, Tenancy, TenantId, TenantScope, TextAnswer,
    TextLeg, TextQuery, TextRequest, TextSearch, Token, Unit, Value, Vector, VectorAnswer,
    VectorLeg, VectorRequest, VectorSearch, VectorWrite,
};
use ermine_postgres::Postgres;
use ermine_text::{Analyzer, Language};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls, Row};

/// A sequence that looks random and is the same every time.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future on this thread: the store needs no runtime of its own.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

/// Where the server for the tests is.
pub(crate) fn url() -> String {
    std::env::var("ERMINE_TEST_POSTGRES").expect(
        "ERMINE_TEST_POSTGRES names the PostgreSQL server for the tests; `cargo xtask postgres` starts one",
    )
}

/// A schema of its own in the tests' database, dropped at the end of the test.
pub(crate) struct Place {
    pub(crate) schema: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let schema = format!("ermine test \"{}", ermine_core::new_id().simple());
        Self { schema }
    }

    pub(crate) fn postgres(&self) -> Postgres {
        Postgres::url(url()).schema(&self.schema)
    }

    pub(crate) fn quoted(&self) -> String {
        format!("\"{}\"", self.schema.replace('"', "\"\""))
    }

    /// A connection of somebody else's, for plain SQL in this schema.
    pub(crate) fn plain(&self) -> Plain {
        let plain = Plain::connect(&url());
        plain.run(&format!("SET search_path = {}", self.quoted()));
        plain
    }

    /// The server processes of the connections that the store holds.
    pub(crate) fn terminate_the_stores_connections(&self) -> usize {
        let terminated = Plain::connect(&url()).numbers(&format!(
            "SELECT count(pg_terminate_backend(pid, 5000))::int8 FROM pg_stat_activity WHERE application_name = '{}'",
            self.application()
        ));
        usize::try_from(terminated[0]).unwrap()
    }

    /// A name by which the server knows connections of this test.
    pub(crate) fn application(&self) -> String {
        self.schema.replace(['"', ' '], "")
    }

    pub(crate) fn named(&self) -> Postgres {
        Postgres::url(self.named_url()).schema(&self.schema)
    }

    pub(crate) fn named_url(&self) -> String {
        let url = url();
        let separator = if url.contains('?') { '&' } else { '?' };
        format!("{url}{separator}application_name={}", self.application())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let drop = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.quoted());
        Plain::connect(&url()).run(&drop);
    }
}

/// A connection without Ermine.
pub(crate) struct Plain {
    client: Client,
    runtime: Runtime,
}

impl Plain {
    pub(crate) fn connect(url: &str) -> Self {
        Self::try_to_connect(url).unwrap()
    }

    pub(crate) fn try_to_connect(url: &str) -> std::result::Result<Self, tokio_postgres::Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let (client, connection) = runtime.block_on(tokio_postgres::connect(url, NoTls))?;
        runtime.spawn(connection);
        Ok(Self { client, runtime })
    }

    pub(crate) fn run(&self, sql: &str) {
        self.runtime
            .block_on(self.client.batch_execute(sql))
            .unwrap();
    }

    pub(crate) fn rows(&self, sql: &str) -> Vec<Row> {
        self.runtime.block_on(self.client.query(sql, &[])).unwrap()
    }

    /// How many rows there are; none where the connection is lost.
    pub(crate) fn try_to_count(&self, sql: &str) -> usize {
        let rows = self.runtime.block_on(self.client.query(sql, &[]));
        rows.map_or(0, |rows| rows.len())
    }

    /// The first column of every row, which is text.
    pub(crate) fn column(&self, sql: &str) -> Vec<String> {
        self.rows(sql).iter().map(|row| row.get(0)).collect()
    }

    /// The first column of every row.
    pub(crate) fn numbers(&self, sql: &str) -> Vec<i64> {
        self.rows(sql).iter().map(|row| row.get(0)).collect()
    }
}

/// Notes of tenants, which are soft-deleted.
pub(crate) fn notes() -> Schema {
    Schema::builder("notes", "id", IdType::Text)
        .tenancy(Tenancy::Conjoined)
        .deletion(Deletion::Soft)
        .column("year", ColumnType::Scalar(ScalarType::I64))
        .column("tags", ColumnType::List(ScalarType::Text))
        .text("title", 3.0)
        .text("body", 1.0)
        .vector("embedding", 2, Metric::Cosine)
        .build()
        .unwrap()
}

pub(crate) fn declaration(schema: Schema) -> Declaration {
    let models = vec![None; schema.vectors().len()];
    Declaration {
        schema: Arc::new(schema),
        analyzer: Analyzer::new(Language::None).identity(),
        models,
    }
}

/// An open store with the type `notes`.
#[derive(Clone)]
pub(crate) struct Notes {
    pub(crate) engine: Engine,
    pub(crate) schema: Arc<Schema>,
}

/// A note, as it is written.
#[derive(Clone)]
pub(crate) struct Note {
    pub(crate) id: String,
    pub(crate) tenant: String,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) year: Option<i64>,
    pub(crate) tags: Option<Vec<String>>,
    pub(crate) vector: VectorWrite,
    pub(crate) mode: PutMode,
}

pub(crate) fn note(id: &str, body: &str) -> Note {
    Note {
        id: id.into(),
        tenant: "acme".into(),
        title: String::new(),
        body: body.into(),
        year: None,
        tags: None,
        vector: VectorWrite::Keep,
        mode: PutMode::Store,
    }
}

impl Note {
    pub(crate) fn vector(mut self, vector: [f32; 2]) -> Self {
        self.vector = VectorWrite::Set {
            vector: Vector::from(vector),
            hash: None,
        };
        self
    }

    pub(crate) fn tags(mut self, tags: &[&str]) -> Self {
        self.tags = Some(tags.iter().map(|tag| (*tag).to_owned()).collect());
        self
    }

    pub(crate) fn of(mut self, tenant: &str) -> Self {
        self.tenant = tenant.into();
        self
    }

    pub(crate) fn mode(mut self, mode: PutMode) -> Self {
        self.mode = mode;
        self
    }
}

pub(crate) fn tenant(name: &str) -> Option<TenantId> {
    Some(TenantId::new(name).unwrap())
}

impl Notes {
    pub(crate) fn open(postgres: Postgres) -> Self {
        Self::try_to_open(postgres).unwrap()
    }

    pub(crate) fn try_to_open(postgres: Postgres) -> Result<Self> {
        let engine = block_on(postgres.connect())?;
        let declaration = declaration(notes());
        block_on(engine.ensure(&declaration, SchemaMode::CreateOrUpdate))?;
        Ok(Self {
            engine,
            schema: declaration.schema,
        })
    }

    pub(crate) fn put(&self, note: Note) -> Op {
        let text =
            Analyzer::new(Language::None).analyze_document(&[Some(&note.title), Some(&note.body)]);
        let tags = note
            .tags
            .map(|tags| Value::List(tags.into_iter().map(Value::Text).collect()));
        Op::Put(Box::new(Put {
            schema: Arc::clone(&self.schema),
            tenant: tenant(&note.tenant),
            body: format!("{{\"body\":{:?}}}", note.body),
            id: note.id.into(),
            mode: note.mode,
            columns: vec![note.year.map(Value::I64), tags],
            vectors: vec![note.vector],
            text: Some(ForwardRecord {
                len: u32::try_from(text.len()).unwrap(),
                bytes: text.encode(),
            }),
        }))
    }

    pub(crate) fn delete(&self, id: &str, mode: DeleteMode) -> Op {
        Op::Delete {
            schema: Arc::clone(&self.schema),
            tenant: tenant("acme"),
            id: id.into(),
            mode,
        }
    }

    pub(crate) fn commit(&self, ops: Vec<Op>) -> Result<Committed> {
        block_on(self.engine.commit(&Unit { ops }))
    }

    pub(crate) fn store(&self, notes: impl IntoIterator<Item = Note>) -> Committed {
        let ops = notes.into_iter().map(|note| self.put(note)).collect();
        self.commit(ops).unwrap()
    }

    pub(crate) fn scope(&self) -> Scope {
        Scope::live(TenantScope::One(TenantId::new("acme").unwrap()))
    }

    /// Everything in a scope.
    pub(crate) fn of(&self, deleted: DeletedScope) -> Target {
        let mut target = self.target();
        target.scope.deleted = deleted;
        target
    }

    pub(crate) fn target(&self) -> Target {
        Target {
            schema: Arc::clone(&self.schema),
            scope: self.scope(),
            filter: None,
        }
    }

    pub(crate) fn filtered(&self, filter: Expr) -> Target {
        Target {
            filter: Some(filter),
            ..self.target()
        }
    }

    pub(crate) fn load(&self, id: &str, include: Include) -> Result<Option<StoredRecord>> {
        let read = Read::Get {
            target: self.target(),
            ids: vec![id.into()],
            include,
        };
        match block_on(self.engine.read(&[read]))?.remove(0) {
            Answer::Records(mut records) => Ok(records.pop()),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn count(&self, target: Target) -> u64 {
        let read = Read::Count {
            target,
            include: Include::default(),
        };
        match block_on(self.engine.read(&[read])).unwrap().remove(0) {
            Answer::Count(count) => count,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn nearest(&self, target: Target, query: [f32; 2], limit: usize) -> VectorAnswer {
        block_on(self.engine.vector_search(&VectorRequest {
            target,
            leg: vector_leg(query),
            page: Page::first(limit),
            include: Include::default(),
        }))
        .unwrap()
    }

    pub(crate) fn matching(&self, target: Target, query: TextQuery) -> TextAnswer {
        block_on(self.engine.text_search(&TextRequest {
            target,
            leg: text_leg(query),
            min_score: None,
            page: Page::first(10),
            include: Include::default(),
        }))
        .unwrap()
    }

    pub(crate) fn hybrid(
        &self,
        target: Target,
        query: TextQuery,
        vector: [f32; 2],
    ) -> HybridAnswer {
        block_on(self.engine.hybrid_search(&HybridRequest {
            target,
            text: text_leg(query),
            vector: Some(vector_leg(vector)),
            text_weight: 1.0,
            vector_weight: 1.0,
            k: 60,
            depth: None,
            min_score: None,
            page: Page::first(10),
            include: Include::default(),
        }))
        .unwrap()
    }

    /// The ids that each of the searches finds, best first.
    pub(crate) fn searches(&self, word: &str, vector: [f32; 2]) -> [Vec<String>; 3] {
        let nearest = self.nearest(self.target(), vector, 10).hits;
        let matching = self.matching(self.target(), any(&[word])).hits;
        let hybrid = self.hybrid(self.target(), any(&[word]), vector).hits;
        [
            nearest.iter().map(|(r, _)| r.id.to_string()).collect(),
            matching.iter().map(|(r, _)| r.id.to_string()).collect(),
            hybrid.iter().map(|hit| hit.record.id.to_string()).collect(),
        ]
    }
}

pub(crate) fn vector_leg(query: [f32; 2]) -> VectorLeg {
    VectorLeg {
        field: 0,
        query: Vector::from(query),
        metric: Metric::Cosine,
        accuracy: Accuracy::Exact,
        max_distance: None,
    }
}

pub(crate) fn text_leg(query: TextQuery) -> TextLeg {
    TextLeg {
        query,
        fields: vec![0, 1],
        weights: vec![3.0, 1.0],
    }
}

/// The query for any of these words.
pub(crate) fn any(words: &[&str]) -> TextQuery {
    let mut words = words.to_vec();
    words.sort_unstable();
    let term = |word: &&str| QueryTerm {
        term: (*word).to_owned(),
        count: 1,
    };
    TextQuery {
        terms: words.iter().map(term).collect(),
        matching: Matching::Any,
        excluded: Vec::new(),
    }
}

pub(crate) fn at_least(token: Token) -> Include {
    Include {
        at_least: Some(token),
        ..Include::default()
    }
}

pub(crate) fn with_vectors() -> Include {
    Include {
        vectors: true,
        ..Include::default()
    }
}
