//! A store that a history is told to.

use std::collections::HashMap;

use ermine::{Content, Engine, EventBuilder, Store, VectorProjection, by_stream};

use super::event::{Change, Current, Indexed};
use super::log::{History, Line};
use super::model::Counting;
use crate::Result;
use crate::place::Place;

/// What makes the documents that are searched.
pub(super) const PROJECTION: &str = "history-indexed";

pub(super) async fn open(place: &Place, model: &Counting) -> Result<Store<Engine>> {
    let indexed = VectorProjection::<Indexed>::from_aggregate::<Current>(PROJECTION)
        .on(Change::RECORDED, by_stream)
        .on(Change::REVISED, by_stream)
        .on(Change::RENAMED, by_stream)
        .on(Change::TAGGED, by_stream)
        .content(|current: &Current| Content::text(current.content()))
        .delete_on(Change::FORGOTTEN, by_stream)
        .document(|row| Indexed {
            path: row.id.clone(),
            text: row.text.to_owned(),
            version: row.event.version,
            at: row.event.at.to_string(),
            embedding: ermine::Embedding::NotLoaded,
        });
    let store = Store::builder(place.connect().await?)
        .snapshot::<Current>()
        .projection(indexed)
        .embeddings(model.clone())
        .open()
        .await?;
    Ok(store)
}

/// Appends what the store lacks of a history, so many events in a unit.
pub(super) async fn import(store: &Store<Engine>, history: &History, unit: usize) -> Result<()> {
    let mut session = store.session_without_tenant();
    let mut versions: HashMap<&str, u64> = HashMap::new();
    for line in &history.lines {
        let Line {
            stream,
            version,
            at,
            change,
        } = line;
        let known = match versions.get(&**stream) {
            Some(version) => *version,
            None => {
                let state = session.stream_state(stream).await?;
                state.map_or(0, |state| state.version)
            }
        };
        versions.insert(stream, known.max(*version));
        if *version <= known {
            continue;
        }
        let event = EventBuilder::of(change.clone()).at(*at);
        session.append_expecting(stream, version - 1, [event]);
        if session.pending() >= unit {
            session.commit().await?;
        }
    }
    session.commit().await?;
    Ok(())
}

/// Everything that projections made, to the bit.
pub(super) async fn rows(store: &Store<Engine>) -> Result<Vec<String>> {
    let reader = store.reader_without_tenant();
    let indexed = reader
        .query::<Indexed>()
        .with_vectors()
        .limit(10_000)
        .await?;
    let mut rows: Vec<String> = Vec::new();
    for row in &indexed {
        if row.embedding.vector().is_none() {
            return Err(format!("{} has no vector", row.path).into());
        }
        rows.push(serde_json::to_string(row)?);
    }
    for row in &reader.query::<Current>().limit(10_000).await? {
        rows.push(serde_json::to_string(row)?);
    }
    rows.sort_unstable();
    Ok(rows)
}
