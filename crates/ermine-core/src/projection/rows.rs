//! From texts to vectors, step by step.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{PlannedRow, RowKey, RowWrite};
use crate::{
    DynEmbeddingProvider, Error, ErrorKind, Result, Role, StoredVectorState, Vector, embed_checked,
};

/// The rows of a page, while their texts are compared with what is stored and embedded.
///
/// [`EmbeddingPlan::resolve`](super::EmbeddingPlan::resolve) takes these steps at once. A
/// runtime that parks texts and commits in between takes them one by one:
/// [`compare`](Self::compare), then [`pending`](Self::pending) and [`place`](Self::place)
/// or [`set_aside`](Self::set_aside) until nothing is pending, then [`finish`](Self::finish).
#[derive(Debug, Clone)]
pub struct PlannedRows<I> {
    rows: Vec<(PlannedRow<I>, Progress)>,
    deletions: Vec<RowKey<I>>,
}

#[derive(Debug, Clone)]
enum Progress {
    Pending,
    Unchanged,
    Embedded(Option<Vector>),
    Written,
    SetAside,
}

/// What a page does to the rows: no row is in two of the lists.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EmbeddedRows<I> {
    /// The rows whose text changed, in the order of their events.
    pub writes: Vec<RowWrite<I>>,
    /// The rows whose stored vector was made from the same text.
    pub unchanged: Vec<PlannedRow<I>>,
    /// The rows that are no more.
    pub deletions: Vec<RowKey<I>>,
}

impl<I: Clone> PlannedRows<I> {
    pub(super) fn new(rows: Vec<PlannedRow<I>>, deletions: Vec<RowKey<I>>) -> Self {
        Self {
            rows: rows
                .into_iter()
                .map(|row| (row, Progress::Pending))
                .collect(),
            deletions,
        }
    }

    /// The rows that have a text, in the order of their events.
    pub fn rows(&self) -> impl Iterator<Item = &PlannedRow<I>> {
        self.rows.iter().map(|(row, _)| row)
    }

    /// The keys of [`rows`](Self::rows).
    pub fn keys(&self) -> Vec<RowKey<I>> {
        self.rows.iter().map(|(row, _)| row.key.clone()).collect()
    }

    /// The rows that are no more.
    pub fn deletions(&self) -> &[RowKey<I>] {
        &self.deletions
    }

    /// Takes the rows whose stored vector was made from the same text for unchanged
    /// (rule P7): also those that record a hash and no vector, because the model cannot
    /// represent the text. `stored` is what is recorded of each of [`keys`](Self::keys), and
    /// `None` where the row is not there, or another model made its vector.
    ///
    /// # Errors
    ///
    /// `InvalidValue` where `stored` has another length.
    pub fn compare(&mut self, stored: &[Option<StoredVectorState>]) -> Result<()> {
        same_length("rows", self.rows.len(), "stored states", stored.len())?;
        for ((row, progress), state) in self.rows.iter_mut().zip(stored) {
            let hash = state.as_ref().and_then(|state| state.hash.as_ref());
            if matches!(progress, Progress::Pending) && hash == Some(&row.hash) {
                *progress = Progress::Unchanged;
            }
        }
        Ok(())
    }

    /// The texts to be embedded, each once, in the order of their events.
    pub fn pending(&self) -> Vec<Arc<str>> {
        let mut texts = Vec::new();
        let mut seen = HashSet::new();
        for (row, progress) in &self.rows {
            if matches!(progress, Progress::Pending) && seen.insert(&row.hash) {
                texts.push(Arc::clone(&row.text));
            }
        }
        texts
    }

    /// The rows that wait for a text: several, where several have the same.
    pub fn waiting_for(&self, text: &str) -> impl Iterator<Item = &PlannedRow<I>> {
        let rows = self.rows.iter();
        rows.filter(move |(row, progress)| {
            matches!(progress, Progress::Pending) && *row.text == *text
        })
        .map(|(row, _)| row)
    }

    /// Gives texts that are pending their vectors: what
    /// [`embed_checked`](crate::embed_checked) returned for them, in their order.
    ///
    /// # Errors
    ///
    /// `InvalidValue` where the lists differ in length; nothing is placed then.
    pub fn place(&mut self, texts: &[impl AsRef<str>], vectors: Vec<Option<Vector>>) -> Result<()> {
        same_length("texts", texts.len(), "vectors", vectors.len())?;
        let placed: HashMap<&str, Option<Vector>> =
            texts.iter().map(AsRef::as_ref).zip(vectors).collect();
        for (row, progress) in &mut self.rows {
            if matches!(progress, Progress::Pending)
                && let Some(vector) = placed.get(&*row.text)
            {
                *progress = Progress::Embedded(vector.clone());
            }
        }
        Ok(())
    }

    /// Goes on without the rows that wait for a text that the provider refuses, and
    /// returns them: their events are to be parked (rule P9).
    pub fn set_aside(&mut self, text: &str) -> Vec<PlannedRow<I>> {
        let mut aside = Vec::new();
        for (row, progress) in &mut self.rows {
            if matches!(progress, Progress::Pending) && *row.text == *text {
                *progress = Progress::SetAside;
                aside.push(row.clone());
            }
        }
        aside
    }

    /// Embeds what is pending, by one call where the provider's limits allow, and by none
    /// where nothing is.
    ///
    /// # Errors
    ///
    /// As [`embed_checked`](crate::embed_checked); nothing is placed then.
    pub async fn embed<P>(&mut self, provider: &P) -> Result<()>
    where
        P: DynEmbeddingProvider + ?Sized,
    {
        let pending = self.pending();
        let texts: Vec<&str> = pending.iter().map(AsRef::as_ref).collect();
        let vectors = embed_checked(provider, &texts, Role::Document).await?;
        self.place(&texts, vectors)
    }

    /// Takes the rows that have their vectors by now, so that they can be committed
    /// while others are pending. [`finish`](Self::finish) does not return them again.
    pub fn take_writes(&mut self) -> Vec<RowWrite<I>> {
        let mut writes = Vec::new();
        for (row, progress) in &mut self.rows {
            if let Progress::Embedded(vector) = progress {
                let (row, vector) = (row.clone(), vector.take());
                writes.push(RowWrite { row, vector });
                *progress = Progress::Written;
            }
        }
        writes
    }

    /// What is to be written, without what was taken or set aside before.
    ///
    /// # Errors
    ///
    /// `InvalidValue` where a text is pending.
    pub fn finish(self) -> Result<EmbeddedRows<I>> {
        let mut rows = EmbeddedRows {
            writes: Vec::new(),
            unchanged: Vec::new(),
            deletions: self.deletions,
        };
        for (row, progress) in self.rows {
            match progress {
                Progress::Embedded(vector) => rows.writes.push(RowWrite { row, vector }),
                Progress::Unchanged => rows.unchanged.push(row),
                Progress::Written | Progress::SetAside => {}
                Progress::Pending => {
                    return Err(Error::new(
                        ErrorKind::InvalidValue,
                        format!(
                            "the text of the event at position {} was neither embedded nor set aside; finish when nothing is pending",
                            row.position
                        ),
                    ));
                }
            }
        }
        Ok(rows)
    }
}

fn same_length(what: &str, expected: usize, others: &str, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidValue,
        format!("{expected} {what} come with {found} {others}; give one for each, in their order"),
    ))
}
