//! A folder to work in, and running the program there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ermine::{Postgres, Sqlite};
use ermine_core::{Backend, Engine};
use serde_json::Value as Json;

use crate::postgres::Database;
use crate::stored::wait;

/// Makes a test of each function, which is given a place, on every store on which the
/// program keeps events.
macro_rules! on_each_store {
    ($($(#[$attribute:meta])* $name:ident),* $(,)?) => {
        mod on_sqlite {
            $(
                $(#[$attribute])*
                #[test]
                fn $name() {
                    super::$name(&crate::support::Place::new());
                }
            )*
        }
        mod on_postgres {
            $(
                $(#[$attribute])*
                #[test]
                fn $name() {
                    super::$name(&crate::support::Place::on_postgres());
                }
            )*
        }
    };
}

/// A folder of its own for one test, and where the program's store is: a file there, or a
/// schema of its own in the tests' database.
pub(crate) struct Place {
    folder: tempfile::TempDir,
    database: Option<Database>,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            database: None,
        }
    }

    pub(crate) fn on_postgres() -> Self {
        Self {
            database: Some(Database::new()),
            ..Self::new()
        }
    }

    /// What `--store` names by default.
    pub(crate) fn store(&self) -> String {
        match &self.database {
            Some(database) => database.url(),
            None => "ermine.db".to_owned(),
        }
    }

    /// A folder with a few notes in it, imported.
    pub(crate) fn with_notes() -> Self {
        let place = Self::new();
        place.write("notes/pool.md", POOL);
        place.write("notes/ops/backup.md", BACKUP);
        place.write("notes/plain.txt", "A plain text about tea.\n");
        place.run(&["import", "notes"]).succeeded();
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// The program, to be run in this folder, whatever the tests' own surroundings are.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ermine"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("ERMINE_STORE")
            .env_remove("CARGO_MANIFEST_DIR");
        if let Some(database) = &self.database {
            command.env("ERMINE_STORE", database.url());
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    /// The store, without the program.
    pub(crate) fn engine(&self) -> Engine {
        match &self.database {
            Some(database) => wait(Postgres::url(database.url()).connect()).unwrap(),
            None => wait(Sqlite::existing(self.path("ermine.db")).connect()).unwrap(),
        }
    }

    /// Asserts that the program has left the store alone.
    #[track_caller]
    pub(crate) fn made_nothing(&self) {
        match &self.database {
            Some(database) => assert_eq!(database.tables(), 0),
            None => assert!(!self.exists("ermine.db")),
        }
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        Path::new(&self.path(name)).exists()
    }
}

pub(crate) const POOL: &str = "\
# Connection pools

A pool keeps connections open.

## Timeouts

When the pool is empty, a request waits, and times out after a while.

## Sizes

Twice the number of cores.
";

pub(crate) const BACKUP: &str = "\
# Backups

Copy the file at night with the backup command.
";

/// What a run of the program came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The output, of a run that ended well.
    #[track_caller]
    pub(crate) fn succeeded(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.out
    }

    /// The one line of a run that was refused.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert_eq!(self.code, 2, "{self:?}");
        assert_eq!(self.out, "");
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        self.err
    }

    /// The output as one JSON value.
    #[track_caller]
    pub(crate) fn json(self) -> Json {
        serde_json::from_str(&self.succeeded()).unwrap()
    }

    /// The output as a JSON value per line.
    #[track_caller]
    pub(crate) fn json_lines(self) -> Vec<Json> {
        let out = self.succeeded();
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// The ids of matches, in order.
pub(crate) fn ids(hits: &[Json]) -> Vec<&str> {
    hits.iter().map(|hit| hit["id"].as_str().unwrap()).collect()
}
