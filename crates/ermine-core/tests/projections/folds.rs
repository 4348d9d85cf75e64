//! Live folds.

use ermine_core::{ErrorKind, Fold, fold_to};

use crate::memory::{Log, Memory, MemoryEvent, recorded, revised, wrote};

fn log() -> Log {
    let mut log = Log::default();
    log.push(1, &recorded("a", "b", &["c"]));
    log.push(1, &revised(Some("d"), None));
    // Not of the aggregate's type: it only counts.
    log.push(1, &wrote(1, "x"));
    log.push(1, &MemoryEvent::Ended);
    log.push(1, &recorded("e", "f", &[]));
    log
}

#[test]
fn a_stream_is_folded_to_a_version() {
    let title = |version| {
        let memory = fold_to::<Memory>(&log().0, version).unwrap();
        memory.map(|memory| memory.title)
    };
    let titles: Vec<_> = (0..=6).map(title).collect();
    let some = |title: &str| Some(title.to_owned());
    let (a, d, e) = (some("a"), some("d"), some("e"));
    assert_eq!(titles, [None, a, d.clone(), d, None, e.clone(), e]);
}

#[test]
fn a_fold_goes_on_from_a_snapshot() {
    let log = log();
    let before = fold_to::<Memory>(&log.0, 2).unwrap();
    let mut fold = Fold::from_snapshot(before, 2);
    fold.push(&log.0[2]).unwrap();
    assert_eq!(fold.version(), 3);
    assert_eq!(fold.state().unwrap().title, "d");
}

#[test]
fn events_out_of_order_are_refused() {
    let log = log();
    for order in [&[0, 2][..], &[1], &[0, 0], &[0, 1, 0]] {
        let events = order.iter().map(|&at| &log.0[at]);
        let error = fold_to::<Memory>(events, 9).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidValue);
    }
}

#[test]
fn an_event_that_cannot_be_read_is_an_error_and_not_skipped() {
    let mut log = log();
    log.0[1].event.data = "{}}".into();
    let error = fold_to::<Memory>(&log.0, 9).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Body);
    assert!(fold_to::<Memory>(&log.0, 1).is_ok());
}
