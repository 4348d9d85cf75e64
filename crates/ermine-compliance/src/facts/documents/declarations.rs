//! D7: what is stored is compared with what is declared.

use ermine_core::{
    ColumnType, Deletion, ErrorKind, IdType, Metric, ScalarType, Schema, SchemaBuilder, SchemaMode,
    Tenancy,
};

use crate::facts::kit::{doc, failed, ids, refused, says};
use crate::facts::provider::Scribe;
use crate::facts::{Verdict, World};

facts![
    d7_another_declaration_is_refused_naming_both,
    d7_another_analyser_is_refused,
    d7_another_model_is_refused_naming_both,
    d7_a_model_is_recorded_and_stays,
    d7_a_refusal_changes_nothing,
    d7_the_order_of_fields_and_the_weights_of_text_may_change,
    d7_a_type_that_is_missing_is_created_unless_forbidden,
    d7_two_types_of_one_name_are_refused,
];

const TEXT: ColumnType = ColumnType::Scalar(ScalarType::Text);
const I64: ColumnType = ColumnType::Scalar(ScalarType::I64);

fn base() -> SchemaBuilder {
    Schema::builder("kept", "id", IdType::Text)
}

fn whole() -> SchemaBuilder {
    base()
        .column("scope", TEXT)
        .column("n", I64)
        .text("title", 1.0)
        .text("body", 1.0)
        .vector("embedding", 3, Metric::Cosine)
}

async fn d7_another_declaration_is_refused_naming_both(world: World) -> Verdict {
    world.open(whole()).await?;
    let texts = |schema: SchemaBuilder| schema.text("title", 1.0).text("body", 1.0);
    let columns = |schema: SchemaBuilder| schema.column("scope", TEXT).column("n", I64);
    let vector = |schema: SchemaBuilder| schema.vector("embedding", 3, Metric::Cosine);
    let others: [(SchemaBuilder, &[&str]); 12] = [
        (
            texts(columns(base())).vector("embedding", 4, Metric::Cosine),
            &["embedding", "3", "4"],
        ),
        (
            texts(columns(base())).vector("embedding", 3, Metric::L1),
            &["embedding", "Cosine", "L1"],
        ),
        (texts(columns(base())), &["embedding"]),
        (whole().vector("second", 3, Metric::Cosine), &["second"]),
        (
            texts(columns(base())).vector_from("embedding", 3, Metric::Cosine, ["title"]),
            &["embedding", "title"],
        ),
        (
            vector(texts(base().column("scope", TEXT).column("n", TEXT))),
            &["n", "I64", "Text"],
        ),
        (vector(texts(base().column("scope", TEXT))), &["n"]),
        (whole().column("more", I64), &["more"]),
        (vector(columns(base()).text("title", 1.0)), &["body"]),
        (
            vector(columns(base()).text("body", 1.0).text("title", 1.0)),
            &["title", "body"],
        ),
        (whole().tenancy(Tenancy::Conjoined), &["None", "Conjoined"]),
        (whole().deletion(Deletion::Soft), &["Hard", "Soft"]),
    ];
    for (schema, mentions) in others {
        let schema = schema.build()?;
        for mode in [
            SchemaMode::CreateOrUpdate,
            SchemaMode::CreateOnly,
            SchemaMode::Assert,
        ] {
            let builder = world
                .builder()
                .await?
                .schema(schema.clone())
                .schema_mode(mode);
            if *mentions == ["embedding", "title"] {
                // A field that is embedded from text needs a provider to be declared at all.
                let builder = builder.embeddings(Scribe::new());
                assert!(builder.open().await.is_err());
                continue;
            }
            let error = failed(builder.open().await);
            assert_eq!(error.kind(), ErrorKind::SchemaMismatch, "{error}");
            for mention in mentions.iter().chain(&["kept"]) {
                assert!(
                    error.to_string().contains(mention),
                    "{mention} is not in: {error}"
                );
            }
        }
    }
    let ids = [
        Schema::builder("kept", "key", IdType::Text),
        Schema::builder("kept", "id", IdType::I64),
    ];
    for id in ids {
        let schema = vector(texts(columns(id))).build()?;
        let opened = world.builder().await?.schema(schema).open().await;
        refused(opened, ErrorKind::SchemaMismatch, &["kept", "id"]);
    }
    Ok(())
}

async fn d7_another_analyser_is_refused(world: World) -> Verdict {
    world.open(whole()).await?;
    let english = whole().language("english").build()?;
    let opened = world.builder().await?.schema(english).open().await;
    refused(
        opened,
        ErrorKind::SchemaMismatch,
        &["kept", "none", "english"],
    );
    let unknown = whole().language("klingon").build()?;
    let opened = world.builder().await?.schema(unknown).open().await;
    refused(
        opened,
        ErrorKind::Declaration,
        &["kept", "klingon", "english"],
    );
    Ok(())
}

/// A type whose one vector field has the scribe's two dimensions.
fn scribbled() -> SchemaBuilder {
    base()
        .text("body", 1.0)
        .vector_from("embedding", 2, Metric::Euclidean, ["body"])
}

