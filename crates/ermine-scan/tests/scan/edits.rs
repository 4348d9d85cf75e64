//! A sequence of edits leaves what building anew would leave.

use ermine_scan::Blocks;
use proptest::prelude::*;

use crate::rows::{OwnedRow, Table, build, contents, row};

const DIMENSIONS: usize = 3;
const QUERY: [f32; DIMENSIONS] = [0.3, -0.5, 0.7];

#[derive(Debug, Clone)]
enum Step {
    Append(Vec<OwnedRow>),
    Put(i64, OwnedRow),
    Remove(i64),
    RemoveRun(i64, i64),
    Publish,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => prop::collection::vec(row(DIMENSIONS), 0..300).prop_map(Step::Append),
        6 => (-20_i64..3_000, row(DIMENSIONS)).prop_map(|(slot, row)| Step::Put(slot, row)),
        4 => (-20_i64..3_000).prop_map(Step::Remove),
        2 => (0_i64..2_000, 1_i64..700).prop_map(|(from, n)| Step::RemoveRun(from, from + n)),
        3 => Just(Step::Publish),
    ]
}

/// A row no search could return is no row.
fn candidates(table: &Table) -> usize {
    let valid =
        |row: &OwnedRow| row.vector.len() == DIMENSIONS && row.vector.iter().all(|v| v.is_finite());
    table.values().filter(|row| valid(row)).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn edits_equal_a_rebuild(steps in prop::collection::vec(step(), 0..40)) {
        let mut table = Table::new();
        let mut edit = Blocks::new(DIMENSIONS).edit();
        let mut published = Vec::new();
        for step in steps {
            match step {
                Step::Append(rows) => {
                    let next = table.last_key_value().map_or(1, |(slot, _)| slot + 1);
                    for (slot, row) in (next..).zip(rows) {
                        edit.put(row.at(slot));
                        table.insert(slot, row);
                    }
                }
                Step::Put(slot, row) => {
                    edit.put(row.at(slot));
                    table.insert(slot, row);
                }
                Step::Remove(slot) => {
                    edit.remove(slot);
                    table.remove(&slot);
                }
                Step::RemoveRun(from, to) => {
                    for slot in from..to {
                        edit.remove(slot);
                        table.remove(&slot);
                    }
                }
                Step::Publish => {
                    let blocks = edit.finish();
                    published.push((blocks.clone(), contents(&blocks, &QUERY)));
                    edit = blocks.edit();
                }
            }
        }
        let blocks = edit.finish();
        let rebuilt = build(DIMENSIONS, &table);
        prop_assert_eq!(contents(&blocks, &QUERY), contents(&rebuilt, &QUERY));
        prop_assert_eq!(blocks.len(), candidates(&table));
        prop_assert_eq!(blocks.last_slot(), rebuilt.last_slot());
        prop_assert_eq!(blocks.is_empty(), candidates(&table) == 0);
        // What was published stays as it was, whatever came after.
        for (blocks, then) in published {
            prop_assert_eq!(contents(&blocks, &QUERY), then);
        }
    }
}
