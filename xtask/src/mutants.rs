//! Wrong runtimes: each must be caught by a fact of the rule it breaks.
//!
//! The stores' mutants are wrappers, and run with the other tests. What the runtime does
//! between its calls of a store no wrapper can change, so these are changes of the source,
//! made in a copy of it: a build for each, and minutes for all.

mod runtime;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long the facts of a rule may take: one that waits for what never comes has noticed.
const AT_MOST: Duration = Duration::from_secs(180);

/// A mistake.
struct Mutant {
    name: &'static str,
    /// A rule whose facts must notice.
    rule: &'static str,
    file: &'static str,
    /// What stands there, once.
    original: &'static str,
    mistaken: &'static str,
}

/// What the facts said of a mutant.
enum Verdict {
    Caught,
    Survived,
    DidNotEnd,
}

impl Mutant {
    /// The file with the mistake in it.
    fn of(&self, source: &str) -> Result<String, String> {
        match source.matches(self.original).count() {
            1 => Ok(source.replacen(self.original, self.mistaken, 1)),
            count => Err(format!(
                "{:?}: its original stands {count} times in {}; adapt it to the source",
                self.name, self.file
            )),
        }
    }

    fn read(&self, root: &Path) -> Result<String, String> {
        let path = root.join(self.file);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// Tries all mutants, or those whose name contains the argument.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let part = match arguments {
        [] => "",
        [part] => part,
        _ => return Err("`mutants` takes a part of a name, or nothing".to_owned()),
    };
    let root = root();
    let copy = root.join("target/mutants/source");
    let mut survivors = Vec::new();
    let chosen: Vec<&Mutant> = runtime::ALL
        .iter()
        .filter(|mutant| mutant.name.contains(part))
        .collect();
    copy_sources(&root, &copy)?;
    without_mistakes(&copy, &chosen)?;
    for (number, mutant) in (1..).zip(&chosen) {
        // The copy's, which stays as it is while somebody works on the other.
        let source = mutant.read(&copy)?;
        let path = copy.join(mutant.file);
        let write = |text: &str| {
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
        };
        write(&mutant.of(&source)?)?;
        let verdict = verdict(&copy, mutant);
        write(&source)?;
        let said = match verdict? {
            Verdict::Caught => "caught",
            Verdict::DidNotEnd => "caught: the facts did not end",
            Verdict::Survived => {
                survivors.push(mutant.name);
                "NOT CAUGHT"
            }
        };
        println!(
            "[{number}/{}] {}: {} ({said})",
            chosen.len(),
            mutant.rule.to_uppercase(),
            mutant.name
        );
    }
    if survivors.is_empty() {
        return Ok(());
    }
    Err(format!("no fact of their rule notices {survivors:?}"))
}

/// Fails unless the facts hold without a mistake: else they would notice anything.
fn without_mistakes(copy: &Path, mutants: &[&Mutant]) -> Result<(), String> {
    let program = build(copy).map_err(|said| format!("the source does not compile:\n{said}"))?;
    let rules: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.rule).collect();
    for rule in rules {
        match facts(&program, rule)? {
            Verdict::Survived => {}
            Verdict::Caught => return Err(format!("facts of {rule} fail without a mistake")),
            Verdict::DidNotEnd => return Err(format!("facts of {rule} take too long")),
        }
    }
    Ok(())
}

fn verdict(copy: &Path, mutant: &Mutant) -> Result<Verdict, String> {
    let program = build(copy);
    let program = program.map_err(|said| format!("{:?} does not compile:\n{said}", mutant.name))?;
    facts(&program, mutant.rule)
}

/// Runs the facts of a rule on the reference store.
fn facts(program: &Path, rule: &str) -> Result<Verdict, String> {
    let facts = format!("reference::{rule}_");
    let failed = |error: std::io::Error| format!("the facts did not run: {error}");
    let mut child = Command::new(program)
        .args(["--quiet", &facts])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let begun = Instant::now();
    loop {
        match child.try_wait().map_err(failed)? {
            Some(status) if status.success() => return Ok(Verdict::Survived),
            Some(_) => return Ok(Verdict::Caught),
            None if begun.elapsed() > AT_MOST => {
                child.kill().map_err(failed)?;
                child.wait().map_err(failed)?;
                return Ok(Verdict::DidNotEnd);
            }
            None => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}

/// Builds the compliance suite of a copy, and returns where its program is.
fn build(copy: &Path) -> Result<PathBuf, String> {
    let built = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["test", "--no-run", "--package", "ermine-compliance"])
        .args(["--test", "compliance"])
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", copy.with_file_name("target"))
        .output()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    let said = String::from_utf8_lossy(&built.stderr);
    // "  Executable tests/compliance/main.rs (…/deps/compliance-0123456789abcdef)"
    let named = said.rsplit_once("Executable ").and_then(|(_, rest)| {
        let (_, path) = rest.split_once('(')?;
        path.split_once(')')
    });
    match named {
        Some((path, _)) if built.status.success() => Ok(PathBuf::from(path)),
        _ => Err(said.into_owned()),
    }
}

/// Copies what Git keeps, as it is in the folder. What was the same before is left alone,
/// so that it is not built again.
fn copy_sources(root: &Path, copy: &Path) -> Result<(), String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("git did not start: {error}"))?;
    let files = String::from_utf8_lossy(&listed.stdout).into_owned();
    for file in files.split('\0').filter(|file| !file.is_empty()) {
        let (from, to) = (root.join(file), copy.join(file));
        let failed = |error: std::io::Error| format!("{}: {error}", to.display());
        let Ok(content) = std::fs::read(&from) else {
            continue;
        };
        if std::fs::read(&to).is_ok_and(|there| there == content) {
            continue;
        }
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        std::fs::write(&to, content).map_err(failed)?;
    }
    Ok(())
}

fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_can_be_made_in_the_source() {
        for mutant in &runtime::ALL {
            let source = mutant.read(&root()).unwrap();
            let mistaken = mutant.of(&source).unwrap();
            assert_ne!(source, mistaken, "{}", mutant.name);
        }
    }
}
