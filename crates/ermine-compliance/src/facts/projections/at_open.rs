//! D11, P5, P6: declarations that cannot be.

use ermine_core::{Content, ErrorKind, Result, VectorField};
use ermine_macros::Document;
use ermine_store::{EventProjection, MapProjection, Store, StoreBuilder, VectorProjection};
use serde::{Deserialize, Serialize};

use super::folding::{Count, counts};
use super::kit::{Memory, Note, NoteEvent, memory_vectors, note_vectors, open};
use super::model::Model;
use crate::facts::kit::refused;
use crate::facts::provider::Scribe;
use crate::facts::{Verdict, World};
use ermine_core::{Embedding, Engine};

facts![
    p6_projections_that_cannot_be_are_refused_at_open,
    d11_a_field_is_fed_by_one,
    d11_a_projected_field_needs_a_provider_that_fits,
    p5_a_vector_alone_is_that_of_an_inline_snapshot,
];

/// Opens the store with something, which must be refused in this way.
async fn refused_at_open(
    world: &World,
    declare: impl FnOnce(StoreBuilder<Engine>) -> StoreBuilder<Engine>,
    kind: ErrorKind,
    mentions: &[&str],
) -> Result<()> {
    let builder = declare(Store::builder(world.engine().await?));
    refused(builder.open().await, kind, mentions);
    Ok(())
}

/// Whether the store keeps events; one that does not says so of any projection.
async fn keeps_events(world: &World) -> Result<bool> {
    let opened = open(world, |builder| builder.events::<NoteEvent>()).await?;
    Ok(opened.is_some())
}

async fn p6_projections_that_cannot_be_are_refused_at_open(world: World) -> Verdict {
    if !keeps_events(&world).await? {
        return Ok(());
    }
    let told =
        |builder: StoreBuilder<Engine>| builder.events::<NoteEvent>().embeddings(Model::new());
    let declaration = ErrorKind::Declaration;
    refused_at_open(
        &world,
        |b| {
            told(b).projection(note_vectors()).projection(
                EventProjection::<Count>::new("note-vectors").fold(
                    NoteEvent::ERASED,
                    |e| e.data.id(),
                    |_, _| Ok(None),
                ),
            )
        },
        declaration,
        &["note-vectors", "same name"],
    )
    .await?;
    refused_at_open(
        &world,
        |b| told(b).projection(EventProjection::<Count>::new("nothing")),
        declaration,
        &["nothing", "no events"],
    )
    .await?;
    refused_at_open(
        &world,
        |b| b.projection(note_vectors()).embeddings(Model::new()),
        declaration,
        &["note-vectors", "note.", "declare"],
    )
    .await?;
    refused_at_open(
        &world,
        |b| told(b).projection(VectorProjection::<Note>::map("empty")),
        declaration,
        &["empty", "no events"],
    )
    .await?;
    refused_at_open(
        &world,
        |b| told(b).projection(note_vectors().field(VectorField::named("bedding"))),
        ErrorKind::UnknownField,
        &["note-vectors", "bedding"],
    )
    .await
}

/// Notes whose vector comes from their own text.
#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "own", tenancy = "conjoined")]
struct Own {
    #[document(id)]
    id: String,
    #[document(text)]
    text: String,
    #[document(vector(dimensions = 2, metric = "l2", from = "text"))]
    embedding: Embedding,
}

fn own_vectors() -> MapProjection<Own> {
    VectorProjection::<Own>::map("own-vectors")
        .map(
            NoteEvent::WRITTEN,
            |e| Content::text(e.data.text()),
            |e| e.data.id(),
        )
        .document(|row| Own {
            id: row.id.clone(),
            text: row.text.to_owned(),
            embedding: Embedding::NotLoaded,
        })
}

