//! Where the store is: what `--store` and `ERMINE_STORE` may say.

mod server;
mod store_file;

use std::fmt;
use std::path::Path;

pub(crate) use server::Server;
pub(crate) use store_file::StoreFile;

use crate::failure::Failure;

/// The address of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// A SQLite file.
    File(StoreFile),
    /// A PostgreSQL database.
    Server(Server),
}

impl Address {
    /// Reads a path, or a `sqlite:` or `postgres:` URL.
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        const REMEDY: &str = "name a file, as --store ermine.db, or a database, as --store postgres://user@host/name";
        let refuse = |message: String| Err(Failure::new(message));
        if ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
        {
            return Ok(Self::Server(Server::at(text)));
        }
        if ["postgres:", "postgresql:"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
        {
            return refuse(format!(
                "a PostgreSQL URL begins with postgres://; {REMEDY}"
            ));
        }
        let path = text
            .strip_prefix("sqlite://")
            .or_else(|| text.strip_prefix("sqlite:"))
            .unwrap_or(text);
        if path.trim().is_empty() {
            return refuse(format!(
                "{text:?} names no store; {REMEDY}, and see that ERMINE_STORE is not empty"
            ));
        }
        if let Some((scheme, _)) = path.split_once("://") {
            return refuse(format!("no store is reached by {scheme}://; {REMEDY}"));
        }
        if path.starts_with(':') {
            return refuse(format!(
                "{path:?} would be gone when the command ends; {REMEDY}"
            ));
        }
        Ok(Self::of_file(path))
    }

    pub(crate) fn of_file(path: impl Into<std::path::PathBuf>) -> Self {
        Self::File(StoreFile::at(path))
    }

    /// The folder the store is in; a database server's is in none.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            Self::File(file) => Some(file.folder()),
            Self::Server(_) => None,
        }
    }

    /// Refuses what can be seen to be no store before it is opened.
    pub(crate) fn must_exist(&self) -> Result<(), Failure> {
        match self {
            Self::File(file) => file.must_exist(),
            Self::Server(_) => Ok(()),
        }
    }

    /// Refuses an address at which no store is and none can be made.
    pub(crate) fn may_be_made(&self) -> Result<(), Failure> {
        match self {
            Self::File(file) => file.may_be_made(),
            Self::Server(_) => Ok(()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => write!(f, "{}", file.path().display()),
            Self::Server(server) => write!(f, "{server}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_sqlite_urls_are_files() {
        for text in ["notes/a.db", "sqlite:notes/a.db", "sqlite://notes/a.db"] {
            assert_eq!(Address::read(text).unwrap(), Address::of_file("notes/a.db"));
        }
    }

    #[test]
    fn postgres_urls_are_databases() {
        for text in ["postgres://localhost/x", "postgresql://me@localhost:5433/x"] {
            let expected = Address::Server(Server::at(text));
            assert_eq!(Address::read(text).unwrap(), expected);
            assert_eq!(expected.folder(), None);
        }
    }

    #[test]
    fn what_is_no_store_is_refused_with_a_remedy() {
        for text in ["", " ", "sqlite:", ":memory:", "postgres:x", "http://x"] {
            let message = Address::read(text).unwrap_err().to_string();
            assert!(message.contains("--store ermine.db"), "{message}");
            assert_eq!(message.lines().count(), 1);
        }
    }
}
