//! Embedding providers for Ermine.
