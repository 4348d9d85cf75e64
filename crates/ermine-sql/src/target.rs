//! The implicit predicates and the caller's filter, in one place.

use ermine_core::{DeletedScope, Result, Target, TenantScope};

use crate::{Sql, encode_tenant, push_filter};

/// Appends the condition that a document of the table called `d` is in scope and
/// passes the filter.
pub fn push_target(sql: &mut Sql, target: &Target) -> Result<()> {
    match &target.scope.tenants {
        TenantScope::One(tenant) => {
            sql.push("d.tenant = ").bind(encode_tenant(Some(tenant)));
        }
        TenantScope::Untenanted | TenantScope::All => {
            sql.push("TRUE");
        }
    }
    sql.push(match target.scope.deleted {
        DeletedScope::Hidden => " AND d.deleted IS NULL",
        DeletedScope::Only => " AND d.deleted IS NOT NULL",
        DeletedScope::Included => "",
    });
    if let Some(filter) = &target.filter {
        sql.push(" AND ");
        push_filter(sql, &target.schema, filter)?;
    }
    sql.check()
}
