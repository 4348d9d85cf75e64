use std::sync::Arc;

use ermine_core::{Compare, Expr, Scope, Target, TenantScope, Value};
use ermine_sql::{Sql, Sqlite, Tables, push_order, push_target};
use rusqlite::{Connection, params_from_iter};

use crate::rows::{Bind, database, schema};

fn plan(filter: Expr) -> String {
    let connection = database(&[]);
    let schema = Arc::new(schema());
    let mut sql = Sql::new(&Sqlite);
    sql.push(format!(
        "EXPLAIN QUERY PLAN SELECT d.doc FROM {} AS d WHERE ",
        Tables::of(&schema).documents
    ));
    let target = Target {
        schema,
        scope: Scope::live(TenantScope::Untenanted),
        filter: Some(filter),
    };
    push_target(&mut sql, &target).unwrap();
    steps(&connection, &sql)
}

fn steps(connection: &Connection, sql: &Sql) -> String {
    let mut statement = connection.prepare(sql.text()).unwrap();
    let steps = statement
        .query_map(params_from_iter(sql.values().iter().map(Bind)), |row| {
            row.get::<_, String>(3)
        })
        .unwrap();
    steps.map(Result::unwrap).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_index_serves_comparisons_ranges_and_prefixes() {
    let field = || "meta.\"s\" name".to_owned();
    let equal = Expr::Compare {
        field: "n".into(),
        op: Compare::Eq,
        value: Value::I64(1),
    };
    let prefix = Expr::StartsWith {
        field: field(),
        prefix: "a".into(),
    };
    let one_of = Expr::In {
        field: "u".into(),
        values: vec![Value::U64(1), Value::U64(2)],
    };
    for (filter, index) in [
        (
            equal,
            "COVERING INDEX ermine_ix_things.n (f_n=? AND deleted=?)",
        ),
        (
            prefix,
            "ermine_ix_things.meta.\"s\" name (f_meta.\"s\" name>? AND",
        ),
        (
            one_of,
            "COVERING INDEX ermine_ix_things.u (f_u=? AND deleted=?)",
        ),
    ] {
        let plan = plan(filter);
        assert!(plan.contains(index), "{index}: {plan}");
    }
}

#[test]
fn lists_are_found_through_the_list_tables_key() {
    let plan = plan(Expr::ContainsAny {
        field: "tags".into(),
        values: vec![Value::Text("db".into())],
    });
    assert!(
        plan.contains("ermine_list_things USING PRIMARY KEY (field=? AND value=?)"),
        "{plan}"
    );
    assert!(
        plan.contains("USING INTEGER PRIMARY KEY (rowid=?)"),
        "{plan}"
    );
}

#[test]
fn documents_without_tenants_are_read_in_their_order_without_sorting() {
    let connection = database(&[]);
    let schema = schema();
    let mut sql = Sql::new(&Sqlite);
    sql.push(format!(
        "EXPLAIN QUERY PLAN SELECT d.doc FROM {} AS d WHERE TRUE",
        Tables::of(&schema).documents
    ));
    push_order(&mut sql, &schema, &[]).unwrap();
    let plan = steps(&connection, &sql);
    assert!(!plan.contains("TEMP B-TREE"), "{plan}");
}
