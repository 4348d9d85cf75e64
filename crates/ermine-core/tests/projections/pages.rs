//! Final rows do not depend on how the events were cut into pages (rule P5).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use ermine_core::{Content, EmbeddingPlan, RowKey, VectorProjectionMap, by_stream, content_hash};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use uuid::Uuid;

use crate::memory::{Log, Memory, MemoryEvent, NoteEvent, tenant};
use crate::provider::{Noting, vector_of};
use crate::table::{Row, Table};

/// An aggregate's rows and those of events alone, some under the same ids.
fn map() -> VectorProjectionMap<Uuid> {
    VectorProjectionMap::new()
        .on(MemoryEvent::RECORDED, by_stream)
        .on(MemoryEvent::REVISED, by_stream)
        .on(MemoryEvent::ENDED, by_stream)
        // Tags are not part of the text.
        .content(|memory: &Memory| Content::text(text_of(memory)))
        .delete(MemoryEvent::FORGOTTEN, by_stream)
        .map(
            NoteEvent::WRITTEN,
            |e| match &e.data {
                NoteEvent::Written {
                    text: Some(text), ..
                } => Content::text(text),
                _ => Content::none(),
            },
            |e| match e.data {
                NoteEvent::Written { id, .. } => id,
                _ => unreachable!(),
            },
        )
        .delete(NoteEvent::ERASED, |e| match e.data {
            NoteEvent::Erased { id } => id,
            _ => unreachable!(),
        })
}

fn text_of(memory: &Memory) -> String {
    format!("{}{}", memory.title, memory.body)
}

#[derive(Debug, Clone)]
enum Happened {
    Memory(MemoryEvent),
    Note(NoteEvent),
}

fn happened() -> impl Strategy<Value = (&'static str, u128, Happened)> {
    let text = || prop_oneof![Just(""), Just("a"), Just("b"), Just("?"), Just("? c")];
    let text = move || text().prop_map(str::to_owned);
    let tags = || vec(text(), 0..2);
    let id = || (0_u128..4).prop_map(Uuid::from_u128);
    let event = prop_oneof![
        3 => (text(), text(), tags())
            .prop_map(|(title, body, tags)| MemoryEvent::Recorded { title, body, tags })
            .prop_map(Happened::Memory),
        6 => (option::of(text()), option::of(text()), option::of(tags()))
            .prop_map(|(title, body, tags)| MemoryEvent::Revised { title, body, tags })
            .prop_map(Happened::Memory),
        1 => Just(Happened::Memory(MemoryEvent::Ended)),
        1 => Just(Happened::Memory(MemoryEvent::Forgotten)),
        3 => (id(), option::of(text()))
            .prop_map(|(id, text)| Happened::Note(NoteEvent::Written { id, text })),
        1 => id().prop_map(|id| Happened::Note(NoteEvent::Erased { id })),
    ];
    (prop_oneof![Just(""), Just("acme")], 0_u128..4, event)
}

/// One event after the other, with nothing of what is tested. Also how often a row got
/// another text.
fn naive(events: &[(&str, u128, Happened)]) -> (Table, usize) {
    let mut memories: BTreeMap<(&str, u128), Memory> = BTreeMap::new();
    let mut table = Table::default();
    let mut changes = 0;
    for (owner, stream, event) in events {
        let memory = memories.entry((*owner, *stream));
        // No text leaves the row as it is, an empty one removes it.
        let (id, text) = match event.clone() {
            Happened::Memory(MemoryEvent::Recorded { title, body, tags }) => {
                let memory = memory.insert_entry(Memory { title, body, tags });
                (Uuid::from_u128(*stream), Some(text_of(memory.get())))
            }
            Happened::Memory(MemoryEvent::Revised { title, body, .. }) => {
                let memory = memory.and_modify(|memory| {
                    memory.title = title.unwrap_or(memory.title.clone());
                    memory.body = body.unwrap_or(memory.body.clone());
                });
                let text = match memory {
                    Entry::Occupied(memory) => text_of(memory.get()),
                    Entry::Vacant(_) => String::new(),
                };
                (Uuid::from_u128(*stream), Some(text))
            }
            Happened::Memory(MemoryEvent::Ended) => {
                memories.remove(&(*owner, *stream));
                (Uuid::from_u128(*stream), Some(String::new()))
            }
            Happened::Memory(MemoryEvent::Forgotten) => {
                (Uuid::from_u128(*stream), Some(String::new()))
            }
            Happened::Note(NoteEvent::Written { id, text }) => (id, text),
            Happened::Note(NoteEvent::Erased { id }) => (id, Some(String::new())),
            Happened::Note(NoteEvent::Renamed { .. }) => unreachable!(),
        };
        let tenant = tenant(owner);
        let key = RowKey { tenant, id };
        match text {
            None => {}
            Some(text) if text.is_empty() => {
                table.0.remove(&key);
            }
            Some(text) => {
                let row = Row {
                    hash: content_hash(&text),
                    vector: vector_of(&text),
                    text,
                };
                if table.0.insert(key, row.clone()) != Some(row) {
                    changes += 1;
                }
            }
        }
    }
    (table, changes)
}

fn log_of(events: &[(&str, u128, Happened)]) -> Log {
    let mut log = Log::default();
    for (owner, stream, event) in events {
        match event {
            Happened::Memory(event) => log.push_of(owner, *stream, event),
            Happened::Note(event) => log.push_of(owner, *stream, event),
        };
    }
    log
}

/// Pass 1 of a rebuild finds the last event of each row, pass 2 writes only that.
fn rebuild(table: &mut Table, log: &Log, page: usize, provider: &Noting) {
    let map = map();
    let plans = || {
        log.0
            .chunks(page)
            .map(|page| EmbeddingPlan::build(&map, page).unwrap())
    };
    let mut last = BTreeMap::new();
    for plan in plans() {
        last.extend(plan.rows().map(|(key, position)| (key.clone(), position)));
    }
    for mut plan in plans() {
        plan.retain(|key, position| last[key] == position);
        table.apply_plan(plan, log, provider).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pages_of_any_size_end_in_the_same_rows(events in vec(happened(), 0..60)) {
        let (expected, changes) = naive(&events);
        let log = log_of(&events);
        for page in [1, 2, 7, 100] {
            let (mut table, provider) = (Table::default(), Noting::proper());
            for page in log.0.chunks(page) {
                table.apply(&map(), &log, page, &provider).unwrap();
            }
            prop_assert_eq!(&table, &expected, "in pages of {}", page);
            let texts = provider.texts().len();
            prop_assert!(texts <= changes, "{texts} texts for {changes} changes");
            if page == 1 {
                prop_assert_eq!(texts, changes);
            }
            // Rebuilt in pages of another size, nothing is embedded again.
            let again = Noting::proper();
            rebuild(&mut table, &log, 3, &again);
            prop_assert_eq!(&table, &expected);
            prop_assert_eq!(again.calls().len(), 0);
            // And from nothing, each row's text once.
            let (mut fresh, provider) = (Table::default(), Noting::proper());
            rebuild(&mut fresh, &log, page, &provider);
            prop_assert_eq!(&fresh, &expected);
            prop_assert!(provider.texts().len() <= expected.0.len());
        }
    }
}
