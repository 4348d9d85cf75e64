//! PostgreSQL for the tests: the server that the environment names, or one of our own.

mod account;
mod cluster;
mod install;

use account::Account;
use cluster::Cluster;

/// What tells the tests where PostgreSQL is.
pub(crate) const VARIABLE: &str = "ERMINE_TEST_POSTGRES";

/// A server for the tests. One of our own stops when this value goes, and when
/// this process goes, however it ends.
pub(crate) struct Postgres {
    url: String,
    own: Option<Cluster>,
}

impl Postgres {
    /// The server that the environment names, or else one of our own.
    pub(crate) fn given_or_started() -> Result<Self, String> {
        match std::env::var(VARIABLE) {
            Ok(url) if !url.is_empty() => Ok(Self { url, own: None }),
            _ => Self::started(),
        }
    }

    fn started() -> Result<Self, String> {
        let account = Account::unprivileged()?;
        let programs = install::programs(&account)?;
        let own = Cluster::start(&programs, &account)?;
        Ok(Self {
            url: own.url(),
            own: Some(own),
        })
    }

    /// Where it is.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Whether it is one of our own.
    pub(crate) fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// Restarts one of our own, in a mode of `pg_ctl`'s.
    pub(crate) fn restart(&self, mode: &str) -> Result<(), String> {
        match &self.own {
            Some(own) => own.restart(mode),
            None => Err("the server is somebody else's".to_owned()),
        }
    }

    /// What it takes to repeat a command that was told of it by a variable.
    pub(crate) fn hint(&self, variable: &str) -> String {
        match self.own {
            Some(_) => format!(
                "\nwith {variable} set to the URL that `cargo xtask postgres` prints, running in \
                 another shell"
            ),
            None => format!("\nwith {variable} set to the URL in {VARIABLE}"),
        }
    }
}

/// Runs a server until this process is stopped.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(argument) = arguments.first() {
        return Err(format!(
            "`postgres` takes no arguments, and got `{argument}`"
        ));
    }
    let postgres = Postgres::started()?;
    println!("{VARIABLE}={}", postgres.url());
    eprintln!("PostgreSQL runs until this is stopped (Ctrl-C); nothing in it is kept.");
    loop {
        std::thread::park();
    }
}
