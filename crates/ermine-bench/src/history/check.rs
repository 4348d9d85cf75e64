//! What must be so after a replay.

use ermine::{Engine, Store, Timestamp};
use sha2::{Digest, Sha256};

use super::event::{Current, Indexed};
use super::log::{History, Last};
use crate::Result;

/// The final state, stream by stream: in the snapshot, in the projection's documents, and
/// of what was forgotten, in the log.
pub(super) async fn is_final(store: &Store<Engine>, history: &History) -> Result<()> {
    let reader = store.reader_without_tenant();
    let mut living = 0;
    for last in &history.last {
        let wrong = |what: &str| format!("{} is not as expected: its {what}", last.stream);
        let state = reader.stream_state(&last.stream).await?;
        if state.is_none_or(|state| state.version != last.version) {
            return Err(wrong("version").into());
        }
        let snapshot = reader.load::<Current>(&last.stream).await?;
        let indexed = reader.load::<Indexed>(&last.stream).await?;
        if last.deleted {
            if snapshot.is_some() || indexed.is_some() {
                return Err(wrong("deletion").into());
            }
            let before = reader.aggregate::<Current>(&last.stream);
            let before = before.at_version(last.version - 1).await?;
            check(last, &before.ok_or_else(|| wrong("past"))?)?;
            continue;
        }
        living += 1;
        let snapshot = snapshot.ok_or_else(|| wrong("snapshot"))?;
        if snapshot.version != last.version || !same_time(&snapshot.at, &last.at)? {
            return Err(wrong("snapshot's version or time").into());
        }
        check(last, &snapshot)?;
        let content = snapshot.content();
        match indexed {
            Some(indexed) if indexed.text == content && indexed.version == last.version => {}
            None if content.is_empty() => living -= 1,
            _ => return Err(wrong("indexed document").into()),
        }
    }
    let found = reader.query::<Indexed>().count().await?;
    if found != living {
        return Err(format!("{found} documents are indexed in the place of {living}").into());
    }
    Ok(())
}

fn check(last: &Last, current: &Current) -> Result<()> {
    let digest = Sha256::digest(current.body.as_bytes());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let is = current.title == last.title
        && current.tags == last.tags
        && digest == last.body_sha256
        && current.body.chars().count() == last.body_chars;
    if is {
        Ok(())
    } else {
        Err(format!(
            "{} is not as expected: its title, tags or body",
            last.stream
        )
        .into())
    }
}

fn same_time(one: &str, other: &str) -> Result<bool> {
    Ok(one.parse::<Timestamp>()? == other.parse::<Timestamp>()?)
}

/// Words that only superseded or forgotten text holds find nothing, and a word of each
/// document finds it.
pub(super) async fn finds_no_ghosts(store: &Store<Engine>, history: &History) -> Result<()> {
    let reader = store.reader_without_tenant();
    for term in &history.ghosts {
        let snapshots = reader.search::<Current>().matching(term).limit(1).await?;
        let indexed = reader.search::<Indexed>().matching(term).limit(1).await?;
        if !snapshots.is_empty() || !indexed.is_empty() {
            return Err(format!("{term:?} is found, and no text holds it any more").into());
        }
    }
    for document in reader.query::<Indexed>().limit(10_000).await? {
        let is_word = |word: &&str| word.len() > 4 && word.bytes().all(|b| b.is_ascii_lowercase());
        let Some(word) = document.text.split_whitespace().find(is_word) else {
            continue;
        };
        let found = reader
            .search::<Indexed>()
            .matching(word)
            .limit(1_000)
            .await?;
        if !found.iter().any(|hit| hit.document.path == document.path) {
            return Err(format!("{word:?} does not find {}", document.path).into());
        }
    }
    Ok(())
}
