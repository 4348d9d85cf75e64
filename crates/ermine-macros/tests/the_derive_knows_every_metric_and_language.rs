//! The derive has lists of its own, so that it needs no other crate; they are the right ones.

use ermine_core::{Accuracy, Document, Embedding, Hnsw, Metric};
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

#[test]
fn an_index_can_be_declared_with_its_parameters() {
    #[derive(Document, Serialize, Deserialize)]
    #[document(crate = "ermine_core")]
    struct Indexed {
        #[document(id)]
        id: i64,
        #[document(vector(dimensions = 2))]
        none: Embedding,
        #[document(vector(dimensions = 2, index = "hnsw"))]
        plain: Embedding,
        #[document(vector(
            dimensions = 2,
            index = "hnsw",
            m = 24,
            ef_construction = 200,
            approximate
        ))]
        tuned: Embedding,
    }
    let schema = Indexed::schema().unwrap();
    let [none, plain, tuned] = schema.vectors() else {
        panic!("three are declared")
    };
    assert_eq!((none.index(), none.accuracy()), (None, Accuracy::Exact));
    let declared = Some(Hnsw::default().into());
    assert_eq!(
        (plain.index(), plain.accuracy()),
        (declared, Accuracy::Exact)
    );
    let hnsw = Hnsw {
        m: 24,
        ef_construction: 200,
    };
    assert_eq!(tuned.index(), Some(hnsw.into()));
    assert_eq!(tuned.accuracy(), Accuracy::Approximate);
}
