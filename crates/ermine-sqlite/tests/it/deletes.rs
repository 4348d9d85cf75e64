use ermine_core::{
    DeleteMode, DeletedScope, ErrorKind, Expr, Include, Op, PutMode, Target, VectorWrite,
};

use crate::support::{Folder, Notes, any, note, tenant};

fn deleted_at(folder: &Folder) -> Option<String> {
    folder
        .plain()
        .query_row("SELECT deleted FROM ermine_doc_notes", [], |row| row.get(0))
        .unwrap()
}

#[test]
fn a_soft_delete_hides_and_storing_again_shows() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store([note("a", "pool").vector([1.0, 0.0])]);
    notes
        .commit(vec![notes.delete("a", DeleteMode::Declared)])
        .unwrap();
    let first = deleted_at(&folder);
    assert!(first.is_some());
    assert!(notes.searches("pool", [1.0, 0.0]).iter().all(Vec::is_empty));
    assert_eq!(notes.load("a", Include::default()).unwrap(), None);

    let only = |deleted| {
        let mut target = notes.target();
        target.scope.deleted = deleted;
        target
    };
    let found = |target: Target| {
        (
            notes.nearest(target.clone(), [1.0, 0.0], 10).hits.len(),
            notes.matching(target.clone(), any(&["pool"])).hits.len(),
            notes.count(target),
        )
    };
    assert_eq!(found(only(DeletedScope::Only)), (1, 1, 1));
    assert_eq!(found(only(DeletedScope::Included)), (1, 1, 1));

    // The first time is kept.
    notes
        .commit(vec![notes.delete("a", DeleteMode::Declared)])
        .unwrap();
    assert_eq!(deleted_at(&folder), first);

    // It exists to an insert, and is missing to an update.
    let kind = |mode| {
        let op = notes.put(note("a", "pool").mode(mode));
        notes.commit(vec![op]).unwrap_err()
    };
    assert_eq!(kind(PutMode::Insert).kind(), ErrorKind::AlreadyExists);
    let missing = kind(PutMode::Update);
    assert_eq!(missing.kind(), ErrorKind::Missing);
    assert!(
        missing
            .to_string()
            .contains("document a of `notes`, tenant `acme`"),
        "{missing}"
    );

    // Its vector is kept, and it comes back with it.
    notes.store([note("a", "pool")]);
    assert_eq!(deleted_at(&folder), None);
    assert!(
        notes
            .searches("pool", [1.0, 0.0])
            .iter()
            .all(|found| found.len() == 1)
    );
}

#[test]
fn a_hard_delete_takes_everything_along() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store([note("a", "pool").vector([1.0, 0.0]).tags(&["db"])]);
    notes
        .commit(vec![notes.delete("a", DeleteMode::Hard)])
        .unwrap();
    notes
        .commit(vec![notes.delete("a", DeleteMode::Hard)])
        .unwrap();
    for table in [
        "doc_notes",
        "list_notes",
        "text_notes",
        "\"ermine_vec_notes.embedding\"",
    ] {
        let table = if table.starts_with('"') {
            table.to_owned()
        } else {
            format!("ermine_{table}")
        };
        let rows: i64 = folder
            .plain()
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(rows, 0, "{table}");
    }
    assert!(notes.searches("pool", [1.0, 0.0]).iter().all(Vec::is_empty));
}

#[test]
fn delete_where_deletes_what_passes() {
    let notes = Notes::temporary();
    notes.store((0..10).map(|n| note(&n.to_string(), "pool").year(n)));
    let op = Op::DeleteWhere {
        schema: notes.schema.clone(),
        tenant: tenant("acme"),
        filter: Expr::In {
            field: "year".into(),
            values: vec![3.into_value(), 4.into_value()],
        },
        mode: DeleteMode::Declared,
    };
    notes.commit(vec![op]).unwrap();
    assert_eq!(notes.count(notes.target()), 8);
    assert_eq!(notes.matching(notes.target(), any(&["pool"])).hits.len(), 8);
}

trait IntoValue {
    fn into_value(self) -> ermine_core::Value;
}

impl IntoValue for i64 {
    fn into_value(self) -> ermine_core::Value {
        ermine_core::Value::I64(self)
    }
}

#[test]
fn a_kept_vector_is_guarded_by_its_hash() {
    let notes = Notes::temporary();
    let mut stored = note("a", "pool").vector([1.0, 0.0]);
    if let VectorWrite::Set { hash, .. } = &mut stored.vector {
        *hash = Some("h1".into());
    }
    notes.store([stored]);
    let mut kept = note("a", "other");
    kept.vector = VectorWrite::KeepIfHash("h1".into());
    notes.store([kept.clone()]);
    kept.vector = VectorWrite::KeepIfHash("h2".into());
    let refused = notes.commit(vec![notes.put(kept)]).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::KeptVectorChanged);
    assert_eq!(notes.nearest(notes.target(), [1.0, 0.0], 10).hits.len(), 1);
}
