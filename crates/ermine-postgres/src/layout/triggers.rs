//! What follows from a change of a table, whoever makes it.
//!
//! The functions find their tables whatever the search path of whoever fires them.

use ermine_sql::{Dialect, Postgres};

use super::{Layout, TextTables};

pub(super) fn create(layout: &Layout) -> Vec<String> {
    let mut ddl: Vec<String> = deleted(layout).into_iter().flatten().collect();
    if let Some(text) = &layout.text {
        ddl.extend(hidden_or_moved(layout, text));
        ddl.extend(buried(text));
    }
    ddl
}

fn function(name: &str, body: &str) -> String {
    format!(
        "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $ermine$\nBEGIN\n{body}\n  RETURN NULL;\nEND $ermine$"
    )
}

/// A deleted document takes everything that hangs on it along.
fn deleted(layout: &Layout) -> Option<[String; 2]> {
    let documents = &layout.tables.documents;
    let name = Postgres.identifier(&format!("ermine_doc_{}.delete", layout.schema));
    let records = layout.text.as_ref().map(|text| &text.records);
    let vectors = layout.vectors.iter().map(|v| &v.table);
    let gone: Vec<String> = records
        .into_iter()
        .chain(vectors)
        .map(|table| format!("  DELETE FROM {table} AS t USING gone WHERE t.doc = gone.doc;"))
        .collect();
    (!gone.is_empty()).then(|| {
        [
            function(&name, &gone.join("\n")),
            format!(
                "CREATE TRIGGER {name} AFTER DELETE ON {documents} REFERENCING OLD TABLE AS gone\nFOR EACH STATEMENT EXECUTE FUNCTION {name}()"
            ),
        ]
    })
}

/// Soft deletes, undeletes and moves to another tenant.
fn hidden_or_moved(layout: &Layout, text: &TextTables) -> [String; 2] {
    let name = Postgres.identifier(&format!("ermine_doc_{}.update", layout.schema));
    let body = format!(
        "  UPDATE {} SET live = NEW.deleted IS NULL, tenant = NEW.tenant,\n    seg = CASE WHEN tenant = NEW.tenant THEN seg END WHERE doc = NEW.doc;",
        text.records
    );
    [
        function(&name, &body),
        format!(
            "CREATE TRIGGER {name} AFTER UPDATE OF deleted, tenant ON {}\nFOR EACH ROW WHEN (OLD.deleted IS DISTINCT FROM NEW.deleted OR OLD.tenant <> NEW.tenant)\nEXECUTE FUNCTION {name}()",
            layout.tables.documents
        ),
    ]
}

/// What a transaction that moves records between segments sets to `on`, since it
/// removes their old postings itself.
pub(crate) const SEALING: &str = "ermine.sealing";

/// A record whose postings sit in a segment leaves its old self behind.
fn buried(text: &TextTables) -> [String; 3] {
    let TextTables { records, dead, .. } = text;
    let name = |event: &str| Postgres.identifier(&format!("ermine_text_{}.{event}", text.schema));
    let bury = format!(
        "  INSERT INTO {dead} (tenant, seg, doc, len, terms)\n  VALUES (OLD.tenant, OLD.seg, OLD.doc, OLD.len, OLD.terms) ON CONFLICT DO NOTHING;"
    );
    let bury_it = name("bury");
    [
        function(&bury_it, &bury),
        format!(
            "CREATE TRIGGER {} AFTER DELETE ON {records}\nFOR EACH ROW WHEN (OLD.seg IS NOT NULL) EXECUTE FUNCTION {bury_it}()",
            name("delete")
        ),
        format!(
            "CREATE TRIGGER {} AFTER UPDATE ON {records}\nFOR EACH ROW WHEN (OLD.seg IS NOT NULL AND NEW.seg IS DISTINCT FROM OLD.seg\n  AND current_setting('{SEALING}', true) IS DISTINCT FROM 'on')\nEXECUTE FUNCTION {bury_it}()",
            name("update")
        ),
    ]
}
