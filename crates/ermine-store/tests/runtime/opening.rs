//! What opening refuses, and what it declares (rules D7, D11, T10).

use ermine_compliance::Reference;
use ermine_core::{Backend, ErrorKind, IdType, Metric, ModelIdentity, Schema, SchemaMode, Storage};
use ermine_embed::DeterministicProvider;
use ermine_store::Store;

use crate::documents::{Note, Page, Point};
use crate::{refused, wait};

fn texts(language: &str) -> Schema {
    Schema::builder("texts", "id", IdType::Text)
        .text("body", 1.0)
        .language(language)
        .build()
        .unwrap()
}

#[test]
fn a_field_embedded_from_text_needs_a_provider_of_its_length() {
    let builder = Store::builder(Reference::new()).document::<Note>();
    let message = refused(wait(builder.open()), ErrorKind::NoProvider);
    assert!(
        message.contains("notes.embedding") && message.contains('8'),
        "{message}"
    );

    let builder = Store::builder(Reference::new()).document::<Note>();
    let builder = builder.embeddings(DeterministicProvider::new(16));
    let message = refused(wait(builder.open()), ErrorKind::WrongDimensions);
    assert!(message.contains('8') && message.contains("16"), "{message}");
}

#[test]
fn a_field_can_have_a_provider_of_its_own() {
    let reference = Reference::new();
    let store = Store::builder(reference.clone())
        .document::<Note>()
        .document::<Point>()
        .embeddings(DeterministicProvider::new(3))
        .embeddings_for("notes", "embedding", DeterministicProvider::new(8));
    wait(store.open()).unwrap();
    let declared = wait(wait(reference.connect()).unwrap().declarations()).unwrap();
    let models: Vec<_> = declared
        .iter()
        .map(|d| (d.schema.name(), d.models.clone()))
        .collect();
    let model = |dimensions| ModelIdentity::new("deterministic", "hashed-words-1", dimensions);
    assert_eq!(
        models,
        [
            ("notes", vec![Some(model(8))]),
            ("points", vec![None, Some(model(3))])
        ]
    );
}

#[test]
fn a_provider_for_nothing_or_of_another_length_is_refused() {
    let builder = || Store::builder(Reference::new()).document::<Point>();
    let provider = DeterministicProvider::new(3);
    let given = |collection: &str, field: &str, provider: &DeterministicProvider| {
        let builder = builder().embeddings_for(collection, field, provider.clone());
        wait(builder.open())
    };
    refused(
        given("pints", "colour", &provider),
        ErrorKind::UnknownCollection,
    );
    refused(given("points", "color", &provider), ErrorKind::UnknownField);
    let message = refused(
        given("points", "place", &provider),
        ErrorKind::WrongDimensions,
    );
    assert!(message.contains('2') && message.contains('3'), "{message}");
    let twice = builder()
        .embeddings_for("points", "colour", provider.clone())
        .embeddings_for("points", "colour", provider);
    refused(wait(twice.open()), ErrorKind::Declaration);
}

#[test]
fn two_types_of_one_name_are_refused() {
    let other = Schema::builder("points", "id", IdType::I64)
        .build()
        .unwrap();
    let builder = Store::builder(Reference::new())
        .document::<Point>()
        .schema(other);
    let message = refused(wait(builder.open()), ErrorKind::Declaration);
    assert!(message.contains("points"), "{message}");
}

#[test]
fn a_language_without_an_analyser_is_refused_and_a_declared_one_is_recorded() {
    let builder = Store::builder(Reference::new()).schema(texts("klingon"));
    let message = refused(wait(builder.open()), ErrorKind::Declaration);
    assert!(
        message.contains("klingon") && message.contains("english"),
        "{message}"
    );

    let reference = Reference::new();
    let store = Store::builder(reference.clone()).schema(texts("english"));
    let store = wait(store.open()).unwrap();
    let names: Vec<_> = store
        .reports()
        .map(|(name, report)| (name, report.changes.len()))
        .collect();
    assert_eq!(names, [("texts", 1)]);
    let declared = wait(wait(reference.connect()).unwrap().declarations()).unwrap();
    assert!(declared[0].analyzer.contains("language english"));

    let reference = Reference::new();
    wait(Store::builder(reference.clone()).document::<Point>().open()).unwrap();
    let declared = wait(wait(reference.connect()).unwrap().declarations()).unwrap();
    assert_eq!(
        declared[0].analyzer, "",
        "no analyser concerns a type without text"
    );
}

#[test]
fn nothing_is_created_where_a_later_type_is_wrong() {
    let reference = Reference::new();
    let builder = Store::builder(reference.clone())
        .document::<Point>()
        .document::<Page>();
    refused(wait(builder.open()), ErrorKind::NoProvider);
    let declared = wait(wait(reference.connect()).unwrap().declarations()).unwrap();
    assert!(declared.is_empty());
}

#[test]
fn what_is_stored_is_compared_with_what_is_declared() {
    let reference = Reference::new();
    wait(
        Store::builder(reference.clone())
            .schema(texts("none"))
            .open(),
    )
    .unwrap();
    let again = Store::builder(reference.clone()).schema(texts("none"));
    wait(again.schema_mode(SchemaMode::Assert).open()).unwrap();
    let changed = Store::builder(reference).schema(texts("english"));
    refused(wait(changed.open()), ErrorKind::SchemaMismatch);
}

#[test]
fn a_provider_that_does_not_fit_a_callers_field_is_no_provider_of_it() {
    let schema = Schema::builder("points", "id", IdType::Text)
        .vector("place", 2, Metric::Euclidean)
        .build()
        .unwrap();
    let store = Store::builder(Reference::new())
        .schema(schema)
        .embeddings(DeterministicProvider::new(8));
    let store = wait(store.open()).unwrap();
    let points = store.dynamic("points").unwrap();
    let search = store.reader_without_tenant().search_in(&points);
    let message = refused(wait(search.nearest_text("x")), ErrorKind::NoProvider);
    assert!(
        message.contains("points.place") && message.contains('2'),
        "{message}"
    );
}
