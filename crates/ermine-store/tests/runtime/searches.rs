//! Searches: names, defaults, refusals, and what is embedded (rules V2–V6, V11, V14, V15, T1, T2, T6–T8).

use std::sync::{Arc, Mutex};

use ermine_core::{
    DistanceUnit, Embedding, EmbeddingProvider, EmptyLeg, Engine, ErrorKind, HybridAnswer,
    HybridTextInRequest, HybridVectorizableTextSearch, IdType, LegKind, Metric, ModelIdentity,
    Result, Role, Schema, Vector, VectorAnswer, VectorField, VectorTextInRequest,
    VectorizableTextSearch,
};
use ermine_store::{HybridOptions, MaxDistance, Store, TextOptions, TextStyle, VectorOptions};

use crate::documents::{Note, Page, Point};
use crate::spy::{Watched, watched};
use crate::{refused, wait};

fn points() -> Watched {
    let w = watched();
    let mut session = w.store.session_without_tenant();
    for (id, place) in [("a", [2.0, 0.0]), ("b", [0.9, 0.1]), ("c", [0.0, 1.0])] {
        session.store(&Point::new(id, place));
    }
    wait(session.commit()).unwrap();
    w
}

#[test]
fn the_declared_metric_is_the_default_and_another_one_is_named() {
    let w = points();
    let reader = w.store.reader_without_tenant();
    let nearest = || {
        reader
            .search::<Point>()
            .nearest_to([1.0, 0.0])
            .vector_field(Point::PLACE)
    };
    let ids = |query: ermine_store::NearestQuery<Point>| -> Vec<String> {
        wait(query)
            .unwrap()
            .into_documents()
            .map(|p| p.id)
            .collect()
    };
    assert_eq!(ids(nearest()), ["b", "a", "c"]);
    assert_eq!(ids(nearest().measured_by(Metric::Cosine)), ["a", "b", "c"]);
    assert_eq!(ids(nearest().limit(2)), ["b", "a"]);
    assert_eq!(ids(nearest().offset(1)), ["a", "c"]);
    assert_eq!(ids(nearest().max_distance(1.0)), ["b", "a"]);
    let squared = MaxDistance::in_unit(0.5, DistanceUnit::SquaredEuclidean);
    assert_eq!(ids(nearest().max_distance(squared)), ["b"]);
    let wrong = MaxDistance::in_unit(0.5, DistanceUnit::CosineSimilarity);
    refused(
        wait(nearest().max_distance(wrong)),
        ErrorKind::InvalidOption,
    );
    let hits = wait(nearest()).unwrap();
    assert!((hits[0].distance.value() - 0.141421).abs() < 1e-6);
    assert_eq!(hits[0].tenant, None);
    assert_eq!(hits[0].document.place, Embedding::NotLoaded);
    let hits = wait(nearest().with_vectors()).unwrap();
    assert_eq!(hits[0].document.place, Embedding::from([0.9, 0.1]));
}

#[test]
fn fields_and_vectors_are_judged_before_any_read_and_with_limit_0_too() {
    let w = points();
    let reader = w.store.reader_without_tenant();
    let search = |vector: &[f32]| reader.search::<Point>().nearest_to(vector).limit(0);
    let message = refused(wait(search(&[1.0, 0.0])), ErrorKind::InvalidOption);
    assert!(
        message.contains("`place`") && message.contains("`colour`"),
        "{message}"
    );
    refused(
        wait(search(&[1.0, 0.0]).vector_field_named("plaice")),
        ErrorKind::UnknownField,
    );
    let of = |vector: &[f32], field: VectorField<Point>| wait(search(vector).vector_field(field));
    let message = refused(of(&[1.0], Point::PLACE), ErrorKind::WrongDimensions);
    assert!(
        message.contains("expected 2") && message.contains("got 1"),
        "{message}"
    );
    refused(
        of(&[f32::INFINITY, 0.0], Point::PLACE),
        ErrorKind::InvalidVector,
    );
    refused(of(&[0.0; 3], Point::COLOUR), ErrorKind::InvalidVector);
    let many = search(&[1.0, 0.0]).vector_field(Point::PLACE).limit(10_001);
    refused(wait(many), ErrorKind::InvalidOption);
    assert_eq!(w.spy.searches(), 0);
    assert!(of(&[1.0, 0.0], Point::PLACE).unwrap().is_empty());
}

