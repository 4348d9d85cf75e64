//! The struct of the design's first listing, from declaration to storage and back.

use ermine_core::{
    ColumnType, Deletion, Document, Embedding, ErrorKind, Filter, Id, IdType, Metric, Record,
    RecordParts, ScalarType, Schema, StoredRecord, Tenancy, TextField, Value, Vector, VectorField,
};
use ermine_macros::Document;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(
    name = "memories",
    language = "english",
    tenancy = "conjoined",
    soft_delete,
    crate = "ermine_core"
)]
struct Memory {
    #[document(id)]
    id: Uuid,
    #[document(index)]
    scope: String,
    #[document(text, weight = 3.0)]
    title: String,
    #[document(text)]
    body: Option<String>,
    #[document(index)]
    tags: Vec<String>,
    /// Not declared: part of the body only.
    note: Option<String>,
    #[document(vector(dimensions = 2, metric = "l2", from = "title, body"))]
    embedding: Embedding,
    #[document(vector(dimensions = 3))]
    picture: Embedding,
}

fn memory() -> Memory {
    Memory {
        id: Uuid::from_u128(7),
        scope: "project-a".into(),
        title: "Pool".into(),
        body: Some("timeouts".into()),
        tags: vec!["db".into(), "pool".into()],
        note: Some("kept".into()),
        embedding: Embedding::from([1.0, 2.0]),
        picture: Embedding::Absent,
    }
}

#[test]
fn the_schema_is_the_one_declared() {
    let expected = Schema::builder("memories", "id", IdType::Uuid)
        .tenancy(Tenancy::Conjoined)
        .deletion(Deletion::Soft)
        .language("english")
        .column("scope", ColumnType::Scalar(ScalarType::Text))
        .column("tags", ColumnType::List(ScalarType::Text))
        .text("title", 3.0)
        .text("body", 1.0)
        .vector_from("embedding", 2, Metric::Euclidean, ["title", "body"])
        .vector("picture", 3, Metric::Cosine)
        .build()
        .unwrap();
    assert_eq!(Memory::schema().unwrap(), expected);
}

#[test]
fn a_bare_declaration_has_the_defaults() {
    #[derive(Document, Serialize, Deserialize)]
    #[document(crate = "ermine_core")]
    struct GlossaryTerm {
        #[document(id)]
        term: String,
    }
    let schema = GlossaryTerm::schema().unwrap();
    assert_eq!(schema.name(), "glossary_term");
    assert_eq!(schema.id_name(), "term");
    assert_eq!(schema.language(), "none");
    assert_eq!(schema.tenancy(), Tenancy::None);
    assert_eq!(schema.deletion(), Deletion::Hard);
}

#[test]
fn the_constants_are_typed_handles() {
    let filter: Filter<Memory> = Memory::SCOPE.eq("project-a")
        & Memory::TAGS.contains("db")
        & Memory::ID.ne(Uuid::from_u128(7));
    assert_eq!(
        filter.expr().to_string(),
        r#"scope = "project-a" and tags contains "db" and id != 00000000-0000-0000-0000-000000000007"#
    );
    let fields: [TextField<Memory>; 2] = [Memory::TITLE, Memory::BODY];
    assert_eq!(fields.map(|f| f.name().to_owned()), ["title", "body"]);
    let field: VectorField<Memory> = Memory::EMBEDDING;
    assert_eq!(field.name(), "embedding");
    assert_eq!(Memory::PICTURE.name(), "picture");
}

