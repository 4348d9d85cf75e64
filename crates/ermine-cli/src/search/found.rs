//! What a search found, whatever it ranked by.

use ermine_core::{
    DynamicRecord, Figure, HybridMatch, LegHit, Matches, Outcome, TenantId, TextMatch, VectorMatch,
};

/// Matches, best first, and how they were found.
pub(crate) struct Found {
    pub(crate) hits: Vec<Hit>,
    pub(crate) outcome: Outcome,
}

/// A match.
pub(crate) struct Hit {
    pub(crate) document: DynamicRecord,
    pub(crate) figure: Figure,
    /// The legs of a hybrid search that found it.
    pub(crate) legs: Vec<LegHit>,
    pub(crate) tenant: Option<TenantId>,
}

impl Hit {
    /// A text field of the document; empty where it has none.
    pub(crate) fn text(&self, field: &str) -> &str {
        let text = self.document.get(field).and_then(|text| text.as_str());
        text.unwrap_or_default()
    }
}

impl<M: Into<Hit> + Clone> From<Matches<M>> for Found {
    fn from(matches: Matches<M>) -> Self {
        let outcome = matches.outcome().clone();
        let hits = matches.into_iter().map(M::into).collect();
        Self { hits, outcome }
    }
}

impl From<VectorMatch<DynamicRecord>> for Hit {
    fn from(hit: VectorMatch<DynamicRecord>) -> Self {
        Self {
            document: hit.document,
            figure: Figure::Distance(hit.distance),
            legs: Vec::new(),
            tenant: hit.tenant,
        }
    }
}

impl From<TextMatch<DynamicRecord>> for Hit {
    fn from(hit: TextMatch<DynamicRecord>) -> Self {
        Self {
            document: hit.document,
            figure: Figure::Score(hit.score),
            legs: Vec::new(),
            tenant: hit.tenant,
        }
    }
}

impl From<HybridMatch<DynamicRecord>> for Hit {
    fn from(hit: HybridMatch<DynamicRecord>) -> Self {
        Self {
            document: hit.document,
            figure: Figure::Score(hit.score),
            legs: hit.legs,
            tenant: hit.tenant,
        }
    }
}
