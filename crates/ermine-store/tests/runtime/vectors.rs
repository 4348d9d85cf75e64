//! What commit embeds, keeps and writes for fields embedded from text (rules D11, P7, P8).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ermine_compliance::Reference;
use ermine_core::{
    BatchLimits, Embedding, EmbeddingProvider, Error, ErrorKind, ModelIdentity, Result, Role,
    Vector, VectorWrite, content_hash,
};
use ermine_store::Store;

use crate::documents::{Note, Page, Point};
use crate::spy::{Spy, watched};
use crate::{refused, wait};

fn set(vector: Option<Vec<f32>>, text: &str) -> VectorWrite {
    VectorWrite::Set {
        vector: vector.unwrap().into(),
        hash: Some(content_hash(text)),
    }
}

fn keep(text: &str) -> VectorWrite {
    VectorWrite::KeepIfHash(content_hash(text))
}

#[test]
fn an_unchanged_text_costs_nothing_and_a_changed_one_costs_one() {
    let w = watched().with_notes([Note::scoped(1, "x", "pool"), Note::new(2, "warm")]);
    let mut session = w.store.session("a");
    session.store(&Note::scoped(1, "y", "pool"));
    session.store(&Note::new(2, "cold"));
    wait(session.commit()).unwrap();
    assert_eq!((w.provider.calls(), w.provider.texts()), (1, 1));
    let cold = w.provider.vector("cold");
    assert_eq!(w.spy.last_writes(), [keep("pool"), set(cold, "cold")]);
    assert_eq!(w.vector_of(1), w.provider.vector("pool"));
    assert_eq!(w.vector_of(2), w.provider.vector("cold"));
}

#[test]
fn a_unit_makes_one_call_for_all_its_texts_and_asks_each_once() {
    let w = watched();
    let mut session = w.store.session("a");
    for id in 0..10 {
        session.store(&Note::new(id, if id % 2 == 0 { "even" } else { "odd" }));
        session.store(&Page::new(id, "even"));
    }
    let reads = w.spy.reads();
    wait(session.commit()).unwrap();
    assert_eq!((w.provider.calls(), w.provider.texts()), (1, 2));
    assert_eq!(w.spy.reads() - reads, 1, "hashes are read in one call");
}

#[test]
fn sources_are_joined_in_the_order_declared() {
    let w = watched();
    let mut session = w.store.session("a");
    session.store(&Note {
        title: Some("Pool".to_owned()),
        ..Note::new(1, "timeouts")
    });
    wait(session.commit()).unwrap();
    let vector = w.provider.vector("Pool\ntimeouts");
    assert_eq!(w.spy.last_writes(), [set(vector, "Pool\ntimeouts")]);
}

#[test]
fn of_two_stores_of_one_id_only_the_last_text_is_embedded() {
    let w = watched();
    let mut session = w.store.session("a");
    session.store(&Note::new(1, "first"));
    session.store(&Note::new(1, "second"));
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.texts(), 1);
    let second = w.provider.vector("second");
    assert_eq!(
        w.spy.last_writes(),
        [VectorWrite::Keep, set(second, "second")]
    );
    assert_eq!(w.vector_of(1), w.provider.vector("second"));
}

#[test]
fn a_text_that_comes_back_to_what_is_stored_keeps_its_vector() {
    let w = watched().with_notes([Note::new(1, "stored")]);
    let mut session = w.store.session("a");
    session.store(&Note::new(1, "other"));
    session.store(&Note::new(1, "stored"));
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.texts(), 0);
    assert_eq!(w.vector_of(1), w.provider.vector("stored"));
}

#[test]
fn a_vector_that_the_unit_deletes_first_is_embedded_again() {
    let w = watched().with_notes([Note::new(1, "same"), Note::new(2, "same")]);
    let mut session = w.store.session("a");
    session.hard_delete::<Note>(1);
    session.store(&Note::new(1, "same"));
    session.store(&Note::new(2, "same"));
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.texts(), 1);
    assert_eq!(
        w.spy.last_writes(),
        [set(w.provider.vector("same"), "same"), keep("same")]
    );
    assert_eq!(w.vector_of(1), w.provider.vector("same"));
}

#[test]
fn a_soft_delete_hides_the_vector_with_its_document_and_storing_again_keeps_it() {
    let w = watched().with_notes([Note::new(1, "same")]);
    let mut session = w.store.session("a");
    session.delete::<Note>(1);
    session.store(&Note::new(1, "same"));
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.texts(), 0);
    assert_eq!(w.vector_of(1), w.provider.vector("same"));
}

