//! Exact search where single precision, ties and odd vectors would mislead.

use ermine_core::{
    Accuracy, Compare, DeleteMode, DeletedScope, Distance, Expr, Include, Metric, Page, Target,
    TenantScope, Value, VectorLeg, VectorRequest, VectorSearch,
};

use crate::support::{Note, Notes, Place, block_on, note};

fn search(notes: &Notes, query: [f32; 2], metric: Metric, limit: usize) -> Vec<(String, f64)> {
    search_in(notes, notes.target(), query, metric, limit)
}

fn search_in(
    notes: &Notes,
    target: Target,
    query: [f32; 2],
    metric: Metric,
    limit: usize,
) -> Vec<(String, f64)> {
    let request = VectorRequest {
        target,
        leg: VectorLeg {
            field: 0,
            query: query.into(),
            metric,
            accuracy: Accuracy::Exact,
            max_distance: None,
        },
        page: Page::first(limit),
        include: Include::default(),
    };
    let found = block_on(notes.engine.vector_search(&request)).unwrap().hits;
    found
        .iter()
        .map(|(record, distance)| (record.id.to_string(), distance.value()))
        .collect()
}

/// The same by brute force.
fn expected(
    stored: &[(String, [f32; 2])],
    query: [f32; 2],
    metric: Metric,
    limit: usize,
) -> Vec<(String, f64)> {
    let mut all: Vec<(Distance, &String)> = stored
        .iter()
        .filter_map(|(id, vector)| Some((metric.distance(&query, vector)?, id)))
        .collect();
    all.sort();
    all.truncate(limit);
    all.into_iter()
        .map(|(d, id)| (id.clone(), d.value()))
        .collect()
}

#[test]
fn every_metric_gives_the_order_of_double_precision_whatever_the_vectors() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    let mut stored: Vec<(String, [f32; 2])> = Vec::new();
    // Ties by the hundred, near ties beyond single precision, and norms at both ends.
    for at in 0..300_u16 {
        stored.push((format!("tie-{at:03}"), [3.0, 9.0]));
        stored.push((
            format!("near-{at:03}"),
            [1.0 + f32::from(at) * f32::EPSILON, 3.0],
        ));
    }
    for (name, scale) in [
        ("huge", 1e30_f32),
        ("large", 1e16),
        ("small", 1e-16),
        ("tiny", 1e-38),
    ] {
        for at in 0..40_u16 {
            let turn = f32::from(at) / 40.0;
            stored.push((format!("{name}-{at:02}"), [scale, scale * turn]));
        }
    }
    notes.store(
        stored
            .iter()
            .map(|(id, vector)| note(id, "").vector(*vector)),
    );
    for metric in Metric::ALL {
        for query in [
            [1.0, 3.0],
            [3.0, 9.0],
            [1e20, 1e19],
            [1e-20, 0.0],
            [-1.0, 0.5],
        ] {
            for limit in [1, 7, 250, 1_000] {
                assert_eq!(
                    search(&notes, query, metric, limit),
                    expected(&stored, query, metric, limit),
                    "{metric}, {query:?}, {limit}"
                );
            }
        }
    }
}

/// The year of the note stored at this place: one of two, and the second for those that
/// are near by each other.
fn year(at: usize) -> i64 {
    1960 + i64::from(at >= 100 && !at.is_multiple_of(3))
}

#[test]
fn a_filter_that_many_pass_leaves_the_order_and_the_distances_as_they_are() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    let mut stored: Vec<(String, [f32; 2])> = Vec::new();
    for at in 0..400_u16 {
        stored.push((
            format!("{at:03}"),
            match at % 8 {
                // Odd ones, among which single precision puts any distance.
                0 => [1e30, 1e30 * f32::from(at) / 400.0],
                1 => [1e-30, 1e-30 * f32::from(at) / 400.0],
                _ => [1.0, f32::from(at) / 400.0],
            },
        ));
    }
    notes.store(stored.iter().enumerate().map(|(at, (id, vector))| Note {
        year: Some(year(at)),
        ..note(id, "").vector(*vector)
    }));
    notes.store([note("without a vector", "")]);
    // Only now is it known how many pass, and documents are looked at last.
    place.plain().run("ANALYZE");
    for of in [1960, 1961] {
        let passing: Vec<(String, [f32; 2])> = (0..)
            .zip(&stored)
            .filter(|(at, _)| year(*at) == of)
            .map(|(_, one)| one.clone())
            .collect();
        let filter = Expr::Compare {
            field: "year".into(),
            op: Compare::Eq,
            value: Value::I64(of),
        };
        for metric in Metric::ALL {
            for query in [[1.0, 0.0], [1.0, 1.0], [-1.0, 0.5]] {
                for limit in [1, 60, 500] {
                    assert_eq!(
                        search_in(&notes, notes.filtered(filter.clone()), query, metric, limit),
                        expected(&passing, query, metric, limit),
                        "{metric}, {of}, {query:?}, {limit}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_vector_that_lost_its_document_passes_nothing() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    notes.store(["gone", "there"].map(|id| note(id, "").vector([1.0, 0.0])));
    let plain = place.plain();
    plain.run("SET session_replication_role = replica");
    plain.run("DELETE FROM ermine_doc_notes WHERE id = 'gone'");
    let mut target = notes.target();
    target.scope.tenants = TenantScope::All;
    let found = search_in(&notes, target, [1.0, 0.0], Metric::Cosine, 10);
    assert_eq!(found, [("there".to_owned(), 0.0)]);
}

#[test]
fn a_zero_vector_put_there_by_plain_sql_has_no_cosine() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    notes.store([
        note("zero", "").vector([1.0, 0.0]),
        note("one", "").vector([0.0, 1.0]),
    ]);
    place.plain().run(
        "UPDATE \"ermine_vec_notes.embedding\" SET data = '[0,0]' WHERE doc = (SELECT doc FROM ermine_doc_notes WHERE id = 'zero')",
    );
    assert_eq!(search(&notes, [1.0, 0.0], Metric::Cosine, 10).len(), 1);
    assert_eq!(search(&notes, [1.0, 0.0], Metric::L1, 10).len(), 2);
}

#[test]
fn where_the_nearest_are_hidden_the_next_are_found() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    let id = |at: u32| format!("{at:03}");
    notes.store((0..200).map(|at| note(&id(at), "pool").vector([1.0, at as f32])));
    let hidden = (0..150).map(|at| notes.delete(&id(at), DeleteMode::Declared));
    notes.commit(hidden.collect()).unwrap();
    for deleted in [
        DeletedScope::Hidden,
        DeletedScope::Only,
        DeletedScope::Included,
    ] {
        let mut target = notes.of(deleted);
        // Nothing but what is hidden narrows this down.
        target.scope.tenants = TenantScope::All;
        let found = notes.nearest(target, [1.0, 0.0], 60).hits;
        let found: Vec<String> = found.iter().map(|(r, _)| r.id.to_string()).collect();
        let expected = match deleted {
            DeletedScope::Hidden => 150..200,
            _ => 0..60,
        };
        assert_eq!(found, expected.map(id).collect::<Vec<_>>(), "{deleted:?}");
    }
}
