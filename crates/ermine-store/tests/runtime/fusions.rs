//! Fusion over types, by a key of the caller's (rules T2–T4, T7, T9).

use ermine_core::{EmptyLeg, ErrorKind, LegKind};
use ermine_store::TextStyle;

use crate::documents::{Note, Page};
use crate::spy::{Watched, watched};
use crate::{refused, wait};

/// Notes found by text, and pages found by vector; both have the note's number.
fn filled() -> Watched {
    let w = watched();
    let mut session = w.store.session("a");
    session.store(&Note::scoped(1, "x", "pool"));
    session.store(&Note::scoped(2, "y", "pool and other words"));
    session.store(&Page::new(1, "moon"));
    session.store(&Page::new(2, "pool"));
    session.store(&Page {
        note: 2,
        ..Page::new(3, "pool pool")
    });
    wait(session.commit()).unwrap();
    w.provider.reset_counts();
    w
}

#[test]
fn legs_of_different_types_are_fused_by_key_in_one_read() {
    let w = filled();
    let reader = w.store.reader("a");
    let vector = w.provider.vector("pool").unwrap();
    let fusion = reader
        .fuse()
        .text::<Note>("pool", |note| note.id)
        .vector::<Page>(&vector, |page| page.note)
        .limit(10);
    let searches = w.spy.searches();
    let hits = wait(fusion).unwrap();
    assert_eq!(w.spy.searches() - searches, 1);
    // Text: 1, 2. Vector: 2, 2 again, 1. The repeat drops, so 1 is second there.
    assert_eq!(hits.iter().map(|hit| hit.key).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(hits[0].score, hits[1].score);
    let ranks: Vec<_> = hits[0]
        .legs
        .iter()
        .map(|leg| (leg.leg, leg.kind, leg.rank))
        .collect();
    assert_eq!(ranks, [(0, LegKind::Text, 1), (1, LegKind::Vector, 2)]);
    assert_eq!(
        hits[1].document::<Page>().unwrap().id,
        2,
        "the page that counted"
    );
    assert_eq!(hits[1].document::<Note>().unwrap().scope, "y");
    assert_eq!(w.provider.calls(), 0);
}

#[test]
fn each_leg_has_options_and_a_weight_of_its_own() {
    let w = filled();
    let reader = w.store.reader("a");
    let vector = w.provider.vector("moon").unwrap();
    let fusion = || {
        reader
            .fuse()
            .text::<Note>("pool", |note| note.id)
            .filter(Note::SCOPE.eq("y"))
            .text_fields([Note::BODY])
            .column_weights([2.0])
            .vector::<Page>(&vector, |page| page.note)
            .max_distance(0.5)
    };
    let hits = wait(fusion().weight(2.0)).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.key).collect::<Vec<_>>(), [1, 2]);
    let hits = wait(fusion().weight(0.5)).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.key).collect::<Vec<_>>(), [2, 1]);
    let hits = wait(fusion().weight(0.0)).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.key).collect::<Vec<_>>(), [2]);
    assert_eq!(hits.outcome().legs[1].empty, Some(EmptyLeg::LeftOut));
    let floor = 1.0 / 61.0;
    let hits = wait(fusion().weight(0.5).min_score(floor)).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.key).collect::<Vec<_>>(), [2]);
    let hits = wait(fusion().offset(1).candidate_depth(50)).unwrap();
    assert_eq!(hits.len(), 1);
}

#[test]
fn what_a_fusion_cannot_mean_is_refused_before_any_read() {
    let w = filled();
    let reader = w.store.reader("a");
    let vector = w.provider.vector("pool").unwrap();
    let searches = w.spy.searches();
    let fusion = || {
        reader
            .fuse()
            .text::<Note>("pool", |note| note.id)
            .vector::<Page>(&vector, |page| page.note)
    };
    let refuse = |result| refused(result, ErrorKind::InvalidOption);
    refuse(wait(fusion().k(0)));
    refuse(wait(fusion().weight(-1.0)));
    refuse(wait(fusion().offset(1)));
    refuse(wait(fusion().candidate_depth(9)));
    refuse(wait(fusion().limit(10_001)));
    refuse(wait(reader.fuse::<i64>()));
    let short = reader
        .fuse()
        .vector::<Page>([1.0], |page| page.note)
        .limit(0);
    refused(wait(short), ErrorKind::WrongDimensions);

    let excluding = || {
        reader
            .fuse()
            .text::<Note>("pool -other", |note| note.id)
            .text_style(TextStyle::Web)
    };
    let two = excluding().vector::<Page>(&vector, |page| page.note);
    let message = refused(wait(two), ErrorKind::Unsupported);
    assert!(message.contains("notes"), "{message}");
    assert_eq!(w.spy.searches(), searches);
    let hits = wait(excluding()).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.key).collect::<Vec<_>>(), [1]);
}