#[test]
fn the_default_options_are_those_of_giving_none() {
    let w = points();
    let reader = w.store.reader("a");
    let debug = |query: &dyn std::fmt::Debug| format!("{query:?}");
    let nearest = || {
        reader
            .search::<Note>()
            .filter(Note::SCOPE.eq("x"))
            .nearest_text("x")
    };
    assert_eq!(
        debug(&nearest()),
        debug(&nearest().options(VectorOptions::default()))
    );
    let matching = || {
        reader
            .search::<Note>()
            .filter(Note::SCOPE.eq("x"))
            .matching("x")
    };
    assert_eq!(
        debug(&matching()),
        debug(&matching().options(TextOptions::default()))
    );
    let hybrid = || {
        reader
            .search::<Note>()
            .filter(Note::SCOPE.eq("x"))
            .hybrid("x")
    };
    assert_eq!(
        debug(&hybrid()),
        debug(&hybrid().options(HybridOptions::default()))
    );
    let HybridOptions {
        k,
        candidate_depth,
        metric,
        text_style,
        column_weights,
        limit,
        ..
    } = HybridOptions::<Note>::default();
    assert_eq!((k, candidate_depth, metric, limit), (60, None, None, 10));
    assert_eq!((text_style, column_weights), (TextStyle::Plain, None));
}

#[test]
fn options_as_a_value_set_what_the_calls_set() {
    let w = watched().with_notes([Note::scoped(1, "x", "pool"), Note::scoped(2, "y", "pool")]);
    let options = TextOptions {
        filter: Some(Note::SCOPE.eq("y")),
        limit: 5,
        ..TextOptions::default()
    };
    let reader = w.store.reader("a");
    let hits = wait(
        reader
            .search::<Note>()
            .matching("pool")
            .options(options.clone()),
    )
    .unwrap();
    assert_eq!(hits.documents().map(|n| n.id).collect::<Vec<_>>(), [2]);
    // A filter given before is not lost.
    let both = reader
        .search::<Note>()
        .filter(Note::SCOPE.eq("x"))
        .matching("pool");
    assert!(wait(both.options(options)).unwrap().is_empty());
}

#[test]
fn text_fields_weights_and_language_are_judged_by_the_declaration() {
    let note = |id, title: &str, body: &str| Note {
        title: Some(title.to_owned()),
        ..Note::new(id, body)
    };
    let w = watched().with_notes([note(1, "pool", "warm"), note(2, "warm", "pool")]);
    let reader = w.store.reader("a");
    let matching = || reader.search::<Note>().matching("pool");
    let ids = |query: ermine_store::MatchingQuery<Note>| -> Vec<i64> {
        wait(query).unwrap().documents().map(|n| n.id).collect()
    };
    assert_eq!(
        ids(matching()),
        [1, 2],
        "a title counts three times by declaration"
    );
    assert_eq!(ids(matching().text_fields([Note::BODY])), [2]);
    assert_eq!(ids(matching().text_fields_named(["title"])), [1]);
    let swapped = || matching().text_fields([Note::BODY, Note::TITLE]);
    assert_eq!(
        ids(swapped()),
        [1, 2],
        "declared weights follow their fields"
    );
    assert_eq!(ids(swapped().column_weights([3.0, 1.0])), [2, 1]);
    assert_eq!(ids(matching().column_weights([0.0, 1.0])), [2]);
    assert_eq!(ids(matching().language("none")), [1, 2]);

    let searches = w.spy.searches();
    let message = refused(
        wait(matching().language("english")),
        ErrorKind::InvalidOption,
    );
    assert!(
        message.contains("none") && message.contains("english"),
        "{message}"
    );
    refused(
        wait(matching().text_fields_named(["titel"])),
        ErrorKind::UnknownField,
    );
    refused(
        wait(matching().text_fields_named([""; 0])),
        ErrorKind::InvalidOption,
    );
    refused(
        wait(matching().text_fields([Note::BODY, Note::BODY])),
        ErrorKind::InvalidOption,
    );
    refused(
        wait(matching().column_weights([1.0])),
        ErrorKind::InvalidOption,
    );
    refused(
        wait(matching().column_weights([])),
        ErrorKind::InvalidOption,
    );
    refused(
        wait(matching().column_weights([1.0, -1.0])),
        ErrorKind::InvalidOption,
    );
    refused(
        wait(matching().column_weights([1.0, f64::NAN])),
        ErrorKind::InvalidOption,
    );
    refused(
        wait(matching().min_score(f64::NAN)),
        ErrorKind::InvalidOption,
    );
    let pointless = w
        .store
        .reader_without_tenant()
        .search::<Point>()
        .matching("x");
    refused(wait(pointless), ErrorKind::NotIndexed);
    assert_eq!(w.spy.searches(), searches);
}

