//! Approximate indexes: which one is built, when it is used, and what becomes of it.

use std::sync::{Arc, Mutex};

use ermine_core::{
    Accuracy, Backend, ColumnType, Compare, Declaration, DeleteMode, Engine, ErrorKind, Expr, Hnsw,
    IdType, Include, Metric, Op, Page, Plan, Put, PutMode, ScalarType, Schema, SchemaChange,
    SchemaMode, SchemaReport, Scope, Storage, Target, TenantScope, Unit, Value, Vector,
    VectorAnswer, VectorFieldSchema, VectorLeg, VectorRequest, VectorSearch, VectorWrite,
};

use crate::support::{Place, block_on, declaration};

/// An open store with documents `points`: a number `n`, and a vector.
struct Points {
    engine: Engine,
    declaration: Declaration,
    report: SchemaReport,
}

fn field(dimensions: usize, metric: Metric) -> VectorFieldSchema {
    VectorFieldSchema::new("v", dimensions, metric)
}

fn points(field: VectorFieldSchema) -> Declaration {
    let schema = Schema::builder("points", "id", IdType::I64)
        .column("n", ColumnType::Scalar(ScalarType::I64))
        .vector_field(field)
        .build()
        .unwrap();
    Declaration {
        analyzer: String::new(),
        ..declaration(schema)
    }
}

/// A sequence that looks random and is the same every time.
struct Places(u64);

impl Places {
    fn next(&mut self, dimensions: usize) -> Vector {
        let mut element = || {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / 8_388_608.0 - 1.0
        };
        Vector::from((0..dimensions).map(|_| element()).collect::<Vec<f32>>())
    }
}

impl Points {
    fn open(place: &Place, field: VectorFieldSchema) -> Self {
        let engine = block_on(place.postgres().connect()).unwrap();
        let declaration = points(field);
        let mode = SchemaMode::CreateOrUpdate;
        let report = block_on(engine.ensure(&declaration, mode)).unwrap();
        Self {
            engine,
            declaration,
            report,
        }
    }

    fn store(&self, vectors: impl IntoIterator<Item = Vector>) {
        let put = |(id, vector): (i64, Vector)| {
            Op::Put(Box::new(Put {
                schema: Arc::clone(&self.declaration.schema),
                tenant: None,
                id: id.into(),
                mode: PutMode::Store,
                body: "{}".into(),
                columns: vec![Some(Value::I64(id))],
                vectors: vec![VectorWrite::Set { vector, hash: None }],
                text: None,
            }))
        };
        let ops = (0..).zip(vectors).map(put).collect();
        block_on(self.engine.commit(&Unit { ops })).unwrap();
    }

    fn target(&self, filter: Option<Expr>) -> Target {
        Target {
            schema: Arc::clone(&self.declaration.schema),
            scope: Scope::live(TenantScope::Untenanted),
            filter,
        }
    }

    fn search(
        &self,
        accuracy: Accuracy,
        filter: Option<Expr>,
        query: &Vector,
        limit: usize,
    ) -> VectorAnswer {
        block_on(self.engine.vector_search(&VectorRequest {
            target: self.target(filter),
            leg: VectorLeg {
                field: 0,
                query: query.clone(),
                metric: self.declaration.schema.vectors()[0].metric(),
                accuracy,
                max_distance: None,
            },
            page: Page::first(limit),
            include: Include::default(),
        }))
        .unwrap()
    }

    fn plan(&self, filter: Option<Expr>, query: &Vector) -> Plan {
        let found = self.search(Accuracy::Approximate, filter, query, 10);
        assert_eq!(found.hits.len(), 10);
        found.outcome.plan
    }
}

fn below(n: i64) -> Expr {
    Expr::Compare {
        field: "n".into(),
        op: Compare::Lt,
        value: Value::I64(n),
    }
}

fn ids(answer: &VectorAnswer) -> Vec<String> {
    let hits = answer.hits.iter();
    hits.map(|(record, _)| record.id.to_string()).collect()
}

fn at_position(i: i64) -> Vector {
    // On a quarter of a circle, so that no two are equally far from an end.
    let turn = i as f32 / 2_000.0;
    Vector::from([turn.cos(), turn.sin()])
}

