//! A static model as an embedding provider.

use std::future::poll_fn;
use std::task::Poll;

use ermine_core::{BatchLimits, EmbeddingProvider, ModelIdentity, Result, Role, Vector};

use super::StaticModel;

/// Text embedded between two chances for the executor to do something else, in bytes: about a
/// millisecond of work.
const BYTES_PER_TURN: usize = 64 * 1024;

/// Enough of the hash to tell models apart, and short enough for a message.
const HASH_DIGITS: usize = 16;

pub(super) fn identity(name: &str, content_hash: &str, dimensions: usize) -> ModelIdentity {
    let hash = content_hash.get(..HASH_DIGITS).unwrap_or(content_hash);
    ModelIdentity::new("static", format!("{name}@{hash}"), dimensions)
}

/// Both roles are embedded alike. A call never fails; it yields to the executor now and then, and
/// dropping its future stops it there.
impl EmbeddingProvider for StaticModel {
    fn identity(&self) -> &ModelIdentity {
        &self.inner.identity
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits {
            texts: 4_096,
            bytes: 4 << 20,
            ..BatchLimits::default()
        }
    }

    async fn embed(&self, texts: &[&str], _role: Role) -> Result<Vec<Option<Vector>>> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut bytes = 0;
        for text in texts {
            if bytes >= BYTES_PER_TURN {
                bytes = 0;
                give_way().await;
            }
            bytes += text.len();
            vectors.push(StaticModel::embed(self, text).map(Vector::from));
        }
        Ok(vectors)
    }
}

/// Lets the executor poll something else once.
async fn give_way() {
    let mut waited = false;
    poll_fn(|context| {
        if waited {
            return Poll::Ready(());
        }
        waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
