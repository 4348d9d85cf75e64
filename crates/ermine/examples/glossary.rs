//! A glossary, searched in every way an interface per search type offers: by
//! vector, by text that is embedded, and by both, with fields named or left out,
//! with options as a value or as calls, and with a filter.
//!
//! `cargo run --example glossary` prints the answers, and fails where one is not
//! what the distance function and the fusion say by themselves.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a wrong answer ends the example"
)]

use ermine::{
    Backend, DEFAULT_K, DeterministicProvider, Document, Embedding, Engine, Error, HybridOptions,
    Metric, RankedLeg, Sqlite, Store, VectorOptions, fuse,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(name = "glossary", language = "english")]
struct Glossary {
    #[document(id)]
    key: u64,
    #[document(index)]
    category: String,
    term: String,
    #[document(text)]
    definition: String,
    #[document(vector(dimensions = 1536, from = "definition"))]
    definition_embedding: Embedding,
}

const ENTRIES: [(u64, &str, &str, &str); 5] = [
    (
        1,
        "Core Definitions",
        "Semantic Kernel",
        "Semantic Kernel is a kit that joins language models to the functions of a program.",
    ),
    (
        2,
        "Core Definitions",
        "Connector",
        "A connector lets the kernel talk to one service or one database.",
    ),
    (
        3,
        "Search",
        "Embedding",
        "An embedding is a vector that lies near those of similar texts.",
    ),
    (
        4,
        "Search",
        "Hybrid search",
        "Hybrid search fuses a ranking by words with a ranking by vectors.",
    ),
    (
        5,
        "Search",
        "Reranker",
        "A second model orders the results of the first search anew.",
    ),
];

const QUESTION: &str = "What does Semantic Kernel mean?";

/// The one line that chooses the store: `Sqlite::temporary()`, or, with the feature
/// `postgres`, the database whose URL is in `ERMINE_EXAMPLE_STORE`.
async fn database() -> Result<Engine, Error> {
    #[cfg(feature = "postgres")]
    if let Ok(url) = std::env::var("ERMINE_EXAMPLE_STORE") {
        let database = ermine::Postgres::url(url).schema("ermine_examples");
        return database.connect().await;
    }
    Sqlite::temporary().connect().await
}

fn main() -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime of one thread").block_on(run())
}

