use ermine_core::{
    Accuracy, ColumnType, ErrorKind, Hnsw, IdType, Metric, ScalarType, Schema, SchemaBuilder,
    VectorFieldSchema,
};

const TEXT: ColumnType = ColumnType::Scalar(ScalarType::Text);

fn notes() -> SchemaBuilder {
    Schema::builder("notes", "id", IdType::Text)
}

#[track_caller]
fn refused(builder: SchemaBuilder, because: &str) {
    let error = builder.build().expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::Declaration);
    assert!(error.to_string().contains(because), "{error}");
}

#[test]
fn odd_field_names_are_possible() {
    for name in ["a.b", "it's", "two words", "select", "naïve", "\"quoted\""] {
        notes().column(name, TEXT).build().expect(name);
    }
}

#[test]
fn names_that_no_store_could_keep_apart_are_refused() {
    refused(notes().column("year", TEXT).column("Year", TEXT), "Year");
    refused(notes().column("ID", TEXT), "ID");
    refused(notes().column("Title", TEXT).text("title", 1.0), "case");
    refused(notes().text("body", 1.0).text("body", 1.0), "body");
    refused(
        notes().column("v", TEXT).vector("v", 3, Metric::Cosine),
        "neither indexed nor text",
    );
}

#[test]
fn names_that_cannot_be_identifiers_are_refused() {
    refused(Schema::builder("Notes", "id", IdType::Text), "Notes");
    refused(Schema::builder("", "id", IdType::Text), "cannot name");
    refused(
        Schema::builder("a; drop table b", "id", IdType::Text),
        "cannot name",
    );
    refused(notes().column("", TEXT), "empty");
    refused(notes().column("a\u{0}b", TEXT), "control");
    refused(notes().column("x".repeat(49), TEXT), "longer");
}

#[test]
fn figures_out_of_range_are_refused() {
    refused(notes().vector("v", 0, Metric::Cosine), "dimensions");
    refused(notes().vector("v", 16_001, Metric::Cosine), "dimensions");
    refused(notes().text("body", f64::NAN), "weight");
    refused(notes().text("body", -1.0), "weight");
    refused(
        notes().vector_from("v", 3, Metric::Cosine, [""; 0]),
        "no field",
    );
}

#[test]
fn a_field_may_be_indexed_and_searched() {
    let schema = notes()
        .column("title", TEXT)
        .text("title", 2.0)
        .build()
        .unwrap();
    assert!(schema.filterable("title").is_ok());
    assert_eq!(schema.text_field("title").unwrap(), 0);
}

#[test]
fn fields_are_found_or_refused_by_name() {
    let schema = notes()
        .text("body", 1.0)
        .vector("a", 3, Metric::L1)
        .vector("b", 3, Metric::L1)
        .build()
        .unwrap();
    assert_eq!(
        schema.filterable("body").unwrap_err().kind(),
        ErrorKind::NotIndexed
    );
    assert_eq!(
        schema.filterable("bodi").unwrap_err().kind(),
        ErrorKind::UnknownField
    );
    assert_eq!(
        schema.vector_field(None).unwrap_err().kind(),
        ErrorKind::InvalidOption
    );
    assert_eq!(schema.vector_field(Some("b")).unwrap(), 1);
    assert_eq!(
        schema.vector_field(Some("c")).unwrap_err().kind(),
        ErrorKind::UnknownField
    );
    assert!(notes().build().unwrap().vector_field(None).is_err());
}

#[test]
fn a_declaration_survives_its_json() {
    let schema = notes()
        .column("tags", ColumnType::List(ScalarType::Text))
        .text("body", 0.1)
        .vector_from("v", 3, Metric::InnerProduct, ["body"])
        .language("english")
        .build()
        .unwrap();
    let json = serde_json::to_string(&schema).unwrap();
    assert_eq!(serde_json::from_str::<Schema>(&json).unwrap(), schema);
}

fn indexed(hnsw: Hnsw) -> VectorFieldSchema {
    VectorFieldSchema::new("v", 3, Metric::L1).indexed(hnsw)
}

#[test]
fn an_index_survives_its_json_and_its_absence() {
    let field = indexed(Hnsw::default()).approximate();
    let schema = notes().vector_field(field).build().unwrap();
    let json = serde_json::to_string(&schema).unwrap();
    assert_eq!(serde_json::from_str::<Schema>(&json).unwrap(), schema);

    // As it was stored before a field could have one, to the letter.
    let without = r#"{"name":"notes","id_name":"id","id_type":"text","tenancy":"none","deletion":"hard","language":"none","columns":[],"text":[],"vectors":[{"name":"v","dimensions":3,"metric":"l1","element":"f32","from":null}]}"#;
    let schema: Schema = serde_json::from_str(without).unwrap();
    assert_eq!(schema.vectors()[0].index(), None);
    assert_eq!(schema.vectors()[0].accuracy(), Accuracy::Exact);
    assert_eq!(serde_json::to_string(&schema).unwrap(), without);
}

#[test]
fn an_index_that_cannot_be_built_is_refused() {
    let hnsw = |m, ef_construction| notes().vector_field(indexed(Hnsw { m, ef_construction }));
    refused(hnsw(1, 64), "m is 1");
    refused(hnsw(101, 500), "m is 101");
    refused(hnsw(2, 3), "ef_construction is 3");
    refused(hnsw(2, 1_001), "ef_construction is 1001");
    refused(hnsw(40, 79), "twice");
    hnsw(40, 80).build().unwrap();
}

#[test]
fn searches_are_approximate_only_where_there_is_an_index() {
    let field = VectorFieldSchema::new("v", 3, Metric::L1).approximate();
    refused(notes().vector_field(field), "no index");
}
