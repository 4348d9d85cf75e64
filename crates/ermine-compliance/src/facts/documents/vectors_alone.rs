//! D11: vectors that are written by themselves, as a projection does.

use std::sync::Arc;

use ermine_core::{
    Deletion, Embedding, Engine, ErrorKind, Op, Result, Schema, Storage, Unit, Vector, VectorWrite,
    content_hash,
};
use ermine_store::Store;

use crate::facts::kit::{at, n, notes, refused};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    d11_a_vector_alone_is_written_beside_what_is_stored,
    d11_a_vector_alone_of_a_missing_document_is_not_written,
    d11_a_vector_alone_is_guarded_by_its_hash,
    d11_a_hidden_documents_vector_is_written_too,
];

/// Documents `notes`, and the engine that was told of them.
async fn opened(world: &World, deletion: Deletion) -> Result<(Docs, Engine)> {
    let engine = world.engine().await?;
    let schema = notes().deletion(deletion).build()?;
    let store = Store::builder(engine.clone()).schema(schema).open().await?;
    Ok((Docs::of(&store, "notes", None)?, engine))
}

async fn write(engine: &Engine, schema: &Arc<Schema>, id: &str, vector: VectorWrite) -> Result<()> {
    let op = Op::PutVectors {
        schema: Arc::clone(schema),
        tenant: None,
        id: id.into(),
        vectors: vec![vector],
    };
    engine.commit(&Unit { ops: vec![op] }).await.map(drop)
}

fn set(place: [f32; 2], text: Option<&str>) -> VectorWrite {
    VectorWrite::Set {
        vector: Vector::from(place),
        hash: text.map(content_hash),
    }
}

async fn d11_a_vector_alone_is_written_beside_what_is_stored(world: World) -> Verdict {
    let (docs, engine) = opened(&world, Deletion::Hard).await?;
    let schema = docs.kind.schema();
    let a = at("a", [1.0, 0.0]).with("body", "pool").with("n", 7);
    docs.put([a.clone(), at("b", [9.0, 9.0])]).await?;
    write(&engine, schema, "a", set([0.0, 5.0], None)).await?;
    let loaded = docs.load("a").await?;
    let moved = a.with_vector("embedding", [0.0, 5.0]);
    assert_eq!(loaded.as_ref(), Some(&moved));
    let nearest = docs.search().nearest_to([0.0, 5.0]).limit(1).await?;
    assert_eq!(nearest[0].distance.value(), 0.0);
    assert_eq!(docs.search().matching("pool").await?.len(), 1);
    assert_eq!(docs.passing(n().eq(7)).await?, ["a"]);
    write(&engine, schema, "a", VectorWrite::Keep).await?;
    assert_eq!(docs.search().nearest_to([0.0, 5.0]).await?.len(), 2);
    write(&engine, schema, "a", VectorWrite::Clear { hash: None }).await?;
    let cleared = moved.with_vector("embedding", Embedding::Absent);
    assert_eq!(docs.load("a").await?, Some(cleared));
    assert_eq!(docs.search().nearest_to([0.0, 5.0]).await?.len(), 1);
    assert_eq!(docs.search().matching("pool").await?.len(), 1);
    Ok(())
}

async fn d11_a_vector_alone_of_a_missing_document_is_not_written(world: World) -> Verdict {
    let (docs, engine) = opened(&world, Deletion::Hard).await?;
    let schema = docs.kind.schema();
    write(&engine, schema, "a", set([0.0, 5.0], Some("one"))).await?;
    let kept = VectorWrite::KeepIfHash(content_hash("one"));
    write(&engine, schema, "a", kept).await?;
    assert!(docs.load("a").await?.is_none());
    assert!(docs.search().nearest_to([0.0, 5.0]).await?.is_empty());
    docs.put([at("a", [1.0, 1.0])]).await?;
    let nearest = docs.search().nearest_to([1.0, 1.0]).await?;
    assert_eq!((nearest.len(), nearest[0].distance.value()), (1, 0.0));
    Ok(())
}

async fn d11_a_vector_alone_is_guarded_by_its_hash(world: World) -> Verdict {
    let (docs, engine) = opened(&world, Deletion::Hard).await?;
    let schema = docs.kind.schema();
    docs.put([at("a", [1.0, 0.0])]).await?;
    write(&engine, schema, "a", set([2.0, 0.0], Some("one"))).await?;
    let keep = |text| VectorWrite::KeepIfHash(content_hash(text));
    write(&engine, schema, "a", keep("one")).await?;
    let changed = write(&engine, schema, "a", keep("two")).await;
    refused(
        changed,
        ErrorKind::KeptVectorChanged,
        &["notes", "a", "embedding"],
    );
    // A text that cannot be represented is recorded, and is no vector.
    let hash = Some(content_hash("two"));
    write(&engine, schema, "a", VectorWrite::Clear { hash }).await?;
    write(&engine, schema, "a", keep("two")).await?;
    assert!(docs.search().nearest_to([2.0, 0.0]).await?.is_empty());
    Ok(())
}

async fn d11_a_hidden_documents_vector_is_written_too(world: World) -> Verdict {
    let (docs, engine) = opened(&world, Deletion::Soft).await?;
    docs.put([at("a", [1.0, 0.0])]).await?;
    docs.delete("a").await?;
    write(&engine, docs.kind.schema(), "a", set([2.0, 0.0], None)).await?;
    assert!(docs.search().nearest_to([2.0, 0.0]).await?.is_empty());
    let hidden = docs.search().nearest_to([2.0, 0.0]).including_deleted();
    assert_eq!(hidden.await?[0].distance.value(), 0.0);
    Ok(())
}