#[test]
fn after_a_delete_by_filter_nothing_of_the_type_is_kept() {
    let w = watched();
    let mut session = w.store.session_without_tenant();
    session.store(&Page::new(1, "same"));
    wait(session.commit()).unwrap();
    w.provider.reset_counts();
    session.store(&Page::new(1, "other"));
    session.delete_where::<Page>(Page::NOTE.eq(1));
    session.store(&Page::new(1, "same"));
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.texts(), 1);
    assert!(matches!(
        w.spy.last_writes()[..],
        [VectorWrite::Keep, VectorWrite::Set { .. }]
    ));
}

#[test]
fn a_document_deleted_in_its_unit_is_not_embedded() {
    let w = watched();
    let mut session = w.store.session("a");
    session.store(&Note::new(1, "gone"));
    session.hard_delete::<Note>(1);
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.calls(), 0);
}

#[test]
fn an_empty_text_clears_the_vector_without_a_call() {
    let w = watched().with_notes([Note::new(1, "text")]);
    let mut session = w.store.session("a");
    session.store(&Note::new(1, ""));
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.calls(), 0);
    assert_eq!(w.spy.last_writes(), [VectorWrite::Clear { hash: None }]);
    session.store(&Note::new(1, "text"));
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.texts(), 1);
}

#[test]
fn what_cannot_be_represented_is_an_answer_that_is_not_asked_for_again() {
    let w = watched();
    let mut session = w.store.session("a");
    session.store(&Note::new(1, "  "));
    wait(session.commit()).unwrap();
    let hash = Some(content_hash("  "));
    assert_eq!(w.spy.last_writes(), [VectorWrite::Clear { hash }]);
    assert_eq!(w.provider.texts(), 1);
    session.store(&Note::new(1, "  "));
    wait(session.commit()).unwrap();
    assert_eq!(w.spy.last_writes(), [keep("  ")]);
    assert_eq!(w.provider.texts(), 1);
}

#[test]
fn the_documents_own_value_is_never_an_input() {
    let w = watched();
    let own = [9.0; 8];
    let mut session = w.store.session("a");
    session.store(&Note {
        embedding: own.into(),
        ..Note::new(1, "text")
    });
    session.store(&Note {
        embedding: Embedding::Absent,
        ..Note::new(2, "text")
    });
    // Not even judged.
    session.store(&Note {
        embedding: [f32::NAN].into(),
        ..Note::new(3, "text")
    });
    wait(session.commit()).unwrap();
    for id in 1..=3 {
        assert_eq!(w.vector_of(id), w.provider.vector("text"));
    }
}

#[test]
fn a_ready_vector_records_the_hash_of_its_text() {
    let w = watched();
    let ready = [1.0_f32; 8];
    let mut session = w.store.session("a");
    session.store_with_vector(&Note::new(1, "text"), Note::EMBEDDING, ready);
    wait(session.commit()).unwrap();
    assert_eq!(w.spy.last_writes(), [set(Some(ready.to_vec()), "text")]);
    session.store(&Note::scoped(1, "moved", "text"));
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.calls(), 0);
    assert_eq!(w.vector_of(1), Some(ready.to_vec()));
    session.store(&Note::new(1, "new text"));
    wait(session.commit()).unwrap();
    assert_eq!(w.vector_of(1), w.provider.vector("new text"));
}

#[test]
fn a_ready_vector_serves_a_later_store_of_the_same_text_in_its_unit() {
    let w = watched();
    let ready = [1.0_f32; 8];
    let mut session = w.store.session("a");
    session.store_with_vector(&Note::new(1, "text"), Note::EMBEDDING, ready);
    session.store(&Note::scoped(1, "moved", "text"));
    session.store_with_vector(&Note::new(2, "text"), Note::EMBEDDING, ready);
    session.hard_delete::<Note>(2);
    session.store(&Note::new(2, "text"));
    wait(session.commit()).unwrap();
    assert_eq!(w.vector_of(1), Some(ready.to_vec()));
    assert_eq!(w.vector_of(2), w.provider.vector("text"));
}

#[test]
fn a_ready_vector_is_judged_when_it_is_recorded() {
    let w = watched();
    let mut session = w.store.session("a");
    session.store_with_vector(&Note::new(7, "text"), Note::EMBEDDING, [1.0, 2.0]);
    let message = refused(wait(session.commit()), ErrorKind::WrongDimensions);
    assert!(
        message.contains("document 7") && message.contains("`embedding`"),
        "{message}"
    );
    session.store_with_vector(&Note::new(7, ""), Note::EMBEDDING, [1.0_f32; 8]);
    let message = refused(wait(session.commit()), ErrorKind::InvalidValue);
    assert!(
        message.contains("document 7") && message.contains("no text"),
        "{message}"
    );
    assert_eq!(w.spy.commits(), 0);
}

