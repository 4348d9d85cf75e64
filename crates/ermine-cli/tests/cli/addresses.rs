//! Where the store is said to be, and what the program says to nonsense.

use std::process::Stdio;

use crate::support::Place;

#[test]
fn nonsense_gets_one_line_with_a_remedy() {
    let place = Place::new();
    place.write("notes/a.md", "# A\n\nText.\n");
    for store in [
        "postgres://localhost/notes",
        "postgresql://localhost/notes",
        "http://localhost",
        "",
        "sqlite:",
        ":memory:",
        ".",
        "notes/a.md",
        "nowhere/a.db",
    ] {
        for arguments in [&["import", "notes"][..], &["search", "x"], &["status"]] {
            let arguments = [arguments, &["--store", store]].concat();
            let line = place.run(&arguments).refused();
            assert!(line.contains("--store"), "{line}");
        }
    }
    assert!(!place.exists("ermine.db"));
}

#[test]
fn a_store_that_is_not_there_is_not_made_by_reading() {
    let place = Place::new();
    for arguments in [&["search", "x"][..], &["status"]] {
        let line = place.run(arguments).refused();
        assert!(line.contains("ermine import FOLDER"), "{line}");
    }
    assert!(!place.exists("ermine.db"));
}

#[test]
fn the_store_is_named_by_option_variable_or_default_in_that_order() {
    let place = Place::new();
    place.write("a.md", "# A\n\nText.\n");
    place.run(&["import", "a.md"]).succeeded();
    assert!(place.exists("ermine.db"));
    let run = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.env("ERMINE_STORE", "variable.db").output().unwrap()
    };
    assert!(run(&["import", "a.md"]).status.success());
    assert!(place.exists("variable.db"));
    assert!(
        run(&["import", "a.md", "--store", "sqlite:option.db"])
            .status
            .success()
    );
    assert!(place.exists("option.db"));
}

#[test]
fn help_and_version_are_answers() {
    let place = Place::new();
    let help = place.run(&["--help"]).succeeded();
    for expected in [
        "Exit codes:",
        "Examples:",
        "import",
        "search",
        "status",
        "demo",
    ] {
        assert!(help.contains(expected), "{expected}");
    }
    let import = place.run(&["import", "--help"]).succeeded();
    for expected in [
        "ERMINE_STORE",
        "[default: ermine.db]",
        "All lines are checked",
    ] {
        assert!(import.contains(expected), "{expected}: {import}");
    }
    assert!(place.run(&["--version"]).succeeded().starts_with("ermine "));
    assert_eq!(place.run(&["fetch"]).code, 2);
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let place = Place::with_notes();
    let mut command = place.command(&["search", "pool", "--format", "json"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
