//! Documents from lines, and mistakes with file and line.

use ermine_core::{DynamicRecord, Id};
use serde_json::json;

use super::*;
use crate::arguments::FieldPath;
use crate::schema;

fn options(fields: &[&str]) -> LineOptions {
    LineOptions {
        fields: fields.iter().map(|spec| spec.parse().unwrap()).collect(),
        ..LineOptions::default()
    }
}

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

fn read(text: &str, options: &LineOptions) -> Vec<DynamicRecord> {
    let path = Files::new();
    let path = path.write("a.jsonl", text);
    let documents = documents(&path, options).unwrap();
    documents.map(|d| d.unwrap().record).collect()
}

/// What a check says of files with these contents, without the folder's name.
fn checked(contents: &[&str], options: &LineOptions) -> Result<usize, String> {
    let folder = Files::new();
    let files = contents.iter().enumerate();
    let files = files
        .map(|(at, text)| folder.write(&format!("{at}.jsonl"), text))
        .collect();
    let schema = schema::for_import(&[], "documents", None, &options.fields).unwrap();
    let prefix = format!("{}/", folder.0.path().display());
    check(files, options, &schema)
        .map(|checked| checked.files.len())
        .map_err(|e| e.to_string().replace(&prefix, ""))
}

#[test]
fn the_usual_members_are_found_by_themselves() {
    let documents = read(
        "{\"_id\": \"a\", \"title\": \"T\", \"text\": \"x\", \"other\": 1}\n\n{\"id\": 7, \"body\": \"y\"}\n",
        &options(&[]),
    );
    assert_eq!(
        documents[0],
        DynamicRecord::new(Id::Text("a".into()))
            .with("title", "T")
            .with("body", "x")
    );
    assert_eq!(
        documents[1],
        DynamicRecord::new(Id::Text("7".into())).with("body", "y")
    );
}

#[test]
fn members_can_be_named_and_fields_are_read_from_theirs() {
    let options = LineOptions {
        id: Some(FieldPath::new("meta.key")),
        title: Some(FieldPath::new("subject")),
        text: Some(FieldPath::new("description")),
        ..options(&["year=meta.year:int", "tags:[text]", "none:bool"])
    };
    let line = json!({
        "meta": {"key": "k", "year": 1960}, "subject": "S", "description": "D", "tags": ["a"], "text": "no"
    });
    let documents = read(&line.to_string(), &options);
    let expected = DynamicRecord::new(Id::Text("k".into()))
        .with("title", "S")
        .with("body", "D")
        .with("year", 1960)
        .with("tags", json!(["a"]));
    assert_eq!(documents, [expected]);
}

#[test]
fn mistakes_name_file_and_line() {
    let good = "{\"id\": 1, \"text\": \"x\"}";
    for (line, expected) in [
        (
            "{\"id\": 2",
            "0.jsonl:2: column 8: it is not JSON: EOF while parsing an object",
        ),
        ("[1]", "0.jsonl:2: it is not a JSON object"),
        ("{\"text\": \"x\"}", "0.jsonl:2: it has no `_id` or `id`"),
        (
            "{\"id\": 1.5, \"text\": \"x\"}",
            "0.jsonl:2: `id` is a number with a fraction",
        ),
        (
            "{\"id\": \"\", \"text\": \"x\"}",
            "0.jsonl:2: `id` is empty",
        ),
        (
            "{\"id\": 2}",
            "0.jsonl:2: it has no `title`, `text` or `body`",
        ),
        (
            "{\"id\": 2, \"text\": [\"x\"]}",
            "0.jsonl:2: `text` is a list, not text",
        ),
        (
            "{\"id\": 1, \"text\": \"y\"}",
            "0.jsonl:2: the id 1 is that of 0.jsonl:1 already",
        ),
        (
            "{\"id\": 2, \"text\": \"x\", \"year\": \"1960\"}",
            "field `year`: expected i64, got \"1960\"",
        ),
        ("{\"id\": 2, \"text\": \"a\\u0000b\"}", "U+0000"),
    ] {
        let error = checked(&[&format!("{good}\n{line}\n")], &options(&["year:int"])).unwrap_err();
        assert!(
            error.starts_with("0.jsonl:2: ") && error.contains(expected),
            "{line}: {error}"
        );
    }
}

#[test]
fn an_id_in_two_files_is_refused() {
    let line = "{\"id\": 1, \"text\": \"x\"}\n";
    let error = checked(&[line, line], &options(&[])).unwrap_err();
    assert_eq!(error, "1.jsonl:1: the id 1 is that of 0.jsonl:1 already");
    assert_eq!(
        checked(&[line, "", &line.replace('1', "2")], &options(&[])),
        Ok(3)
    );
}

#[test]
fn a_file_that_is_not_utf_8_is_passed_over() {
    let folder = Files::new();
    let bad = folder.write("bad.jsonl", b"{\"id\": 1, \"text\": \"x\"}\n\xff\n");
    let good = folder.write("good.jsonl", "\u{feff}{\"id\": 1, \"text\": \"x\"}\r\n");
    let schema = schema::for_import(&[], "documents", None, &[]).unwrap();
    let checked = check(vec![bad.clone(), good.clone()], &options(&[]), &schema).unwrap();
    assert_eq!(checked.files, [good]);
    assert_eq!(checked.skipped[0].path, bad);
    assert_eq!(checked.skipped[0].why, "it is not UTF-8 (byte 23)");
}
