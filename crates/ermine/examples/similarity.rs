//! Similarity search and fusion, listing by listing: scores and distances, filters
//! that run before the limit, hybrid options, and fusion with and without a store.
//!
//! `cargo run --example similarity` prints the answers, and fails where one is wrong.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a wrong answer ends the example"
)]

use ermine::{
    Backend, DEFAULT_K, DeterministicProvider, Document, Embedding, Engine, Error, ErrorKind,
    HybridOptions, Metric, RankedLeg, Session, Sqlite, Store, TextStyle, fuse,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(name = "memories", language = "english")]
struct Memory {
    #[document(id)]
    id: u64,
    #[document(index)]
    scope: String,
    #[document(text)]
    title: String,
    #[document(text)]
    body: String,
    #[document(vector(dimensions = 64, from = "title, body"))]
    embedding: Embedding,
}

/// A vector in a document of its own, beside the memory it belongs to.
#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(name = "memory_vectors")]
struct MemoryVector {
    #[document(id)]
    id: u64,
    #[document(vector(dimensions = 2, metric = "l2"))]
    embedding: Embedding,
}

const MEMORIES: [(u64, &str, &str, &str); 5] = [
    (
        1,
        "project-a",
        "Connection pool timeouts",
        "A transaction was left open.",
    ),
    (
        2,
        "project-a",
        "Slow start",
        "At boot the connection pool waits for all of its timeouts, one after another.",
    ),
    (3, "project-a", "Lunch", "The soup was cold."),
    (
        4,
        "project-b",
        "Pool",
        "Connection pool timeouts, seen from another project.",
    ),
    (5, "project-a", "Retry", "Timeouts are retried once."),
];

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
    let provider = DeterministicProvider::new(64);
    let store = Store::builder(database().await?)
        .document::<Memory>()
        .document::<MemoryVector>()
        .embeddings(provider.clone())
        .open()
        .await?;
    let mut session = store.session_without_tenant();
    for (id, scope, title, body) in MEMORIES {
        session.store(&Memory {
            id,
            scope: scope.to_owned(),
            title: title.to_owned(),
            body: body.to_owned(),
            embedding: Embedding::NotLoaded,
        });
    }
    for (id, place) in [(1, [2.0, 0.0]), (2, [0.9, 0.1]), (3, [0.0, 1.0])] {
        session.store(&MemoryVector {
            id,
            embedding: place.into(),
        });
    }
    session.commit().await?;
    let query_vector = provider
        .vector("connection pool timeouts")
        .expect("it has words");

    search_contract(&session, &query_vector).await?;
    filters_run_in_the_database(&mut session).await?;
    hybrid(&session, &query_vector).await?;
    the_default_that_matters(&session).await?;
    column_weights(&session, &query_vector).await?;
    reciprocal_rank_fusion(&session, &query_vector).await
}

async fn search_contract(session: &Session<Engine>, query: &[f32]) -> Result<(), Error> {
    let nearest = session
        .search::<Memory>()
        .nearest_to(query)
        .limit(10)
        .filter(Memory::SCOPE.eq("project-a"))
        .await?;
    for hit in &nearest {
        println!("{} at {:.3}", hit.document.title, hit.distance);
    }
    let titles: Vec<_> = nearest
        .documents()
        .map(|memory| memory.title.as_str())
        .collect();
    assert_eq!(
        titles,
        ["Connection pool timeouts", "Slow start", "Retry", "Lunch"]
    );
    assert!(nearest.is_sorted_by_key(|hit| hit.distance));

    let wrong_length = session.search::<Memory>().nearest_to([1.0, 0.0]).await;
    let refusal = wrong_length.expect_err("a vector of another length is refused");
    assert_eq!(refusal.kind(), ErrorKind::WrongDimensions);
    println!("refused: {refusal}");
    Ok(())
}

/// A hundred vectors of one kind lie nearer than every one of the kind asked for.
async fn filters_run_in_the_database(session: &mut Session<Engine>) -> Result<(), Error> {
    for id in 1_000..1_100 {
        session.store(&MemoryVector {
            id,
            embedding: [100.0, 0.0].into(),
        });
    }
    for id in 2_000..2_020 {
        session.store(&MemoryVector {
            id,
            embedding: [100.0, 50.0].into(),
        });
    }
    session.commit().await?;
    let nearest = || session.search::<MemoryVector>().nearest_to([100.0, 0.0]);

    // The old shape: filtering afterwards finds nothing at all.
    let hits = nearest().limit(100).await?;
    assert_eq!(
        hits.documents().filter(|vector| vector.id >= 2_000).count(),
        0
    );

    let top = nearest()
        .filter(MemoryVector::ID.ge(2_000_u64))
        .limit(10)
        .await?;
    let ids: Vec<_> = top.documents().map(|vector| vector.id).collect();
    println!("filtered before the limit: {ids:?}");
    assert_eq!(ids, Vec::from_iter(2_000..2_010));

    session.delete_where::<MemoryVector>(MemoryVector::ID.ge(1_000_u64));
    session.commit().await?;
    Ok(())
}

