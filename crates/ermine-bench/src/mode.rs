//! The three searches, by name.

use ermine::{Backend, HybridSearch, Reader, TextSearch, VectorSearch};

use crate::Result;
use crate::passage::Passage;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Text,
    Vector,
    Hybrid,
}

impl Mode {
    pub(crate) const ALL: [Self; 3] = [Self::Text, Self::Vector, Self::Hybrid];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Vector => "vector",
            Self::Hybrid => "hybrid",
        }
    }

    /// The ids found for `query`, best first.
    pub(crate) async fn search<B: Backend>(
        self,
        reader: &Reader<B>,
        query: &str,
        limit: usize,
    ) -> Result<Vec<String>>
    where
        B::Store: TextSearch + VectorSearch + HybridSearch,
    {
        let search = reader.search::<Passage>();
        let found: Vec<Passage> = match self {
            Self::Text => search
                .matching(query)
                .limit(limit)
                .await?
                .into_documents()
                .collect(),
            Self::Vector => search
                .nearest_text(query)
                .limit(limit)
                .await?
                .into_documents()
                .collect(),
            Self::Hybrid => search
                .hybrid(query)
                .limit(limit)
                .await?
                .into_documents()
                .collect(),
        };
        Ok(found.into_iter().map(|passage| passage.id).collect())
    }
}
