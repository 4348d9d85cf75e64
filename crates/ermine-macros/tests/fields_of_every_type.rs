//! Ids, columns and texts of every type, newtypes and wrapped types included.

use ermine_core::{
    Column, ColumnType, ColumnValue, Document, DocumentId, Embedding, Id, IdType, IndexedText,
    Record, RecordParts, Result, ScalarType, StoredRecord, TextValue, Timestamp, Value,
};
use ermine_macros::Document;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Isbn(String);

impl DocumentId for Isbn {
    type Kind = String;
    const TYPE: IdType = IdType::Text;
    fn to_id(&self) -> Id {
        Id::Text(self.0.clone())
    }
    fn from_id(id: Id) -> Option<Self> {
        match id {
            Id::Text(text) => Some(Self(text)),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Severity {
    Low,
}

impl ColumnValue for Severity {
    type Kind = String;
    const TYPE: ColumnType = ColumnType::Scalar(ScalarType::Text);
    fn to_value(&self) -> Option<Value> {
        Some(Value::Text("low".into()))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Title(String);

impl TextValue for Title {
    fn as_text(&self) -> Option<&str> {
        self.0.as_text()
    }
}

type Lines = Option<String>;

/// Fields are declared through a macro, so that their types arrive wrapped.
macro_rules! book {
    ($($(#[$attribute:meta])* $field:ident: $ty:ty,)*) => {
        #[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
        #[document(crate = "ermine_core")]
        struct Book { $($(#[$attribute])* pub(crate) $field: $ty,)* }
    };
}

book! {
    #[document(id)] isbn: Isbn,
    #[document(index)] lent: bool,
    #[document(index)] pages: Option<u16>,
    #[document(index)] year: i16,
    #[document(index)] copies: u64,
    #[document(index)] price: f32,
    #[document(index)] shelf: Uuid,
    #[document(index)] bought: Timestamp,
    #[document(index)] severity: Severity,
    #[document(index)] ratings: Vec<i32>,
    #[document(index)] marks: Option<Vec<Option<Uuid>>>,
    #[document(text)] title: Title,
    #[document(index, text, weight = 2)] subtitle: Option<String>,
    #[document(text)] lines: Lines,
    #[document(index, default)] #[serde(default = "one")] edition: u32,
    #[document(index)] #[serde(default, skip_serializing_if = "Option::is_none")] publisher: Option<String>,
    #[document(vector(dimensions = 1, from = "lines, title"))] #[serde(default)] embedding: Embedding,
    #[serde(skip)] opened: u32,
}

fn one() -> u32 {
    1
}

fn book() -> Result<Book> {
    Ok(Book {
        isbn: Isbn("978".into()),
        lent: true,
        pages: None,
        year: -44,
        copies: u64::MAX,
        price: 0.5,
        shelf: Uuid::from_u128(1),
        bought: "2026-11-30T21:18:12Z".parse()?,
        severity: Severity::Low,
        ratings: vec![],
        marks: Some(vec![Some(Uuid::from_u128(2)), None]),
        title: Title("Pool".into()),
        subtitle: None,
        lines: Some("x".into()),
        edition: 3,
        publisher: None,
        embedding: Embedding::NotLoaded,
        opened: 0,
    })
}

fn stored(parts: RecordParts) -> StoredRecord {
    StoredRecord {
        id: parts.id,
        tenant: None,
        body: parts.body,
        embeddings: vec![],
    }
}

#[test]
fn every_column_has_the_type_and_the_value_of_its_field() {
    let schema = Book::schema().unwrap();
    let parts = book().unwrap().to_parts(&schema).unwrap();
    assert_eq!(parts.id, Id::Text("978".into()));
    let scalar = ColumnType::Scalar;
    let expected = [
        ("lent", scalar(ScalarType::Bool), Some(Value::Bool(true))),
        ("pages", scalar(ScalarType::U64), None),
        ("year", scalar(ScalarType::I64), Some(Value::I64(-44))),
        (
            "copies",
            scalar(ScalarType::U64),
            Some(Value::U64(u64::MAX)),
        ),
        ("price", scalar(ScalarType::F64), Some(Value::F64(0.5))),
        (
            "shelf",
            scalar(ScalarType::Uuid),
            Some(Value::Uuid(Uuid::from_u128(1))),
        ),
        (
            "bought",
            scalar(ScalarType::Timestamp),
            Some(Value::Timestamp("2026-11-30T21:18:12Z".parse().unwrap())),
        ),
        (
            "severity",
            scalar(ScalarType::Text),
            Some(Value::Text("low".into())),
        ),
        (
            "ratings",
            ColumnType::List(ScalarType::I64),
            Some(Value::List(vec![])),
        ),
        (
            "marks",
            ColumnType::List(ScalarType::Uuid),
            Some(Value::List(vec![Value::Uuid(Uuid::from_u128(2))])),
        ),
        ("subtitle", scalar(ScalarType::Text), None),
        ("edition", scalar(ScalarType::U64), Some(Value::U64(3))),
        ("publisher", scalar(ScalarType::Text), None),
    ];
    let got: Vec<_> = schema
        .columns()
        .iter()
        .zip(parts.columns)
        .map(|(column, value)| (column.name(), column.column_type(), value))
        .collect();
    assert_eq!(got, expected);
}

#[test]
fn every_text_field_is_read_and_weighed() {
    let schema = Book::schema().unwrap();
    let parts = book().unwrap().to_parts(&schema).unwrap();
    let texts: Vec<_> = schema
        .text()
        .iter()
        .zip(parts.texts)
        .map(|(field, text)| (field.name(), field.weight(), text))
        .collect();
    assert_eq!(
        texts,
        [
            ("title", 1.0, Some("Pool".to_owned())),
            ("subtitle", 2.0, None),
            ("lines", 1.0, Some("x".to_owned())),
        ]
    );
    assert_eq!(parts.vectors[0].source.as_deref(), Some("x\nPool"));
}

#[test]
fn handles_compare_as_the_kind_of_their_field() {
    let _: Column<Book, String> = Book::ISBN;
    let _: Column<Book, u64> = Book::PAGES;
    let _: Column<Book, i64> = Book::YEAR;
    let _: Column<Book, Vec<Uuid>> = Book::MARKS;
    let _: IndexedText<Book> = Book::SUBTITLE;
    let _ = Book::ISBN.eq("978") & Book::PRICE.lt(1) & Book::SEVERITY.eq("low");
}

#[test]
fn what_was_stored_comes_back() {
    let schema = Book::schema().unwrap();
    let book = book().unwrap();
    let back = Book::from_stored(&schema, stored(book.to_parts(&schema).unwrap())).unwrap();
    assert_eq!(back, book);
    assert_eq!(back.id(), Isbn("978".into()));
}

#[test]
fn a_declared_default_fills_what_the_body_lacks() {
    let schema = Book::schema().unwrap();
    let mut record = stored(book().unwrap().to_parts(&schema).unwrap());
    record.body = record.body.replace(r#""edition":3,"#, "");
    let back = Book::from_stored(&schema, record).unwrap();
    assert_eq!(back.edition, 1);
    assert_eq!(back.publisher, None);
}
