//! Passages: what a Markdown or text file is cut into, so that a match is a
//! place to read and not a whole file.

mod cut;
mod markdown;

use std::ops::Range;

/// How a file's text is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Headings make sections.
    Markdown,
    /// One section.
    Text,
}

/// A passage of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    /// The headings it stands under, the outermost first, without the document's title.
    pub(crate) headings: Vec<String>,
    /// The line it begins on, from 1: that of its heading where it follows one.
    pub(crate) line: usize,
    /// Its text, without the heading.
    pub(crate) body: String,
}

/// A file cut into passages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The document's title, where it has one.
    pub(crate) title: Option<String>,
    /// The passages, in order.
    pub(crate) passages: Vec<Passage>,
}

/// A stretch of a file under one heading.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Section {
    /// The depth of its heading; 0 before the first.
    level: usize,
    headings: Vec<String>,
    /// Where its heading begins, where it has one.
    begins: usize,
    /// Its text.
    text: Range<usize>,
    /// The fenced blocks of code in its text.
    fences: Vec<Range<usize>>,
}

/// The title of the Markdown file called `name`: its first heading, or else its name.
pub(crate) fn title(name: &str, text: &str) -> String {
    let (title, _) = markdown::sections(text);
    title.unwrap_or_else(|| stem(name).to_owned())
}

/// The file's name without folders and extension.
pub(crate) fn stem(name: &str) -> &str {
    let file = name.rsplit_once('/').map_or(name, |(_, file)| file);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Cuts a file's text at headings, and longer sections at about 1,500 characters.
///
/// A section without text gives a passage only where no subsection follows: its
/// heading is then all there is to find.
pub(crate) fn cut(text: &str, format: Format) -> Cut {
    let (title, sections) = match format {
        Format::Markdown => markdown::sections(text),
        Format::Text => (None, vec![whole(text)]),
    };
    let mut passages = Vec::new();
    let mut lines = Lines::new(text);
    for (at, section) in sections.iter().enumerate() {
        let followed = sections
            .get(at + 1)
            .is_some_and(|next| next.level > section.level);
        let mut pieces = cut::pieces(text, section.text.clone(), &section.fences);
        let heading_alone = pieces.is_empty() && section.level > 0 && !followed;
        if heading_alone {
            pieces.push(section.text.end..section.text.end);
        }
        for (nth, piece) in pieces.into_iter().enumerate() {
            let begins = if nth == 0 && section.level > 0 {
                section.begins
            } else {
                piece.start
            };
            passages.push(Passage {
                headings: section.headings.clone(),
                line: lines.at(begins),
                body: text.get(piece).unwrap_or_default().to_owned(),
            });
        }
    }
    Cut { title, passages }
}

fn whole(text: &str) -> Section {
    Section {
        level: 0,
        headings: Vec::new(),
        begins: 0,
        text: 0..text.len(),
        fences: Vec::new(),
    }
}

/// The line of a byte, for bytes that are asked for in ascending order.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    fn at(&mut self, byte: usize) -> usize {
        let passed = self.text.get(self.at..byte).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.at = self.at.max(byte);
        self.line
    }
}

#[cfg(test)]
mod tests;
