//! What a page of events does to the rows.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use super::map::Effect;
use super::{
    ApplyError, EmbeddedRows, NeededAggregate, NeededStream, PlannedRow, PlannedRows, RowKey,
    StreamFold, VectorProjectionMap,
};
use crate::{
    DocumentId, DynEmbeddingProvider, Error, ErrorKind, Id, Position, Result, StoredEvent,
    StoredVectorState, StreamId, TenantId, content_hash,
};

#[doc = include_str!("../../docs/embedding_plan.md")]
pub struct EmbeddingPlan<'m, I> {
    map: &'m VectorProjectionMap<I>,
    entries: BTreeMap<(Option<TenantId>, Id), Entry<I>>,
}

struct Entry<I> {
    key: RowKey<I>,
    /// The event that has the last word on the row.
    position: Position,
    stream: StreamId,
    version: u64,
    outcome: Outcome,
}

enum Outcome {
    Text(String),
    Aggregate,
    Deleted,
}

impl<'m, I: DocumentId> EmbeddingPlan<'m, I> {
    /// Of no events.
    pub fn new(map: &'m VectorProjectionMap<I>) -> Self {
        Self {
            map,
            entries: BTreeMap::new(),
        }
    }

    /// Of a page of events, upcast and in order.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn build<'e>(
        map: &'m VectorProjectionMap<I>,
        events: impl IntoIterator<Item = &'e StoredEvent>,
    ) -> Result<Self, ApplyError> {
        let mut plan = Self::new(map);
        for event in events {
            plan.add(event)?;
        }
        Ok(plan)
    }

    /// Adds the next event of the page; one of a type that the map does not name changes
    /// nothing. The last content of each row wins, deletes included (rule P4).
    ///
    /// # Errors
    ///
    /// Where the event cannot be read, or a selector returns an error or panics. The plan
    /// is then what it was, and can go on without the event.
    pub fn add(&mut self, event: &StoredEvent) -> Result<(), ApplyError> {
        let effects = self.map.effects(event).map_err(|error| ApplyError {
            tenant: event.tenant.clone(),
            position: event.position,
            error,
        })?;
        for effect in effects {
            let (id, outcome) = match effect {
                // An empty text removes the row (rule P3).
                Effect::Write(id, text) if text.is_empty() => (id, Outcome::Deleted),
                Effect::Write(id, text) => (id, Outcome::Text(text)),
                Effect::Aggregate(id) => (id, Outcome::Aggregate),
                Effect::Delete(id) => (id, Outcome::Deleted),
            };
            let key = RowKey {
                tenant: event.tenant.clone(),
                id,
            };
            self.entries.insert(
                order_of(&key),
                Entry {
                    key,
                    position: event.position,
                    stream: event.stream.clone(),
                    version: event.version,
                    outcome,
                },
            );
        }
        Ok(())
    }

    /// The rows of the plan, each with the position of the event that has the last word on it.
    pub fn rows(&self) -> impl Iterator<Item = (&RowKey<I>, Position)> {
        self.entries
            .values()
            .map(|entry| (&entry.key, entry.position))
    }

    /// Leaves the other rows out of the plan: those whose final content a rebuild found
    /// in another page (rule P11).
    pub fn retain(&mut self, mut keep: impl FnMut(&RowKey<I>, Position) -> bool) {
        self.entries
            .retain(|_, entry| keep(&entry.key, entry.position));
    }

    /// The rows whose text is that of an aggregate which was not applied yet.
    pub fn aggregates(&self) -> Vec<NeededAggregate<I>> {
        let needed = self
            .entries
            .values()
            .filter_map(|entry| match entry.outcome {
                Outcome::Aggregate => Some(NeededAggregate {
                    key: entry.key.clone(),
                    stream: entry.stream.clone(),
                    version: entry.version,
                    position: entry.position,
                }),
                Outcome::Text(_) | Outcome::Deleted => None,
            });
        needed.collect()
    }

    /// The streams of those aggregates, each once: what a live fold reads (rule P5).
    pub fn streams(&self) -> Vec<NeededStream> {
        let mut streams: BTreeMap<(Option<TenantId>, StreamId), u64> = BTreeMap::new();
        for NeededAggregate {
            key,
            stream,
            version,
            ..
        } in self.aggregates()
        {
            let last = streams.entry((key.tenant, stream)).or_default();
            *last = version.max(*last);
        }
        let streams = streams.into_iter();
        streams
            .map(|((tenant, stream), version)| NeededStream {
                tenant,
                stream,
                version,
            })
            .collect()
    }

    /// Gives a row the text of its aggregate, as it was at [`NeededAggregate::version`]:
    /// the inline snapshot where its version is that one. `None` where there was no
    /// aggregate, which removes the row.
    ///
    /// # Errors
    ///
    /// Where the content's closure returns an error or panics, or takes another type.
    pub fn apply_aggregate<A: 'static>(
        &mut self,
        needed: &NeededAggregate<I>,
        aggregate: Option<&A>,
    ) -> Result<(), ApplyError> {
        let state = aggregate.map(|state| state as &dyn Any);
        let text = match (state, &self.map.content) {
            (None, _) => Ok(None),
            (Some(state), Some(content)) => content.text(state).map(Some),
            (Some(_), None) => Err(no_content()),
        };
        let text = text.map_err(|error| needed.failed(error))?;
        self.set(needed, text);
        Ok(())
    }

    /// Begins the live fold of a stream, which is given the stream's events from the
    /// first to [`NeededStream::version`], in pages of any size.
    ///
    /// # Errors
    ///
    /// `Declaration` where the map has triggers without content.
    pub fn fold(&self, stream: &NeededStream) -> Result<StreamFold<I>, ApplyError> {
        let mut needed = self.aggregates();
        needed
            .retain(|needed| needed.key.tenant == stream.tenant && needed.stream == stream.stream);
        let content = self.map.content.clone();
        if let (None, Some(first)) = (&content, needed.first()) {
            return Err(first.failed(no_content()));
        }
        let fold = content.map(|content| content.fold());
        Ok(StreamFold::new(needed, fold))
    }

    /// Gives the rows of a stream the texts of its fold.
    ///
    /// # Errors
    ///
    /// `InvalidValue` where the fold was not given events up to the version that was
    /// needed. A stream without any events has no aggregate, which removes its rows.
    pub fn apply_fold(&mut self, fold: StreamFold<I>) -> Result<(), ApplyError> {
        for (needed, text) in fold.finish()? {
            self.set(&needed, text);
        }
        Ok(())
    }

    /// Folds a stream that is at hand, and gives its rows the texts: [`fold`](Self::fold)
    /// and [`apply_fold`](Self::apply_fold) at once.
    ///
    /// # Errors
    ///
    /// As those, and as [`StreamFold::push`].
    pub fn apply_stream<'e>(
        &mut self,
        stream: &NeededStream,
        events: impl IntoIterator<Item = &'e StoredEvent>,
    ) -> Result<(), ApplyError> {
        let mut fold = self.fold(stream)?;
        for event in events {
            fold.push(event)?;
        }
        self.apply_fold(fold)
    }

    fn set(&mut self, needed: &NeededAggregate<I>, text: Option<String>) {
        // Another event may have had the last word since.
        if let Some(entry) = self.entries.get_mut(&order_of(&needed.key))
            && matches!(entry.outcome, Outcome::Aggregate)
            && entry.position == needed.position
        {
            entry.outcome = match text {
                Some(text) if !text.is_empty() => Outcome::Text(text),
                _ => Outcome::Deleted,
            };
        }
    }

    /// The rows with their texts, to be compared and embedded step by step.
    ///
    /// # Errors
    ///
    /// `InvalidValue` where an aggregate was not applied.
    pub fn into_rows(self) -> Result<PlannedRows<I>> {
        let mut rows = Vec::new();
        let mut deletions = Vec::new();
        for Entry {
            key,
            position,
            stream,
            version,
            outcome,
        } in self.entries.into_values()
        {
            match outcome {
                Outcome::Text(text) => rows.push(PlannedRow {
                    key,
                    hash: content_hash(&text),
                    text: Arc::from(text),
                    position,
                }),
                Outcome::Deleted => deletions.push(key),
                Outcome::Aggregate => {
                    return Err(Error::new(
                        ErrorKind::InvalidValue,
                        format!(
                            "the aggregate of stream {stream} at version {version} was not applied to the plan; apply all that it needs"
                        ),
                    ));
                }
            }
        }
        // In the order of the events, so that calls are the same however rows are named.
        rows.sort_by_key(|row| row.position);
        Ok(PlannedRows::new(rows, deletions))
    }

    /// Compares the texts with what is stored and embeds those that changed, by one call
    /// of the provider where its limits allow (rules P7 and P8).
    ///
    /// `stored` is asked once, and not at all where there is no text: for what is recorded
    /// beside the vector of each row, in the order of the keys. It returns `None` for a
    /// row that is not there, has lost its vector, or whose vector another model made.
    ///
    /// # Errors
    ///
    /// As [`into_rows`](Self::into_rows), what `stored` returns, and as
    /// [`embed_checked`](crate::embed_checked). Nothing is to be written then.
    pub async fn resolve<P, S, F>(self, provider: &P, stored: S) -> Result<EmbeddedRows<I>>
    where
        P: DynEmbeddingProvider + ?Sized,
        S: FnOnce(Vec<RowKey<I>>) -> F,
        F: Future<Output = Result<Vec<Option<StoredVectorState>>>>,
    {
        let mut rows = self.into_rows()?;
        let keys = rows.keys();
        if !keys.is_empty() {
            rows.compare(&stored(keys).await?)?;
            rows.embed(provider).await?;
        }
        rows.finish()
    }
}

impl<I> fmt::Debug for EmbeddingPlan<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.entries.iter();
        let positions = rows.map(|((tenant, id), entry)| ((tenant, id), entry.position));
        f.debug_map().entries(positions).finish()
    }
}

fn order_of<I: DocumentId>(key: &RowKey<I>) -> (Option<TenantId>, Id) {
    (key.tenant.clone(), key.id.to_id())
}

fn no_content() -> Error {
    Error::new(
        ErrorKind::Declaration,
        "the projection has no content from an aggregate; declare it by `content`",
    )
}
