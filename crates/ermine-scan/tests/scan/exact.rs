//! A scan returns what brute force over `Metric::distance` returns, to the bit.

use ermine_core::{DeletedScope, Distance, Metric};
use ermine_scan::{Allowed, Blocks, DocSet, Nearest, Row, RowState, scan, scan_unless};
use proptest::prelude::*;

use crate::rows::{OwnedRow, Table, brute_force, build, element, row};

#[derive(Debug, Clone)]
struct Case {
    dimensions: usize,
    table: Table,
    query: Vec<f32>,
    metric: Metric,
    tenant: Option<u32>,
    deleted: DeletedScope,
    docs: Option<DocSet>,
    k: usize,
    max_distance: Option<f64>,
}

fn case() -> impl Strategy<Value = Case> {
    (1_usize..20).prop_flat_map(|dimensions| {
        (
            prop::collection::btree_map(-5_i64..2_000, row(dimensions), 0..500),
            prop::collection::vec(element(), dimensions),
            prop::sample::select(Metric::ALL.to_vec()),
            prop::option::of(0_u32..4),
            prop::sample::select(vec![
                DeletedScope::Hidden,
                DeletedScope::Only,
                DeletedScope::Included,
            ]),
            prop::option::of(prop::collection::vec(0_i64..60, 0..40)),
            prop_oneof![0_usize..12, Just(200), Just(5_000), Just(usize::MAX)],
            prop::option::weighted(0.3, -2.0_f64..4.0),
        )
            .prop_map(
                move |(table, query, metric, tenant, deleted, docs, k, max_distance)| Case {
                    dimensions,
                    table,
                    query,
                    metric,
                    tenant,
                    deleted,
                    docs: docs.map(DocSet::from_iter),
                    k,
                    max_distance,
                },
            )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_scan_equals_brute_force(case in case()) {
        let blocks = build(case.dimensions, &case.table);
        let allowed = Allowed {
            tenant: case.tenant,
            deleted: case.deleted,
            docs: case.docs.as_ref(),
        };
        // A largest distance that a row is at exactly is inclusive.
        let at_a_row = case.table.values().find_map(|r| case.metric.distance(&r.vector, &case.query));
        for max_distance in [None, case.max_distance.and_then(Distance::new), at_a_row] {
            let nearest = Nearest { k: case.k, max_distance };
            let found = scan(&blocks, &case.query, case.metric, &allowed, nearest);
            let expected = brute_force(&case.table, &case.query, case.metric, &allowed, nearest);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_doc_set_holds_what_was_put_in(
        docs in prop::collection::vec(
            prop_oneof![-200_i64..200, any::<i64>(), Just(i64::MIN), Just(i64::MAX)], 0..80),
        probes in prop::collection::vec(prop_oneof![-200_i64..200, any::<i64>()], 0..80),
    ) {
        let set = DocSet::from_iter(docs.iter().copied());
        for probe in docs.iter().chain(&probes) {
            prop_assert_eq!(set.contains(*probe), docs.contains(probe));
        }
        let distinct: std::collections::BTreeSet<i64> = docs.iter().copied().collect();
        prop_assert_eq!(set.len(), distinct.len());
        prop_assert_eq!(set.is_empty(), docs.is_empty());
    }
}

fn same(vector: &[f32], rows: i64) -> Table {
    (1..=rows)
        .map(|slot| {
            let row = OwnedRow {
                doc: slot,
                tenant: 0,
                state: ermine_scan::RowState::Live,
                vector: vector.to_vec(),
            };
            (slot, row)
        })
        .collect()
}

#[test]
fn every_row_that_ties_at_the_edge_is_returned() {
    let table = same(&[0.6, 0.8], 1_000);
    let blocks = build(2, &table);
    let nearest = Nearest {
        k: 3,
        max_distance: None,
    };
    for metric in Metric::ALL {
        let found = scan(&blocks, &[1.0, 0.0], metric, &Allowed::default(), nearest);
        let slots: Vec<i64> = found.iter().map(|row| row.slot).collect();
        assert_eq!(slots, (1..=1_000).collect::<Vec<_>>(), "{metric}");
    }
}

#[test]
fn nearer_rows_that_come_later_displace_all_that_tied() {
    let mut table = same(&[0.0, 1.0], 700);
    for (slot, near) in (701..).zip([0.9_f32, 0.8, 0.7]) {
        table.extend(same(&[near, 0.1], 1).into_values().map(|row| (slot, row)));
    }
    let nearest = Nearest {
        k: 3,
        max_distance: None,
    };
    let blocks = build(2, &table);
    let found = scan(
        &blocks,
        &[1.0, 0.0],
        Metric::Euclidean,
        &Allowed::default(),
        nearest,
    );
    let slots: Vec<i64> = found.iter().map(|row| row.slot).collect();
    assert_eq!(slots, [701, 702, 703]);
}

#[test]
fn a_query_at_no_distance_from_anything_finds_nothing() {
    let blocks = build(2, &same(&[0.6, 0.8], 9));
    let nearest = Nearest {
        k: 5,
        max_distance: None,
    };
    for (query, metric) in [
        (&[1.0][..], Metric::L1),
        (&[1.0, 0.0, 0.0], Metric::L1),
        (&[f32::NAN, 0.0], Metric::L1),
        (&[f32::INFINITY, 0.0], Metric::Cosine),
        (&[0.0, 0.0], Metric::Cosine),
    ] {
        assert_eq!(
            scan(&blocks, query, metric, &Allowed::default(), nearest),
            []
        );
    }
    assert_eq!(
        scan(
            &blocks,
            &[0.0, 0.0],
            Metric::L1,
            &Allowed::default(),
            nearest
        )
        .len(),
        9
    );
}

#[test]
fn rounding_takes_no_cosine_out_of_its_range() {
    let mut table = Table::new();
    for slot in 1_i16..200 {
        let at = f32::from(slot);
        let vector = [at * 0.1, 0.7, at * at * 0.01];
        table.extend(same(&vector, 1).into_values().map(|row| (slot.into(), row)));
    }
    let blocks = build(3, &table);
    let nearest = Nearest {
        k: 1,
        max_distance: None,
    };
    for row in table.values() {
        for factor in [-3.0, 1.0, 3.0] {
            let query: Vec<f32> = row.vector.iter().map(|v| v * factor).collect();
            let found = scan(
                &blocks,
                &query,
                Metric::Cosine,
                &Allowed::default(),
                nearest,
            );
            let expected =
                brute_force(&table, &query, Metric::Cosine, &Allowed::default(), nearest);
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn a_scan_that_is_told_to_stop_reads_at_most_one_more_chunk() {
    let mut edit = Blocks::new(1).edit();
    for slot in 0..10_000 {
        edit.put(Row {
            slot,
            doc: slot,
            tenant: 0,
            state: RowState::Live,
            vector: &[slot as f32],
        });
    }
    let blocks = edit.finish();
    let nearest = Nearest {
        k: 3,
        max_distance: None,
    };
    let allowed = Allowed::default();
    let ask = |stop: &mut dyn FnMut() -> bool| {
        scan_unless(&blocks, &[0.0], Metric::L1, &allowed, nearest, stop)
    };
    let mut asked = 0;
    let all = ask(&mut || {
        asked += 1;
        false
    });
    assert_eq!(
        all,
        Some(scan(&blocks, &[0.0], Metric::L1, &allowed, nearest))
    );
    assert!(asked >= 10_000 / 256, "{asked}");
    let mut left = 3;
    let stopped = ask(&mut || {
        left -= 1;
        left == 0
    });
    assert_eq!((stopped, left), (None, 0));
}
