use ermine_core::{Backend, Read, Target};
use ermine_core::{
    ColumnType, Declaration, Engine, ErrorKind, IdType, Metric, ModelIdentity, ScalarType, Schema,
    SchemaBuilder, SchemaChange, SchemaMode, SchemaReport, Storage,
};
use ermine_sqlite::Sqlite;

use crate::support::{Notes, block_on, declaration};

const TEXT: ColumnType = ColumnType::Scalar(ScalarType::Text);

fn base() -> SchemaBuilder {
    Schema::builder("things", "id", IdType::Text).column("kind", TEXT)
}

fn full() -> SchemaBuilder {
    base().text("title", 1.0).vector("v", 2, Metric::Cosine)
}

fn ensure(
    engine: &Engine,
    declared: &Declaration,
    mode: SchemaMode,
) -> ermine_core::Result<SchemaReport> {
    block_on(engine.ensure(declared, mode))
}

fn opened(stored: SchemaBuilder) -> (Engine, Declaration) {
    let engine = block_on(Sqlite::temporary().connect()).unwrap();
    let declared = declaration(stored.build().unwrap());
    ensure(&engine, &declared, SchemaMode::CreateOnly).unwrap();
    (engine, declared)
}

#[test]
fn creating_reports_the_statements() {
    let engine = block_on(Sqlite::temporary().connect()).unwrap();
    let declared = declaration(full().build().unwrap());
    let refused = ensure(&engine, &declared, SchemaMode::Assert).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::SchemaMismatch);
    let report = ensure(&engine, &declared, SchemaMode::CreateOrUpdate).unwrap();
    let [SchemaChange::Created { ddl }] = report.changes.as_slice() else {
        panic!("{report:?}");
    };
    assert!(
        ddl[0].starts_with("CREATE TABLE \"ermine_doc_things\""),
        "{ddl:#?}"
    );
    for mode in [
        SchemaMode::Assert,
        SchemaMode::CreateOnly,
        SchemaMode::CreateOrUpdate,
    ] {
        assert!(ensure(&engine, &declared, mode).unwrap().changes.is_empty());
    }
}

#[test]
fn a_difference_is_refused_naming_what_is_stored_and_what_is_declared() {
    let (engine, stored) = opened(full());
    let differing = [
        (
            base().text("title", 1.0).vector("v", 3, Metric::Cosine),
            ["2", "3"],
        ),
        (
            base().text("title", 1.0).vector("v", 2, Metric::L1),
            ["Cosine", "L1"],
        ),
        (full().language("english"), ["none", "english"]),
        (
            full().tenancy(ermine_core::Tenancy::Conjoined),
            ["None", "Conjoined"],
        ),
        (
            full().deletion(ermine_core::Deletion::Soft),
            ["Hard", "Soft"],
        ),
        (full().column("extra", TEXT), ["`extra`", "not stored"]),
        (full().text("extra", 1.0), ["`extra`", "not stored"]),
        (
            full().vector("extra", 2, Metric::L1),
            ["`extra`", "not stored"],
        ),
        (base().text("title", 1.0), ["`v`", "not declared"]),
        (
            Schema::builder("things", "id", IdType::Text)
                .column("kind", ColumnType::Scalar(ScalarType::I64))
                .text("title", 1.0)
                .vector("v", 2, Metric::Cosine),
            ["Text", "I64"],
        ),
    ];
    for (declared, named) in differing {
        let declared = declaration(declared.build().unwrap());
        let refused = ensure(&engine, &declared, SchemaMode::CreateOrUpdate).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::SchemaMismatch, "{refused}");
        let said = refused.to_string();
        assert!(
            named.iter().all(|name| said.contains(name)),
            "{named:?}: {said}"
        );
    }
    let mut other = stored.clone();
    other.analyzer = "another analyser".into();
    let refused = ensure(&engine, &other, SchemaMode::CreateOrUpdate).unwrap_err();
    assert!(
        refused.to_string().contains("another analyser"),
        "{refused}"
    );
    assert!(refused.to_string().contains(&stored.analyzer), "{refused}");
    assert_eq!(block_on(engine.declarations()).unwrap(), [stored]);
}

#[test]
fn weights_may_change() {
    let (engine, _) = opened(base().text("title", 1.0));
    let declared = declaration(base().text("title", 3.0).build().unwrap());
    ensure(&engine, &declared, SchemaMode::CreateOrUpdate).unwrap();
    assert_eq!(block_on(engine.declarations()).unwrap(), [declared]);
}

#[test]
fn a_model_is_taken_over_once_and_then_compared() {
    let (engine, mut declared) = opened(full());
    declared.models = vec![Some(ModelIdentity::new("static", "one", 2))];
    let refused = ensure(&engine, &declared, SchemaMode::Assert).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ModelMismatch);
    let report = ensure(&engine, &declared, SchemaMode::CreateOrUpdate).unwrap();
    assert!(matches!(&report.changes[..], [SchemaChange::ModelRecorded { field }] if field == "v"));
    let mut other = declared.clone();
    other.models = vec![Some(ModelIdentity::new("static", "two", 2))];
    let refused = ensure(&engine, &other, SchemaMode::CreateOrUpdate).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ModelMismatch);
    let said = refused.to_string();
    assert!(
        said.contains("static/one") && said.contains("static/two"),
        "{said}"
    );
    // None declared: the stored one stays.
    other.models = vec![None];
    ensure(&engine, &other, SchemaMode::CreateOrUpdate).unwrap();
    assert_eq!(block_on(engine.declarations()).unwrap(), [declared]);
}

#[test]
fn a_type_the_store_was_not_told_of_is_refused_by_name() {
    let notes = Notes::temporary();
    let schema = std::sync::Arc::new(base().build().unwrap());
    let read = Read::Count {
        target: Target {
            schema,
            scope: ermine_core::Scope::live(ermine_core::TenantScope::Untenanted),
            filter: None,
        },
        include: ermine_core::Include::default(),
    };
    let refused = block_on(notes.engine.read(&[read])).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::UnknownCollection);
    assert!(refused.to_string().contains("`things`"), "{refused}");
}

#[test]
fn odd_field_names_work() {
    let name = "a.b \"c\" 'd'";
    let schema = Schema::builder("odd", "the \"id\"", IdType::U64)
        .column(name, TEXT)
        .column("list ]", ColumnType::List(ScalarType::I64))
        .text("text '", 1.0)
        .vector("vec \"'.", 2, Metric::L1)
        .build()
        .unwrap();
    let (engine, _) = opened(base());
    ensure(&engine, &declaration(schema), SchemaMode::CreateOrUpdate).unwrap();
}
