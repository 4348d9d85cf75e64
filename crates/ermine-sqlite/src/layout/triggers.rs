//! What follows from a change of a table, whoever makes it.
//!
//! The triggers are plain SQL, so that another program's statements keep the
//! indexes as true as Ermine's own do.

use ermine_sql::quote;

use super::{Layout, VectorTable};
use crate::catalog::VECTOR_LOG;

pub(super) fn create(layout: &Layout) -> Vec<String> {
    let mut ddl: Vec<String> = [deleted(layout), hidden_or_moved(layout)]
        .into_iter()
        .flatten()
        .collect();
    if let Some(text) = &layout.text {
        let (records, dead) = (&text.records, &text.dead);
        let name = |event: &str| quote(&format!("ermine_text_{}.{event}", text.schema));
        let bury = format!(
            "INSERT OR REPLACE INTO {dead} (tenant, seg, doc, len)\n  VALUES (OLD.tenant, OLD.seg, OLD.doc, OLD.len)"
        );
        ddl.push(format!(
            "CREATE TRIGGER {} AFTER DELETE ON {records} WHEN OLD.seg IS NOT NULL BEGIN\n  {bury};\nEND",
            name("delete")
        ));
        ddl.push(format!(
            "CREATE TRIGGER {} AFTER UPDATE OF seg ON {records}\nWHEN OLD.seg IS NOT NULL AND NEW.seg IS NOT OLD.seg BEGIN\n  {bury};\nEND",
            name("update")
        ));
    }
    ddl.extend(layout.vectors.iter().flat_map(logged));
    ddl
}

/// A deleted document takes everything that hangs on it along.
fn deleted(layout: &Layout) -> Option<String> {
    let name = quote(&format!("ermine_doc_{}.delete", layout.schema));
    let documents = &layout.tables.documents;
    let lists = layout.has_lists.then_some(&layout.tables.lists);
    let records = layout.text.as_ref().map(|text| &text.records);
    let vectors = layout.vectors.iter().map(|v| &v.table);
    let gone: String = lists
        .into_iter()
        .chain(records)
        .chain(vectors)
        .map(|table| format!("  DELETE FROM {table} WHERE doc = OLD.doc;\n"))
        .collect();
    (!gone.is_empty())
        .then(|| format!("CREATE TRIGGER {name} AFTER DELETE ON {documents} BEGIN\n{gone}END"))
}

/// Soft deletes, undeletes and moves to another tenant.
fn hidden_or_moved(layout: &Layout) -> Option<String> {
    let name = quote(&format!("ermine_doc_{}.update", layout.schema));
    let documents = &layout.tables.documents;
    let mut body = String::new();
    if let Some(text) = &layout.text {
        body.push_str(&format!(
            "  UPDATE {} SET live = NEW.deleted IS NULL, tenant = NEW.tenant,\n    seg = CASE WHEN tenant = NEW.tenant THEN seg END WHERE doc = NEW.doc;\n",
            text.records
        ));
    }
    for VectorTable { index, table, .. } in &layout.vectors {
        body.push_str(&format!(
            "  INSERT INTO {VECTOR_LOG} (ix, slot) SELECT {index}, slot FROM {table} WHERE doc = NEW.doc;\n"
        ));
    }
    (!body.is_empty()).then(|| {
        format!(
            "CREATE TRIGGER {name} AFTER UPDATE OF deleted, tenant ON {documents}\nWHEN OLD.deleted IS NOT NEW.deleted OR OLD.tenant <> NEW.tenant BEGIN\n{body}END"
        )
    })
}

/// Everything that a slot above the highest does not tell goes into the log:
/// deaths, edits, and rows inserted below the highest slot or in the place of others.
fn logged(vectors: &VectorTable) -> Vec<String> {
    let VectorTable {
        index, name, table, ..
    } = vectors;
    let trigger = |event: &str| quote(&format!("{name}.{event}"));
    let sequence = name.replace('\'', "''");
    let log =
        |row: &str| format!("INSERT INTO {VECTOR_LOG} (ix, slot) VALUES ({index}, {row}.slot)");
    vec![
        format!(
            "CREATE TRIGGER {} AFTER DELETE ON {table} BEGIN\n  {};\nEND",
            trigger("delete"),
            log("OLD")
        ),
        format!(
            "CREATE TRIGGER {} AFTER UPDATE OF slot, doc, data ON {table} BEGIN\n  {};\n  {};\nEND",
            trigger("update"),
            log("OLD"),
            log("NEW")
        ),
        // INSERT OR REPLACE fires no delete trigger.
        format!(
            "CREATE TRIGGER {} BEFORE INSERT ON {table} BEGIN\n  INSERT INTO {VECTOR_LOG} (ix, slot) SELECT {index}, slot FROM {table} WHERE doc = NEW.doc;\nEND",
            trigger("replace")
        ),
        format!(
            "CREATE TRIGGER {} AFTER INSERT ON {table}\nWHEN NEW.slot <= (SELECT seq FROM sqlite_sequence WHERE name = '{sequence}') BEGIN\n  {};\nEND",
            trigger("insert"),
            log("NEW")
        ),
    ]
}
