//! The documents: a gloss each.

use std::time::Instant;

use ermine::{Document, Embedding, Postgres, Session, Store};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::random::Random;

/// How many documents a commit takes.
const BATCH: usize = 1_000;

#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(name = "glosses", language = "english")]
pub(super) struct Gloss {
    #[document(id)]
    pub(super) id: i64,
    /// What half of them are found by.
    #[document(index)]
    pub(super) half: i64,
    #[document(text)]
    pub(super) body: String,
    #[document(vector(dimensions = 256, metric = "cosine", from = "body"))]
    pub(super) embedding: Embedding,
}

/// The glosses of a file, a line each, in an order that tells nothing.
pub(super) fn in_random_order(text: &str) -> Vec<&str> {
    let mut random = Random::new(1);
    let mut glosses: Vec<&str> = text.lines().map(str::trim).collect();
    glosses.retain(|gloss| !gloss.is_empty());
    let places: Vec<usize> = (0..glosses.len()).collect();
    for at in 0..glosses.len() {
        if let Some(other) = places.get(at..).and_then(|rest| random.of(rest)) {
            glosses.swap(at, *other);
        }
    }
    glosses
}

/// Stores and embeds glosses, and prints the rate.
pub(super) async fn import(store: &Store<Postgres>, glosses: &[&str]) -> Result<()> {
    let begun = Instant::now();
    let mut session: Session<Postgres> = store.session_without_tenant();
    for (gloss, id) in glosses.iter().zip(0..) {
        session.store(&Gloss {
            id,
            half: id % 2,
            body: (*gloss).to_owned(),
            embedding: Embedding::NotLoaded,
        });
        if session.pending() >= BATCH {
            session.commit().await?;
        }
    }
    session.commit().await?;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "import: {} documents in {seconds:.1} s: {:.0} documents/s, embedding included",
        glosses.len(),
        glosses.len() as f64 / seconds
    );
    Ok(())
}
