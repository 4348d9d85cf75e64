//! `.jsonl` files: a document per line.

mod line;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use ermine_core::{DynamicRecord, Id, Record, Schema};

use crate::arguments::LineOptions;
use crate::failure::Failure;
use crate::files::Skipped;

/// A document of a line, and how many bytes the line is long.
pub(crate) struct LineDocument {
    pub(crate) record: DynamicRecord,
    pub(crate) bytes: u64,
}

/// The documents of a file, in order. An error names file and line, and is the last.
pub(crate) fn documents<'a>(
    path: &'a Path,
    options: &'a LineOptions,
) -> Result<impl Iterator<Item = Result<LineDocument, Failure>> + 'a, Failure> {
    let lines = Lines::open(path)?;
    Ok(lines.map(move |line| {
        let Line {
            number,
            text,
            bytes,
        } = line?;
        let record = line::document(&text, options).map_err(|problem| at(path, number, problem))?;
        Ok(LineDocument { record, bytes })
    }))
}

/// What a check of the files found.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// The files that can be imported.
    pub(crate) files: Vec<PathBuf>,
    /// How many bytes they have.
    pub(crate) bytes: u64,
    /// Those that are not UTF-8.
    pub(crate) skipped: Vec<Skipped>,
}

/// Reads all files and refuses what could not be stored: so an import of them does
/// not end in the middle. One id on two lines is refused, too.
pub(crate) fn check(
    files: Vec<PathBuf>,
    options: &LineOptions,
    schema: &Schema,
) -> Result<Checked, Failure> {
    let mut checked = Checked::default();
    let mut seen: HashMap<Id, (usize, usize)> = HashMap::new();
    for path in files {
        let length = match utf8_length(&path)? {
            Ok(length) => length,
            Err(why) => {
                checked.skipped.push(Skipped { path, why });
                continue;
            }
        };
        for line in Lines::open(&path)? {
            let Line { number, text, .. } = line?;
            let refuse = |problem: String| at(&path, number, problem);
            let record = line::document(&text, options).map_err(refuse)?;
            record.to_parts(schema).map_err(|e| refuse(e.to_string()))?;
            let place = (checked.files.len(), number);
            if let Some((file, line)) = seen.insert(record.id.clone(), place) {
                let file = checked.files.get(file).unwrap_or(&path).display();
                let problem = format!("the id {} is that of {file}:{line} already", record.id);
                return Err(refuse(problem));
            }
        }
        checked.bytes += length;
        checked.files.push(path);
    }
    Ok(checked)
}

/// The lines of a file as they are.
pub(crate) fn raw(
    path: &Path,
) -> Result<impl Iterator<Item = Result<Line, Failure>> + '_, Failure> {
    Lines::open(path)
}

pub(crate) fn at(path: &Path, line: usize, problem: impl std::fmt::Display) -> Failure {
    Failure::new(format!("{}:{line}: {problem}", path.display()))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}

/// A file's length, or why it is no text.
fn utf8_length(path: &Path) -> Result<Result<u64, String>, Failure> {
    let file = File::open(path).map_err(|e| unreadable(path, &e))?;
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        line.clear();
        let read = reader
            .read_until(b'\n', &mut line)
            .map_err(|e| unreadable(path, &e))?;
        if read == 0 {
            return Ok(Ok(length));
        }
        if let Err(error) = std::str::from_utf8(&line) {
            let at = length + error.valid_up_to() as u64;
            return Ok(Err(format!("it is not UTF-8 (byte {at})")));
        }
        length += read as u64;
    }
}

pub(crate) struct Line {
    pub(crate) number: usize,
    pub(crate) text: String,
    pub(crate) bytes: u64,
}

/// The lines of a file that are not blank.
struct Lines<'a> {
    path: &'a Path,
    reader: BufReader<File>,
    number: usize,
}

impl<'a> Lines<'a> {
    fn open(path: &'a Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(|e| unreadable(path, &e))?;
        Ok(Self {
            path,
            reader: BufReader::new(file),
            number: 0,
        })
    }
}

impl Iterator for Lines<'_> {
    type Item = Result<Line, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = 0;
        loop {
            let mut text = String::new();
            self.number += 1;
            match self.reader.read_line(&mut text) {
                Ok(0) => return None,
                Ok(read) => bytes += read as u64,
                Err(error) => return Some(Err(at(self.path, self.number, error))),
            }
            let line = text.trim_start_matches('\u{feff}').trim();
            if !line.is_empty() {
                let text = line.to_owned();
                return Some(Ok(Line {
                    number: self.number,
                    text,
                    bytes,
                }));
            }
        }
    }
}

#[cfg(test)]
mod tests;
