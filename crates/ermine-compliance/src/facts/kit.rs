//! What facts are written with.

use ermine_core::{
    Column, ColumnType, DynamicRecord, Error, ErrorKind, HybridMatch, IdType, Metric, Result,
    ScalarType, Schema, SchemaBuilder, TextMatch, VectorMatch,
};

/// Documents `points` of a place each: fields `scope`, `n`, `tags` and one vector field.
pub(super) fn points(dimensions: usize, metric: Metric) -> SchemaBuilder {
    columns("points").vector("embedding", dimensions, metric)
}

/// Documents `passages` of text: fields `scope`, `n`, `tags`, `title` and `body`.
pub(super) fn passages() -> SchemaBuilder {
    columns("passages").text("title", 1.0).text("body", 1.0)
}

/// Documents `notes` of text and a place in the plane, compared by L2.
pub(super) fn notes() -> SchemaBuilder {
    columns("notes")
        .text("title", 1.0)
        .text("body", 1.0)
        .vector("embedding", 2, Metric::Euclidean)
}

fn columns(name: &str) -> SchemaBuilder {
    Schema::builder(name, "id", IdType::Text)
        .column("scope", ColumnType::Scalar(ScalarType::Text))
        .column("n", ColumnType::Scalar(ScalarType::I64))
        .column("tags", ColumnType::List(ScalarType::Text))
}

/// The column `scope`.
pub(super) fn scope() -> Column<DynamicRecord, String> {
    Column::new("scope")
}

/// The column `n`.
pub(super) fn n() -> Column<DynamicRecord, i64> {
    Column::new("n")
}

/// A document.
pub(super) fn doc(id: &str) -> DynamicRecord {
    DynamicRecord::new(id)
}

/// A document at a place.
pub(super) fn at<const N: usize>(id: &str, place: [f32; N]) -> DynamicRecord {
    doc(id).with_vector("embedding", place)
}

/// A document whose body says something.
pub(super) fn says(id: &str, body: &str) -> DynamicRecord {
    doc(id).with("body", body)
}

/// Something found.
pub(super) trait Hit {
    fn found(&self) -> &DynamicRecord;
}

macro_rules! hits {
    ($($match:ident),*) => {$(
        impl Hit for $match<DynamicRecord> {
            fn found(&self) -> &DynamicRecord {
                &self.document
            }
        }
    )*};
}

hits!(VectorMatch, TextMatch, HybridMatch);

impl Hit for DynamicRecord {
    fn found(&self) -> &DynamicRecord {
        self
    }
}

/// The ids of what was found, best first.
pub(super) fn ids<H: Hit>(hits: &[H]) -> Vec<String> {
    hits.iter().map(|hit| hit.found().id.to_string()).collect()
}

/// The distances of what was found.
pub(super) fn distances<D>(hits: &[VectorMatch<D>]) -> Vec<f64> {
    hits.iter().map(|hit| hit.distance.value()).collect()
}

/// The scores of what was found by text.
pub(super) fn scores<D>(hits: &[TextMatch<D>]) -> Vec<f64> {
    hits.iter().map(|hit| hit.score.value()).collect()
}

/// Asserts that figures are what was worked out by hand, to 1e-6.
#[track_caller]
pub(super) fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(
        found.len(),
        expected.len(),
        "{found:?} are not {expected:?}"
    );
    for (found_one, expected_one) in found.iter().zip(expected) {
        assert!(
            (found_one - expected_one).abs() < 1e-6,
            "{found:?} are not {expected:?}"
        );
    }
}

/// Asserts that a call failed in the way given, with a message that names all of `mentions`.
#[track_caller]
pub(super) fn refused<T>(result: Result<T>, kind: ErrorKind, mentions: &[&str]) {
    let error = failed(result);
    assert_eq!(error.kind(), kind, "{error}");
    for mention in mentions {
        assert!(
            error.to_string().contains(mention),
            "the message does not name {mention:?}: {error}"
        );
    }
}

/// The error of a call that must fail.
#[track_caller]
pub(super) fn failed<T>(result: Result<T>) -> Error {
    match result {
        Ok(_) => panic!("the call was answered and should have been refused"),
        Err(error) => error,
    }
}
