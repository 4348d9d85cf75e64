//! Analyser, forward records, posting segments and BM25 for Ermine; knows no database.
