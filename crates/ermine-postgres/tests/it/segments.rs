//! The text index as it is sealed, buried and given up.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ermine_core::DeleteMode;
use ermine_text::EncodedRecord;
use tokio_postgres::Row;

use crate::support::{Notes, Place, any, note};

/// Recomputes, of every tenant, how many live documents there are, their length, and in
/// how many each word is; and compares what segments, tail and the dead say.
pub(crate) fn assert_sums_agree(place: &Place) {
    let plain = place.plain();
    plain.run("BEGIN ISOLATION LEVEL REPEATABLE READ");
    let tenants = plain.rows(
        "SELECT DISTINCT tenant FROM ermine_text_notes UNION SELECT tenant FROM ermine_segs_notes",
    );
    for row in tenants {
        let tenant: String = row.get(0);
        let of = |table: &str, condition: &str| {
            plain.rows(&format!(
                "SELECT len, terms FROM {table} WHERE tenant = '{tenant}'{condition}"
            ))
        };
        let mut live = Sums::default();
        live.add(1, &of("ermine_text_notes", " AND live"));
        let mut told = Sums::default();
        told.add(1, &of("ermine_text_notes", " AND live AND seg IS NULL"));
        told.add(
            -1,
            &of("ermine_text_notes", " AND NOT live AND seg IS NOT NULL"),
        );
        told.add(-1, &of("ermine_dead_notes", ""));
        for row in plain.rows(&format!(
            "SELECT n, sum_len FROM ermine_segs_notes WHERE tenant = '{tenant}'"
        )) {
            told.documents += row.get::<_, i64>(0);
            told.len += row.get::<_, i64>(1);
        }
        for row in plain.rows(&format!(
            "SELECT p.term, p.df FROM ermine_seg_notes AS p JOIN ermine_segs_notes AS s ON s.seg = p.seg WHERE s.tenant = '{tenant}'"
        )) {
            *told.holders.entry(row.get(0)).or_default() += row.get::<_, i64>(1);
        }
        told.holders.retain(|_, count| *count != 0);
        assert_eq!(told, live, "tenant {tenant}");
    }
    let strays = plain.numbers(
        "SELECT count(*) FROM ermine_text_notes AS t FULL JOIN ermine_doc_notes AS d ON d.doc = t.doc
         WHERE t.doc IS NULL OR d.doc IS NULL OR t.live <> (d.deleted IS NULL) OR t.tenant <> d.tenant",
    );
    assert_eq!(strays, [0], "records and documents");
    let strays = plain.numbers(
        "SELECT count(*) FROM ermine_seg_notes WHERE seg NOT IN (SELECT seg FROM ermine_segs_notes)",
    );
    assert_eq!(strays, [0], "postings without a segment");
    plain.run("COMMIT");
}

/// How many documents there are, how long they are together, and how many hold a word.
#[derive(Debug, Default, PartialEq)]
struct Sums {
    documents: i64,
    len: i64,
    holders: BTreeMap<String, i64>,
}

impl Sums {
    /// Adds rows of length and record, so many times.
    fn add(&mut self, times: i64, rows: &[Row]) {
        for row in rows {
            self.documents += times;
            self.len += times * row.get::<_, i64>(0);
            let mut terms = EncodedRecord::new(row.get(1)).unwrap().terms();
            while let Some(term) = terms.advance().unwrap() {
                *self.holders.entry(term.term().to_owned()).or_default() += times;
            }
        }
    }
}

/// Waits until something is so, which it becomes without anybody's doing.
pub(crate) fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_long_tail_is_sealed_and_searches_find_the_same() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    let text = |at: usize| format!("pool word{} word{}", at % 7, at % 11);
    for from in (0..600).step_by(100) {
        notes.store((from..from + 100).map(|at| note(&format!("{at:04}"), &text(at))));
    }
    let plain = place.plain();
    let sealed = || plain.numbers("SELECT count(*) FROM ermine_segs_notes")[0] > 0;
    wait_until("a segment is built", sealed);
    assert_sums_agree(&place);

    // The same documents where nothing is sealed: scores are equal to the bit.
    let other = Place::new();
    let unsealed = Notes::open(other.postgres());
    for from in (0..600).step_by(100) {
        unsealed.store((from..from + 100).map(|at| note(&format!("{at:04}"), &text(at))));
        other.plain().run(
            "UPDATE ermine_text_notes SET seg = NULL; DELETE FROM ermine_seg_notes; DELETE FROM ermine_segs_notes; DELETE FROM ermine_dead_notes",
        );
    }
    for words in [&["pool"][..], &["word3", "word5"], &["pool", "word6"]] {
        let scores = |notes: &Notes| -> Vec<(String, u64)> {
            let found = notes.matching(notes.target(), any(words)).hits;
            found
                .iter()
                .map(|(record, score)| (record.id.to_string(), score.value().to_bits()))
                .collect()
        };
        assert_eq!(scores(&notes), scores(&unsealed), "{words:?}");
    }
}

#[test]
fn small_and_dead_segments_are_given_up() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    let plain = place.plain();
    let count = |sql: &str| plain.numbers(sql)[0];
    for round in 0..24 {
        notes.store((0..260).map(|at| note(&format!("{round}-{at}"), "pool of words")));
        wait_until("the tail is sealed", || {
            count("SELECT count(*) FROM ermine_text_notes WHERE seg IS NULL") < 256
        });
        wait_until("small segments are given up", || {
            count("SELECT count(*) FROM ermine_segs_notes") <= 17
        });
    }
    assert_sums_agree(&place);
    for from in 0..20 {
        let deletes = (0..260).map(|at| notes.delete(&format!("{from}-{at}"), DeleteMode::Hard));
        notes.commit(deletes.collect()).unwrap();
    }
    wait_until("the dead are few", || {
        // Something has to be written for anybody to look.
        notes.store((0..256).map(|at| note(&format!("new-{at}"), "pool again")));
        count("SELECT count(*) FROM ermine_dead_notes") < 1_024
    });
    assert_sums_agree(&place);
}
