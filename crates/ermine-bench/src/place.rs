//! Where a measured store is: a file, or a schema of a PostgreSQL.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use ermine::{Backend, Engine, Postgres, Sqlite};

use crate::Result;

/// A store's place, which another process can be told by its text.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    File(PathBuf),
    Schema { url: String, schema: String },
}

impl Place {
    /// A place that nobody used: in the database, where one is named, or else in the folder.
    pub(crate) fn fresh(store: Option<&str>, folder: &Path) -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        match store {
            Some(url) => Self::Schema {
                url: url.to_owned(),
                schema: format!("ermine_measured_{}_{number}", std::process::id()),
            },
            None => Self::File(folder.join(format!("{number}.db"))),
        }
    }

    pub(crate) async fn connect(&self) -> Result<Engine> {
        Ok(match self {
            Self::File(file) => Sqlite::file(file).connect().await?,
            Self::Schema { url, schema } => Postgres::url(url).schema(schema).connect().await?,
        })
    }

    /// Leaves nothing of it; a file goes with its folder.
    pub(crate) async fn remove(&self) -> Result<()> {
        if let Self::Schema { url, schema } = self {
            crate::postgres::drop_schema(url, schema).await?;
        }
        Ok(())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => write!(f, "{}", file.display()),
            Self::Schema { url, schema } => write!(f, "{url}#{schema}"),
        }
    }
}

impl FromStr for Place {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        Ok(match text.rsplit_once('#') {
            Some((url, schema)) if url.starts_with("postgres") => Self::Schema {
                url: url.to_owned(),
                schema: schema.to_owned(),
            },
            _ => Self::File(PathBuf::from(text)),
        })
    }
}
