//! The contracts of Ermine: schemas, filters, distances, requests, matches and storage traits.
