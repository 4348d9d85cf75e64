//! Writing the vectors of stored documents, and nothing else of them.

use std::collections::HashMap;

use ermine_core::{Error, ErrorKind, Id, Result, VectorWrite};
use ermine_sql::{SqlValue, encode_id};
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};

use super::failure::{Failure, Sent, of_statement};
use super::runs::{Run, VectorsOf};
use super::statement::Statement;
use crate::bind::{Bind, VectorData, array_of, read_id, tenant_text};
use crate::error::{document, storage};

/// What writes the vectors of those documents that exist, hidden or not, once their
/// guards are judged (rule D11).
pub(super) async fn statements<'r>(
    client: &Client,
    run: &'r Run<'r>,
    documents: &'r [VectorsOf<'r>],
) -> std::result::Result<Vec<Statement<'r>>, Failure> {
    let layout = &run.layout;
    let failed = |e| of_statement(e, Sent::Statements);
    let tenant = tenant_text(run.tenant);
    let ids: Vec<SqlValue> = documents.iter().map(|one| encode_id(one.id)).collect();
    let bound: Vec<Bind<'_>> = ids.iter().map(Bind::of).collect();
    let of_ids: [(&(dyn ToSql + Sync), Type); 2] =
        [(&tenant, Type::TEXT), (&bound, array_of(&layout.id))];
    let rows = client.query_typed(&layout.lock, &of_ids).await;
    let mut docs: HashMap<Id, i64> = HashMap::new();
    for row in rows.map_err(failed)? {
        let doc = row.try_get(0).map_err(storage("finding documents"))?;
        docs.insert(read_id(&layout.schema, &row, 1)?, doc);
    }
    let mut statements = Vec::new();
    for (at, table) in layout.vectors.iter().enumerate() {
        let writes = documents.iter().filter_map(|one| {
            let doc = docs.get(one.id).copied()?;
            Some((one.id, doc, one.writes.get(at)?))
        });
        let writes: Vec<(&Id, i64, &VectorWrite)> = writes.collect();
        if writes
            .iter()
            .any(|(_, _, write)| matches!(write, VectorWrite::KeepIfHash(_)))
        {
            // Read after the lock was had: one that waited would see the hashes of before.
            let rows = client.query_typed(&table.hashes, &of_ids).await;
            let mut hashes: HashMap<i64, Option<String>> = HashMap::new();
            for row in rows.map_err(failed)? {
                let doc = row.try_get(0).map_err(storage("reading a hash"))?;
                hashes.insert(doc, row.try_get(1).map_err(storage("reading a hash"))?);
            }
            for (id, doc, write) in &writes {
                check_hash(run, at, id, write, hashes.get(doc).and_then(Option::as_ref))?;
            }
        }
        let (mut kept, mut data, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        let mut cleared = Vec::new();
        for (_, doc, write) in writes {
            match write {
                VectorWrite::Keep | VectorWrite::KeepIfHash(_) => {}
                VectorWrite::Set { vector, hash } => {
                    kept.push(doc);
                    data.push(Some(VectorData(vector.as_slice())));
                    hashes.push(hash.as_deref());
                }
                VectorWrite::Clear { hash: Some(hash) } => {
                    kept.push(doc);
                    data.push(None);
                    hashes.push(Some(hash.as_str()));
                }
                VectorWrite::Clear { hash: None } => cleared.push(doc),
            }
        }
        if !kept.is_empty() {
            statements.push(
                Statement::new(table.upsert.as_str())
                    .bind(kept, Type::INT8_ARRAY)
                    .bind(data, table.array.clone())
                    .bind(hashes, Type::TEXT_ARRAY),
            );
        }
        if !cleared.is_empty() {
            statements.push(Statement::new(table.delete.as_str()).bind(cleared, Type::INT8_ARRAY));
        }
    }
    Ok(statements)
}

fn check_hash(
    run: &Run<'_>,
    at: usize,
    id: &Id,
    write: &VectorWrite,
    stored: Option<&String>,
) -> Result<()> {
    let VectorWrite::KeepIfHash(expected) = write else {
        return Ok(());
    };
    if stored == Some(expected) {
        return Ok(());
    }
    let schema = &run.layout.schema;
    let field = schema.vectors().get(at).map_or("", |field| field.name());
    let what = document(schema, run.tenant, id);
    Err(Error::new(
        ErrorKind::KeptVectorChanged,
        format!(
            "{what} was to keep the vector of field `{field}`, which another writer has replaced; read and write again"
        ),
    ))
}
