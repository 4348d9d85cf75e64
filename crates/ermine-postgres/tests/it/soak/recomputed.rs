//! A store whose answers are compared: the same documents, written once and in peace.

use ermine_core::{
    Answer, DeletedScope, Embedding, Include, OrderBy, Page, Query, Read, Storage, StoredRecord,
    TextRequest, TextSearch, VectorRequest, VectorSearch, VectorWrite,
};

use crate::support::{Notes, Place, any, block_on, note, text_leg, vector_leg, with_vectors};

const ALL: usize = 10_000;

/// Every search gives the same ids and figures, to the bit. Returns how many documents
/// there are.
pub(super) fn assert_answers_are_those_of_a_new_store(place: &Place, notes: &Notes) -> usize {
    let other = Place::new();
    let new = Notes::open(other.postgres());
    let mut count = 0;
    for deleted in [DeletedScope::Hidden, DeletedScope::Only] {
        let records = all(notes, deleted);
        count += records.len();
        for part in records.chunks(100) {
            new.store(part.iter().map(|record| {
                let body: serde_json::Value = serde_json::from_str(&record.body).unwrap();
                let mut note = note(&record.id.to_string(), body["body"].as_str().unwrap());
                if let Embedding::Present(vector) = &record.embeddings[0] {
                    note.vector = VectorWrite::Set {
                        vector: vector.clone(),
                        hash: None,
                    };
                }
                note
            }));
            if deleted == DeletedScope::Only {
                let hide = |record: &StoredRecord| {
                    new.delete(&record.id.to_string(), ermine_core::DeleteMode::Declared)
                };
                new.commit(part.iter().map(hide).collect()).unwrap();
            }
        }
    }
    for deleted in [
        DeletedScope::Hidden,
        DeletedScope::Only,
        DeletedScope::Included,
    ] {
        for words in [
            &["pool"][..],
            &["timeout"],
            &["word3", "word77"],
            &["moded"],
            &["unit"],
            &["pool", "word12", "word250"],
        ] {
            let found = [notes, &new].map(|notes| matching(notes, deleted, words));
            assert_eq!(found[0], found[1], "{deleted:?}, {words:?}");
        }
        for query in [[1.0, 0.0], [0.3, 7.0]] {
            let found = [notes, &new].map(|notes| nearest(notes, deleted, query));
            assert_eq!(found[0], found[1], "{deleted:?}, {query:?}");
        }
    }
    assert!(
        !matching(notes, DeletedScope::Hidden, &["pool"]).is_empty(),
        "{} holds something",
        place.schema
    );
    count
}

fn all(notes: &Notes, deleted: DeletedScope) -> Vec<StoredRecord> {
    let read = Read::Query(Query {
        target: notes.of(deleted),
        order: Vec::<OrderBy>::new(),
        page: Page::first(ALL),
        include: with_vectors(),
    });
    match block_on(notes.engine.read(&[read])).unwrap().remove(0) {
        Answer::Records(records) => records,
        other => panic!("{other:?}"),
    }
}

fn matching(notes: &Notes, deleted: DeletedScope, words: &[&str]) -> Vec<(String, u64)> {
    let found = block_on(notes.engine.text_search(&TextRequest {
        target: notes.of(deleted),
        leg: text_leg(any(words)),
        min_score: None,
        page: Page::first(ALL),
        include: Include::default(),
    }));
    let hits = found.unwrap().hits.into_iter();
    hits.map(|(record, score)| (record.id.to_string(), score.value().to_bits()))
        .collect()
}

fn nearest(notes: &Notes, deleted: DeletedScope, query: [f32; 2]) -> Vec<(String, u64)> {
    let found = block_on(notes.engine.vector_search(&VectorRequest {
        target: notes.of(deleted),
        leg: vector_leg(query),
        page: Page::first(ALL),
        include: Include::default(),
    }));
    let hits = found.unwrap().hits.into_iter();
    hits.map(|(record, distance)| (record.id.to_string(), distance.value().to_bits()))
        .collect()
}
