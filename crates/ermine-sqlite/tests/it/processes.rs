//! Two stores on one file, in one process and in two.

use std::process::{Child, Command, Stdio};

use ermine_core::Include;

use crate::support::{Folder, Notes, note};

/// Runs one of this binary's ignored tests in a process of its own.
pub(crate) fn child(name: &str, folder: &Folder) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--ignored", "--nocapture"])
        .env("ERMINE_TEST_FILE", folder.file())
        .stdout(Stdio::piped())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap()
}

pub(crate) fn file_of_child() -> std::path::PathBuf {
    std::env::var_os("ERMINE_TEST_FILE").unwrap().into()
}

fn ids(of: &[&str]) -> [Vec<String>; 3] {
    let of: Vec<String> = of.iter().map(|id| (*id).to_owned()).collect();
    [of.clone(), of.clone(), of]
}

#[test]
fn two_stores_in_one_process_see_each_others_commits_in_every_search() {
    let folder = Folder::new();
    let (one, two) = (Notes::file(&folder.file()), Notes::file(&folder.file()));
    one.store([note("a", "pool").vector([1.0, 0.0])]);
    assert_eq!(two.searches("pool", [1.0, 0.0]), ids(&["a"]));
    two.store([note("b", "pool").vector([1.0, 0.0])]);
    assert_eq!(one.searches("pool", [1.0, 0.0]), ids(&["a", "b"]));
    one.store([note("b", "moon").vector([0.0, 1.0])]);
    assert_eq!(two.searches("moon", [0.0, 1.0])[0], ["b", "a"]);
    assert_eq!(two.searches("moon", [0.0, 1.0])[1], ["b"]);
    two.commit(vec![two.delete("a", ermine_core::DeleteMode::Hard)])
        .unwrap();
    assert_eq!(one.searches("moon", [0.0, 1.0]), ids(&["b"]));
}

#[test]
fn two_processes_see_each_others_commits_in_every_search() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store([
        note("a", "pool").vector([1.0, 0.0]),
        note("b", "pool").vector([0.0, 1.0]),
    ]);
    assert_eq!(notes.searches("pool", [1.0, 0.0]), ids(&["a", "b"]));
    let status = child("processes::the_other_process", &folder)
        .wait()
        .unwrap();
    assert!(status.success());
    assert_eq!(notes.searches("pool", [1.0, 0.0]), ids(&["c", "a"]));
}

#[test]
#[ignore = "the other process of a test"]
fn the_other_process() {
    let notes = Notes::file(&file_of_child());
    assert_eq!(notes.searches("pool", [1.0, 0.0]), ids(&["a", "b"]));
    notes.store([
        note("a", "pool").vector([1.0, 1.0]),
        note("c", "pool pool").vector([1.0, 0.0]),
    ]);
    notes
        .commit(vec![notes.delete("b", ermine_core::DeleteMode::Declared)])
        .unwrap();
    assert_eq!(notes.searches("pool", [1.0, 0.0]), ids(&["c", "a"]));
}

#[test]
fn processes_that_create_one_file_at_once_all_succeed() {
    let folder = Folder::new();
    let mut all: Vec<_> = (0..4)
        .map(|_| child("processes::a_process_that_writes", &folder))
        .collect();
    assert!(all.iter_mut().all(|one| one.wait().unwrap().success()));
    let notes = Notes::file(&folder.file());
    assert_eq!(notes.count(notes.target()), 400);
}

#[test]
fn writers_of_two_processes_wait_for_each_other() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    let mut others: Vec<_> = (0..2)
        .map(|_| child("processes::a_process_that_writes", &folder))
        .collect();
    for n in 0..100 {
        notes.store([note(&format!("here-{n}"), "pool")]);
    }
    assert!(
        others
            .iter_mut()
            .all(|other| other.wait().unwrap().success())
    );
    assert_eq!(notes.count(notes.target()), 300);
    assert!(notes.load("here-99", Include::default()).unwrap().is_some());
}

#[test]
#[ignore = "the other process of a test"]
fn a_process_that_writes() {
    let notes = Notes::file(&file_of_child());
    let me = std::process::id();
    for n in 0..100 {
        notes.store([note(&format!("{me}-{n}"), "pool")]);
    }
}
