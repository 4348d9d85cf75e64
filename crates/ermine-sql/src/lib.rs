//! Typed-column tables and predicates to SQL for Ermine's stores.
