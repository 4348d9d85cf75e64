//! From a file's passages to documents.

use ermine_core::{DynamicRecord, Id};

use crate::passages::{Format, Passage, cut, stem};
use crate::schema::field;

/// The documents of the file called `name`: one per passage, in order.
///
/// A passage's id is made of the file's name and the passage's place, so that
/// importing the file again meets the same documents.
pub(super) fn documents(name: &str, text: &str, format: Format) -> Vec<DynamicRecord> {
    let cut = cut(text, format);
    let title = cut.title.unwrap_or_else(|| stem(name).to_owned());
    let places = 1_i64..;
    cut.passages
        .into_iter()
        .zip(places)
        .map(|(passage, place)| document(name, &title, place, passage))
        .collect()
}

fn document(name: &str, title: &str, place: i64, passage: Passage) -> DynamicRecord {
    let mut document = DynamicRecord::new(Id::Text(format!("{name}#{place}")))
        .with(field::FILE, name)
        .with(field::PLACE, place)
        .with(field::LINE, passage.line)
        .with(field::TITLE, title)
        .with(field::BODY, passage.body);
    if !passage.headings.is_empty() {
        document = document.with(field::HEADING, passage.headings.join(" › "));
    }
    document
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn passages_become_documents_with_ids_of_file_and_place() {
        let text = "# Guide\n\nIntro.\n\n## Install\n\n### From source\n\nBuild it.\n";
        let documents = documents("docs/guide.md", text, Format::Markdown);
        let ids: Vec<String> = documents.iter().map(|d| d.id.to_string()).collect();
        assert_eq!(ids, ["docs/guide.md#1", "docs/guide.md#2"]);
        assert_eq!(
            serde_json::Value::Object(documents[1].fields.clone()),
            json!({
                "file": "docs/guide.md", "place": 2, "line": 7, "title": "Guide",
                "heading": "Install › From source", "body": "Build it.",
            })
        );
        assert_eq!(documents[0].get("heading"), None);
    }

    #[test]
    fn a_file_without_a_heading_is_titled_by_its_name() {
        let documents = documents("a/notes.2026.txt", "Text.", Format::Text);
        assert_eq!(documents[0].get("title"), Some(&json!("notes.2026")));
        assert!(super::documents("empty.md", "\n", Format::Markdown).is_empty());
    }
}
