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
    ddl.extend(replaced_or_renumbered(layout));
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

/// The tables with rows that hang on a document's number.
fn hanging(layout: &Layout) -> impl Iterator<Item = &String> {
    let lists = layout.has_lists.then_some(&layout.tables.lists);
    let records = layout.text.as_ref().map(|text| &text.records);
    let vectors = layout.vectors.iter().map(|v| &v.table);
    lists.into_iter().chain(records).chain(vectors)
}

/// What hangs on the documents that `which` tells goes.
fn gone(layout: &Layout, which: &str) -> String {
    hanging(layout)
        .map(|table| format!("  DELETE FROM {table} WHERE {which};\n"))
        .collect()
}

/// A deleted document takes everything that hangs on it along.
fn deleted(layout: &Layout) -> Option<String> {
    let name = quote(&format!("ermine_doc_{}.delete", layout.schema));
    let documents = &layout.tables.documents;
    let gone = gone(layout, "doc = OLD.doc");
    (!gone.is_empty())
        .then(|| format!("CREATE TRIGGER {name} AFTER DELETE ON {documents} BEGIN\n{gone}END"))
}

/// A document whose place is taken by `OR REPLACE`, which fires no delete trigger: it
/// is noted before, and what hung on it goes after, since only then is it certain that
/// it was replaced (`OR IGNORE` and `ON CONFLICT` begin in the same way). And one that is
/// given another number, which what hangs on it follows.
fn replaced_or_renumbered(layout: &Layout) -> Vec<String> {
    if hanging(layout).next().is_none() {
        return Vec::new();
    }
    let documents = &layout.tables.documents;
    let replaced = quote(&format!("ermine_replaced_{}", layout.schema));
    let name = |event: &str| quote(&format!("ermine_doc_{}.{event}", layout.schema));
    let note = |except: &str| {
        format!(
            "  INSERT OR IGNORE INTO {replaced} SELECT doc FROM {documents} WHERE tenant = NEW.tenant AND id = NEW.id{except};\n  INSERT OR IGNORE INTO {replaced} SELECT doc FROM {documents} WHERE doc = NEW.doc{except};\n"
        )
    };
    let gone = gone(layout, &format!("doc IN (SELECT doc FROM {replaced})"));
    let still = format!("EXISTS (SELECT 1 FROM {replaced})");
    let settle = format!(
        "  DELETE FROM {replaced} WHERE doc <> NEW.doc AND doc IN (SELECT doc FROM {documents});\n{gone}  DELETE FROM {replaced};\n"
    );
    let follow: String = hanging(layout)
        .map(|table| {
            let tail = match &layout.text {
                // The postings name the old number: they are buried, as of a new text.
                Some(text) if text.records == *table => {
                    ", seg = NULL, live = NEW.deleted IS NULL, tenant = NEW.tenant"
                }
                _ => "",
            };
            format!("  UPDATE {table} SET doc = NEW.doc{tail} WHERE doc = OLD.doc;\n")
        })
        .collect();
    let except = " AND doc <> OLD.doc";
    vec![
        format!("CREATE TABLE {replaced} (\n  doc INTEGER PRIMARY KEY\n)"),
        format!(
            "CREATE TRIGGER {} BEFORE INSERT ON {documents} BEGIN\n{}END",
            name("replacing"),
            note("")
        ),
        format!(
            "CREATE TRIGGER {} AFTER INSERT ON {documents} WHEN {still} BEGIN\n{settle}END",
            name("replaced")
        ),
        format!(
            "CREATE TRIGGER {} BEFORE UPDATE OF doc, tenant, id ON {documents} BEGIN\n  DELETE FROM {replaced};\n{}END",
            name("displacing"),
            note(except)
        ),
        format!(
            "CREATE TRIGGER {} AFTER UPDATE OF doc, tenant, id ON {documents}\nWHEN {still} OR OLD.doc <> NEW.doc BEGIN\n{settle}{follow}END",
            name("displaced")
        ),
    ]
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
        // OR REPLACE fires no delete trigger.
        format!(
            "CREATE TRIGGER {} BEFORE UPDATE OF doc ON {table} WHEN OLD.doc <> NEW.doc BEGIN\n  INSERT INTO {VECTOR_LOG} (ix, slot) SELECT {index}, slot FROM {table} WHERE doc = NEW.doc;\nEND",
            trigger("displace")
        ),
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
