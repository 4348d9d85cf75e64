//! The files below a folder.

use std::fs;
use std::path::Path;

use super::{Found, Naming, format_of};

/// Folders that hold what others wrote or what can be made again.
const PASSED_OVER: [&str; 2] = ["node_modules", "target"];

/// Adds the files of text below `folder`, in order of their names. What is hidden
/// is passed over; so are links to folders, which could lead round in circles.
pub(super) fn walk(folder: &Path, naming: &Naming, found: &mut Found) {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return found.skip(folder.to_owned(), error.to_string()),
    };
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let name = entry.file_name();
        let path = entry.path();
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                if !PASSED_OVER.iter().any(|passed| name == *passed) {
                    walk(&path, naming, found);
                }
            }
            Ok(_) if path.is_dir() => {}
            Ok(_) => {
                if let Some(format) = format_of(&path) {
                    found.add(path, format, naming);
                }
            }
            Err(error) => found.skip(path, error.to_string()),
        }
    }
}
