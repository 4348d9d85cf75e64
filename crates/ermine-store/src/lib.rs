//! Ermine's runtime over any store: sessions, units of work, analysis and embedding of documents.