#[test]
fn the_plan_follows_from_how_many_documents_pass() {
    let place = Place::new();
    let points = Points::open(&place, field(2, Metric::Euclidean).indexed(Hnsw::default()));
    points.store((0..2_000).map(at_position));
    place.plain().run("ANALYZE \"ermine_doc_points\"");
    let near = Vector::from([1.0, 0.0]);
    let far = Vector::from([0.0, 1.0]);
    assert_eq!(points.plan(None, &near), Plan::Approximate);
    assert_eq!(points.plan(Some(below(1_900)), &near), Plan::Approximate);
    assert_eq!(points.plan(Some(below(50)), &near), Plan::ExactOfFiltered);
    // Half of them pass, and the index comes to none of these.
    let against = Some(below(1_000));
    assert_eq!(
        points.plan(against.clone(), &far),
        Plan::ApproximateThenExact
    );
    let exact = points.search(Accuracy::Exact, against.clone(), &far, 10);
    assert_eq!(exact.outcome.plan, Plan::Exact);
    let completed = points.search(Accuracy::Approximate, against, &far, 10);
    assert_eq!(ids(&completed), ids(&exact));
    // More than there are.
    let all = points.search(Accuracy::Approximate, None, &near, 3_000);
    assert_eq!(
        (all.hits.len(), all.outcome.plan),
        (2_000, Plan::ApproximateThenExact)
    );
}

#[test]
fn an_estimate_that_is_wrong_costs_time_and_nothing_else() {
    let place = Place::new();
    let points = Points::open(&place, field(2, Metric::Euclidean).indexed(Hnsw::default()));
    points.store((0..500).map(at_position));
    // The statistics say that nearly nothing is below 400, and then that nearly all is.
    for (said, asked) in [(10_000, 400), (0, 20)] {
        place.plain().run(&format!(
            "UPDATE \"ermine_doc_points\" SET f_n = {said} + f_n; ANALYZE \"ermine_doc_points\"; UPDATE \"ermine_doc_points\" SET f_n = f_n - {said}"
        ));
        let query = Vector::from([1.0, 0.0]);
        let found = points.search(Accuracy::Approximate, Some(below(asked)), &query, 10);
        let exact = points.search(Accuracy::Exact, Some(below(asked)), &query, 10);
        assert_eq!(ids(&found), ids(&exact));
    }
}

#[test]
fn deleting_the_nearest_leaves_full_results() {
    let place = Place::new();
    let points = Points::open(&place, field(2, Metric::Cosine).indexed(Hnsw::default()));
    points.store((0..2_000).map(at_position));
    let delete = |id: i64| Op::Delete {
        schema: Arc::clone(&points.declaration.schema),
        tenant: None,
        id: id.into(),
        mode: DeleteMode::Hard,
    };
    let ops = (0..1_000).map(delete).collect();
    block_on(points.engine.commit(&Unit { ops })).unwrap();
    let query = Vector::from([1.0, 0.0]);
    for limit in [10, 100, 1_000] {
        let found = points.search(Accuracy::Approximate, None, &query, limit);
        assert_eq!(found.hits.len(), limit);
    }
    let exact = points.search(Accuracy::Exact, None, &query, 10);
    let found = points.search(Accuracy::Approximate, None, &query, 10);
    assert_eq!(ids(&found), ids(&exact));
}

#[test]
fn every_metric_has_its_index_in_single_and_in_half_precision() {
    for metric in Metric::ALL {
        for dimensions in [3, 2_001] {
            let place = Place::new();
            let hnsw = Hnsw {
                m: 8,
                ef_construction: 32,
            };
            let points = Points::open(&place, field(dimensions, metric).indexed(hnsw));
            assert_eq!(points.report.warnings, [""; 0]);
            let mut places = Places(1);
            // Too large for half precision, and so small that it would be zero.
            let extreme = |element| Vector::from(vec![element; dimensions]);
            let vectors = (0..120).map(|_| places.next(dimensions));
            points.store(vectors.chain([extreme(1e5), extreme(1e-7)]));
            let query = Places(77).next(dimensions);
            assert_eq!(points.plan(None, &query), Plan::Approximate, "{metric}");
            for query in [query, extreme(1.0), extreme(1e5)] {
                let exact = points.search(Accuracy::Exact, None, &query, 10);
                let found = points.search(Accuracy::Approximate, None, &query, 10);
                let exact = ids(&exact);
                let both = ids(&found).iter().filter(|id| exact.contains(id)).count();
                assert!(both >= 8, "{metric}, {dimensions}: {both} of 10");
            }
        }
    }
}

