//! F4: names come from the schema, values are bound.

use ermine_core::{Column, ColumnType, DynamicRecord, ErrorKind, IdType, ScalarType, Schema};

use crate::facts::kit::{doc, ids, notes, refused};
use crate::facts::{Verdict, World};

facts![
    f4_a_name_that_is_no_field_is_refused,
    f4_names_with_dots_quotes_and_spaces_work,
    f4_names_that_no_store_could_keep_are_refused_when_declared,
    f4_text_and_vector_fields_may_have_any_name_too,
];

async fn f4_a_name_that_is_no_field_is_refused(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([doc("a").with("scope", "x")]).await?;
    let names = [
        "author') = 'alice' OR 1=1 --",
        "Scope",
        "scope ",
        "",
        "scope.x",
        "*",
        "rowid",
        "body.x",
    ];
    for name in names {
        let column = || Column::<DynamicRecord, String>::named(name);
        refused(
            docs.passing(column().eq("x")).await,
            ErrorKind::UnknownField,
            &["notes", name],
        );
        refused(
            docs.passing(!column().is_null()).await,
            ErrorKind::UnknownField,
            &["notes", name],
        );
        let ordered = docs
            .query()
            .order_by(column(), ermine_core::Direction::Ascending)
            .await;
        refused(ordered, ErrorKind::UnknownField, &["notes", name]);
        let search = docs
            .search()
            .nearest_to([1.0, 0.0])
            .filter(column().eq("x"))
            .await;
        refused(search, ErrorKind::UnknownField, &["notes", name]);
    }
    Ok(())
}

/// Field names that SQL, JSON paths or both would misread.
const ODD: [&str; 12] = [
    "a.b",
    "a.b.c",
    "it's",
    "say \"x\"",
    "two words",
    "select",
    "semi;colon",
    "[x]",
    "$.x",
    "über",
    "?1",
    "`tick`",
];

async fn f4_names_with_dots_quotes_and_spaces_work(world: World) -> Verdict {
    let schema = ODD.iter().fold(
        Schema::builder("odd", "the \"id\"", IdType::Text),
        |schema, name| schema.column(*name, ColumnType::Scalar(ScalarType::Text)),
    );
    let docs = world.open(schema).await?;
    let document = |id: &str, value: &str| {
        ODD.iter().fold(doc(id), |document, name| {
            document.with(*name, format!("{value} {name}"))
        })
    };
    docs.put([document("a", "first"), document("b", "second"), doc("c")])
        .await?;
    for name in ODD {
        let column = || Column::<DynamicRecord, String>::named(name);
        assert_eq!(
            docs.passing(column().eq(format!("first {name}"))).await?,
            ["a"],
            "{name}"
        );
        assert_eq!(docs.passing(column().is_null()).await?, ["c"], "{name}");
        let query = docs
            .query()
            .order_by(column(), ermine_core::Direction::Descending);
        assert_eq!(ids(&query.await?), ["b", "a", "c"], "{name}");
    }
    let id = Column::<DynamicRecord, String>::new("the \"id\"");
    assert_eq!(docs.passing(id.gt("a")).await?, ["b", "c"]);
    let loaded = docs.load("a").await?.expect("it is stored");
    assert_eq!(loaded, document("a", "first"));
    Ok(())
}

async fn f4_names_that_no_store_could_keep_are_refused_when_declared(_world: World) -> Verdict {
    let text = ColumnType::Scalar(ScalarType::Text);
    let named = |name: &str| {
        Schema::builder("odd", "id", IdType::Text)
            .column(name, text)
            .build()
    };
    for name in ["", "a\0b", "line\nbreak", "x".repeat(49).as_str()] {
        refused(named(name), ErrorKind::Declaration, &["odd"]);
    }
    assert!(named(&"x".repeat(48)).is_ok());
    let twice = Schema::builder("odd", "id", IdType::Text)
        .column("a", text)
        .column("A", text);
    refused(twice.build(), ErrorKind::Declaration, &["odd", "A"]);
    for name in ["", "Odd", "9odd", "odd name", "odd;", "odd.name", "odd\""] {
        let schema = Schema::builder(name, "id", IdType::Text).build();
        refused(schema, ErrorKind::Declaration, &[&format!("{name:?}")]);
    }
    Ok(())
}

async fn f4_text_and_vector_fields_may_have_any_name_too(world: World) -> Verdict {
    let schema = Schema::builder("odd", "id", IdType::Text)
        .text("the \"title\"", 1.0)
        .text("select; --", 1.0)
        .vector("em.bed'ding", 2, ermine_core::Metric::L1);
    let docs = world.open(schema).await?;
    docs.put([
        doc("a")
            .with("the \"title\"", "pool")
            .with_vector("em.bed'ding", [1.0, 0.0]),
        doc("b")
            .with("select; --", "pool pool")
            .with_vector("em.bed'ding", [2.0, 0.0]),
    ])
    .await?;
    assert_eq!(
        ids(&docs.search().nearest_to([0.0, 0.0]).await?),
        ["a", "b"]
    );
    assert_eq!(ids(&docs.search().matching("pool").await?), ["b", "a"]);
    let one = docs
        .search()
        .matching("pool")
        .text_fields_named(["the \"title\""]);
    assert_eq!(ids(&one.await?), ["a"]);
    let loaded = docs.load("a").await?.expect("it is stored");
    assert!(loaded.embeddings["em.bed'ding"].vector().is_some());
    Ok(())
}
