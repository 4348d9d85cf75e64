//! Where the database is, and how it is opened.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use ermine_core::{Backend, Engine, Error, ErrorKind, Result};
use ermine_sql::quote;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use crate::progress::Reporting;
use crate::tls::Tls;
use crate::{IndexProgress, PostgresStore};

/// A PostgreSQL database: what `Store::builder` takes.
///
/// The database needs the extension pgvector, 0.8 or later; Ermine does not create it.
///
/// ```no_run
/// use ermine_core::{Backend, Storage};
/// use ermine_postgres::Postgres;
///
/// # async fn example() -> ermine_core::Result<()> {
/// let engine = Postgres::url("postgres://app@localhost/app")
///     .schema("ermine")
///     .connections(16)
///     .connect()
///     .await?;
/// assert_eq!(engine.capabilities().store, "PostgreSQL");
/// # Ok(()) }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Postgres {
    url: String,
    schema: Option<String>,
    connections: usize,
    reporting: Reporting,
    #[cfg(feature = "tls")]
    root: Option<std::path::PathBuf>,
}

impl Postgres {
    /// The database at `url`, such as `postgres://user:password@host:5432/database`; the
    /// `key=value` form of libpq is understood too. `sslmode` says whether the connection
    /// is encrypted, which needs the feature `tls`: `disable`, `prefer` (the default: where
    /// the server offers it, to whoever that is) or `require` (and the server shows a
    /// certificate for its host that the system's roots vouch for).
    pub fn url(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            schema: None,
            connections: 8,
            reporting: None,
            #[cfg(feature = "tls")]
            root: None,
        }
    }

    /// Keeps everything in the schema `name`, which is created where it is missing. By
    /// default it is the first one of the user's `search_path`.
    pub fn schema(mut self, name: impl Into<String>) -> Self {
        self.schema = Some(name.into());
        self
    }

    /// How many connections there are at most, each made when it is first needed; at
    /// least 1, and 8 by default. A call holds one until it is answered; more calls wait.
    /// One more listens, once events are waited for.
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections.max(1);
        self
    }

    /// Calls `told`, a few times a second, while an index is built over rows that are
    /// there, with how far it is. It is called on a thread of the store's, so it returns
    /// at once; a store of one connection has none to look on with.
    ///
    /// ```
    /// use ermine_postgres::Postgres;
    ///
    /// let database = Postgres::url("postgres://app@localhost/app").on_index_progress(|build| {
    ///     eprintln!("{}.{}: {} {}/{}", build.collection, build.field, build.phase, build.done, build.total);
    /// });
    /// ```
    pub fn on_index_progress(
        mut self,
        told: impl Fn(&IndexProgress) + Send + Sync + 'static,
    ) -> Self {
        self.reporting = Some(Arc::new(told));
        self
    }

    pub(crate) fn reporting(&self) -> Reporting {
        self.reporting.clone()
    }

    pub(crate) fn most_connections(&self) -> usize {
        self.connections
    }

    pub(crate) fn schema_name(&self) -> Option<&str> {
        self.schema.as_deref()
    }

    /// Trusts the certificates in a file in PEM form, and no others, to say who the server
    /// is; and asks it whatever the URL's `sslmode`, where the connection is encrypted. By
    /// default those of the system are trusted, and asked with `sslmode=require` only.
    #[cfg(feature = "tls")]
    pub fn root_certificate(mut self, file: impl Into<std::path::PathBuf>) -> Self {
        self.root = Some(file.into());
        self
    }

    #[cfg(feature = "tls")]
    pub(crate) fn tls(&self, mode: SslMode) -> Result<Tls> {
        Tls::new(mode, self.root.as_deref())
    }

    #[cfg(not(feature = "tls"))]
    pub(crate) fn tls(&self, mode: SslMode) -> Result<Tls> {
        unencrypted(mode)
    }

    /// The driver's settings. Those of a session are sent as its connection starts.
    pub(crate) fn config(&self) -> Result<Config> {
        let mut config = Config::from_str(&self.url).map_err(|e| {
            Error::new(
                ErrorKind::InvalidOption,
                "the address of the PostgreSQL database cannot be read; it looks like postgres://user@host:5432/database",
            )
            .with_source(e)
        })?;
        // A transaction that its client forgot must not hold others up for good, and
        // statements are too short for just-in-time compilation to pay.
        let mut settings = vec![
            ("idle_in_transaction_session_timeout", "60s".to_owned()),
            ("client_min_messages", "warning".to_owned()),
            ("jit", "off".to_owned()),
        ];
        if let Some(schema) = &self.schema {
            settings.push(("search_path", quote(schema)));
        }
        let mut options = config.get_options().unwrap_or_default().to_owned();
        for (name, value) in settings {
            options.push_str(&format!(" -c {name}={}", escaped(&value)));
        }
        config.options(options.trim_start());
        if config.get_application_name().is_none() {
            config.application_name("ermine");
        }
        Ok(config)
    }
}

/// What connects where nothing can be encrypted.
#[cfg(any(test, not(feature = "tls")))]
fn unencrypted(mode: SslMode) -> Result<tokio_postgres::NoTls> {
    if mode == SslMode::Require {
        return Err(Error::new(
            ErrorKind::Unsupported,
            "the address of the PostgreSQL database requires TLS (sslmode=require), and this program was built without; build it with the feature `postgres-tls` of `ermine`, `tls` of `ermine-cli`, or connect over a local socket or a tunnel",
        ));
    }
    Ok(tokio_postgres::NoTls)
}

/// A value among a connection's options, where a space separates them.
fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        if c == '\\' || c.is_whitespace() {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

impl Backend for Postgres {
    type Store = PostgresStore;

    async fn connect(self) -> Result<Engine> {
        let store = PostgresStore::open(&self).await?;
        let store = Arc::new(store);
        Ok(Engine::searching(Arc::clone(&store)).with_events(store))
    }
}

impl fmt::Debug for Postgres {
    /// Without the address, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres")
            .field("schema", &self.schema)
            .field("connections", &self.connections)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        let shown = format!("{:?}", Postgres::url("postgres://me:secret@host/db"));
        assert!(!shown.contains("secret"), "{shown}");
    }

    #[test]
    fn the_schema_is_quoted_and_escaped_among_the_options() {
        let config = Postgres::url("postgres://h/db")
            .schema("a b\\\"c")
            .config()
            .unwrap();
        let options = config.get_options().unwrap();
        assert!(options.contains(r#"search_path="a\ b\\""c""#), "{options}");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let refused = Postgres::url("postgres://h:port/db").config().unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidOption);
    }

    #[test]
    fn an_address_that_needs_tls_is_refused_without_it() {
        let postgres = Postgres::url("postgres://h/db?sslmode=require");
        let mode = postgres.config().unwrap().get_ssl_mode();
        let refused = unencrypted(mode).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Unsupported);
        assert!(unencrypted(SslMode::Prefer).is_ok());
    }
}
