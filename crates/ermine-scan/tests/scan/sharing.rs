//! What rows cost, and what an edit copies.

use ermine_scan::{Blocks, Row, RowState};

const DIMENSIONS: usize = 256;

fn filled(rows: i64) -> Blocks {
    let vector = [0.25_f32; DIMENSIONS];
    let mut edit = Blocks::new(DIMENSIONS).edit();
    for slot in 1..=rows {
        edit.put(row(slot, &vector));
    }
    edit.finish()
}

fn row(slot: i64, vector: &[f32]) -> Row<'_> {
    Row {
        slot,
        doc: slot,
        tenant: 0,
        state: RowState::Live,
        vector,
    }
}

#[test]
fn a_row_takes_its_elements_and_little_more() {
    let rows = 10_000;
    let elements = 4 * DIMENSIONS * 10_000;
    let bytes = filled(rows).bytes();
    assert!(bytes >= elements);
    assert!(bytes - elements < elements / 20, "{bytes} bytes");
}

#[test]
fn removing_rows_gives_their_memory_back() {
    let mut edit = filled(10_000).edit();
    // Three of four rows go, from every chunk.
    for slot in (1..=10_000).filter(|slot| slot % 4 != 0) {
        edit.remove(slot);
    }
    let blocks = edit.finish();
    assert_eq!(blocks.len(), 2_500);
    let elements = 4 * DIMENSIONS * 2_500;
    assert!(blocks.bytes() < 2 * elements, "{} bytes", blocks.bytes());

    // Then so many that no chunk keeps more than a row or two.
    let mut edit = blocks.edit();
    for slot in (1..=10_000).filter(|slot| slot % 1_000 != 0) {
        edit.remove(slot);
    }
    let blocks = edit.finish();
    assert_eq!(blocks.len(), 10);
    let elements = 4 * DIMENSIONS * 10;
    assert!(blocks.bytes() < 2 * elements, "{} bytes", blocks.bytes());

    let mut edit = blocks.edit();
    for slot in 1..=10_000 {
        edit.remove(slot);
    }
    let blocks = edit.finish();
    assert!(blocks.is_empty());
    assert_eq!(blocks.bytes(), 0);
}

#[test]
fn rows_replaced_many_times_do_not_pile_up() {
    let mut blocks = filled(600);
    let vector = [0.5_f32; DIMENSIONS];
    let before = blocks.bytes();
    for next in 601..1_801 {
        let mut edit = blocks.edit();
        edit.remove(next - 600);
        edit.put(row(next, &vector));
        blocks = edit.finish();
    }
    assert_eq!(blocks.len(), 600);
    assert!(blocks.bytes() < 2 * before, "{} bytes", blocks.bytes());
}
