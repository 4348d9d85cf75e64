//! Searches that nobody waits for end.

use std::sync::Arc;
use std::time::Duration;

use ermine_core::{Accuracy, IdType, Metric, QueryTerm, Schema, Vector, VectorLeg};
use ermine_text::{Analyzer, Language};

use super::*;
use crate::vector::{self, Cache};

fn database() -> (Connection, Layout) {
    let connection = Connection::open_in_memory().unwrap();
    crate::catalog::prepare(&connection, Duration::ZERO).unwrap();
    let schema = Schema::builder("notes", "id", IdType::I64)
        .text("body", 1.0)
        .vector("v", 2, Metric::Euclidean)
        .build()
        .unwrap();
    let layout = Layout::new(Arc::new(schema), &[1]);
    for statement in layout.create() {
        connection.execute_batch(&statement).unwrap();
    }
    let record = Analyzer::new(Language::None).analyze_document(&[Some("pool")]);
    let text = &layout.text.as_ref().unwrap().records;
    connection
        .execute_batch(&format!(
            "INSERT INTO ermine_doc_notes (id, body) VALUES (1, '{{}}');
             INSERT INTO {} (doc, data) VALUES (1, x'0000803f00000000')",
            layout.vectors[0].table
        ))
        .unwrap();
    connection
        .execute(
            &format!("INSERT INTO {text} (doc, tenant, live, len, terms) VALUES (1, '', 1, 1, ?1)"),
            [record.encode()],
        )
        .unwrap();
    (connection, layout)
}

fn target(layout: &Layout) -> Target {
    Target {
        schema: Arc::clone(&layout.schema),
        scope: Scope::live(TenantScope::Untenanted),
        filter: None,
    }
}

#[test]
fn a_text_walk_ends_when_its_caller_has_gone() {
    let (connection, layout) = database();
    let leg = TextLeg {
        query: TextQuery {
            terms: vec![QueryTerm {
                term: "pool".into(),
                count: 1,
            }],
            matching: Matching::Any,
            excluded: vec![vec!["pool".into()]],
        },
        fields: vec![0],
        weights: vec![1.0],
    };
    let target = target(&layout);
    let run = |watch: &Watch| {
        let page = Page::first(10);
        let ranked = rank(&connection, watch, &layout, &target, &leg, None, page);
        let excluded = excluded(&connection, watch, &layout, &target.scope, &leg.query);
        (ranked.map(drop), excluded.map(|docs| docs.len()))
    };
    let (ranked, one) = run(&Watch::default());
    assert_eq!((ranked.is_ok(), one.unwrap()), (true, 1));
    let (ranked, excluded) = run(&Watch::given_up());
    assert_eq!(ranked.unwrap_err().kind(), ErrorKind::Timeout);
    assert_eq!(excluded.unwrap_err().kind(), ErrorKind::Timeout);
}

#[test]
fn a_vector_scan_ends_when_its_caller_has_gone() {
    let (mut connection, layout) = database();
    let fields = [(&layout, &layout.vectors[0])];
    let (snapshot, indexes) = Cache::default().snapshot(&mut connection, &fields).unwrap();
    let leg = VectorLeg {
        field: 0,
        query: Vector::from([1.0, 0.0]),
        metric: Metric::Euclidean,
        accuracy: Accuracy::default(),
        max_distance: None,
    };
    let run = |watch: &Watch| {
        let none = HashSet::new();
        let (target, page) = (target(&layout), Page::first(10));
        let connection = snapshot.connection();
        vector::rank(
            connection,
            watch,
            &layout,
            &indexes[0],
            &target,
            &leg,
            page,
            &none,
        )
        .map(|(hits, _)| hits.len())
    };
    assert_eq!(run(&Watch::default()).unwrap(), 1);
    assert_eq!(
        run(&Watch::given_up()).unwrap_err().kind(),
        ErrorKind::Timeout
    );
}
