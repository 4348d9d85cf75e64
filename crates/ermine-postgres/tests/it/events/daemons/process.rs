//! A daemon in a process of its own.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ermine_core::ErrorKind;
use ermine_postgres::Postgres;

use super::{LONG, load};
use crate::support::{Place, block_on};

const URL: &str = "ERMINE_SOAK_URL";
const SCHEMA: &str = "ERMINE_SOAK_SCHEMA";
const HOLDER: &str = "ERMINE_SOAK_HOLDER";
const HURRIES: &str = "ERMINE_SOAK_HURRIES";

/// A running process.
pub(super) struct Process {
    pub(super) holder: String,
    child: Child,
}

impl Process {
    pub(super) fn start(place: &Place, url: &str, number: usize, hurries: bool) -> Self {
        let holder = format!("daemon {number}");
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .arg("events::daemons::process::runs_until_its_input_ends")
            .args(["--exact", "--ignored", "--nocapture"])
            .env(URL, url)
            .env(SCHEMA, &place.schema)
            .env(HOLDER, &holder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        if hurries {
            command.env(HURRIES, "1");
        }
        let child = command.spawn().unwrap();
        Self { holder, child }
    }

    /// Kills it where it stands, by a signal that it cannot catch.
    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(super) fn stop(mut self) {
        drop(self.child.stdin.take());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "a daemon failed: {status}");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Where the test failed; otherwise it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[ignore = "a process of the soak, which starts it"]
fn runs_until_its_input_ends() {
    let told = |name: &str| {
        std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: the soak starts this"))
    };
    let begun = Instant::now();
    let store = loop {
        let postgres = Postgres::url(told(URL)).schema(told(SCHEMA));
        match block_on(load::open(postgres.connections(4))) {
            Ok(store) => break store,
            // A connection may be cut as the store is opened, which is told.
            Err(error) if error.kind() == ErrorKind::Storage && begun.elapsed() < LONG => {}
            Err(error) => panic!("{error:?}"),
        }
    };
    let mut daemon = store.daemon().holder(told(HOLDER));
    if std::env::var_os(HURRIES).is_some() {
        daemon = daemon.lease(Duration::from_millis(900));
    }
    let running = daemon.spawn().unwrap();
    let mut rest = Vec::new();
    std::io::stdin().read_to_end(&mut rest).unwrap();
    block_on(running.stop());
}
