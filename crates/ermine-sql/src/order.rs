//! Orders that are total.

use ermine_core::{OrderBy, Result, Schema, Tenancy};

use crate::Sql;
use crate::tables::column;

/// Appends `ORDER BY` the fields given, then tenant and id ascending (rule D10).
pub fn push_order(sql: &mut Sql, schema: &Schema, order: &[OrderBy]) -> Result<()> {
    sql.push(" ORDER BY ");
    for OrderBy { field, direction } in order {
        let (column, _) = column(schema, field)?;
        let direction = sql.dialect().direction(*direction);
        sql.push(format!("{column} {direction}, "));
    }
    // Where no document has a tenant, the index of ids alone has them in this order.
    sql.push(match schema.tenancy() {
        Tenancy::None => "d.id",
        _ => "d.tenant, d.id",
    });
    Ok(())
}
