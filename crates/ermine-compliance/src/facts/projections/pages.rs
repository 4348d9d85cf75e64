//! P2, P4, P5: what rows are in the end does not depend on how events come in pages.

use ermine_core::{Engine, Result};
use ermine_store::Store;

use super::kit::{
    Memory, MemoryEvent, Note, NoteEvent, daemon, erased, memory_vectors, new_body, note_vectors,
    open, recorded, written,
};
use super::model::Model;
use crate::facts::{Verdict, World};

facts![
    p4_pages_of_any_size_make_the_same_rows,
    p2_events_of_other_types_are_passed_by_and_none_is_missed,
    p7_pages_of_any_size_pay_for_no_text_twice,
];

/// Numbers that look random, the same at each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn note(&mut self) -> NoteEvent {
        let id = ["a", "b", "c", "d", "e"][self.below(5) as usize];
        match self.below(8) {
            0 => erased(id),
            1 => written(id, ""),
            2 => written(id, "nothing to say"),
            3 => NoteEvent::Touched { id: id.to_owned() },
            length => written(id, &"x".repeat(length as usize)),
        }
    }

    fn memory(&mut self) -> MemoryEvent {
        match self.below(7) {
            0 | 1 => recorded(["Pool", "Lake"][self.below(2) as usize], "body", "tag"),
            2 => MemoryEvent::Forgotten,
            3 => MemoryEvent::Read,
            length => new_body(&"y".repeat(length as usize)),
        }
    }
}

/// The same history for each tenant.
async fn history(store: &Store<Engine>, tenant: &str) -> Result<()> {
    let mut numbers = Numbers(7);
    for _ in 0..30 {
        let mut session = store.session(tenant);
        let stream = ["s", "t"][numbers.below(2) as usize];
        let notes: Vec<_> = (0..3).map(|_| numbers.note()).collect();
        session.append(&*format!("notes of {stream}"), notes);
        let stream = ["one", "two", "three"][numbers.below(3) as usize];
        let memories: Vec<_> = (0..2).map(|_| numbers.memory()).collect();
        session.append(stream, memories);
        session.commit().await?;
    }
    Ok(())
}

async fn everything(world: &World, model: &Model) -> Result<Option<Store<Engine>>> {
    open(world, |builder| {
        builder
            .events::<NoteEvent>()
            .snapshot::<Memory>()
            .projection(memory_vectors())
            .projection(note_vectors())
            .embeddings(model.clone())
    })
    .await
}

async fn rows(store: &Store<Engine>, tenant: &str) -> Result<(Vec<Note>, Vec<Memory>)> {
    let reader = store.reader(tenant);
    let notes = reader.query::<Note>().including_deleted().with_vectors();
    let memories = reader.query::<Memory>().including_deleted().with_vectors();
    Ok((notes.await?, memories.await?))
}

async fn p4_pages_of_any_size_make_the_same_rows(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = everything(&world, &model).await? else {
        return Ok(());
    };
    let mut first = None;
    for (tenant, size) in [("p1", 1), ("p7", 7), ("p100", 100), ("p1000", 1_000)] {
        history(&store, tenant).await?;
        daemon(&store).page_size(size).run_until_caught_up().await?;
        let rows = rows(&store, tenant).await?;
        assert!(!rows.0.is_empty() && !rows.1.is_empty());
        for note in &rows.0 {
            assert_eq!(note.embedding.vector(), Some(&Model::vector(&note.text)));
        }
        let live = store
            .reader(tenant)
            .query::<Memory>()
            .with_vectors()
            .await?;
        for memory in live {
            let vector = Model::vector(&memory.text());
            assert_eq!(memory.embedding.vector(), Some(&vector), "{memory:?}");
        }
        let first = first.get_or_insert_with(|| rows.clone());
        assert_eq!(*first, rows, "pages of {size}");
    }
    Ok(())
}

async fn p2_events_of_other_types_are_passed_by_and_none_is_missed(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = everything(&world, &model).await? else {
        return Ok(());
    };
    // Forty events that only the other projection follows, between those that count.
    for round in 0..4 {
        let mut session = store.session("a");
        session.append("s", [written(&format!("n{round}"), "text")]);
        session.append("one", [recorded("Pool", "body", "tag")]);
        session.append("one", (0..10).map(|_| MemoryEvent::Read));
        session.commit().await?;
    }
    daemon(&store).page_size(2).run_until_caught_up().await?;
    let (notes, _) = rows(&store, "a").await?;
    assert_eq!(notes.len(), 4);
    for status in store.daemon().status().await? {
        assert!(status.is_caught_up(), "{status:?}");
        assert_eq!(status.position, status.mark);
    }
    Ok(())
}

async fn p7_pages_of_any_size_pay_for_no_text_twice(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = everything(&world, &model).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    let texts: Vec<String> = (1..=20).map(|length| "z".repeat(length)).collect();
    for (at, text) in texts.iter().enumerate() {
        session.append("s", [written(&format!("n{at}"), text)]);
    }
    session.commit().await?;
    daemon(&store).page_size(3).run_until_caught_up().await?;
    let mut paid = model.texts();
    paid.sort();
    assert_eq!(paid, texts);
    // A page is one call.
    daemon(&store)
        .page_size(1_000)
        .run_until_caught_up()
        .await?;
    assert!(model.calls().is_empty());
    Ok(())
}
