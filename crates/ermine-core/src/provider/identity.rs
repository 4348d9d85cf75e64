//! Which model made a vector.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What makes vectors comparable (rule P12). Stored with the index; a
/// different one is refused at open, naming both.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// Who runs the model: `"static"`, `"openai"`, …
    pub provider: String,
    /// The model, with its version or content hash.
    pub model: String,
    /// The length of its vectors.
    pub dimensions: usize,
    /// What is put before a document's text.
    pub document_prefix: String,
    /// What is put before a query's text.
    pub query_prefix: String,
}

impl ModelIdentity {
    /// A model without prefixes.
    pub fn new(provider: impl Into<String>, model: impl Into<String>, dimensions: usize) -> Self {
        Self {
            provider: provider.into(),
            model: model.into(),
            dimensions,
            document_prefix: String::new(),
            query_prefix: String::new(),
        }
    }
}

impl fmt::Display for ModelIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            provider,
            model,
            dimensions,
            ..
        } = self;
        write!(f, "{provider}/{model} ({dimensions} dimensions")?;
        let prefixes = [
            ("documents", &self.document_prefix),
            ("queries", &self.query_prefix),
        ];
        for (role, prefix) in prefixes.into_iter().filter(|(_, p)| !p.is_empty()) {
            write!(f, ", {role} prefixed {prefix:?}")?;
        }
        f.write_str(")")
    }
}
