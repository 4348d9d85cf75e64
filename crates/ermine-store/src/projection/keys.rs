//! Which rows, and which events have the last word on them.

use std::collections::HashMap;

use ermine_core::{Error, ErrorKind, Id, Position, Result, Schema, Tenancy, TenantId};

/// A row of one projection.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RowId {
    pub(crate) tenant: Option<TenantId>,
    pub(crate) id: Id,
}

/// For each row, the position of the last event that says something about it.
#[derive(Default)]
pub(crate) struct LastWords(HashMap<RowId, Position>);

impl LastWords {
    /// An event at `position`, later than those before, says something about a row.
    pub(crate) fn said(&mut self, row: RowId, position: Position) {
        self.0.insert(row, position);
    }

    pub(crate) fn is_last(&self, row: &RowId, position: Position) -> bool {
        self.0.get(row) == Some(&position)
    }

    pub(crate) fn knows(&self, row: &RowId) -> bool {
        self.0.contains_key(row)
    }
}

/// The tenant of a row, which is its event's (rule P14).
///
/// # Errors
///
/// `Tenancy` where the type of the row does not go with it: two tenants would share a
/// row, or a row would belong to nobody.
pub(crate) fn row_tenant(schema: &Schema, tenant: &Option<TenantId>) -> Result<Option<TenantId>> {
    let refuse = |problem: String| Err(Error::new(ErrorKind::Tenancy, problem));
    match (tenant, schema.tenancy()) {
        (Some(tenant), Tenancy::None) => refuse(format!(
            "the event is the tenant {tenant}'s and `{schema}` has no tenants; declare it with conjoined tenancy"
        )),
        (None, Tenancy::Conjoined) => refuse(format!(
            "the event is in a stream of no tenant and `{schema}` belongs to tenants; append in a tenant's session"
        )),
        _ => Ok(tenant.clone()),
    }
}
