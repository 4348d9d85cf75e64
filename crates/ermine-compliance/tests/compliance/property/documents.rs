//! Documents, and what is done with them.

use ermine_core::{ColumnType, DynamicRecord, Embedding, Engine, Metric, Result, Schema, Tenancy};
use ermine_store::{Collection, Session, Store};
use serde_json::Value as Json;

use super::choices::Choices;
use super::{filters, kinds};

pub(super) const TENANTS: [&str; 3] = ["a", "b", "B"];

/// A unit of work, to be done in each store.
#[derive(Debug)]
pub(super) struct Work {
    tenant: Option<&'static str>,
    operations: Vec<Operation>,
}

#[derive(Debug)]
enum Operation {
    Store(DynamicRecord),
    Insert(DynamicRecord),
    Update(DynamicRecord),
    Delete(ermine_core::Id),
    HardDelete(ermine_core::Id),
    DeleteWhere(ermine_core::Expr),
}

pub(super) fn work(choices: &mut Choices<'_>, schema: &Schema) -> Work {
    let tenant = choices.one_of(&TENANTS);
    let operations = (0..1 + choices.below(6))
        .map(|_| operation(choices, schema))
        .collect();
    Work {
        tenant: (schema.tenancy() == Tenancy::Conjoined).then_some(tenant),
        operations,
    }
}

fn operation(choices: &mut Choices<'_>, schema: &Schema) -> Operation {
    match choices.below(12) {
        6 => Operation::Insert(document(choices, schema)),
        7 => Operation::Update(document(choices, schema)),
        8 | 9 => Operation::Delete(kinds::id(choices, schema.id_type())),
        10 => Operation::HardDelete(kinds::id(choices, schema.id_type())),
        11 => Operation::DeleteWhere(filters::filter(choices, schema, 2)),
        _ => Operation::Store(document(choices, schema)),
    }
}

fn document(choices: &mut Choices<'_>, schema: &Schema) -> DynamicRecord {
    let mut document = DynamicRecord::new(kinds::id(choices, schema.id_type()));
    for column in schema.columns() {
        if choices.once_in(4) {
            continue;
        }
        let json = match column.column_type() {
            ColumnType::Scalar(scalar) => kinds::value(choices, scalar).0,
            ColumnType::List(scalar) => {
                Json::Array(choices.some(4, |choices| kinds::value(choices, scalar).0))
            }
        };
        document = document.with(column.name(), json);
    }
    for text in schema.text() {
        if !choices.once_in(5) {
            document = document.with(text.name(), kinds::words(choices, 6));
        }
    }
    for field in schema.vectors() {
        document = match choices.below(8) {
            6 => document.with_vector(field.name(), Embedding::Absent),
            7 => document,
            _ => {
                let mut elements = kinds::elements(choices, field.dimensions());
                if field.metric() == Metric::Cosine && elements.iter().all(|v| *v == 0.0) {
                    elements[0] = 1.0;
                }
                document.with_vector(field.name(), elements)
            }
        };
    }
    document
}

impl Work {
    /// Does the work and tells how it ended.
    pub(super) async fn done_in(&self, store: &Store<Engine>) -> Result<()> {
        let mut session = match self.tenant {
            Some(tenant) => store.session(tenant),
            None => store.session_without_tenant(),
        };
        let collection = store.dynamic("things")?;
        for operation in &self.operations {
            operation.record(&mut session, &collection);
        }
        session.commit().await.map(drop)
    }
}

impl Operation {
    fn record(&self, session: &mut Session<Engine>, collection: &Collection<DynamicRecord>) {
        match self {
            Self::Store(document) => session.store_in(collection, document),
            Self::Insert(document) => session.insert_in(collection, document),
            Self::Update(document) => session.update_in(collection, document),
            Self::Delete(id) => session.delete_in(collection, id.clone()),
            Self::HardDelete(id) => session.hard_delete_in(collection, id.clone()),
            Self::DeleteWhere(filter) => {
                let filter = ermine_core::Filter::from_expr(filter.clone());
                session.delete_where_in(collection, filter);
            }
        }
    }
}
