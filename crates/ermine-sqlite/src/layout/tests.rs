//! The statements of every search and write are served by a key or an index.

use std::time::Duration;

use ermine_core::{Deletion, IdType, Metric, Tenancy};
use rusqlite::Connection;

use super::*;

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
fn every_lookup_is_served_by_a_key_or_an_index() {
    let schema = Schema::builder("notes", "id", IdType::Text)
        .tenancy(Tenancy::Conjoined)
        .deletion(Deletion::Soft)
        .text("body", 1.0)
        .vector("v", 2, Metric::Cosine)
        .build()
        .unwrap();
    let connection = Connection::open_in_memory().unwrap();
    crate::catalog::prepare(&connection, Duration::ZERO).unwrap();
    let layout = Layout::new(Arc::new(schema), &[1]);
    for statement in layout.create() {
        connection.execute_batch(&statement).unwrap();
    }
    let text = layout.text.as_ref().unwrap();
    let vectors = &layout.vectors[0];
    for (sql, served) in [
        (&layout.find, "(tenant=? AND id=?)"),
        (&layout.key_of, "INTEGER PRIMARY KEY (rowid=?)"),
        (&layout.record_of, "INTEGER PRIMARY KEY (rowid=?)"),
        (&text.tail_of, "INDEX ermine_text_notes.tail (tenant=?)"),
        (
            &text.hidden_of,
            "COVERING INDEX ermine_text_notes.hidden (tenant=?)",
        ),
        (&text.dead_of, "PRIMARY KEY (tenant=?)"),
        (
            &text.segments_of,
            "INDEX ermine_text_notes.tenant (tenant=?)",
        ),
        (&text.postings_of, "PRIMARY KEY (seg=? AND term=?)"),
        (&vectors.state_of, "(doc=?)"),
        (&vectors.row_of, "INTEGER PRIMARY KEY (rowid=?)"),
        (&vectors.rows_after, "INTEGER PRIMARY KEY (rowid>?)"),
    ] {
        let plan = plan(&connection, sql);
        assert!(
            plan.contains(served) && !plan.contains("SCAN"),
            "{sql}: {plan}"
        );
    }
}