async fn hybrid(session: &Session<Engine>, query: &[f32]) -> Result<(), Error> {
    let results = session
        .search::<Memory>()
        .hybrid_with("connection pool timeouts", query)
        .options(HybridOptions {
            candidate_depth: Some(200),
            ..HybridOptions::default()
        })
        .vector_field(Memory::EMBEDDING)
        .limit(10)
        .await?;
    for hit in &results {
        println!("{} scores {:.4}", hit.document.title, hit.score);
    }
    assert_eq!(
        results.len(),
        5,
        "the vector leg finds what no word matches"
    );
    assert!(results.is_sorted_by(|a, b| a.score >= b.score));
    let last = results
        .documents()
        .last()
        .map(|memory| memory.title.as_str());
    assert_eq!(last, Some("Lunch"));

    let shallow = session
        .search::<Memory>()
        .hybrid_with("pool", query)
        .candidate_depth(9)
        .await;
    let refusal = shallow.expect_err("a depth below the limit is refused");
    assert_eq!(refusal.kind(), ErrorKind::InvalidOption);
    Ok(())
}

/// Giving no metric means the one the field declares: here L2, under which the
/// second is nearest, although the first points the same way as the query.
async fn the_default_that_matters(session: &Session<Engine>) -> Result<(), Error> {
    let options = HybridOptions::<Memory>::default();
    assert_eq!(
        (options.k, options.candidate_depth, options.metric),
        (DEFAULT_K, None, None)
    );
    assert_eq!(
        (options.text_style, options.column_weights),
        (TextStyle::Plain, None)
    );

    let nearest = || {
        session
            .search::<MemoryVector>()
            .nearest_to([1.0, 0.0])
            .limit(3)
    };
    let declared = nearest().await?;
    let ids: Vec<_> = declared.documents().map(|vector| vector.id).collect();
    assert_eq!(ids, [2, 1, 3]);
    let cosine = nearest().measured_by(Metric::Cosine).await?;
    let ids: Vec<_> = cosine.documents().map(|vector| vector.id).collect();
    assert_eq!(ids, [1, 2, 3]);
    Ok(())
}

async fn column_weights(session: &Session<Engine>, query: &[f32]) -> Result<(), Error> {
    let first = async |weights: [f64; 2]| {
        let results = session
            .search::<Memory>()
            .hybrid_with("connection pool timeouts", query)
            .options(HybridOptions {
                column_weights: Some(weights.to_vec()),
                vector_weight: 0.0,
                filter: Some(Memory::SCOPE.eq("project-a")),
                ..HybridOptions::default()
            })
            .await?;
        Ok::<_, Error>(results[0].document.title.clone())
    };
    // A hit in the title counts three times one in the body, then the other way round.
    let (title, body) = (first([3.0, 1.0]).await?, first([1.0, 3.0]).await?);
    println!("title first: {title}; body first: {body}");
    assert_eq!(
        (title.as_str(), body.as_str()),
        ("Connection pool timeouts", "Slow start")
    );

    let miscounted = session
        .search::<Memory>()
        .matching("pool")
        .column_weights([3.0])
        .await;
    assert_eq!(
        miscounted.expect_err("one weight per field").kind(),
        ErrorKind::InvalidOption
    );
    Ok(())
}

async fn reciprocal_rank_fusion(session: &Session<Engine>, query: &[f32]) -> Result<(), Error> {
    // A pure function over ranked lists.
    let text = session
        .search::<Memory>()
        .matching("connection pool timeouts")
        .await?;
    let nearest = session.search::<Memory>().nearest_to(query).await?;
    let text_leg = RankedLeg::new(text.documents().map(|memory| memory.id));
    let vector_leg = RankedLeg::new(nearest.documents().map(|memory| memory.id));
    let fused = fuse(&[text_leg, vector_leg], DEFAULT_K)?;
    let hybrid = session
        .search::<Memory>()
        .hybrid_with("connection pool timeouts", query)
        .await?;
    let by_hand: Vec<_> = fused.iter().map(|hit| (hit.key, hit.score)).collect();
    let by_store: Vec<_> = hybrid
        .iter()
        .map(|hit| (hit.document.id, hit.score))
        .collect();
    assert_eq!(by_hand, by_store);

    // Legs of different types, fused by key, in one snapshot.
    let fused = session
        .fuse()
        .text::<Memory>("connection pool timeouts", |memory| memory.id)
        .filter(Memory::SCOPE.eq("project-a"))
        .vector::<MemoryVector>([1.0, 0.0], |vector| vector.id)
        .limit(10)
        .await?;
    for hit in &fused {
        let title = hit.document::<Memory>().map(|memory| memory.title.as_str());
        println!("{} scores {:.4}: {title:?}", hit.key, hit.score);
    }
    let keys: Vec<_> = fused.iter().map(|hit| hit.key).collect();
    // 1 and 2 are first and second in one leg each; their scores tie, and the id decides.
    assert_eq!(keys, [1, 2, 3, 5]);
    assert_eq!(fused[0].score, fused[1].score);

    // First and third beats second twice, at k = 60 by very little; a lower k sharpens it.
    let legs = [
        RankedLeg::new(["a", "b", "c"]),
        RankedLeg::new(["d", "b", "a"]),
    ];
    let margin = |k| {
        let fused = fuse(&legs, k)?;
        assert_eq!([fused[0].key, fused[1].key], ["a", "b"]);
        Ok::<_, Error>(fused[0].score.value() - fused[1].score.value())
    };
    println!("margins: {:.6} at 60, {:.6} at 1", margin(60)?, margin(1)?);
    assert!(margin(60)? < 0.00001 && margin(1)? > 0.08);
    Ok(())
}
