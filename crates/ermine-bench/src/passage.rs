//! The documents that are measured with.

use std::time::Instant;

use ermine::{Backend, Document, Embedding, Session, StaticModel, Store};
use serde::{Deserialize, Serialize};

use crate::Result;

/// How many documents a commit takes.
const BATCH: usize = 1_000;

#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(name = "passages", language = "english")]
pub(crate) struct Passage {
    #[document(id)]
    pub(crate) id: String,
    #[document(text)]
    pub(crate) title: String,
    #[document(text)]
    pub(crate) text: String,
    #[document(vector(dimensions = 256, metric = "cosine", from = "title, text"))]
    pub(crate) embedding: Embedding,
}

impl Passage {
    pub(crate) fn new(id: String, title: String, text: String) -> Self {
        Self {
            id,
            title,
            text,
            embedding: Embedding::NotLoaded,
        }
    }

    fn bytes(&self) -> usize {
        self.title.len() + self.text.len()
    }
}

pub(crate) async fn open<B: Backend>(backend: B) -> Result<Store<B>> {
    let store = Store::builder(backend)
        .document::<Passage>()
        .embeddings(StaticModel::bundled())
        .open()
        .await?;
    Ok(store)
}

/// Stores and embeds `passages`, and prints the rate.
pub(crate) async fn import<B: Backend>(
    store: &Store<B>,
    passages: impl Iterator<Item = Passage>,
) -> Result<()> {
    let begun = Instant::now();
    let (mut documents, mut bytes) = (0_usize, 0_usize);
    let mut session: Session<B> = store.session_without_tenant();
    for passage in passages {
        documents += 1;
        bytes += passage.bytes();
        session.store(&passage);
        if session.pending() >= BATCH {
            session.commit().await?;
        }
    }
    session.commit().await?;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "import: {documents} documents of {:.0} bytes on average in {seconds:.1} s: {:.0} documents/s, {:.2} MB/s",
        bytes as f64 / documents.max(1) as f64,
        documents as f64 / seconds,
        bytes as f64 / 1e6 / seconds,
    );
    Ok(())
}
