//! What `git log` tells of commits.

use ermine_core::Timestamp;

use crate::failure::Failure;

/// A header of a commit begins with the first byte, and its parts end with the second:
/// neither stands in a path or a name that git prints here.
pub(super) const ARGUMENTS: [&str; 12] = [
    "log",
    "--reverse",
    "--first-parent",
    "-m",
    "--raw",
    "--no-abbrev",
    "-M50%",
    "-z",
    "--no-color",
    "--no-show-signature",
    "--encoding=UTF-8",
    "--format=tformat:%x01%H%x02%ct%x02%an%x02",
];

/// A commit, and the files that it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) author: String,
    pub(crate) at: Timestamp,
    pub(super) changes: Vec<FileChange>,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileChange {
    /// Where it was.
    pub(super) from: Option<String>,
    /// Where it is, and the id of its contents.
    pub(super) to: Option<(String, String)>,
}

/// Reads the output of [`ARGUMENTS`].
pub(super) fn read(output: &[u8]) -> Result<Vec<Commit>, Failure> {
    let output = String::from_utf8_lossy(output);
    let mut tokens = output
        .split('\0')
        .map(|token| token.trim_start_matches('\n'));
    let mut commits: Vec<Commit> = Vec::new();
    while let Some(token) = tokens.next() {
        if let Some(header) = token.strip_prefix('\u{1}') {
            commits.push(commit(header).ok_or_else(|| unexpected(header))?);
        } else if let Some(entry) = token.strip_prefix(':') {
            let change = change(entry, &mut tokens).ok_or_else(|| unexpected(entry))?;
            let commit = commits.last_mut().ok_or_else(|| unexpected(entry))?;
            commit.changes.push(change);
        } else if !token.is_empty() {
            return Err(unexpected(token));
        }
    }
    Ok(commits)
}

fn commit(header: &str) -> Option<Commit> {
    let mut parts = header.split('\u{2}');
    let id = parts.next()?.to_owned();
    let seconds: i64 = parts.next()?.parse().ok()?;
    let author = parts.next()?.to_owned();
    let at = Timestamp::from_unix_micros(seconds.checked_mul(1_000_000)?).ok()?;
    Some(Commit {
        id,
        author,
        at,
        changes: Vec::new(),
    })
}

/// `old-mode new-mode old-id new-id status`, and a path or two.
fn change<'a>(entry: &str, paths: &mut impl Iterator<Item = &'a str>) -> Option<FileChange> {
    let parts: Vec<&str> = entry.split(' ').collect();
    let [old_mode, new_mode, _, new_id, status] = parts.as_slice() else {
        return None;
    };
    let first = paths.next()?.to_owned();
    let second = match status.starts_with(['R', 'C']) {
        true => paths.next()?.to_owned(),
        false => first.clone(),
    };
    // Links and other repositories are no files.
    let is_file = |mode: &str| mode.starts_with("100");
    let was = is_file(old_mode) && !status.starts_with('C');
    Some(FileChange {
        from: was.then_some(first),
        to: is_file(new_mode).then(|| (second, (*new_id).to_owned())),
    })
}

fn unexpected(told: &str) -> Failure {
    let told: String = told.chars().take(80).collect();
    Failure::new(format!("git log tells something unexpected: {told:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_and_their_files_are_read() {
        let output = "\u{1}c1\u{2}1700000000\u{2}Ann\u{2}\0\0:000000 100644 00 a1 A\0a.md\0:000000 120000 00 l1 A\0link.md\0\
                      \u{1}c2\u{2}1700000060\u{2}Bob\u{2}\0\0:100644 100644 a1 a2 R090\0a.md\0b/a.md\0:100644 000000 x1 00 D\0x.md\0";
        let commits = read(output.as_bytes()).unwrap();
        let [first, second] = commits.as_slice() else {
            panic!("{commits:?}")
        };
        assert_eq!((first.id.as_str(), first.author.as_str()), ("c1", "Ann"));
        assert_eq!(first.at.unix_micros(), 1_700_000_000_000_000);
        let to = |path: &str, id: &str| Some((path.to_owned(), id.to_owned()));
        let changed = |from: Option<&str>, to| FileChange {
            from: from.map(str::to_owned),
            to,
        };
        assert_eq!(
            first.changes,
            [changed(None, to("a.md", "a1")), changed(None, None)]
        );
        assert_eq!(
            second.changes,
            [
                changed(Some("a.md"), to("b/a.md", "a2")),
                changed(Some("x.md"), None)
            ]
        );
    }

    #[test]
    fn what_is_no_log_is_refused() {
        assert!(read(b"hello").is_err());
        assert!(read(b":100644 100644 a b M\0a.md\0").is_err());
        assert!(read("\u{1}c1\u{2}soon\u{2}Ann\u{2}\0".as_bytes()).is_err());
    }
}
