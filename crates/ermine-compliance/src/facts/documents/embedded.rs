//! D11: vectors embedded from text.

use ermine_core::{Embedding, ErrorKind, IdType, Metric, Result, Schema, Vector, VectorField};

use crate::Overwriting;
use crate::facts::kit::{doc, failed, ids, refused, says};
use crate::facts::provider::Scribe;
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    d11_commit_embeds_the_declared_text_in_one_call,
    d11_parts_are_joined_in_the_order_declared_and_nothing_is_no_embedding,
    d11_unchanged_text_costs_no_call,
    d11_changed_text_is_embedded_again,
    d11_a_document_stored_back_is_embedded_only_where_its_text_changed,
    d11_the_documents_own_value_is_never_an_input,
    d11_a_ready_vector_goes_in_by_a_call_of_its_own,
    d11_a_text_that_cannot_be_represented_is_an_answer,
    d11_a_failed_provider_writes_nothing,
    d11_a_field_from_text_needs_a_provider_that_fits,
    d11_in_a_field_without_from_the_value_is_the_callers,
    d11_a_damaged_vector_is_embedded_again_though_its_text_is_the_same,
];

/// Articles embedded from their title and body, in that order.
pub(super) async fn articles(world: &World) -> Result<(Docs, Scribe)> {
    let scribe = Scribe::new();
    let schema = Schema::builder("articles", "id", IdType::Text)
        .text("body", 1.0)
        .vector_from("embedding", 2, Metric::Euclidean, ["title", "body"])
        .build()?;
    let store = world
        .store(|builder| builder.schema(schema).embeddings(scribe.clone()))
        .await?;
    Ok((Docs::of(&store, "articles", None)?, scribe))
}

/// The vector stored for a document.
pub(super) async fn stored(docs: &Docs, id: &str) -> Result<Embedding> {
    let loaded = docs.load(id).await?.expect("it is stored");
    Ok(loaded.embeddings["embedding"].clone())
}

pub(super) fn of(text: &str) -> Embedding {
    Embedding::Present(Scribe::vector(text))
}

async fn d11_commit_embeds_the_declared_text_in_one_call(world: World) -> Verdict {
    let (docs, scribe) = articles(&world).await?;
    docs.put([
        says("a", "pool").with("title", "On"),
        says("b", "a longer text"),
    ])
    .await?;
    let calls = scribe.calls();
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!(calls[0].texts, ["On\npool", "a longer text"]);
    assert_eq!(calls[0].role, ermine_core::Role::Document);
    assert_eq!(stored(&docs, "a").await?, of("On\npool"));
    assert_eq!(
        ids(&docs
            .search()
            .nearest_to(Scribe::vector("a longer text"))
            .await?),
        ["b", "a"]
    );
    Ok(())
}

async fn d11_parts_are_joined_in_the_order_declared_and_nothing_is_no_embedding(
    world: World,
) -> Verdict {
    let (docs, scribe) = articles(&world).await?;
    docs.put([doc("both").with("body", "b").with("title", "a")])
        .await?;
    docs.put([doc("body").with("body", "b").with("title", "")])
        .await?;
    docs.put([doc("title").with("title", "a")]).await?;
    assert_eq!(scribe.stored(), ["a\nb", "b", "a"]);
    docs.put([
        doc("nothing"),
        doc("empty").with("title", "").with("body", ""),
    ])
    .await?;
    assert!(scribe.calls().is_empty());
    for id in ["nothing", "empty"] {
        assert_eq!(stored(&docs, id).await?, Embedding::Absent);
    }
    assert_eq!(docs.search().nearest_to([1.0, 1.0]).await?.len(), 3);
    docs.put([doc("both")]).await?;
    assert_eq!(
        stored(&docs, "both").await?,
        Embedding::Absent,
        "its text is gone"
    );
    Ok(())
}

async fn d11_unchanged_text_costs_no_call(world: World) -> Verdict {
    let (docs, scribe) = articles(&world).await?;
    let many = || (0..1_000).map(|i| says(&format!("{i:04}"), &format!("text {i}")));
    docs.put(many()).await?;
    assert_eq!(scribe.stored().len(), 1_000);
    docs.put(many().map(|document| document.with("other", 1)))
        .await?;
    assert!(scribe.calls().is_empty());
    assert_eq!(stored(&docs, "0999").await?, of("text 999"));
    Ok(())
}