#[test]
fn scores_have_an_inclusive_floor() {
    let w = watched().with_notes([
        Note::new(1, "pool pool"),
        Note::new(2, "pool and more words"),
    ]);
    let reader = w.store.reader("a");
    let hits = wait(reader.search::<Note>().matching("pool")).unwrap();
    assert!(hits[0].score > hits[1].score);
    let floor = hits[0].score;
    let hits = wait(reader.search::<Note>().matching("pool").min_score(floor)).unwrap();
    assert_eq!(hits.documents().map(|n| n.id).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_text_is_embedded_once_and_the_words_of_a_web_query_without_operators() {
    let w = watched().with_notes([Note::new(1, "pool"), Note::new(2, "moon")]);
    let reader = w.store.reader("a");
    let hits = wait(reader.search::<Note>().nearest_text("moon")).unwrap();
    assert_eq!(hits[0].document.id, 2);
    assert_eq!((w.provider.calls(), w.provider.texts()), (1, 1));

    // Had the operator been embedded, the distance would not be 0.
    let hybrid = reader
        .search::<Note>()
        .hybrid("pool -moon")
        .text_style(TextStyle::Web);
    let hits = wait(hybrid).unwrap();
    assert_eq!(hits.documents().map(|n| n.id).collect::<Vec<_>>(), [1]);
    let vector = hits[0]
        .legs
        .iter()
        .find(|leg| leg.kind == LegKind::Vector)
        .unwrap();
    let ermine_core::Figure::Distance(distance) = vector.figure else {
        panic!("a vector leg ranks by distance")
    };
    assert!(distance.value() < 1e-6, "{distance}");
    assert_eq!(w.provider.calls(), 2);

    let given = reader
        .search::<Note>()
        .hybrid_with("pool", w.provider.vector("moon").unwrap());
    assert_eq!(wait(given).unwrap().len(), 2);
    assert_eq!(w.provider.calls(), 2);
}

#[test]
fn a_text_that_cannot_be_represented_is_a_reported_empty_leg() {
    let w = watched().with_notes([Note::new(1, "pool")]);
    let reader = w.store.reader("a");
    for text in ["", " "] {
        let hits = wait(reader.search::<Note>().nearest_text(text)).unwrap();
        assert!(hits.is_empty());
        assert_eq!(
            hits.outcome().legs[0].empty,
            Some(EmptyLeg::NotRepresentable)
        );
    }
    let only_not = reader
        .search::<Note>()
        .hybrid("-pool")
        .text_style(TextStyle::Web);
    let hits = wait(only_not).unwrap();
    let reasons: Vec<_> = hits.outcome().legs.iter().map(|leg| leg.empty).collect();
    assert_eq!(
        reasons,
        [
            Some(EmptyLeg::OnlyExclusions),
            Some(EmptyLeg::NotRepresentable)
        ]
    );
}

#[test]
fn without_a_provider_a_text_is_refused_before_any_read() {
    let w = watched();
    let schema = Schema::builder("plain", "id", IdType::Text)
        .text("body", 1.0)
        .vector("vector", 4, Metric::Cosine)
        .build()
        .unwrap();
    let store = wait(Store::builder(w.spy.engine()).schema(schema).open()).unwrap();
    let plain = store.dynamic("plain").unwrap();
    let reader = store.reader_without_tenant();
    let message = refused(
        wait(reader.search_in(&plain).nearest_text("x")),
        ErrorKind::NoProvider,
    );
    assert!(message.contains("plain.vector"), "{message}");
    refused(
        wait(reader.search_in(&plain).hybrid("x")),
        ErrorKind::NoProvider,
    );
    assert_eq!((w.spy.searches(), w.spy.reads()), (0, 0));
}

#[test]
fn nothing_is_paid_for_a_search_that_is_refused_or_a_leg_left_out() {
    let w = watched().with_notes([Note::new(1, "pool")]);
    let reader = w.store.reader("a");
    let search = || reader.search::<Note>();
    refused(
        wait(search().nearest_text("x").limit(10_001)),
        ErrorKind::InvalidOption,
    );
    refused(wait(search().hybrid("x").k(0)), ErrorKind::InvalidOption);
    refused(
        wait(search().hybrid("x").offset(1)),
        ErrorKind::InvalidOption,
    );
    refused(
        wait(search().hybrid("x").candidate_depth(9)),
        ErrorKind::InvalidOption,
    );
    refused(
        wait(search().hybrid("x").leg_weights(0.0, 0.0)),
        ErrorKind::InvalidOption,
    );
    assert_eq!((w.spy.searches(), w.provider.calls()), (0, 0));
    let hits = wait(search().hybrid("pool").leg_weights(1.0, 0.0)).unwrap();
    assert_eq!(hits.outcome().legs[1].empty, Some(EmptyLeg::LeftOut));
    assert_eq!(w.provider.calls(), 0);
    let page = wait(search().hybrid("pool").offset(1).candidate_depth(50)).unwrap();
    assert!(page.is_empty());
}

#[test]
fn the_language_of_the_type_analyses_the_query() {
    let w = watched();
    let mut session = w.store.session_without_tenant();
    session.store(&Page::new(1, "connection timeouts"));
    wait(session.commit()).unwrap();
    let hits = wait(session.search::<Page>().matching("the timeout")).unwrap();
    assert_eq!(hits.len(), 1);
}

/// What an engine that embeds in its own service was asked.
#[derive(Default)]
struct OwnService(Mutex<Vec<String>>);

impl VectorizableTextSearch for OwnService {
    async fn vectorizable_text_search(&self, r: &VectorTextInRequest) -> Result<VectorAnswer> {
        self.0.lock().unwrap().push(format!("vector: {}", r.text));
        Ok(VectorTextInRequest::not_representable())
    }
}

impl HybridVectorizableTextSearch for OwnService {
    async fn hybrid_vectorizable_text_search(
        &self,
        request: &HybridTextInRequest,
    ) -> Result<HybridAnswer> {
        self.0
            .lock()
            .unwrap()
            .push(format!("hybrid: {}", request.text));
        Ok(HybridAnswer {
            hits: Vec::new(),
            outcome: ermine_core::Outcome::default(),
        })
    }
}

#[test]
fn a_store_that_embeds_in_its_own_service_is_given_the_text() {
    let service = Arc::new(OwnService::default());
    let engine: Engine = watched()
        .spy
        .engine()
        .with_vectorizable_text_search(service.clone())
        .with_hybrid_vectorizable_text_search(service.clone());
    let schema = Schema::builder("plain", "id", IdType::Text)
        .text("body", 1.0)
        .vector("vector", 4, Metric::Cosine)
        .build()
        .unwrap();
    let store = wait(Store::builder(engine).schema(schema).open()).unwrap();
    let plain = store.dynamic("plain").unwrap();
    let reader = store.reader_without_tenant();
    wait(reader.search_in(&plain).nearest_text("pool")).unwrap();
    let hybrid = reader
        .search_in(&plain)
        .hybrid("pool -moon")
        .text_style(TextStyle::Web);
    wait(hybrid).unwrap();
    assert_eq!(*service.0.lock().unwrap(), ["vector: pool", "hybrid: pool"]);
}

/// A provider that remembers the roles it was asked in.
struct Roles(ModelIdentity, Arc<Mutex<Vec<Role>>>);

impl EmbeddingProvider for Roles {
    fn identity(&self) -> &ModelIdentity {
        &self.0
    }

    async fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Option<Vector>>> {
        self.1.lock().unwrap().push(role);
        Ok(texts.iter().map(|_| Some([1.0_f32; 8].into())).collect())
    }
}

#[test]
fn queries_are_embedded_in_the_query_role() {
    let roles = Arc::new(Mutex::default());
    let provider = Roles(ModelIdentity::new("test", "roles", 8), roles.clone());
    let store = Store::builder(watched().spy.engine()).document::<Page>();
    // The store has the model of another provider recorded.
    refused(
        wait(store.embeddings(provider).open()),
        ErrorKind::ModelMismatch,
    );
    let provider = Roles(ModelIdentity::new("test", "roles", 8), roles.clone());
    let store = Store::builder(ermine_compliance::Reference::new()).document::<Page>();
    let store = wait(store.embeddings(provider).open()).unwrap();
    let mut session = store.session_without_tenant();
    session.store(&Page::new(1, "text"));
    wait(session.commit()).unwrap();
    wait(session.search::<Page>().nearest_text("text")).unwrap();
    wait(session.search::<Page>().hybrid("text")).unwrap();
    assert_eq!(
        *roles.lock().unwrap(),
        [Role::Document, Role::Query, Role::Query]
    );
}

#[test]
fn queries_and_commits_can_move_between_threads() {
    fn moves<F: IntoFuture<IntoFuture: Send>>(future: F) -> F {
        future
    }
    let w = watched().with_notes([Note::new(1, "pool")]);
    let reader = w.store.reader("a");
    let query = moves(reader.search::<Note>().matching("pool"));
    let found = std::thread::spawn(move || wait(query).unwrap().len());
    assert_eq!(found.join().unwrap(), 1);
    let mut session = w.store.session("a");
    session.store(&Note::new(2, "moon"));
    wait(moves(session.commit())).unwrap();
    let loaded = wait(moves(session.load::<Note>(2))).unwrap();
    assert_eq!(loaded.unwrap().body, "moon");
}
