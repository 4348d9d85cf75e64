//! The tables of a document type.

use ermine_core::{ColumnType, Filterable, Result, ScalarType, Schema, Tenancy};

use crate::{Dialect, Lists};

/// The quoted names of a type's tables, and the statements that create them.
///
/// The document table has the columns `doc` (a number that is never reused),
/// `tenant` (empty for a type without tenants), `id`, `body`, `deleted` (the time
/// of a soft delete) and `f_…` for each indexed field. A list is an array there, or
/// 1 where it is present with its distinct elements in the list table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    /// The documents.
    pub documents: String,
    /// The elements of lists where they are kept in a table: `field`, `value`, `doc`.
    pub lists: String,
}

impl Tables {
    /// The names of the tables of `schema`.
    pub fn of(schema: &Schema) -> Self {
        Self {
            documents: quote(&format!("ermine_doc_{schema}")),
            lists: quote(&format!("ermine_list_{schema}")),
        }
    }

    /// The name of what numbers documents, where that has one.
    pub fn sequence(schema: &Schema) -> String {
        quote(&format!("ermine_seq_{schema}"))
    }

    /// The statements that create them, with an index for each indexed field.
    pub fn create(&self, schema: &Schema, dialect: &dyn Dialect) -> Vec<String> {
        let Self { documents, lists } = self;
        let text = dialect.scalar_type(ScalarType::Text);
        let time = dialect.scalar_type(ScalarType::Timestamp);
        let id = dialect.scalar_type(scalar_of(Filterable::Id(schema.id_type()).column_type()));
        let mut columns = String::new();
        for column in schema.columns() {
            let name = field_column(column.name());
            let kind = match (column.column_type(), dialect.lists()) {
                (ColumnType::Scalar(scalar), _) => dialect.scalar_type(scalar),
                (ColumnType::List(scalar), Lists::Array(of)) => of(scalar),
                (ColumnType::List(_), Lists::Table) => dialect.scalar_type(ScalarType::Bool),
            };
            columns.push_str(&format!(",\n  {name} {kind}"));
        }
        // Where there are no tenants, an index that began with the tenant would look
        // selective to a planner and select everything.
        let tenant = match schema.tenancy() {
            Tenancy::None => "",
            _ => "tenant, ",
        };
        let mut ddl = vec![format!(
            "CREATE TABLE {documents} (\n  doc {},\n  tenant {text} NOT NULL DEFAULT '',\n  id {id} NOT NULL,\n  body TEXT NOT NULL,\n  deleted {time}{columns},\n  UNIQUE ({tenant}id)\n)",
            dialect.document_key(schema)
        )];
        for column in schema.columns() {
            let index = dialect.identifier(&format!("ermine_ix_{schema}.{}", column.name()));
            let name = field_column(column.name());
            match (column.column_type(), dialect.lists()) {
                // With `deleted` in it, the rows that pass are found without reading a document.
                (ColumnType::Scalar(_), _) => ddl.push(format!(
                    "CREATE INDEX {index} ON {documents} ({tenant}{name}{}, deleted)",
                    dialect.absent_first()
                )),
                (ColumnType::List(_), Lists::Array(_)) => ddl.push(format!(
                    "CREATE INDEX {index} ON {documents} USING gin ({name})"
                )),
                (ColumnType::List(_), Lists::Table) => {}
            }
        }
        if let (Lists::Table, true) = (dialect.lists(), self.has_lists(schema)) {
            // No type on `value`: a column type would convert one kind of value into another.
            ddl.push(format!(
                "CREATE TABLE {lists} (\n  field TEXT NOT NULL,\n  value NOT NULL,\n  doc INTEGER NOT NULL,\n  PRIMARY KEY (field, value, doc)\n) WITHOUT ROWID"
            ));
            let index = quote(&format!("ermine_list_{schema}.doc"));
            ddl.push(format!("CREATE INDEX {index} ON {lists} (doc)"));
        }
        ddl
    }

    /// Whether the type has lists.
    pub fn has_lists(&self, schema: &Schema) -> bool {
        schema
            .columns()
            .iter()
            .any(|column| matches!(column.column_type(), ColumnType::List(_)))
    }
}

fn scalar_of(column: ColumnType) -> ScalarType {
    let (ColumnType::Scalar(scalar) | ColumnType::List(scalar)) = column;
    scalar
}

/// The quoted name of an indexed field's column. The prefix keeps it apart from
/// the columns every document has; dots, quotes and spaces are as good as letters.
///
/// ```
/// assert_eq!(ermine_sql::field_column(r#"meta."year""#), r#""f_meta.""year""""#);
/// ```
pub fn field_column(field: &str) -> String {
    quote(&format!("f_{field}"))
}

/// A name as an identifier: quoted, its own quotes doubled.
pub fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The column of a field that filters or orders, in the table called `d`.
pub(crate) fn column(schema: &Schema, field: &str) -> Result<(String, ColumnType)> {
    let filterable = schema.filterable(field)?;
    let column = match filterable {
        Filterable::Id(_) => "d.id".to_owned(),
        Filterable::Column(..) => format!("d.{}", field_column(field)),
    };
    Ok((column, filterable.column_type()))
}
