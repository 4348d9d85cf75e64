//! Document types, and the few values of each column type that cases are made of.

use ermine_core::{
    ColumnType, Deletion, Id, IdType, Metric, Result, ScalarType, Schema, Tenancy, Value,
};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::choices::Choices;

/// The column types; text and integers twice, since they are what most fields are.
pub(super) const SCALARS: [ScalarType; 9] = [
    ScalarType::I64,
    ScalarType::Text,
    ScalarType::I64,
    ScalarType::Text,
    ScalarType::Bool,
    ScalarType::U64,
    ScalarType::F64,
    ScalarType::Uuid,
    ScalarType::Timestamp,
];

const NAMES: [&str; 6] = ["n", "a.b", "it's", "the \"x\"", "select", "über"];
const TEXTS: [&str; 3] = ["title", "body", "foot note"];
const IDS: [IdType; 4] = [IdType::Text, IdType::I64, IdType::U64, IdType::Uuid];

pub(super) fn schema(choices: &mut Choices<'_>) -> Result<Schema> {
    let id_type = choices.one_of(&IDS);
    let mut schema = Schema::builder("things", "id", id_type)
        .tenancy(choices.one_of(&[Tenancy::None, Tenancy::Conjoined]))
        .deletion(choices.one_of(&[Deletion::Hard, Deletion::Soft]))
        .language(choices.one_of(&["none", "english"]));
    for name in &NAMES[..choices.below(NAMES.len() + 1)] {
        let scalar = choices.one_of(&SCALARS);
        let column = match choices.below(3) {
            2 => ColumnType::List(scalar),
            _ => ColumnType::Scalar(scalar),
        };
        schema = schema.column(*name, column);
    }
    for name in &TEXTS[..choices.below(TEXTS.len() + 1)] {
        schema = schema.text(*name, choices.one_of(&[1.0, 3.0, 0.5, 0.0]));
    }
    for name in &["embedding", "second one"][..choices.below(3)] {
        let metric = choices.one_of(&Metric::ALL);
        schema = schema.vector(*name, 1 + choices.below(4), metric);
    }
    schema.build()
}

/// One of a few ids.
pub(super) fn id(choices: &mut Choices<'_>, id_type: IdType) -> Id {
    match id_type {
        IdType::Text => Id::from(choices.one_of(&["a", "B", "b", "", "é", "10", "9", "🚀"])),
        IdType::I64 => Id::from(choices.one_of(&[0, -1, 9, 10, i64::MIN, i64::MAX])),
        IdType::U64 => Id::from(choices.one_of(&[0, 9, 10, 1 << 63, u64::MAX])),
        IdType::Uuid => Id::from(uuid(choices)),
    }
}

fn uuid(choices: &mut Choices<'_>) -> Uuid {
    Uuid::from_u128(choices.one_of(&[0, 1, 1 << 100, 1 << 127, u128::MAX]))
}

/// One of a few values, as JSON holds it and as filters do.
pub(super) fn value(choices: &mut Choices<'_>, scalar: ScalarType) -> (Json, Value) {
    match scalar {
        ScalarType::Bool => {
            let value = choices.likely(&[false, true]);
            (json!(value), Value::Bool(value))
        }
        ScalarType::I64 => {
            let value = choices.likely(&[0, 1, -1, 9, 10, i64::MIN, i64::MAX]);
            (json!(value), Value::I64(value))
        }
        ScalarType::U64 => {
            let value = choices.likely(&[0, 1, 9, 10, 1 << 63, u64::MAX]);
            (json!(value), Value::U64(value))
        }
        ScalarType::F64 => {
            let value = choices.likely(&[0.0, -0.0, 0.1, -1.5, 1e15, f64::MAX, 5e-324]);
            (json!(value), Value::F64(value))
        }
        ScalarType::Uuid => {
            let value = uuid(choices);
            (json!(value.to_string()), Value::Uuid(value))
        }
        ScalarType::Timestamp => {
            let text = choices.likely(&[
                "2026-11-30T20:18:12Z",
                "2026-11-30T21:18:12.000001+01:00",
                "0001-01-01T00:00:00Z",
                "9999-12-31T23:59:59.999999Z",
            ]);
            (
                json!(text),
                Value::Timestamp(text.parse().expect("a timestamp")),
            )
        }
        _ => {
            let texts = [
                "a", "A", "ab", "", "b%", "_", "é", "e\u{301}", "🚀", "10", "9", "it's",
            ];
            let text = choices.likely(&texts);
            (json!(text), Value::Text(text.to_owned()))
        }
    }
}

/// Some words, often the same ones.
pub(super) fn words(choices: &mut Choices<'_>, most: usize) -> String {
    let words = [
        "pool",
        "db",
        "the",
        "timeouts",
        "timeout",
        "Pool",
        "error:timeout",
        "café",
        "茶",
        "茶道具",
        "O’Brien",
        "C++",
        "1.5",
        "…",
        "-db",
        "or",
        "\"db pool\"",
        "-\"pool\"",
        "OR",
        "multi-agent",
    ];
    choices
        .some(most, |choices| choices.one_of(&words))
        .join(" ")
}

/// The elements of a vector, often those of another one.
pub(super) fn elements(choices: &mut Choices<'_>, dimensions: usize) -> Vec<f32> {
    let values = [1.0, 0.0, -1.0, 2.0, 0.5, 0.1, 3.7, 1e-20, 1e20, -0.0];
    (0..dimensions).map(|_| choices.one_of(&values)).collect()
}