async fn d11_a_field_is_fed_by_one(world: World) -> Verdict {
    if !keeps_events(&world).await? {
        return Ok(());
    }
    let told =
        |builder: StoreBuilder<Engine>| builder.events::<NoteEvent>().embeddings(Model::new());
    let declaration = ErrorKind::Declaration;
    refused_at_open(
        &world,
        |b| told(b).projection(own_vectors()),
        declaration,
        &["own.embedding", "from", "twice"],
    )
    .await?;
    refused_at_open(
        &world,
        |b| {
            let again = VectorProjection::<Memory>::from_aggregate::<Memory>("again");
            let again = again
                .on(super::kit::MemoryEvent::READ, ermine_core::by_stream)
                .content(|memory: &Memory| Content::text(memory.text()));
            let b = told(b).snapshot::<Memory>();
            b.projection(memory_vectors()).projection(again)
        },
        declaration,
        &["memories.embedding", "memory-vectors", "again"],
    )
    .await?;
    refused_at_open(
        &world,
        |b| {
            let more = EventProjection::<Note>::new("more");
            let more = more.fold(NoteEvent::ERASED, |e| e.data.id(), |_, _| Ok(None));
            told(b).projection(note_vectors()).projection(more)
        },
        declaration,
        &["notes", "note-vectors", "more"],
    )
    .await?;
    refused_at_open(
        &world,
        |b| {
            told(b)
                .snapshot::<Memory>()
                .snapshot_async::<Memory>("late")
        },
        declaration,
        &["memories", "late", "inline"],
    )
    .await
}

async fn d11_a_projected_field_needs_a_provider_that_fits(world: World) -> Verdict {
    if !keeps_events(&world).await? {
        return Ok(());
    }
    refused_at_open(
        &world,
        |b| b.events::<NoteEvent>().projection(note_vectors()),
        ErrorKind::NoProvider,
        &["notes.embedding", "2 dimensions"],
    )
    .await?;
    refused_at_open(
        &world,
        |b| {
            b.events::<NoteEvent>()
                .projection(note_vectors())
                .embeddings(Wide(ermine_core::ModelIdentity::new("wide", "3", 3)))
        },
        ErrorKind::WrongDimensions,
        &["notes.embedding", "2 dimensions", "wide"],
    )
    .await?;
    // Another model than the one that made the vectors is refused too.
    let model = Model::new();
    let store = super::kit::note_store(&world, &model).await?;
    assert!(store.is_some());
    refused_at_open(
        &world,
        |b| {
            b.events::<NoteEvent>()
                .projection(note_vectors())
                .embeddings(Scribe::new())
        },
        ErrorKind::ModelMismatch,
        &["model", "scribe"],
    )
    .await
}

/// A model of three dimensions.
struct Wide(ermine_core::ModelIdentity);

impl ermine_core::EmbeddingProvider for Wide {
    fn identity(&self) -> &ermine_core::ModelIdentity {
        &self.0
    }

    async fn embed(
        &self,
        texts: &[&str],
        _: ermine_core::Role,
    ) -> Result<Vec<Option<ermine_core::Vector>>> {
        Ok(vec![None; texts.len()])
    }
}

async fn p5_a_vector_alone_is_that_of_an_inline_snapshot(world: World) -> Verdict {
    if !keeps_events(&world).await? {
        return Ok(());
    }
    let declaration = ErrorKind::Declaration;
    refused_at_open(
        &world,
        |b| b.projection(memory_vectors()).embeddings(Model::new()),
        declaration,
        &["memories", "memory-vectors", "inline snapshot"],
    )
    .await?;
    refused_at_open(
        &world,
        |b| {
            let b = b.snapshot_async::<Memory>("late");
            b.projection(memory_vectors()).embeddings(Model::new())
        },
        declaration,
        &["memories", "memory-vectors", "inline snapshot"],
    )
    .await?;
    refused_at_open(
        &world,
        |b| {
            let b = b.snapshot::<Memory>().embeddings(Model::new());
            b.projection(memory_vectors().document(|row| Memory {
                id: row.id.clone(),
                title: row.text.to_owned(),
                body: String::new(),
                tags: Vec::new(),
                reads: 0,
                embedding: Embedding::NotLoaded,
            }))
        },
        declaration,
        &["memories", "memory-vectors", "document"],
    )
    .await?;
    let counted = open(&world, |b| b.events::<NoteEvent>().projection(counts()));
    assert!(counted.await?.is_some());
    Ok(())
}
