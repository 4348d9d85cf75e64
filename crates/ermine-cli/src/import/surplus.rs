//! Passages that are stored and no longer in the files: of files that became
//! shorter, and of those that are gone.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use ermine_core::{Column, Direction, DynamicRecord, Filter};

use super::writer::{BATCH, Writer};
use crate::failure::Failure;
use crate::files::{Naming, Skipped};
use crate::schema::field;
use crate::wait::wait;

/// How many documents are looked at in one read.
const PAGE: usize = 1_000;

/// Which files an import speaks for: those at or below a root, other than those that
/// could not be read, since what was stored of them is not known to be gone.
pub(crate) struct Imported<'a> {
    roots: &'a [PathBuf],
    naming: &'a Naming,
    unread: HashSet<&'a Path>,
}

impl<'a> Imported<'a> {
    pub(crate) fn below(roots: &'a [PathBuf], naming: &'a Naming, skipped: &'a [Skipped]) -> Self {
        let unread = skipped.iter().map(|skipped| skipped.path.as_path());
        Self {
            roots,
            naming,
            unread: unread.collect(),
        }
    }

    fn includes(&self, name: &str) -> bool {
        let path = self.naming.path(name);
        let read = path.ancestors().all(|above| !self.unread.contains(above));
        read && self.roots.iter().any(|root| path.starts_with(root))
    }

    /// Filters that let through at least the files included.
    fn filters(&self) -> Vec<Filter<DynamicRecord>> {
        let file = || Column::<DynamicRecord, String>::named(field::FILE);
        // Below a folder that holds the store's, names begin in several ways.
        let store = self.naming.path("");
        if self.roots.iter().any(|root| store.starts_with(root)) {
            return vec![!file().is_null()];
        }
        let names = self.roots.iter().filter_map(|root| self.naming.name(root));
        names.map(|name| file().starts_with(name)).collect()
    }
}

/// What is to be removed.
pub(super) struct Surplus<'a> {
    pub(super) imported: &'a Imported<'a>,
    pub(super) passages: &'a HashMap<String, usize>,
}

impl Surplus<'_> {
    /// Removes it, in batches.
    pub(super) fn remove(&self, writer: &mut Writer) -> Result<(), Failure> {
        for filter in self.imported.filters() {
            let ids = self.ids(writer, filter)?;
            for batch in ids.chunks(BATCH) {
                for id in batch {
                    writer.session.delete_in(&writer.collection, id);
                }
                wait(writer.session.commit())?;
                writer.counts.removed += batch.len();
            }
        }
        Ok(())
    }

    fn ids(
        &self,
        writer: &Writer,
        filter: Filter<DynamicRecord>,
    ) -> Result<Vec<ermine_core::Id>, Failure> {
        let id = || Column::<DynamicRecord, String>::named(field::ID);
        let mut surplus = Vec::new();
        let mut after = None;
        loop {
            let mut filter = filter.clone();
            if let Some(last) = after {
                filter = filter & id().gt(last);
            }
            let query = writer.session.query_in(&writer.collection).filter(filter);
            let page = wait(query.order_by(id(), Direction::Ascending).limit(PAGE))?;
            after = page.last().map(|document| document.id.to_string());
            let full = page.len() == PAGE;
            let gone = page.into_iter().filter(|document| self.is_gone(document));
            surplus.extend(gone.map(|document| document.id));
            if !full {
                return Ok(surplus);
            }
        }
    }

    fn is_gone(&self, document: &DynamicRecord) -> bool {
        let Some(file) = document.get(field::FILE).and_then(|file| file.as_str()) else {
            return false;
        };
        let place = document.get(field::PLACE).and_then(|place| place.as_u64());
        let has = self.passages.get(file).copied().unwrap_or_default() as u64;
        self.imported.includes(file) && place.is_some_and(|place| place > has)
    }
}
