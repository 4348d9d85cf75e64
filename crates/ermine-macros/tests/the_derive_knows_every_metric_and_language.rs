//! The derive has lists of its own, so that it needs no other crate; they are the right ones.

use ermine_core::{Document, Embedding, Metric};
use ermine_macros::Document;
use ermine_text::Language;
use serde::{Deserialize, Serialize};

#[test]
fn every_metric_can_be_declared() {
    #[derive(Document, Serialize, Deserialize)]
    #[document(crate = "ermine_core")]
    struct Measured {
        #[document(id)]
        id: i64,
        #[document(vector(dimensions = 1, metric = "cosine"))]
        cosine: Embedding,
        #[document(vector(dimensions = 1, metric = "euclidean"))]
        euclidean: Embedding,
        #[document(vector(dimensions = 1, metric = "inner_product"))]
        inner_product: Embedding,
        #[document(vector(dimensions = 1, metric = "l1"))]
        l1: Embedding,
        #[document(vector(dimensions = 16_000, metric = "l2"))]
        l2: Embedding,
    }
    let schema = Measured::schema().unwrap();
    let metrics: Vec<_> = schema.vectors().iter().map(|v| v.metric()).collect();
    assert_eq!(metrics[..4], Metric::ALL);
    assert_eq!(metrics[4], Metric::Euclidean);
    for vector in &schema.vectors()[..4] {
        assert_eq!(vector.metric().as_str(), vector.name());
    }
    assert_eq!(
        schema.vectors()[4].dimensions(),
        ermine_core::MAX_DIMENSIONS
    );
}

#[test]
fn every_language_can_be_declared() {
    #[derive(Document, Serialize, Deserialize)]
    #[document(crate = "ermine_core", language = "none")]
    struct Plain {
        #[document(id)]
        id: i64,
    }
    #[derive(Document, Serialize, Deserialize)]
    #[document(crate = "ermine_core", language = "english")]
    struct English {
        #[document(id)]
        id: i64,
    }
    let declared = [Plain::schema().unwrap(), English::schema().unwrap()];
    let declared: Vec<_> = declared.iter().map(|schema| schema.language()).collect();
    let known: Vec<_> = Language::ALL.iter().map(|l| l.as_str()).collect();
    assert_eq!(declared, known);
}
