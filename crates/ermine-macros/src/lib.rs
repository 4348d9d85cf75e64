//! Derive macros for Ermine's documents.