async fn d11_changed_text_is_embedded_again(world: World) -> Verdict {
    let (docs, scribe) = articles(&world).await?;
    docs.put([says("a", "one"), says("b", "two")]).await?;
    scribe.calls();
    docs.put([says("a", "one and more"), says("b", "two")])
        .await?;
    assert_eq!(scribe.stored(), ["one and more"]);
    assert_eq!(stored(&docs, "a").await?, of("one and more"));
    // The same characters, composed otherwise, are another text.
    docs.put([says("b", "caf\u{e9}")]).await?;
    docs.put([says("b", "cafe\u{301}")]).await?;
    assert_eq!(scribe.stored(), ["caf\u{e9}", "cafe\u{301}"]);
    Ok(())
}

async fn d11_a_document_stored_back_is_embedded_only_where_its_text_changed(
    world: World,
) -> Verdict {
    let (docs, scribe) = articles(&world).await?;
    docs.put([says("a", "one")]).await?;
    scribe.calls();
    let hit = docs.search().matching("one").await?[0].document.clone();
    docs.put([hit.clone().with("other", 1)]).await?;
    let loaded = docs.load("a").await?.expect("it is stored");
    docs.put([loaded.with("other", 2)]).await?;
    assert!(scribe.calls().is_empty());
    assert_eq!(stored(&docs, "a").await?, of("one"));
    docs.put([hit.with("body", "another")]).await?;
    assert_eq!(scribe.stored(), ["another"]);
    assert_eq!(stored(&docs, "a").await?, of("another"));
    Ok(())
}

async fn d11_the_documents_own_value_is_never_an_input(world: World) -> Verdict {
    let (docs, scribe) = articles(&world).await?;
    docs.put([says("a", "one").with_vector("embedding", [99.0, 99.0])])
        .await?;
    assert_eq!(scribe.stored(), ["one"]);
    assert_eq!(stored(&docs, "a").await?, of("one"));
    docs.put([says("a", "one").with_vector("embedding", Embedding::Absent)])
        .await?;
    docs.put([says("a", "one").with_vector("embedding", [f32::NAN])])
        .await?;
    assert!(scribe.calls().is_empty());
    assert_eq!(stored(&docs, "a").await?, of("one"));
    docs.put([doc("b").with_vector("embedding", [99.0, 99.0])])
        .await?;
    assert_eq!(stored(&docs, "b").await?, Embedding::Absent);
    Ok(())
}

async fn d11_a_ready_vector_goes_in_by_a_call_of_its_own(world: World) -> Verdict {
    let (docs, scribe) = articles(&world).await?;
    let field = || VectorField::new("embedding");
    let mut session = docs.session();
    session.store_with_vector_in(&docs.kind, &says("a", "one"), field(), [4.0, 2.0]);
    session.commit().await?;
    assert_eq!(
        stored(&docs, "a").await?,
        Embedding::Present(Vector::from([4.0, 2.0]))
    );
    docs.put([says("a", "one").with("other", 1)]).await?;
    assert!(scribe.calls().is_empty(), "the hash was recorded with it");
    assert_eq!(
        stored(&docs, "a").await?,
        Embedding::Present(Vector::from([4.0, 2.0]))
    );
    docs.put([says("a", "two")]).await?;
    assert_eq!(scribe.stored(), ["two"]);
    let mut session = docs.session();
    session.store_with_vector_in(&docs.kind, &says("b", "one"), field(), [4.0]);
    refused(
        session.commit().await,
        ErrorKind::WrongDimensions,
        &["b", "embedding"],
    );
    Ok(())
}

async fn d11_a_text_that_cannot_be_represented_is_an_answer(world: World) -> Verdict {
    let (docs, scribe) = articles(&world).await?;
    docs.put([says("a", "???"), says("b", "pool")]).await?;
    assert_eq!(scribe.stored(), ["???", "pool"]);
    assert_eq!(stored(&docs, "a").await?, Embedding::Absent);
    docs.put([says("a", "???").with("other", 1)]).await?;
    assert!(scribe.calls().is_empty(), "it was asked once");
    assert_eq!(docs.query().count().await?, 2);
    docs.put([says("a", "sea")]).await?;
    docs.put([says("a", "???")]).await?;
    assert_eq!(
        stored(&docs, "a").await?,
        Embedding::Absent,
        "the old vector is not its own"
    );
    Ok(())
}

