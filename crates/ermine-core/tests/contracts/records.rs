use ermine_core::{
    ColumnType, DynamicRecord, Embedding, ErrorKind, Id, IdType, Metric, Record, ScalarType,
    Schema, StoredRecord, Timestamp, Value, content_hash,
};
use serde_json::json;

fn schema() -> Schema {
    Schema::builder("notes", "id", IdType::Text)
        .column("meta.year", ColumnType::Scalar(ScalarType::I64))
        .column("big", ColumnType::Scalar(ScalarType::U64))
        .text("title", 1.0)
        .text("body", 1.0)
        .vector_from("v", 2, Metric::Cosine, ["title", "body"])
        .build()
        .unwrap()
}

#[test]
fn a_dynamic_record_is_taken_apart_and_put_together() {
    let note = DynamicRecord::new("n1")
        .with("meta", json!({"year": 1960}))
        .with("big", u64::MAX)
        .with("title", "Pool")
        .with("body", "timeouts")
        .with_vector("v", [1.0, 0.0]);
    let parts = note.to_parts(&schema()).unwrap();
    assert_eq!(
        parts.columns,
        [Some(Value::I64(1960)), Some(Value::U64(u64::MAX))]
    );
    assert_eq!(parts.vectors[0].source.as_deref(), Some("Pool\ntimeouts"));
    assert!(!parts.body.contains("\"v\""), "{}", parts.body);
    let stored = StoredRecord {
        id: Id::from("n1"),
        tenant: None,
        body: parts.body,
        embeddings: vec![Embedding::from([1.0, 0.0])],
    };
    assert_eq!(DynamicRecord::from_stored(&schema(), stored).unwrap(), note);
}

#[test]
fn a_field_of_another_type_is_refused_with_the_document_and_the_field() {
    let error = DynamicRecord::new("n1")
        .with("big", -1)
        .to_parts(&schema())
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    let message = error.to_string();
    assert!(
        message.contains("n1") && message.contains("big"),
        "{message}"
    );
}

#[test]
fn u0000_is_refused_with_its_place() {
    let note = DynamicRecord::new("n1").with("deep", json!({"list": ["a", "b\u{0}"]}));
    let error = note.to_parts(&schema()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidValue);
    assert!(error.to_string().contains("deep.list.1"), "{error}");
    // An escaped backslash before `u0000` is no such character.
    assert!(
        DynamicRecord::new("n1")
            .with("x", "\\u0000")
            .to_parts(&schema())
            .is_ok()
    );
}

#[test]
fn a_body_that_does_not_parse_names_its_document() {
    let stored = StoredRecord {
        id: Id::from("n1"),
        tenant: None,
        body: "{".into(),
        embeddings: vec![],
    };
    let error = DynamicRecord::from_stored(&schema(), stored).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Body);
    assert!(error.to_string().contains("n1"));
}

#[test]
fn an_embedding_travels_through_json() {
    for embedding in [
        Embedding::NotLoaded,
        Embedding::Absent,
        Embedding::from([0.5, -1.0]),
    ] {
        let json = serde_json::to_string(&embedding).unwrap();
        assert_eq!(
            serde_json::from_str::<Embedding>(&json).unwrap(),
            embedding,
            "{json}"
        );
    }
    #[derive(serde::Deserialize)]
    struct Holder {
        v: Embedding,
    }
    let missing: Holder = serde_json::from_str("{}").unwrap();
    assert_eq!(missing.v, Embedding::NotLoaded);
}

#[test]
fn composed_and_decomposed_text_hash_differently() {
    assert!(content_hash("caf\u{e9}").starts_with("850f7dc4"));
    assert!(content_hash("cafe\u{301}").starts_with("81ef060b"));
}

#[test]
fn the_order_of_timestamps_is_the_order_of_their_texts() {
    let texts = [
        "0000-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999Z",
        "9999-12-31T23:59:59Z",
    ];
    let times: Vec<Timestamp> = texts.iter().map(|t| t.parse().unwrap()).collect();
    assert!(times.is_sorted());
    assert!(times.iter().map(ToString::to_string).is_sorted());
    for time in times {
        assert_eq!(time.to_string().parse::<Timestamp>().unwrap(), time);
        assert_eq!(
            Timestamp::from_unix_micros(time.unix_micros()).unwrap(),
            time
        );
    }
    assert!(Timestamp::from_unix_micros(i64::MAX).is_err());
}

#[test]
fn what_a_dynamic_record_would_lose_is_refused_by_name() {
    let refused = |note: DynamicRecord, name: &str| {
        let error = note.to_parts(&schema()).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    };
    refused(DynamicRecord::new("n1").with_vector("w", [1.0, 0.0]), "w");
    refused(
        DynamicRecord::new("n1").with("v", json!([1.0, 0.0])),
        "with_vector",
    );
    refused(DynamicRecord::new("n1").with("id", "n2"), "n2");
    let same = DynamicRecord::new("n1").with("id", "n1");
    assert!(same.to_parts(&schema()).is_ok());
}
