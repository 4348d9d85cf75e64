//! From a document that a projection makes to a row.

use std::sync::Arc;

use ermine_core::{Error, ErrorKind, Id, Op, PutMode, Record, RecordParts, Result, TenantId};

use super::keys::{RowId, row_tenant};
use super::rows::{Cause, Change, Row};
use crate::collection::Opened;
use crate::reader::broken_answer;
use crate::runtime::{Context, Runtime, Whose};
use crate::unit_of_work;

/// Whose documents are read and written for an event's tenant.
pub(super) fn context_of(runtime: &Arc<Runtime>, tenant: &Option<TenantId>) -> Context {
    Context {
        runtime: runtime.clone(),
        whose: match tenant {
            Some(tenant) => Whose::Tenant(tenant.as_str().to_owned()),
            None => Whose::NoTenant,
        },
    }
}

/// The row of a document, taken apart and analysed as a session's put is.
///
/// # Errors
///
/// Where the document does not fit its type, or its type the event's tenant.
pub(super) fn document_row<D: Record>(
    runtime: &Arc<Runtime>,
    opened: &Arc<Opened>,
    document: &D,
    cause: Cause,
) -> Result<Row> {
    parts_row(runtime, opened, document.to_parts(&opened.schema)?, cause)
}

/// [`document_row`], of a document that is taken apart already.
pub(super) fn parts_row(
    runtime: &Arc<Runtime>,
    opened: &Arc<Opened>,
    parts: RecordParts,
    cause: Cause,
) -> Result<Row> {
    let tenant = row_tenant(&opened.schema, &cause.tenant)?;
    let context = context_of(runtime, &cause.tenant);
    let (put, embedded) = unit_of_work::put(&context, opened, parts, PutMode::Store, None)?;
    let op = Op::Put(Box::new(put));
    op.check()?;
    let Op::Put(put) = op else {
        return Err(broken_answer());
    };
    let key = RowId {
        tenant,
        id: put.id.clone(),
    };
    Ok(Row {
        opened: opened.clone(),
        key,
        cause: Some(cause),
        change: Change::Put { put, embedded },
    })
}

/// Refuses a document that is not the one that was to be made.
pub(super) fn check_id(opened: &Opened, wanted: &Id, made: &Id) -> Result<()> {
    if wanted == made {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidValue,
        format!(
            "the projection makes document {made} of `{}` for the row {wanted}; give it the row's id",
            opened.schema
        ),
    ))
}
