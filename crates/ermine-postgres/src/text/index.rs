//! Reading what one tenant's index holds of certain terms.

use ermine_core::{Error, Result, TenantScope};
use ermine_text::{Liveness, TermIndex, TextError};
use futures_util::future::try_join5;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use crate::error::{Doing, corrupt, storage};
use crate::layout::TextTables;

/// The stored tenants a search looks at.
pub(super) async fn tenants(
    client: &Client,
    text: &TextTables,
    scope: &TenantScope,
) -> Result<Vec<String>> {
    match scope {
        TenantScope::Untenanted => Ok(vec![String::new()]),
        TenantScope::One(tenant) => Ok(vec![tenant.as_str().to_owned()]),
        TenantScope::All => {
            let listing = || storage(Doing("listing the tenants of", &text.schema));
            let rows = client
                .query_typed(&text.tenants, &[])
                .await
                .map_err(listing())?;
            rows.iter()
                .map(|row| row.try_get(0).map_err(listing()))
                .collect()
        }
    }
}

/// Reads what a tenant's index holds of `terms`, which are sorted and distinct.
pub(super) async fn read(
    client: &Client,
    text: &TextTables,
    fields: usize,
    tenant: &str,
    terms: &[String],
) -> Result<TermIndex> {
    let of_tenant = async |sql: &str| {
        let values: [(&(dyn ToSql + Sync), Type); 1] = [(&tenant, Type::TEXT)];
        client.query_typed(sql, &values).await
    };
    // A query may hold U+0000, and no document does; PostgreSQL cannot even be asked.
    let storable: Vec<&String> = terms.iter().filter(|term| !term.contains('\0')).collect();
    let postings = async {
        let values: [(&(dyn ToSql + Sync), Type); 2] =
            [(&tenant, Type::TEXT), (&storable, Type::TEXT_ARRAY)];
        client.query_typed(&text.postings_of, &values).await
    };
    let (segments, postings, dead, hidden, tail) = try_join5(
        of_tenant(&text.segments_of),
        postings,
        of_tenant(&text.dead_of),
        of_tenant(&text.hidden_of),
        of_tenant(&text.tail_of),
    )
    .await
    .map_err(failed(text))?;
    let mut index = TermIndex::new(terms.to_vec(), fields);
    for row in &segments {
        index.add_segment(number(text, row, 1)?, number(text, row, 2)?);
    }
    for row in &postings {
        let segment = row.try_get(0).map_err(failed(text))?;
        let term = row.try_get(1).map_err(failed(text))?;
        let post = row.try_get(3).map_err(failed(text))?;
        index.add_postings(segment, term, number(text, row, 2)?, post);
    }
    for row in &dead {
        let segment = row.try_get(3).map_err(failed(text))?;
        record(text, row, |doc, len, terms| {
            index.bury(segment, doc, len, terms)
        })?;
    }
    for row in &hidden {
        record(text, row, |doc, len, terms| index.hide(doc, len, terms))?;
    }
    for row in &tail {
        let liveness = if row.try_get(3).map_err(failed(text))? {
            Liveness::Live
        } else {
            Liveness::Hidden
        };
        record(text, row, |doc, len, terms| {
            index.add_to_tail(doc, len, terms, liveness)
        })?;
    }
    Ok(index)
}

/// Hands on a row of document, length and record.
fn record(
    text: &TextTables,
    row: &Row,
    take: impl FnOnce(i64, u64, &[u8]) -> std::result::Result<(), TextError>,
) -> Result<()> {
    let doc = row.try_get(0).map_err(failed(text))?;
    let len = number(text, row, 1)?;
    let terms = row.try_get(2).map_err(failed(text))?;
    take(doc, len, terms).map_err(|error| damaged(text, doc, error))
}

fn number(text: &TextTables, row: &Row, at: usize) -> Result<u64> {
    let number: i64 = row.try_get(at).map_err(failed(text))?;
    Ok(number.cast_unsigned())
}

fn failed(text: &TextTables) -> impl Fn(tokio_postgres::Error) -> Error {
    storage(Doing("searching the text of", &text.schema))
}

/// A forward record or a posting list that Ermine did not write.
pub(super) fn damaged(text: &TextTables, doc: i64, error: TextError) -> Error {
    corrupt(format!(
        "the text index of `{}` is damaged at document number {doc}; store that document again",
        text.schema
    ))
    .with_source(error)
}
