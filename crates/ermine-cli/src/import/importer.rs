//! An import under way.

use std::collections::HashMap;
use std::time::Duration;

use ermine::Store;
use ermine_core::{DynamicRecord, Engine};

use super::Progress;
use super::surplus::{Imported, Surplus};
use super::text_file;
use super::writer::{Counts, Writer};
use crate::failure::Failure;
use crate::passages::Format;

/// Takes documents from files and stores them.
pub(crate) struct Importer {
    writer: Writer,
    progress: Progress,
    /// How many passages each file of text has.
    passages: HashMap<String, usize>,
    /// The bytes read for the documents that are not written yet.
    pending: u64,
}

/// What an import did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Summary {
    counts: Counts,
    time: Duration,
}

impl Importer {
    pub(crate) fn new(
        store: &Store<Engine>,
        collection: &str,
        progress: Progress,
    ) -> Result<Self, Failure> {
        Ok(Self {
            writer: Writer::new(store, collection)?,
            progress,
            passages: HashMap::new(),
            pending: 0,
        })
    }

    /// Imports the passages of a file.
    pub(crate) fn add_text(
        &mut self,
        name: &str,
        text: &str,
        format: Format,
    ) -> Result<(), Failure> {
        let documents = text_file::documents(name, text, format);
        self.passages.insert(name.to_owned(), documents.len());
        let mut rest = text.len() as u64;
        let each = rest / (documents.len() as u64).max(1);
        for document in documents {
            rest -= each;
            self.add(document, each)?;
        }
        self.pass_over(rest);
        Ok(())
    }

    /// Imports a document that took `bytes` of a file.
    pub(crate) fn add(&mut self, document: DynamicRecord, bytes: u64) -> Result<(), Failure> {
        self.pending += bytes;
        if self.writer.add(document) {
            self.flush()?;
        }
        Ok(())
    }

    /// Counts bytes that hold no document.
    pub(crate) fn pass_over(&mut self, bytes: u64) {
        self.pending += bytes;
    }

    /// Writes what has not been written yet.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.writer.flush()?;
        let written = self.writer.counts.documents();
        self.progress
            .advance(std::mem::take(&mut self.pending), written);
        Ok(())
    }

    /// How many files of text were imported.
    pub(crate) fn files(&self) -> usize {
        self.passages.len()
    }

    /// Removes the stored passages that files among `imported` no longer have.
    pub(crate) fn remove_surplus(&mut self, imported: &Imported<'_>) -> Result<(), Failure> {
        Surplus {
            imported,
            passages: &self.passages,
        }
        .remove(&mut self.writer)
    }

    pub(crate) fn finish(self) -> Summary {
        Summary {
            counts: self.writer.counts,
            time: self.progress.finish(),
        }
    }
}

impl Summary {
    /// The summary in words.
    pub(crate) fn said(&self, collection: &str, files: usize, embedded: usize) -> String {
        let Counts {
            new,
            changed,
            unchanged,
            removed,
        } = self.counts;
        let documents = counted(self.counts.documents(), "document");
        let files = counted(files, "file");
        let embedded = counted(embedded, "text");
        let seconds = self.time.as_secs_f64();
        let rate = self.counts.documents() as f64 / seconds.max(1e-3);
        format!(
            "`{collection}`: {documents} of {files}: {new} new, {changed} changed, {unchanged} unchanged, {removed} removed; {embedded} embedded; {seconds:.1} s, {rate:.0} documents/s"
        )
    }
}

/// A number with its noun, in the plural unless it is one.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
