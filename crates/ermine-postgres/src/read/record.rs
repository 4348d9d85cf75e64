//! Documents, by row and by number.

use std::collections::HashMap;

use ermine_core::{
    Embedding, Error, ErrorKind, Id, Include, Result, ScopedId, StoredRecord, VectorFieldSchema,
};
use ermine_sql::{SqlValue, encode_id};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use crate::bind::{Bind, array_of, read_id, read_tenant, read_vector};
use crate::error::{Doing, corrupt, document, storage};
use crate::layout::Layout;

/// Ids as one value of a statement.
pub(crate) struct Ids(Vec<SqlValue>, Type);

impl Ids {
    /// The ids that can be stored at all: text with U+0000 cannot.
    pub(crate) fn of<'a>(layout: &Layout, ids: impl IntoIterator<Item = &'a Id>) -> Self {
        let storable = |id: &&Id| !matches!(id, Id::Text(text) if text.contains('\0'));
        Self(
            ids.into_iter().filter(storable).map(encode_id).collect(),
            array_of(&layout.id),
        )
    }

    pub(crate) fn values(&self) -> Vec<Bind<'_>> {
        self.0.iter().map(Bind::of).collect()
    }

    pub(crate) fn ty(&self) -> Type {
        self.1.clone()
    }
}

/// The documents of these numbers.
pub(crate) async fn by_number(
    client: &Client,
    layout: &Layout,
    docs: &[i64],
    include: Include,
) -> Result<HashMap<i64, StoredRecord>> {
    if docs.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!("{}d.doc = ANY($1)", layout.selection(include));
    let rows = client
        .query_typed(&sql, &[(&docs as &(dyn ToSql + Sync), Type::INT8_ARRAY)])
        .await
        .map_err(storage(Doing("reading documents of", layout.schema.name())))?;
    rows.iter()
        .map(|row| {
            let doc = row.try_get(0).map_err(storage("reading a document"))?;
            Ok((doc, record(layout, row, include)?))
        })
        .collect()
}

/// Tenant and id, from the columns after the first.
pub(crate) fn key(layout: &Layout, row: &Row) -> Result<ScopedId> {
    Ok((
        read_tenant(&layout.schema, row, 1)?,
        read_id(&layout.schema, row, 2)?,
    ))
}

/// A document from a row of the layout's selection.
pub(crate) fn record(layout: &Layout, row: &Row, include: Include) -> Result<StoredRecord> {
    let (tenant, id) = key(layout, row)?;
    let fields = layout.schema.vectors();
    let embeddings = if include.vectors {
        let embedding = |(at, field): (usize, &VectorFieldSchema)| {
            let bytes: Option<&[u8]> = row.try_get(4 + at).map_err(storage("reading a vector"))?;
            embedding(field, bytes)
                .map_err(|e| e.in_context(document(&layout.schema, tenant.as_ref(), &id)))
        };
        fields
            .iter()
            .enumerate()
            .map(embedding)
            .collect::<Result<_>>()?
    } else {
        vec![Embedding::NotLoaded; fields.len()]
    };
    Ok(StoredRecord {
        body: row.try_get(3).map_err(storage("reading a document"))?,
        id,
        tenant,
        embeddings,
    })
}

/// A stored vector, judged as the field was declared (rule V6).
fn embedding(field: &VectorFieldSchema, bytes: Option<&[u8]>) -> Result<Embedding> {
    let Some(bytes) = bytes else {
        return Ok(Embedding::Absent);
    };
    let judged = match read_vector(bytes) {
        Some(vector) => vector
            .check(field.dimensions(), field.metric(), "its value")
            .map(|()| Embedding::Present(vector)),
        None => Err(Error::new(
            ErrorKind::WrongDimensions,
            format!("{} bytes are no vector", bytes.len()),
        )),
    };
    judged.map_err(|e| {
        corrupt(format!(
            "the stored vector of field `{}` is damaged ({e}); store the document's vector again",
            field.name()
        ))
    })
}