async fn d7_another_model_is_refused_naming_both(world: World) -> Verdict {
    let schema = scribbled().build()?;
    let first = Scribe::called("first");
    world
        .store(|builder| builder.schema(schema.clone()).embeddings(first))
        .await?;
    let second = world
        .builder()
        .await?
        .schema(schema.clone())
        .embeddings(Scribe::called("second"));
    refused(
        second.open().await,
        ErrorKind::ModelMismatch,
        &["kept", "embedding", "first", "second"],
    );
    let third = world.builder().await?.schema(schema);
    let third = third.embeddings_for("kept", "embedding", Scribe::called("third"));
    refused(
        third.open().await,
        ErrorKind::ModelMismatch,
        &["first", "third"],
    );
    Ok(())
}

async fn d7_a_model_is_recorded_and_stays(world: World) -> Verdict {
    let fed = base().vector("embedding", 2, Metric::Euclidean).build()?;
    world.store(|builder| builder.schema(fed.clone())).await?;
    world
        .store(|builder| {
            builder
                .schema(fed.clone())
                .embeddings(Scribe::called("first"))
        })
        .await?;
    // Without a provider the stored identity stays, and still refuses another.
    world.store(|builder| builder.schema(fed.clone())).await?;
    let second = world
        .builder()
        .await?
        .schema(fed)
        .embeddings(Scribe::called("second"));
    refused(
        second.open().await,
        ErrorKind::ModelMismatch,
        &["first", "second"],
    );
    Ok(())
}

async fn d7_a_refusal_changes_nothing(world: World) -> Verdict {
    let docs = world.open(whole()).await?;
    let vector = [1.0, 0.0, 0.0];
    docs.put([says("a", "pool")
        .with("n", 1)
        .with_vector("embedding", vector)])
        .await?;
    let wider = whole().column("more", I64).build()?;
    assert!(world.builder().await?.schema(wider).open().await.is_err());
    let again = world.open(whole()).await?;
    assert_eq!(again.load("a").await?, docs.load("a").await?);
    assert_eq!(
        ids(&again.search().hybrid_with("pool", vector).await?),
        ["a"]
    );
    Ok(())
}

async fn d7_the_order_of_fields_and_the_weights_of_text_may_change(world: World) -> Verdict {
    let docs = world.open(whole().vector("second", 1, Metric::L1)).await?;
    let document = |id: &str, n: i64| {
        doc(id)
            .with("title", if n == 1 { "pool" } else { "sea" })
            .with("body", if n == 1 { "sea" } else { "pool" })
            .with("scope", format!("scope {n}"))
            .with("n", n)
            .with_vector("embedding", [1.0, 0.0, n as f32])
            .with_vector("second", [n as f32])
    };
    docs.put([document("a", 1)]).await?;
    let reordered = base()
        .vector("second", 1, Metric::L1)
        .vector("embedding", 3, Metric::Cosine)
        .text("title", 1.0)
        .text("body", 9.0)
        .column("n", I64)
        .column("scope", TEXT);
    let again = world.open(reordered).await?;
    again.put([document("b", 2)]).await?;
    for docs in [&docs, &again] {
        for (id, n) in [("a", 1), ("b", 2)] {
            let loaded = docs.load(id).await?.expect("it is stored");
            assert_eq!(loaded, document(id, n));
            assert_eq!(docs.passing(crate::facts::kit::n().eq(n)).await?, [id]);
        }
        let second = docs
            .search()
            .nearest_to([2.0])
            .vector_field_named("second")
            .await?;
        assert_eq!(ids(&second), ["b", "a"]);
    }
    assert_eq!(ids(&docs.search().matching("pool").await?), ["a", "b"]);
    assert_eq!(ids(&again.search().matching("pool").await?), ["b", "a"]);
    Ok(())
}

async fn d7_a_type_that_is_missing_is_created_unless_forbidden(world: World) -> Verdict {
    let schema = whole().build()?;
    let asserted = world
        .builder()
        .await?
        .schema(schema.clone())
        .schema_mode(SchemaMode::Assert);
    refused(asserted.open().await, ErrorKind::SchemaMismatch, &["kept"]);
    let mode = |mode: SchemaMode| {
        let schema = schema.clone();
        world.store(move |builder| builder.schema(schema).schema_mode(mode))
    };
    let created = mode(SchemaMode::CreateOnly).await?;
    let changes: Vec<_> = created
        .reports()
        .map(|(_, report)| report.changes.len())
        .collect();
    assert_eq!(changes, [1]);
    for unchanged in [
        SchemaMode::Assert,
        SchemaMode::CreateOnly,
        SchemaMode::CreateOrUpdate,
    ] {
        let opened = mode(unchanged).await?;
        assert!(
            opened
                .reports()
                .all(|(name, report)| name == "kept" && report.changes.is_empty())
        );
    }
    Ok(())
}

async fn d7_two_types_of_one_name_are_refused(world: World) -> Verdict {
    let builder = world.builder().await?;
    let builder = builder.schema(whole().build()?).schema(base().build()?);
    refused(builder.open().await, ErrorKind::Declaration, &["kept"]);
    let docs = world.open(whole()).await?;
    refused(
        docs.store.dynamic("other"),
        ErrorKind::UnknownCollection,
        &["other"],
    );
    Ok(())
}