#[test]
fn the_parts_are_in_the_order_of_the_schema() {
    let schema = Memory::schema().unwrap();
    let parts = memory().to_parts(&schema).unwrap();
    assert_eq!(parts.id, Id::Uuid(Uuid::from_u128(7)));
    let text = |text: &str| Value::Text(text.into());
    assert_eq!(
        parts.columns,
        [
            Some(text("project-a")),
            Some(Value::List(vec![text("db"), text("pool")]))
        ]
    );
    assert_eq!(parts.texts, [Some("Pool".into()), Some("timeouts".into())]);
    let [embedding, picture] = parts.vectors.try_into().unwrap();
    assert_eq!(embedding.embedding, Embedding::from([1.0, 2.0]));
    assert_eq!(embedding.source.as_deref(), Some("Pool\ntimeouts"));
    assert_eq!(picture.embedding, Embedding::Absent);
    assert_eq!(picture.source, None);
}

#[test]
fn absent_and_empty_parts_of_the_source_are_skipped() {
    let schema = Memory::schema().unwrap();
    let source = |title: &str, body: Option<&str>| {
        let memory = Memory {
            title: title.into(),
            body: body.map(Into::into),
            ..memory()
        };
        let mut parts = memory.to_parts(&schema).unwrap();
        parts.vectors.swap_remove(0).source.unwrap()
    };
    assert_eq!(source("Pool", None), "Pool");
    assert_eq!(source("", Some("timeouts")), "timeouts");
    assert_eq!(source("", None), "");
}

#[test]
fn the_body_holds_everything_but_the_vectors() {
    let schema = Memory::schema().unwrap();
    let parts = memory().to_parts(&schema).unwrap();
    let body: serde_json::Value = serde_json::from_str(&parts.body).unwrap();
    assert_eq!(
        body,
        serde_json::json!({
            "id": "00000000-0000-0000-0000-000000000007",
            "scope": "project-a",
            "title": "Pool",
            "body": "timeouts",
            "tags": ["db", "pool"],
            "note": "kept",
        })
    );
}

fn stored(parts: RecordParts, embeddings: Vec<Embedding>) -> StoredRecord {
    StoredRecord {
        id: parts.id,
        tenant: None,
        body: parts.body,
        embeddings,
    }
}

#[test]
fn a_stored_document_comes_back_with_its_vectors() {
    let schema = Memory::schema().unwrap();
    let back = Memory::from_stored(
        &schema,
        stored(
            memory().to_parts(&schema).unwrap(),
            vec![Embedding::from([1.0, 2.0]), Embedding::Absent],
        ),
    );
    assert_eq!(back.unwrap(), memory());
}

#[test]
fn a_document_read_without_its_vectors_says_so() {
    let schema = Memory::schema().unwrap();
    for embeddings in [vec![], vec![Embedding::NotLoaded; 2]] {
        let back = Memory::from_stored(
            &schema,
            stored(memory().to_parts(&schema).unwrap(), embeddings),
        )
        .unwrap();
        assert_eq!(back.embedding, Embedding::NotLoaded);
        assert_eq!(back.picture, Embedding::NotLoaded);
        // Stored back, it asks for the stored vectors to be kept.
        let parts = back.to_parts(&schema).unwrap();
        assert_eq!(parts.vectors[1].embedding, Embedding::NotLoaded);
    }
}

#[test]
fn a_vector_in_the_body_is_not_believed() {
    let schema = Memory::schema().unwrap();
    let mut record = stored(
        memory().to_parts(&schema).unwrap(),
        vec![Embedding::from([1.0, 2.0]), Embedding::NotLoaded],
    );
    record.body = record.body.replacen('{', r#"{"picture":[9,9,9],"#, 1);
    let back = Memory::from_stored(&schema, record).unwrap();
    assert_eq!(back.embedding.vector(), Some(&Vector::from([1.0, 2.0])));
    assert_eq!(back.picture, Embedding::NotLoaded);
}

#[test]
fn a_body_that_does_not_fit_is_an_error_with_the_id() {
    let schema = Memory::schema().unwrap();
    let mut record = stored(memory().to_parts(&schema).unwrap(), vec![]);
    record.body = "{}".into();
    let error = Memory::from_stored(&schema, record).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Body);
    assert!(
        error
            .to_string()
            .contains("00000000-0000-0000-0000-000000000007")
    );
}
