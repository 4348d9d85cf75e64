use std::process::Command;

use ermine_core::{Backend, ErrorKind, Storage};
use ermine_sqlite::Sqlite;

use crate::support::{Folder, Notes, block_on, note};

#[test]
fn everything_is_there_after_the_store_was_closed() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    let token =
        notes.store((0..20).map(|n| note(&format!("{n:02}"), "pool").vector([1.0, n as f32])));
    let before = notes.searches("pool", [1.0, 3.0]);
    drop(notes);
    // A clean close leaves the file alone: the log was emptied into it.
    let beside = folder.file().with_extension("db-wal");
    assert!(!beside.exists(), "{beside:?}");
    let reopened = Notes::file(&folder.file());
    assert_eq!(reopened.searches("pool", [1.0, 3.0]), before);
    let declared = block_on(reopened.engine.declarations()).unwrap();
    assert_eq!(declared[0].schema, reopened.schema);
    assert!(reopened.store([note("new", "")]).token > token.token);
}

#[test]
fn temporary_databases_are_apart() {
    let one = block_on(Sqlite::temporary().connect()).unwrap();
    let two = Notes::temporary();
    two.store([note("a", "pool")]);
    assert!(block_on(one.declarations()).unwrap().is_empty());
}

#[test]
fn a_temporary_database_leaves_nothing_behind() {
    // Its folder is made where the system keeps temporary files, which another
    // process can be told.
    let folder = Folder::new();
    let place = folder.file().parent().unwrap().to_owned();
    let status = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "reopening::a_process_with_a_temporary_database",
            "--ignored",
        ])
        .env("TMPDIR", &place)
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0);
}

#[test]
#[ignore = "the other process of a test"]
fn a_process_with_a_temporary_database() {
    let notes = Notes::temporary();
    notes.store([note("a", "pool")]);
    let files = std::fs::read_dir(std::env::temp_dir()).unwrap().count();
    assert_eq!(files, 1);
    drop(notes);
}

#[test]
fn a_file_that_is_no_database_is_refused_with_its_name() {
    let folder = Folder::new();
    std::fs::write(folder.file(), "this is no database, whatever its name says").unwrap();
    let refused = block_on(Sqlite::file(folder.file()).connect()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Corrupt);
    assert!(refused.to_string().contains("app.db"), "{refused}");
    let missing = folder.file().join("below/a/file.db");
    let refused = block_on(Sqlite::file(missing).connect()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Storage);
}

#[test]
fn another_format_is_refused_naming_both() {
    let folder = Folder::new();
    drop(Notes::file(&folder.file()));
    folder
        .plain()
        .execute("UPDATE ermine_meta SET format = 99", [])
        .unwrap();
    let refused = block_on(Sqlite::file(folder.file()).connect()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::SchemaMismatch);
    assert!(refused.to_string().contains("format 99"), "{refused}");
    assert!(refused.to_string().contains("format 1"), "{refused}");
}

#[test]
fn an_existing_store_is_opened_and_none_is_made() {
    let folder = Folder::new();
    let refused = |path| {
        let opened = block_on(Sqlite::existing(path).connect());
        opened.map(drop).unwrap_err().to_string()
    };
    refused(folder.file());
    assert!(!folder.file().exists());

    // A database of another program keeps its tables and its journal mode.
    let foreign = rusqlite::Connection::open(folder.file()).unwrap();
    foreign.execute_batch("CREATE TABLE t (x)").unwrap();
    drop(foreign);
    let before = std::fs::read(folder.file()).unwrap();
    let error = refused(folder.file());
    assert!(error.contains("no Ermine store"), "{error}");
    assert_eq!(std::fs::read(folder.file()).unwrap(), before);

    let made = Notes::file(&folder.file());
    made.store([note("a", "pool")]);
    drop(made);
    let engine = block_on(Sqlite::existing(folder.file()).connect()).unwrap();
    assert_eq!(block_on(engine.declarations()).unwrap().len(), 1);
}