async fn run() -> Result<(), Error> {
    let provider = DeterministicProvider::new(1536);
    let store = Store::builder(database().await?)
        .document::<Glossary>()
        .embeddings(provider.clone())
        .open()
        .await?;
    let mut session = store.session_without_tenant();
    for (key, category, term, definition) in ENTRIES {
        session.store(&Glossary {
            key,
            category: category.to_owned(),
            term: term.to_owned(),
            definition: definition.to_owned(),
            definition_embedding: Embedding::NotLoaded,
        });
    }
    session.commit().await?;

    let glossary = store.reader_without_tenant();
    let search = || glossary.search::<Glossary>();
    let search_embedding = provider.vector(QUESTION).expect("the question has words");

    // Vector search.
    let nearest = search().nearest_to(&search_embedding).await?;
    show("vector search", nearest.documents());
    let by_distance = sorted_by_distance(&provider, &search_embedding);
    assert_eq!(keys(nearest.documents()), by_distance);
    assert!(nearest.is_sorted_by_key(|hit| hit.distance));
    let options = VectorOptions::default();
    let same = search()
        .nearest_to(&search_embedding)
        .options(options)
        .await?;
    assert_eq!(keys(same.documents()), keys(nearest.documents()));

    // Vector search with a specific vector field.
    let named = VectorOptions {
        vector_field: Some(Glossary::DEFINITION_EMBEDDING),
        ..VectorOptions::default()
    };
    let by_value = search()
        .nearest_to(&search_embedding)
        .options(named.clone())
        .await?;
    let by_call = search()
        .nearest_to(&search_embedding)
        .vector_field(Glossary::DEFINITION_EMBEDDING)
        .await?;
    for found in [&by_value, &by_call] {
        assert_eq!(keys(found.documents()), keys(nearest.documents()));
    }

    // Vector search by text, embedded once by the field's provider.
    provider.reset_counts();
    let by_text = search().nearest_text(QUESTION).await?;
    show("vector search by text", by_text.documents());
    assert_eq!(keys(by_text.documents()), keys(nearest.documents()));
    assert_eq!((provider.calls(), provider.texts()), (1, 1));

    // Vector search by text with a specific vector field.
    let by_value = search().nearest_text(QUESTION).options(named).await?;
    let by_call = search()
        .nearest_text(QUESTION)
        .vector_field(Glossary::DEFINITION_EMBEDDING)
        .await?;
    for found in [&by_value, &by_call] {
        assert_eq!(keys(found.documents()), keys(nearest.documents()));
    }

    // Text search.
    let matching = search().matching(QUESTION).await?;
    show("text search", matching.documents());
    assert_eq!(keys(matching.documents()), [1, 2]);
    let text_leg = RankedLeg::new(keys(matching.documents()));
    let vector_leg = RankedLeg::new(by_distance.clone());
    let fused = fuse(&[text_leg, vector_leg], DEFAULT_K)?;
    let expected: Vec<u64> = fused.into_iter().map(|hit| hit.key).collect();
    assert_eq!(expected.len(), ENTRIES.len());

    // Hybrid search with a vector and a text; the text field is named.
    let options = HybridOptions {
        text_fields: Some(vec![Glossary::DEFINITION]),
        ..HybridOptions::default()
    };
    let by_value = search()
        .hybrid_with(QUESTION, &search_embedding)
        .options(options)
        .await?;
    let by_call = search()
        .hybrid_with(QUESTION, &search_embedding)
        .text_fields([Glossary::DEFINITION])
        .await?;
    show("hybrid search", by_call.documents());
    for found in [&by_value, &by_call] {
        assert_eq!(keys(found.documents()), expected);
        assert_eq!(found[0].legs.len(), 2, "both legs found the first");
        assert!(found.is_sorted_by(|a, b| a.score >= b.score));
    }

    // Hybrid search by text, with field names for both legs.
    let options = HybridOptions {
        vector_field: Some(Glossary::DEFINITION_EMBEDDING),
        text_fields: Some(vec![Glossary::DEFINITION]),
        ..HybridOptions::default()
    };
    let by_value = search().hybrid(QUESTION).options(options).await?;
    let by_call = search()
        .hybrid(QUESTION)
        .vector_field(Glossary::DEFINITION_EMBEDDING)
        .text_fields([Glossary::DEFINITION])
        .await?;
    for found in [&by_value, &by_call] {
        assert_eq!(keys(found.documents()), expected);
    }

    // Vector search with filtering.
    let filter = Glossary::CATEGORY.eq("Core Definitions");
    let filtered = search()
        .nearest_to(&search_embedding)
        .options(VectorOptions {
            filter: Some(filter),
            vector_field: Some(Glossary::DEFINITION_EMBEDDING),
            ..VectorOptions::default()
        })
        .await?;
    show("vector search with a filter", filtered.documents());
    assert_eq!(keys(filtered.documents()), [1, 2]);
    Ok(())
}

/// The keys in the order of the one distance function, without a store.
fn sorted_by_distance(provider: &DeterministicProvider, query: &[f32]) -> Vec<u64> {
    let mut entries = ENTRIES.map(|(key, _, _, definition)| {
        let vector = provider.vector(definition).unwrap_or_default();
        (Metric::Cosine.distance(&vector, query), key)
    });
    entries.sort();
    entries.map(|(_, key)| key).to_vec()
}

fn keys<'a>(found: impl Iterator<Item = &'a Glossary>) -> Vec<u64> {
    found.map(|entry| entry.key).collect()
}

fn show<'a>(what: &str, found: impl Iterator<Item = &'a Glossary>) {
    let terms: Vec<_> = found.map(|entry| entry.term.as_str()).collect();
    println!("{what}: {}", terms.join(", "));
}