async fn d11_a_failed_provider_writes_nothing(world: World) -> Verdict {
    let (docs, scribe) = articles(&world).await?;
    let unit = docs.put([says("a", "one"), says("b", "broken")]).await;
    refused(unit, ErrorKind::Provider, &["pen"]);
    assert!(!docs.query().exists().await?);
    assert_eq!(scribe.stored().len(), 2);
    Ok(())
}

async fn d11_a_field_from_text_needs_a_provider_that_fits(world: World) -> Verdict {
    let schema = |dimensions| {
        Schema::builder("articles", "id", IdType::Text)
            .vector_from("embedding", dimensions, Metric::Cosine, ["body"])
            .build()
    };
    let without = world.builder().await?.schema(schema(2)?).open().await;
    refused(without, ErrorKind::NoProvider, &["articles", "embedding"]);
    let other = world
        .builder()
        .await?
        .schema(schema(3)?)
        .embeddings(Scribe::new())
        .open()
        .await;
    let error = failed(other);
    assert!(error.is_refusal(), "{error}");
    assert!(error.to_string().contains("embedding"), "{error}");
    Ok(())
}

async fn d11_in_a_field_without_from_the_value_is_the_callers(world: World) -> Verdict {
    let scribe = Scribe::new();
    let schema = Schema::builder("articles", "id", IdType::Text)
        .text("body", 1.0)
        .vector("embedding", 2, Metric::Euclidean)
        .build()?;
    let store = world
        .store(|builder| builder.schema(schema).embeddings(scribe.clone()))
        .await?;
    let docs = Docs::of(&store, "articles", None)?;
    docs.put([
        says("a", "one").with_vector("embedding", [4.0, 2.0]),
        says("b", "two"),
    ])
    .await?;
    docs.put([says("a", "three")]).await?;
    assert!(scribe.calls().is_empty());
    assert_eq!(
        stored(&docs, "a").await?,
        Embedding::Present(Vector::from([4.0, 2.0]))
    );
    assert_eq!(stored(&docs, "b").await?, Embedding::Absent);
    Ok(())
}

async fn d11_a_damaged_vector_is_embedded_again_though_its_text_is_the_same(
    world: World,
) -> Verdict {
    let scribe = Scribe::new();
    let schema = |name, metric| {
        Schema::builder(name, "id", IdType::Text)
            .text("body", 1.0)
            .vector_from("embedding", 2, metric, ["body"])
            .build()
    };
    let kinds = [("plain", Metric::Euclidean), ("directions", Metric::Cosine)];
    let schemas = [
        schema(kinds[0].0, kinds[0].1)?,
        schema(kinds[1].0, kinds[1].1)?,
    ];
    let [plain, directions] = schemas;
    let store = world
        .store(|builder| {
            let builder = builder.schema(plain).schema(directions);
            builder.embeddings(scribe.clone())
        })
        .await?;
    let not_finite = Vector::from([1.0, f32::NAN]).to_le_bytes();
    let zero = Vector::from([0.0, 0.0]).to_le_bytes();
    for (name, bytes) in [
        ("plain", &not_finite[..]),
        ("plain", &not_finite[..5]),
        ("plain", &zero[..4]),
        ("directions", &zero[..]),
    ] {
        let docs = Docs::of(&store, name, None)?;
        docs.put([says("a", "pool")]).await?;
        scribe.stored();
        let expected: &[&str] = match world
            .overwrite_vector(name, "a", "embedding", bytes)
            .await?
        {
            Overwriting::Done => &["pool"],
            Overwriting::RefusedByTheDatabase => &[],
        };
        docs.put([says("a", "pool")]).await?;
        assert_eq!(scribe.stored(), expected, "{name}: {bytes:?}");
        assert_eq!(stored(&docs, "a").await?, of("pool"));
        docs.put([says("a", "pool")]).await?;
        assert_eq!(scribe.stored(), [""; 0], "healed, it is kept");
    }
    Ok(())
}
