//! The statements of events are served by a key or an index, and sort nothing.

use std::time::Duration;

use rusqlite::Connection;

use super::{append, page, parked, shards, streams};

fn plan(connection: &Connection, sql: &str) -> String {
    let mut statement = connection
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .unwrap();
    let mut rows = statement.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        steps.push(row.get::<_, String>(3).unwrap());
    }
    steps.join("; ")
}

#[test]
fn every_statement_is_served_by_a_key_or_an_index() {
    let connection = Connection::open_in_memory().unwrap();
    crate::catalog::prepare(&connection, Duration::ZERO).unwrap();
    for (sql, served) in [
        (streams::FIND, "(tenant=? AND id=? AND kind=?)"),
        (streams::LATER, "(stream=?)"),
        (
            &streams::range_sql(),
            "(stream=? AND version>? AND version<?)",
        ),
        (
            page::OF_TYPE,
            "COVERING INDEX ermine_events.type (type=? AND rowid>? AND rowid<?)",
        ),
        (
            &page::between_sql(),
            "INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
        ),
        (&page::at_sql(), "INTEGER PRIMARY KEY (rowid=?)"),
        (append::MOVE, "INTEGER PRIMARY KEY (rowid=?)"),
        (append::CLOSE, "INTEGER PRIMARY KEY (rowid=?)"),
        (append::HIDE, "(stream=?)"),
        (append::REMOVE, "(stream=?)"),
        (append::MASK, "(stream=? AND version=?)"),
        (shards::OF, "PRIMARY KEY (shard=?)"),
        (parked::UNPARK, "PRIMARY KEY (shard=? AND position=?)"),
        (parked::PARKED, "PRIMARY KEY (shard=? AND position>?)"),
    ] {
        let plan = plan(&connection, sql);
        assert!(
            plan.contains(served) && !plan.contains("SCAN") && !plan.contains("TEMP B-TREE"),
            "{sql}: {plan}"
        );
    }
}
