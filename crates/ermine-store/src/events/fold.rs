//! Folding streams.

use ermine_core::{Aggregate, Document, Fold, RecordParts, Result, Schema, StoredEvent};

use super::{Folding, Pages};

/// What a stream's pages add up to: nothing, where it is tombstoned meanwhile.
pub(crate) async fn fold_pages<A: Aggregate>(mut pages: Pages) -> Result<Option<A>> {
    let mut fold = Fold::new();
    while let Some(page) = pages.next().await? {
        page.iter().try_for_each(|event| fold.push(event))?;
    }
    Ok(fold.into_state().filter(|_| pages.tombstoned().is_none()))
}

impl<A: Aggregate + Document> Folding for Fold<A> {
    fn fold(&mut self, event: &StoredEvent) -> Result<()> {
        self.push(event)
    }

    fn parts(&self, schema: &Schema) -> Result<Option<RecordParts>> {
        self.state().map(|state| state.to_parts(schema)).transpose()
    }
}
