//! The sections of a Markdown file.

use std::ops::Range;

use super::Section;

/// The document's title, and its sections in order.
///
/// The title is that of the front matter, else the first heading if it is of the
/// first level; front matter is no section. Headings are those of CommonMark:
/// `#` to `######`, and text underlined by `=` or `-`; not within fenced code.
pub(super) fn sections(text: &str) -> (Option<String>, Vec<Section>) {
    let mut reader = Reader::default();
    let start = match front_matter(text) {
        Some((end, title)) => {
            reader.title = title;
            end
        }
        None => 0,
    };
    reader.open(0, "", start, start);
    let mut at = start;
    for line in text.get(start..).unwrap_or_default().split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        reader.line(line.trim_end(), range);
    }
    reader.close(text.len());
    (reader.title, reader.sections)
}

#[derive(Default)]
struct Reader {
    title: Option<String>,
    sections: Vec<Section>,
    /// The headings that are open, outermost first, with their levels.
    path: Vec<(usize, String)>,
    fence: Option<Fence>,
    /// The line before, where it may be the text of an underlined heading.
    paragraph: Option<(String, usize)>,
}

/// An open block of code.
struct Fence {
    mark: char,
    length: usize,
    start: usize,
}

impl Reader {
    fn line(&mut self, line: &str, range: Range<usize>) {
        if let Some(fence) = &self.fence {
            if closes(line, fence) {
                let fence = fence.start..range.end;
                self.fence = None;
                if let Some(section) = self.sections.last_mut() {
                    section.fences.push(fence);
                }
            }
            return;
        }
        let before = self.paragraph.take();
        if let Some((mark, length)) = opens(line) {
            let start = range.start;
            self.fence = Some(Fence {
                mark,
                length,
                start,
            });
        } else if let Some((level, heading)) = heading(line) {
            self.open(level, heading, range.start, range.end);
        } else if let (Some(level), Some((heading, start))) = (underline(line), before.as_ref()) {
            self.open(level, heading, *start, range.end);
        } else if unindented(line).is_some_and(|l| !l.is_empty()) && before.is_none() {
            // A heading of several lines is taken for a paragraph.
            self.paragraph = Some((line.trim().to_owned(), range.start));
        } else if !line.trim().is_empty() {
            // The second line of a paragraph: what underlines it is a rule or a list.
            self.paragraph = None;
        }
    }

    fn open(&mut self, level: usize, heading: &str, begins: usize, text: usize) {
        self.close(begins);
        let first = self.path.is_empty() && level == 1;
        let nothing_before = self.sections.iter().all(|s| s.text.is_empty());
        while self.path.last().is_some_and(|(open, _)| *open >= level) {
            self.path.pop();
        }
        if level > 0 {
            self.path.push((level, heading.to_owned()));
        }
        if first && nothing_before && self.title.is_none() {
            self.title = Some(heading.to_owned());
        }
        let named = |(_, heading): &(usize, String)| {
            (!heading.is_empty() && self.title.as_ref() != Some(heading)).then(|| heading.clone())
        };
        self.sections.push(Section {
            level,
            headings: self.path.iter().filter_map(named).collect(),
            begins,
            text: text..text,
            fences: Vec::new(),
        });
    }

    fn close(&mut self, end: usize) {
        if let Some(section) = self.sections.last_mut() {
            section.text.end = end.max(section.text.start);
            if let Some(fence) = self.fence.take() {
                section.fences.push(fence.start..end);
            }
        }
    }
}

/// The line without an indent of at most three spaces; more of them make it code.
fn unindented(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() <= 3 && !text.starts_with('\t')).then_some(text)
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let text = unindented(line)?;
    let after = text.trim_start_matches('#');
    let level = text.len() - after.len();
    if !(1..=6).contains(&level) || !(after.is_empty() || after.starts_with([' ', '\t'])) {
        return None;
    }
    let heading = after.trim();
    // Closing signs are no part of it, if a space is before them.
    let without = heading.trim_end_matches('#');
    let closed = without.is_empty() || without.ends_with([' ', '\t']);
    Some((level, if closed { without.trim_end() } else { heading }))
}

fn underline(line: &str) -> Option<usize> {
    let text = unindented(line)?;
    let all = |mark| !text.is_empty() && text.chars().all(|c| c == mark);
    if all('=') {
        Some(1)
    } else if all('-') {
        Some(2)
    } else {
        None
    }
}

fn opens(line: &str) -> Option<(char, usize)> {
    let text = unindented(line)?;
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = text.trim_start_matches(mark);
    let length = text.len() - info.len();
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
}

fn closes(line: &str, fence: &Fence) -> bool {
    unindented(line).is_some_and(|text| {
        let after = text.trim_start_matches(fence.mark);
        text.len() - after.len() >= fence.length && after.trim().is_empty()
    })
}

/// Where front matter ends, and the title it names.
fn front_matter(text: &str) -> Option<(usize, Option<String>)> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == "---")?;
    let mut at = first.len();
    let mut title = None;
    for line in lines {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return Some((at, title));
        }
        if let Some(value) = line.strip_prefix("title:") {
            let value = value.trim().trim_matches(['"', '\'']);
            title = (!value.is_empty()).then(|| value.to_owned());
        }
    }
    None
}