#[test]
fn too_many_dimensions_are_searched_exactly_and_said_so() {
    let place = Place::new();
    let points = Points::open(
        &place,
        field(4_001, Metric::Cosine).indexed(Hnsw::default()),
    );
    let [warning] = points.report.warnings.as_slice() else {
        panic!("{:?}", points.report);
    };
    assert!(warning.contains("4001 dimensions") && warning.contains("exact"));
    let mut places = Places(1);
    points.store((0..20).map(|_| places.next(4_001)));
    let query = places.next(4_001);
    assert_eq!(points.plan(None, &query), Plan::Exact);
}

fn built(report: &SchemaReport) -> Vec<&str> {
    let ddl = report.changes.iter().flat_map(|change| match change {
        SchemaChange::IndexBuilt { ddl, .. } => ddl.as_slice(),
        _ => &[],
    });
    ddl.map(String::as_str).collect()
}

#[test]
fn an_index_is_built_over_rows_rebuilt_with_other_parameters_and_kept_when_undeclared() {
    let place = Place::new();
    let plain = || field(2, Metric::Cosine);
    let other = Hnsw {
        m: 8,
        ef_construction: 32,
    };
    let points = Points::open(&place, plain());
    points.store((0..500).map(at_position));
    let query = Vector::from([1.0, 0.0]);
    assert_eq!(points.plan(None, &query), Plan::Exact);

    let points = Points::open(&place, plain().indexed(Hnsw::default()));
    let ddl = built(&points.report);
    assert_eq!(ddl.len(), 1, "{ddl:?}");
    assert!(ddl[0].starts_with("CREATE INDEX CONCURRENTLY"), "{ddl:?}");
    assert_eq!(points.plan(None, &query), Plan::Approximate);
    let again = Points::open(&place, plain().indexed(Hnsw::default()));
    assert_eq!(again.report, SchemaReport::default());

    let points = Points::open(&place, plain().indexed(other));
    let ddl = built(&points.report);
    assert!(ddl[0].contains("m=8") && ddl.len() == 3, "{ddl:?}");
    assert_eq!(points.plan(None, &query), Plan::Approximate);
    assert_eq!(names_of_indexes(&place), ["ermine_vec_points.v.hnsw"]);

    let points = Points::open(&place, plain());
    let [warning] = points.report.warnings.as_slice() else {
        panic!("{:?}", points.report);
    };
    assert!(warning.contains("DROP INDEX CONCURRENTLY"), "{warning}");
    assert_eq!(points.plan(None, &query), Plan::Exact);
    assert_eq!(names_of_indexes(&place), ["ermine_vec_points.v.hnsw"]);
}

fn names_of_indexes(place: &Place) -> Vec<String> {
    place.plain().column(
        "SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema() AND indexname LIKE '%hnsw%'",
    )
}

#[test]
fn an_index_that_a_build_left_unfinished_is_noticed_and_built_anew() {
    let place = Place::new();
    let indexed = || field(2, Metric::Cosine).indexed(Hnsw::default());
    Points::open(&place, indexed()).store((0..500).map(at_position));
    place.plain().run(
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = '\"ermine_vec_points.v.hnsw\"'::regclass",
    );
    let engine = block_on(place.postgres().connect()).unwrap();
    let refused = block_on(engine.ensure(&points(indexed()), SchemaMode::Assert)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::SchemaMismatch);

    let told = Arc::new(Mutex::new(Vec::new()));
    let (telling, declared) = (Arc::clone(&told), points(indexed()));
    let postgres = place.postgres().on_index_progress(move |progress| {
        telling.lock().unwrap().push(progress.clone());
    });
    // A reader whose snapshot is older holds the build up, so that there is something to see.
    let reader = place.plain();
    reader.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1");
    let opening = std::thread::spawn(move || {
        let engine = block_on(postgres.connect()).unwrap();
        block_on(engine.ensure(&declared, SchemaMode::CreateOrUpdate)).unwrap()
    });
    while told.lock().unwrap().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
        assert!(!opening.is_finished(), "the build waits for the reader");
    }
    reader.run("COMMIT");
    let report = opening.join().unwrap();
    let ddl = built(&report);
    assert!(
        ddl[0].starts_with("DROP INDEX") && ddl.len() == 2,
        "{ddl:?}"
    );
    let told = told.lock().unwrap();
    assert_eq!(
        (told[0].collection.as_str(), told[0].field.as_str()),
        ("points", "v")
    );

    let points = Points::open(&place, indexed());
    let query = Vector::from([1.0, 0.0]);
    assert_eq!(points.plan(None, &query), Plan::Approximate);
}
