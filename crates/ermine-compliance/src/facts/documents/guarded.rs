//! D11: no text is ever paired with another's vector.

use std::sync::Arc;

use ermine_core::{
    Deletion, ErrorKind, IdType, Metric, Op, Put, PutMode, Schema, Storage, Unit, Vector,
    VectorWrite, content_hash,
};
use ermine_store::Store;
use futures_util::future::try_join_all;

use super::embedded::{articles, of, stored};
use crate::facts::kit::{refused, says};
use crate::facts::provider::Scribe;
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    d11_a_kept_vector_is_guarded_by_its_hash,
    d11_writers_at_once_never_pair_a_text_with_anothers_vector,
    d11_a_document_stored_twice_in_a_unit_has_its_last_texts_vector,
    d11_a_document_deleted_and_stored_in_a_unit_is_embedded,
    d11_a_document_that_comes_back_keeps_its_vector_if_its_text_is_the_same,
];

async fn d11_a_kept_vector_is_guarded_by_its_hash(world: World) -> Verdict {
    let schema = Schema::builder("raw", "id", IdType::Text).vector("embedding", 2, Metric::L1);
    let engine = world.engine().await?;
    let store = Store::builder(engine.clone())
        .schema(schema.build()?)
        .open()
        .await?;
    let docs = Docs::of(&store, "raw", None)?;
    let schema = Arc::clone(docs.kind.schema());
    let put = |id: &str, write: VectorWrite| {
        Op::Put(Box::new(Put {
            schema: Arc::clone(&schema),
            tenant: None,
            id: id.into(),
            mode: PutMode::Store,
            body: format!("{{\"id\":\"{id}\"}}"),
            columns: Vec::new(),
            vectors: vec![write],
            text: None,
        }))
    };
    let set = |text: &str| VectorWrite::Set {
        vector: Scribe::vector(text),
        hash: Some(content_hash(text)),
    };
    let keep = |text: &str| VectorWrite::KeepIfHash(content_hash(text));
    let unit = |ops: Vec<Op>| Unit { ops };
    engine.commit(&unit(vec![put("a", set("one"))])).await?;
    engine.commit(&unit(vec![put("a", keep("one"))])).await?;
    assert_eq!(stored(&docs, "a").await?, of("one"));

    let stale = engine
        .commit(&unit(vec![put("b", set("new")), put("a", keep("two"))]))
        .await;
    refused(
        stale,
        ErrorKind::KeptVectorChanged,
        &["raw", "a", "embedding"],
    );
    assert!(
        docs.load("b").await?.is_none(),
        "nothing of the unit is stored"
    );
    let missing = engine.commit(&unit(vec![put("c", keep("one"))])).await;
    refused(missing, ErrorKind::KeptVectorChanged, &["raw", "c"]);
    let fed = VectorWrite::Set {
        vector: Vector::from([7.0, 7.0]),
        hash: None,
    };
    engine.commit(&unit(vec![put("a", fed)])).await?;
    let replaced = engine.commit(&unit(vec![put("a", keep("one"))])).await;
    refused(replaced, ErrorKind::KeptVectorChanged, &["raw", "a"]);

    let unknown = VectorWrite::Clear {
        hash: Some(content_hash("???")),
    };
    engine.commit(&unit(vec![put("a", unknown)])).await?;
    engine.commit(&unit(vec![put("a", keep("???"))])).await?;
    assert!(stored(&docs, "a").await?.vector().is_none());
    Ok(())
}

async fn d11_writers_at_once_never_pair_a_text_with_anothers_vector(world: World) -> Verdict {
    let (docs, _) = articles(&world).await?;
    let writer = |at: usize| {
        let docs = docs.clone();
        async move {
            for round in 0..15 {
                // Often the text of another writer, so that vectors are there to be kept.
                let text = "x".repeat(1 + (at + round) % 3);
                docs.put([says("a", &text).with("round", round)]).await?;
            }
            Ok::<_, ermine_core::Error>(())
        }
    };
    let watcher = async {
        for _ in 0..60 {
            if let Some(document) = docs.load("a").await? {
                let text = document
                    .get("body")
                    .and_then(|body| body.as_str())
                    .unwrap_or_default();
                assert_eq!(document.embeddings["embedding"], of(text));
            }
        }
        Ok::<_, ermine_core::Error>(())
    };
    let writers = try_join_all((0..4).map(writer));
    futures_util::future::try_join(writers, watcher).await?;
    let last = docs.load("a").await?.expect("it is stored");
    let text = last
        .get("body")
        .and_then(|body| body.as_str())
        .unwrap_or_default();
    assert_eq!(last.embeddings["embedding"], of(text));
    Ok(())
}

async fn d11_a_document_stored_twice_in_a_unit_has_its_last_texts_vector(world: World) -> Verdict {
    let (docs, scribe) = articles(&world).await?;
    docs.put([says("a", "one")]).await?;
    docs.put([says("a", "four"), says("a", "one")]).await?;
    assert_eq!(stored(&docs, "a").await?, of("one"));
    docs.put([says("a", "one"), says("a", "fourteen")]).await?;
    assert_eq!(stored(&docs, "a").await?, of("fourteen"));
    docs.put([says("a", "new"), says("a", "new")]).await?;
    assert_eq!(stored(&docs, "a").await?, of("new"));
    scribe.calls();
    docs.put([says("a", "new")]).await?;
    assert!(scribe.calls().is_empty());
    Ok(())
}

async fn d11_a_document_deleted_and_stored_in_a_unit_is_embedded(world: World) -> Verdict {
    let (docs, _) = articles(&world).await?;
    docs.put([says("a", "one"), says("b", "two")]).await?;
    let mut session = docs.session();
    session.delete_in(&docs.kind, "a");
    session.store_in(&docs.kind, &says("a", "one"));
    session.delete_where_in(&docs.kind, ermine_core::Filter::all());
    session.store_in(&docs.kind, &says("b", "two"));
    session.commit().await?;
    assert!(docs.load("a").await?.is_none());
    assert_eq!(stored(&docs, "b").await?, of("two"));
    let mut session = docs.session();
    session.delete_in(&docs.kind, "b");
    session.store_in(&docs.kind, &says("b", "two"));
    session.commit().await?;
    assert_eq!(stored(&docs, "b").await?, of("two"));
    Ok(())
}

async fn d11_a_document_that_comes_back_keeps_its_vector_if_its_text_is_the_same(
    world: World,
) -> Verdict {
    let scribe = Scribe::new();
    let schema = Schema::builder("articles", "id", IdType::Text)
        .deletion(Deletion::Soft)
        .vector_from("embedding", 2, Metric::Euclidean, ["body"])
        .build()?;
    let store = world
        .store(|builder| builder.schema(schema).embeddings(scribe.clone()))
        .await?;
    let docs = Docs::of(&store, "articles", None)?;
    docs.put([says("a", "one"), says("b", "one")]).await?;
    docs.delete("a").await?;
    docs.delete("b").await?;
    scribe.calls();
    docs.put([says("a", "one"), says("b", "another")]).await?;
    assert_eq!(scribe.stored(), ["another"]);
    assert_eq!(stored(&docs, "a").await?, of("one"));
    assert_eq!(stored(&docs, "b").await?, of("another"));
    Ok(())
}
