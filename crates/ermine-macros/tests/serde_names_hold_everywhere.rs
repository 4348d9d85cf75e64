//! Rule D9: what serde calls a field is its name in the schema, in filters and in the body.

use ermine_core::{ColumnType, Document, Embedding, IdType, Metric, Record, ScalarType, Schema};
use ermine_macros::{Document, Fields};
use serde::{Deserialize, Serialize};

/// A document with each of serde's rules, so that serde itself says what the names are.
macro_rules! renamed {
    ($($test:ident: $rule:literal,)*) => {$(
        #[test]
        fn $test() {
            #[derive(Document, Serialize, Deserialize)]
            #[document(crate = "ermine_core")]
            #[serde(rename_all = $rule)]
            #[allow(non_snake_case)]
            struct Awkward {
                #[document(id)]
                the_id: String,
                #[document(index)]
                one: i64,
                #[document(index)]
                two_words: i64,
                #[document(index)]
                _leading: i64,
                #[document(index)]
                three__under___scores: i64,
                #[document(index)]
                trailing_: i64,
                #[document(index)]
                with2_digits_3d: i64,
                #[document(index)]
                mixedCase_word: i64,
                #[document(index)]
                r#type: i64,
                #[document(index)]
                größe_in_metern: i64,
            }
            let awkward = Awkward {
                the_id: "a".into(),
                one: 0,
                two_words: 1,
                _leading: 2,
                three__under___scores: 3,
                trailing_: 4,
                with2_digits_3d: 5,
                mixedCase_word: 6,
                r#type: 7,
                größe_in_metern: 8,
            };
            let json = serde_json::to_value(&awkward).unwrap();
            let schema = Awkward::schema().unwrap();
            assert_eq!(json[schema.id_name()], "a");
            assert_eq!(schema.columns().len(), 9);
            for (place, column) in schema.columns().iter().enumerate() {
                assert_eq!(json[column.name()], place, "{}", column.name());
            }
            assert_eq!(Awkward::TWO_WORDS.name(), schema.columns()[1].name());
            assert_eq!(Awkward::TYPE.name(), schema.columns()[7].name());
            assert_eq!(Awkward::GRÖSSE_IN_METERN.name(), schema.columns()[8].name());
        }
    )*};
}

renamed! {
    lower_case: "lowercase",
    upper_case: "UPPERCASE",
    pascal_case: "PascalCase",
    camel_case: "camelCase",
    snake_case: "snake_case",
    screaming_snake_case: "SCREAMING_SNAKE_CASE",
    kebab_case: "kebab-case",
    screaming_kebab_case: "SCREAMING-KEBAB-CASE",
}

#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
#[serde(rename_all = "camelCase", deny_unknown_fields, rename = "ignored")]
struct Page {
    #[document(id)]
    #[serde(rename = "_id")]
    id: String,
    #[document(index)]
    page_count: Option<u32>,
    #[document(index, text)]
    #[serde(rename(serialize = "h1", deserialize = "h1", deserialize = "heading"))]
    main_title: String,
    #[document(text)]
    #[serde(alias = "text")]
    body_text: Option<String>,
    #[serde(rename = "fn")]
    foot_note: Option<String>,
    #[document(vector(dimensions = 2, from = "foot_note,main_title, body_text"))]
    body_vector: Embedding,
}

fn page() -> Page {
    Page {
        id: "p1".into(),
        page_count: Some(3),
        main_title: "Pool".into(),
        body_text: None,
        foot_note: Some("see above".into()),
        body_vector: Embedding::from([1.0, 0.0]),
    }
}

#[test]
fn the_schema_has_the_renamed_names() {
    let expected = Schema::builder("page", "_id", IdType::Text)
        .column("pageCount", ColumnType::Scalar(ScalarType::U64))
        .column("h1", ColumnType::Scalar(ScalarType::Text))
        .text("h1", 1.0)
        .text("bodyText", 1.0)
        .vector_from("bodyVector", 2, Metric::Cosine, ["fn", "h1", "bodyText"])
        .build()
        .unwrap();
    assert_eq!(Page::schema().unwrap(), expected);
}

#[test]
fn the_handles_have_the_renamed_names() {
    let filter = Page::ID.eq("p1") & Page::PAGE_COUNT.ge(3) & Page::MAIN_TITLE.starts_with("P");
    let schema = Page::schema().unwrap();
    for name in ["_id", "pageCount", "h1"] {
        assert!(filter.expr().to_string().contains(name));
        schema.filterable(name).unwrap();
    }
    assert_eq!(Page::BODY_TEXT.name(), "bodyText");
    assert_eq!(Page::BODY_VECTOR.name(), "bodyVector");
}

#[test]
fn the_source_is_read_in_the_order_of_from() {
    let parts = page().to_parts(&Page::schema().unwrap()).unwrap();
    assert_eq!(parts.vectors[0].source.as_deref(), Some("see above\nPool"));
}

#[test]
fn the_renamed_vector_is_not_in_the_body() {
    let parts = page().to_parts(&Page::schema().unwrap()).unwrap();
    let body: serde_json::Value = serde_json::from_str(&parts.body).unwrap();
    assert_eq!(
        body,
        serde_json::json!({
            "_id": "p1", "pageCount": 3, "h1": "Pool", "bodyText": null, "fn": "see above",
        })
    );
}

#[test]
fn nested_structs_are_renamed_on_both_levels() {
    #[derive(Fields, Serialize, Deserialize)]
    #[document(crate = "ermine_core")]
    #[serde(rename_all = "kebab-case")]
    struct Address {
        #[document(index)]
        post_code: String,
        #[document(index)]
        #[serde(rename = "{prefix}")]
        braces: bool,
    }

    #[derive(Document, Serialize, Deserialize)]
    #[document(crate = "ermine_core")]
    #[serde(rename_all = "PascalCase")]
    struct Person {
        #[document(id)]
        id: i64,
        #[document(nested)]
        home_address: Address,
    }

    let schema = Person::schema().unwrap();
    let names: Vec<_> = schema.columns().iter().map(|c| c.name()).collect();
    assert_eq!(names, ["HomeAddress.post-code", "HomeAddress.{prefix}"]);
    assert_eq!(Person::HOME_ADDRESS.at(Address::POST_CODE).name(), names[0]);
    assert_eq!(Person::HOME_ADDRESS.at(Address::BRACES).name(), names[1]);
}
