//! Where the database is, and how it is opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ermine_core::{Backend, Engine, Error, ErrorKind, Result};

use crate::SqliteStore;

/// A SQLite database: what `Store::builder` takes.
///
/// ```
/// use ermine_core::{Backend, Storage};
/// use ermine_sqlite::Sqlite;
///
/// # fn block_on<F: Future>(f: F) -> F::Output {
/// #     let mut f = std::pin::pin!(f);
/// #     let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
/// #     loop {
/// #         if let std::task::Poll::Ready(out) = f.as_mut().poll(&mut cx) { return out; }
/// #         std::thread::yield_now();
/// #     }
/// # }
/// # block_on(async {
/// let engine = Sqlite::temporary().connect().await?;
/// assert_eq!(engine.capabilities().store, "SQLite");
/// # Ok::<(), ermine_core::Error>(()) }).unwrap();
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Sqlite {
    place: Place,
    settings: Settings,
}

/// How a database is opened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) readers: usize,
    pub(crate) busy_timeout: Duration,
    pub(crate) max_bytes: Option<u64>,
}

#[derive(Debug, Clone)]
enum Place {
    File(PathBuf),
    Existing(PathBuf),
    Temporary,
}

impl Sqlite {
    /// The database in the file `path`, which is created where it is missing.
    ///
    /// The file is kept in WAL mode, so there are two more beside it while it is
    /// open. Several processes may open it at once, and see each other's commits.
    /// A commit returns when it is on the disk (synchronous FULL).
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::at(Place::File(path.into()))
    }

    /// The store that is in the file `path` already. Where there is no file, or one
    /// without Ermine's tables, opening fails and leaves everything as it was:
    /// nothing is created, and no other program's database changes its mode.
    pub fn existing(path: impl Into<PathBuf>) -> Self {
        Self::at(Place::Existing(path.into()))
    }

    /// A database of its own, in a temporary file that goes with the store: the
    /// store for tests. It is not synchronised, so it is as fast as memory, and as
    /// lasting.
    pub fn temporary() -> Self {
        Self::at(Place::Temporary)
    }

    fn at(place: Place) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            place,
            settings: Settings {
                readers: cores.clamp(2, 8),
                busy_timeout: Duration::from_secs(30),
                max_bytes: None,
            },
        }
    }

    /// How many connections read at once, each on a thread of its own; at least 1.
    pub fn readers(mut self, connections: usize) -> Self {
        self.settings.readers = connections.max(1);
        self
    }

    /// How long a write waits for another process's write to end before it fails
    /// with `Busy`. The default is 30 seconds.
    pub fn busy_timeout(mut self, at_most: Duration) -> Self {
        self.settings.busy_timeout = at_most;
        self
    }

    /// The largest size the file may grow to, in bytes; a write that needs more fails.
    /// A file that is larger already does not grow.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.settings.max_bytes = Some(bytes);
        self
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    pub(crate) fn location(&self) -> Result<Location> {
        match &self.place {
            Place::File(path) => Ok(Location {
                file: path.clone(),
                folder: None,
                making: Making::IfMissing,
            }),
            Place::Existing(path) => Ok(Location {
                file: path.clone(),
                folder: None,
                making: Making::Never,
            }),
            Place::Temporary => Location::temporary(),
        }
    }
}

impl Backend for Sqlite {
    type Store = SqliteStore;

    async fn connect(self) -> Result<Engine> {
        let store = SqliteStore::open(&self).await?;
        let store = Arc::new(store);
        Ok(Engine::searching(Arc::clone(&store)).with_events(store))
    }
}

/// A database's file, removed with its folder when it is a temporary one.
#[derive(Debug)]
pub(crate) struct Location {
    file: PathBuf,
    folder: Option<PathBuf>,
    making: Making,
}

/// Whether a store is made where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Making {
    IfMissing,
    Never,
}

impl Location {
    /// A new folder, which nobody else can have made: its creation fails if it is there.
    fn temporary() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("ermine-{}", ermine_core::new_id()));
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder).map_err(|e| {
            Error::new(
                ErrorKind::Storage,
                format!(
                    "the folder {} for a temporary database cannot be created",
                    folder.display()
                ),
            )
            .with_source(e)
        })?;
        Ok(Self {
            file: folder.join("ermine.db"),
            folder: Some(folder),
            making: Making::IfMissing,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.file
    }

    pub(crate) fn making(&self) -> Making {
        self.making
    }

    pub(crate) fn is_temporary(&self) -> bool {
        self.folder.is_some()
    }
}

impl Drop for Location {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // Nobody can be told; the system clears its temporary folder in the end.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
