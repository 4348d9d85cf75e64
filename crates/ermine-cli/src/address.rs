//! Where the store is: what `--store` and `ERMINE_STORE` may say.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The address of a store: for now, of a SQLite file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    path: PathBuf,
}

impl Address {
    /// Reads a path, or a `sqlite:` URL.
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        let refuse = |message: String| Err(Failure::new(message));
        let postgres = ["postgres:", "postgresql:"];
        if postgres.iter().any(|scheme| text.starts_with(scheme)) {
            return refuse(
                "PostgreSQL stores are not supported by this version; name a file, as --store ermine.db".to_owned(),
            );
        }
        let path = text
            .strip_prefix("sqlite://")
            .or_else(|| text.strip_prefix("sqlite:"))
            .unwrap_or(text);
        if path.trim().is_empty() {
            return refuse(format!(
                "{text:?} names no store; name a file, as --store ermine.db, and see that ERMINE_STORE is not empty"
            ));
        }
        if let Some((scheme, _)) = path.split_once("://") {
            return refuse(format!(
                "no store is reached by {scheme}://; name a file, as --store ermine.db"
            ));
        }
        if path.starts_with(':') {
            return refuse(format!(
                "{path:?} would be gone when the command ends; name a file, as --store ermine.db"
            ));
        }
        Ok(Self {
            path: PathBuf::from(path),
        })
    }

    pub(crate) fn of_file(path: impl Into<PathBuf>) -> Self {
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

    fn refused(text: &str) -> String {
        Address::read(text).unwrap_err().to_string()
    }

    #[test]
    fn paths_and_sqlite_urls_are_files() {
        for text in ["notes/a.db", "sqlite:notes/a.db", "sqlite://notes/a.db"] {
            assert_eq!(Address::read(text).unwrap().path(), Path::new("notes/a.db"));
        }
        assert_eq!(Address::read("a.db").unwrap().folder(), Path::new("."));
    }

    #[test]
    fn what_is_no_file_is_refused_with_a_remedy() {
        for text in [
            "",
            " ",
            "sqlite:",
            ":memory:",
            "postgres://localhost/x",
            "postgresql://x",
            "http://x",
        ] {
            let message = refused(text);
            assert!(message.contains("--store ermine.db"), "{message}");
            assert_eq!(message.lines().count(), 1);
        }
    }

    #[test]
    fn folders_missing_folders_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| Address::of_file(folder.path().join(name));
        let refused = |address: Address| address.may_be_made().unwrap_err().to_string();
        assert!(refused(Address::of_file(folder.path())).contains("is a folder"));
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
