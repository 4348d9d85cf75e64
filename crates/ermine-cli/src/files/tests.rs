//! Which files are found, and what they are called.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// A folder with a store-to-be in it, and the files named.
fn folder(files: &[&str]) -> (tempfile::TempDir, Naming) {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "text").unwrap();
    }
    let naming = Naming::of(&Address::of_file(folder.path().join("ermine.db"))).unwrap();
    (folder, naming)
}

fn names(found: &Found) -> Vec<&str> {
    found.texts.keys().map(String::as_str).collect()
}

#[test]
fn text_below_a_folder_is_found_and_the_rest_passed_over() {
    let (folder, naming) = folder(&[
        "notes/b.md",
        "notes/a/deep/c.MARKDOWN",
        "notes/d.txt",
        "notes/e.rs",
        "notes/data.jsonl",
        "notes/.git/f.md",
        "notes/.hidden.md",
        "notes/target/g.md",
        "notes/node_modules/h.md",
    ]);
    let found = find(&[folder.path().join("notes")], &naming).unwrap();
    assert_eq!(
        names(&found),
        ["notes/a/deep/c.MARKDOWN", "notes/b.md", "notes/d.txt"]
    );
    assert!(found.lines.is_empty() && found.skipped.is_empty());
}

#[test]
fn a_file_has_one_name_however_it_is_reached() {
    let (folder, naming) = folder(&["notes/a.md"]);
    let paths = ["notes", "notes/a.md", "notes/../notes/./a.md", "."];
    let paths: Vec<PathBuf> = paths.iter().map(|p| folder.path().join(p)).collect();
    let found = find(&paths, &naming).unwrap();
    assert_eq!(names(&found), ["notes/a.md"]);
    assert_eq!(naming.path("notes/a.md"), found.texts["notes/a.md"].path);
}

#[test]
fn a_file_outside_the_stores_folder_is_called_by_its_whole_path() {
    let (outside, _) = folder(&["a.md"]);
    let (_inside, naming) = folder(&[]);
    let found = find(&[outside.path().to_owned()], &naming).unwrap();
    let whole = outside.path().canonicalize().unwrap().join("a.md");
    assert_eq!(Path::new(names(&found)[0]), whole);
    assert_eq!(naming.path(names(&found)[0]), whole);
}

#[test]
fn what_is_missing_or_of_another_kind_is_refused() {
    let (folder, naming) = folder(&["a.rs", "b.jsonl"]);
    let find = |name: &str| find(&[folder.path().join(name)], &naming);
    assert!(
        find("a.rs")
            .unwrap_err()
            .to_string()
            .contains("only folders and files")
    );
    assert!(find("none.md").unwrap_err().to_string().contains("none.md"));
    assert_eq!(find("b.jsonl").unwrap().lines.len(), 1);
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_not_followed_and_links_to_files_are() {
    let (folder, naming) = folder(&["notes/a.md", "other/b.md"]);
    let link = |to: &str, from: &str| {
        std::os::unix::fs::symlink(folder.path().join(to), folder.path().join(from)).unwrap();
    };
    link("notes", "notes/again");
    link("other/b.md", "notes/b.md");
    let found = find(&[folder.path().join("notes")], &naming).unwrap();
    assert_eq!(names(&found), ["notes/a.md", "notes/b.md"]);
}

#[test]
fn what_is_not_text_says_why() {
    let (folder, _) = folder(&[]);
    let read = |bytes: &[u8]| {
        let path = folder.path().join("x.md");
        fs::write(&path, bytes).unwrap();
        read_text(&path)
    };
    assert_eq!(read(b"caf\xe9").unwrap_err(), "it is not UTF-8 (byte 3)");
    assert_eq!(
        read(b"a\0b").unwrap_err(),
        "it is not text (U+0000 at byte 1)"
    );
    assert_eq!(read("\u{feff}text".as_bytes()).unwrap(), "text");
}
