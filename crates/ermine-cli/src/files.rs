//! The files an import reads, and what they are called in the store.

mod walk;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::address::Address;
use crate::failure::Failure;
use crate::passages::Format;

/// What the paths of an import come to.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Markdown and text files, by the name they have in the store.
    pub(crate) texts: BTreeMap<String, TextFile>,
    /// `.jsonl` files, as they were named.
    pub(crate) lines: Vec<PathBuf>,
    /// The files and folders of text that were named, in full.
    pub(crate) roots: Vec<PathBuf>,
    /// What was passed over though it looked like text.
    pub(crate) skipped: Vec<Skipped>,
}

/// A Markdown or text file.
#[derive(Debug, Clone)]
pub(crate) struct TextFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// How it is read.
    pub(crate) format: Format,
    /// Its length in bytes.
    pub(crate) length: u64,
}

/// A file that was not imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Why not.
    pub(crate) why: String,
}

/// How files are called in a store: by the path from the folder the store is in
/// where they are below it, and by the whole path otherwise, as for every file in a
/// database server; with `/` between folders. So a file has one name, from wherever
/// and however it is imported.
#[derive(Debug, Clone)]
pub(crate) struct Naming {
    folder: PathBuf,
}

impl Naming {
    pub(crate) fn of(address: &Address) -> Result<Self, Failure> {
        let folder = match address.folder() {
            Some(folder) => canonical(folder)?,
            // Nothing is below no folder, so every path is whole.
            None => PathBuf::new(),
        };
        Ok(Self { folder })
    }

    /// The name of the file at `path`, a whole one; `None` where it is not UTF-8.
    pub(crate) fn name(&self, path: &Path) -> Option<String> {
        let path = path.strip_prefix(&self.folder).unwrap_or(path);
        let name = path.to_str()?;
        Some(name.replace(std::path::MAIN_SEPARATOR, "/"))
    }

    /// Where the file called `name` is, or was.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Finds what `paths` name: files, and those below folders.
pub(crate) fn find(paths: &[PathBuf], naming: &Naming) -> Result<Found, Failure> {
    let mut found = Found::default();
    for path in paths {
        let whole = canonical(path)?;
        if whole.is_dir() {
            walk::walk(&whole, naming, &mut found);
            found.roots.push(whole);
        } else if has_extension(&whole, &["jsonl"]) {
            found.lines.push(path.clone());
        } else if let Some(format) = format_of(&whole) {
            found.add(whole.clone(), format, naming);
            found.roots.push(whole);
        } else {
            return Err(Failure::new(format!(
                "{}: only folders and files of .md, .markdown, .txt and .jsonl are imported",
                path.display()
            )));
        }
    }
    Ok(found)
}

impl Found {
    fn add(&mut self, path: PathBuf, format: Format, naming: &Naming) {
        let length = match fs::metadata(&path) {
            Ok(metadata) => metadata.len(),
            Err(error) => return self.skip(path, error.to_string()),
        };
        match naming.name(&path) {
            Some(name) => {
                let file = TextFile {
                    path,
                    format,
                    length,
                };
                self.texts.insert(name, file);
            }
            None => self.skip(path, "its name is not UTF-8".to_owned()),
        }
    }

    fn skip(&mut self, path: PathBuf, why: String) {
        self.skipped.push(Skipped { path, why });
    }
}

fn canonical(path: &Path) -> Result<PathBuf, Failure> {
    path.canonicalize()
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

fn format_of(path: &Path) -> Option<Format> {
    if has_extension(path, &["md", "markdown"]) {
        Some(Format::Markdown)
    } else if has_extension(path, &["txt"]) {
        Some(Format::Text)
    } else {
        None
    }
}

/// Whether a file of this name is read as Markdown.
pub(crate) fn is_markdown(name: &str) -> bool {
    format_of(Path::new(name)) == Some(Format::Markdown)
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.is_some_and(|e| extensions.iter().any(|known| e.eq_ignore_ascii_case(known)))
}

/// Reads a file as text, or says why it is none.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    text_of(fs::read(path).map_err(|error| error.to_string())?)
}

/// Bytes as text, or why they are none.
pub(crate) fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("it is not UTF-8 (byte {at})")
    })?;
    if let Some(at) = text.find('\0') {
        return Err(format!("it is not text (U+0000 at byte {at})"));
    }
    // A byte order mark is no text.
    Ok(match text.strip_prefix('\u{feff}') {
        Some(text) => text.to_owned(),
        None => text,
    })
}

#[cfg(test)]
mod tests;
