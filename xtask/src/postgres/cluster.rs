//! A server of our own, in a temporary folder.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::account::Account;

/// A running server and its folder.
pub(super) struct Cluster {
    folder: PathBuf,
    guard: Child,
    programs: PathBuf,
    account: Account,
}

/// Waits until its standard input closes, as it does when this process ends in
/// whatever way; then stops the server and removes its folder.
const GUARD: &str = r#"cat >/dev/null
"$1" stop --silent --mode immediate --pgdata "$2/data" >/dev/null 2>&1
rm -rf "$2""#;

/// Nothing in it outlives the tests, so nothing is flushed to disk.
const SETTINGS: [&str; 5] = [
    "listen_addresses=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    // Each test has a pool of its own.
    "max_connections=400",
];

impl Cluster {
    pub(super) fn start(programs: &Path, account: &Account) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("ermine-postgres-{}", std::process::id()));
        DirBuilder::new()
            .mode(0o700)
            .create(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        account.own(&folder)?;
        let guard = account
            .command("sh")
            .args(["-c", GUARD, "guard"])
            .args([&programs.join("pg_ctl"), &folder])
            .current_dir("/")
            .stdin(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| format!("sh did not start: {error}"))?;
        let cluster = Self {
            folder,
            guard,
            programs: programs.to_owned(),
            account: *account,
        };
        let program = |name: &str| cluster.program(name);
        let data = cluster.folder.join("data");
        let mut initdb = program("initdb");
        initdb.args(["--username", "postgres", "--auth", "trust", "--no-sync"]);
        initdb.args(["--encoding", "UTF8", "--locale", "C", "--locale-provider"]);
        initdb.args(["builtin", "--builtin-locale", "C.UTF-8", "--pgdata"]);
        cluster.run(initdb.arg(&data))?;

        let mut options = format!("-k '{}'", cluster.folder.display());
        for setting in SETTINGS {
            options += &format!(" -c {setting}");
        }
        let mut start = program("pg_ctl");
        start.args(["start", "--wait", "--silent", "--pgdata"]);
        start
            .arg(&data)
            .arg("--log")
            .arg(cluster.folder.join("log"));
        cluster.run(start.arg("--options").arg(options))?;

        let mut psql = program("psql");
        psql.args(["--no-psqlrc", "--quiet", "--dbname", &cluster.url()]);
        cluster.run(psql.args(["--command", "CREATE EXTENSION vector"]))?;
        Ok(cluster)
    }

    /// Where it is: a socket in its folder, which only its account and root can enter.
    pub(super) fn url(&self) -> String {
        let mut host = String::new();
        for byte in self.folder.as_os_str().as_encoded_bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
                    host.push(char::from(*byte));
                }
                _ => host += &format!("%{byte:02X}"),
            }
        }
        format!("postgres://postgres@{host}/postgres")
    }

    /// Stops it in a mode of `pg_ctl`'s, and starts it again as it was.
    pub(super) fn restart(&self, mode: &str) -> Result<(), String> {
        let mut restart = self.program("pg_ctl");
        restart.args(["restart", "--wait", "--silent", "--mode", mode, "--pgdata"]);
        restart.arg(self.folder.join("data"));
        self.run(restart.arg("--log").arg(self.folder.join("log")))
    }

    fn program(&self, name: &str) -> Command {
        let mut command = self.account.command(self.programs.join(name));
        // What a user set for another server is not for this one.
        for (variable, _) in std::env::vars_os() {
            if variable.as_encoded_bytes().starts_with(b"PG") {
                command.env_remove(variable);
            }
        }
        command.current_dir("/");
        command
    }

    /// Runs one of the server's programs to its end; what it says is told when it fails.
    fn run(&self, command: &mut Command) -> Result<(), String> {
        // A file and not a pipe, since the server keeps open what its starter was given.
        let said = self.folder.join("said");
        let output = File::create(&said)
            .and_then(|file| Ok((file.try_clone()?, file)))
            .map_err(|error| format!("{}: {error}", said.display()))?;
        command
            .stdin(Stdio::null())
            .stdout(output.0)
            .stderr(output.1);
        let why = match command.status() {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let mut message = format!("PostgreSQL did not start: {command:?} failed ({why})");
        for file in [&said, &self.folder.join("log")] {
            message += "\n";
            message += &fs::read_to_string(file).unwrap_or_default();
        }
        Err(message)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // `wait` closes the guard's standard input first.
        let _ = self.guard.wait();
    }
}
