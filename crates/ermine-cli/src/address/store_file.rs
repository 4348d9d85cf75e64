//! The file of a SQLite store.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file that a store is in, or will be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoreFile {
    path: PathBuf,
}

impl StoreFile {
    pub(crate) fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder the file is in.
    pub(crate) fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    /// The bytes of the file, and of its log beside it.
    pub(crate) fn size(&self) -> u64 {
        let mut log = self.path.as_os_str().to_owned();
        log.push("-wal");
        let length = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
        length(&self.path) + length(Path::new(&log))
    }

    /// Refuses a file that is not there or empty, and one that is no store.
    pub(crate) fn must_exist(&self) -> Result<(), Failure> {
        if fs::metadata(&self.path).map_or(0, |file| file.len()) == 0 {
            let path = self.path.display();
            return Err(Failure::new(format!(
                "there is no store at {path}; make one with `ermine import FOLDER --store {path}`, or name another with --store"
            )));
        }
        self.may_be_made()
    }

    /// Refuses a path at which no store is and none can be made.
    pub(crate) fn may_be_made(&self) -> Result<(), Failure> {
        let path = self.path.display();
        if self.path.is_dir() {
            let inside = self.path.join("ermine.db");
            let inside = inside.display();
            return Err(Failure::new(format!(
                "{path} is a folder; name a file in it, as --store {inside}"
            )));
        }
        if !self.folder().is_dir() {
            let folder = self.folder().display();
            return Err(Failure::new(format!(
                "the folder {folder} does not exist; make it, or name another file with --store"
            )));
        }
        let is_something_else = self.path.exists()
            && beginning(&self.path)
                .map_err(|e| Failure::new(format!("{path} cannot be read: {e}")))?
                .is_some_and(|bytes| bytes != *b"SQLite format 3\0");
        if is_something_else {
            return Err(Failure::new(format!(
                "{path} is no store, but some other file; name another with --store"
            )));
        }
        Ok(())
    }
}

/// The first bytes of a file; `None` where it is empty.
fn beginning(path: &Path) -> std::io::Result<Option<[u8; 16]>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(16).read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    bytes.resize(16, 0);
    Ok(bytes.try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_folder_is_in_the_current_one() {
        assert_eq!(StoreFile::at("a.db").folder(), Path::new("."));
        assert_eq!(StoreFile::at("notes/a.db").folder(), Path::new("notes"));
    }

    #[test]
    fn folders_missing_folders_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| StoreFile::at(folder.path().join(name));
        let refused = |file: StoreFile| file.may_be_made().unwrap_err().to_string();
        assert!(refused(StoreFile::at(folder.path())).contains("is a folder"));
        assert!(refused(at("missing/a.db")).contains("does not exist"));
        std::fs::write(folder.path().join("note.md"), "# Note").unwrap();
        assert!(refused(at("note.md")).contains("is no store"));
        std::fs::write(folder.path().join("empty.db"), "").unwrap();
        assert!(at("empty.db").may_be_made().is_ok());
        assert!(at("a.db").may_be_made().is_ok());
        for name in ["a.db", "empty.db"] {
            let missing = at(name).must_exist().unwrap_err().to_string();
            assert!(missing.contains("ermine import FOLDER"), "{missing}");
        }
    }
}
