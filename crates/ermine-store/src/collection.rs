//! Collections: a declared type as a store opened it.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ermine_core::{Schema, SchemaReport};
use ermine_text::Analyzer;

/// What the runtime keeps of a declared type.
pub(crate) struct Opened {
    pub(crate) schema: Arc<Schema>,
    pub(crate) analyzer: Analyzer,
    /// For each vector field, the place of its provider in the runtime.
    pub(crate) providers: Vec<Option<usize>>,
    pub(crate) report: SchemaReport,
}

/// A handle on one collection of an open store.
///
/// Typed code seldom needs one: `search::<D>()` finds it by type. It is how
/// documents whose type is made at run time are reached, and it belongs to the
/// store that gave it.
pub struct Collection<R> {
    pub(crate) opened: Arc<Opened>,
    record: PhantomData<fn() -> R>,
}

impl<R> Collection<R> {
    pub(crate) fn new(opened: Arc<Opened>) -> Self {
        Self {
            opened,
            record: PhantomData,
        }
    }

    /// The type's name.
    pub fn name(&self) -> &str {
        self.opened.schema.name()
    }

    /// The declaration it was opened with.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.opened.schema
    }

    /// The analyser of its texts: what highlights the words a query found.
    pub fn analyzer(&self) -> &Analyzer {
        &self.opened.analyzer
    }
}

impl<R> Clone for Collection<R> {
    fn clone(&self) -> Self {
        Self::new(self.opened.clone())
    }
}

impl<R> fmt::Debug for Collection<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Collection({})", self.name())
    }
}