#[test]
fn a_field_of_the_callers_keeps_clears_and_sets() {
    let w = watched();
    let mut session = w.store.session_without_tenant();
    session.store(&Point::new("p", [1.0, 2.0]));
    wait(session.commit()).unwrap();
    let set = VectorWrite::Set {
        vector: [1.0, 2.0].into(),
        hash: None,
    };
    assert_eq!(
        w.spy.last_writes(),
        [set, VectorWrite::Clear { hash: None }]
    );
    session.store(&Point {
        id: "p".to_owned(),
        ..Point::default()
    });
    wait(session.commit()).unwrap();
    assert_eq!(w.spy.last_writes(), [VectorWrite::Keep, VectorWrite::Keep]);
    let point = wait(session.load::<Point>("p")).unwrap().unwrap();
    assert_eq!(point.place, Embedding::from([1.0, 2.0]));
    assert_eq!(point.colour, Embedding::Absent);
    assert_eq!(w.provider.calls(), 0);
}

#[test]
fn another_writers_change_is_noticed_and_planned_again() {
    let w = watched().with_notes([Note::new(1, "old")]);
    let other = w.store.clone();
    w.spy.before_commit(move || {
        let mut session = other.session("a");
        session.store(&Note::new(1, "theirs"));
        wait(session.commit()).unwrap();
    });
    let mut session = w.store.session("a");
    session.store(&Note::scoped(1, "mine", "old"));
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.texts(), 2, "theirs, and ours once more");
    assert_eq!(w.vector_of(1), w.provider.vector("old"));
}

#[test]
fn planning_again_ends_in_a_conflict_and_pays_for_no_text_twice() {
    let w = watched().with_notes([Note::new(1, "old")]);
    w.spy.fail([ErrorKind::KeptVectorChanged; 5]);
    let before = w.spy.commits();
    let mut session = w.store.session("a");
    session.store(&Note::new(1, "old"));
    session.store(&Note::new(2, "new"));
    let error = wait(session.commit()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert!(error.is_conflict() && std::error::Error::source(&error).is_some());
    assert_eq!(w.spy.commits() - before, 5);
    assert_eq!(w.provider.texts(), 1);
}

/// A provider of one dimension that takes two texts a call and fails at some of its calls.
#[derive(Clone)]
struct Failing {
    identity: ModelIdentity,
    calls: Arc<AtomicUsize>,
    fails_at: usize,
    lies: bool,
}

impl Failing {
    fn at(fails_at: usize) -> Self {
        Self {
            identity: ModelIdentity::new("test", "failing", 8),
            calls: Arc::default(),
            fails_at,
            lies: false,
        }
    }
}

impl EmbeddingProvider for Failing {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits {
            texts: 2,
            ..BatchLimits::default()
        }
    }

    async fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Option<Vector>>> {
        assert_eq!(role, Role::Document);
        let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if call == self.fails_at {
            return Err(Error::new(
                ErrorKind::Provider,
                "no answer; try again later",
            ));
        }
        let length = if self.lies { 7 } else { 8 };
        Ok(texts
            .iter()
            .map(|_| Some(vec![1.0; length].into()))
            .collect())
    }
}

#[test]
fn a_provider_that_fails_leaves_the_unit_to_be_tried_again() {
    let spy = Spy::over(&Reference::new());
    let provider = Failing::at(2);
    let store = Store::builder(spy.engine()).document::<Note>();
    let store = wait(store.embeddings(provider.clone()).open()).unwrap();
    let mut session = store.session("a");
    for id in 0..4 {
        session.store(&Note::new(id, &format!("text {id}")));
    }
    refused(wait(session.commit()), ErrorKind::Provider);
    assert_eq!((spy.commits(), session.pending()), (0, 4));
    wait(session.commit()).unwrap();
    assert_eq!(
        provider.calls.load(Ordering::Relaxed),
        3,
        "the first two were paid"
    );
    assert_eq!(wait(session.query::<Note>().count()).unwrap(), 4);
}

#[test]
fn a_provider_that_lies_writes_nothing() {
    let spy = Spy::over(&Reference::new());
    let provider = Failing {
        lies: true,
        ..Failing::at(0)
    };
    let store = Store::builder(spy.engine()).document::<Note>();
    let store = wait(store.embeddings(provider).open()).unwrap();
    let mut session = store.session("a");
    session.store(&Note::new(1, "text"));
    let message = refused(wait(session.commit()), ErrorKind::Provider);
    assert!(message.contains('8') && message.contains('7'), "{message}");
    session.discard();
    assert_eq!(session.pending(), 0);
    wait(session.commit()).unwrap();
    assert_eq!(spy.commits(), 0);
}
