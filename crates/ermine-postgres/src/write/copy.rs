//! Rows on their way into a table by COPY, in its binary form.

use std::pin::pin;

use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error as DriverError};

/// A row's values, in the order of the columns.
pub(super) type Values<'r> = Vec<&'r (dyn ToSql + Sync)>;

/// Sends rows, each taken apart by `row` as it is needed.
pub(super) async fn copy<'r, T>(
    client: &Client,
    table: &str,
    columns: &[(&str, Type)],
    rows: &'r [T],
    row: impl Fn(&'r T) -> Values<'r>,
) -> Result<(), DriverError> {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let types: Vec<Type> = columns.iter().map(|(_, ty)| ty.clone()).collect();
    let sql = format!(
        "COPY {table} ({}) FROM STDIN (FORMAT binary)",
        names.join(", ")
    );
    let mut writer = pin!(BinaryCopyInWriter::new(client.copy_in(&sql).await?, &types));
    for item in rows {
        writer.as_mut().write_raw(row(item)).await?;
    }
    writer.finish().await.map(drop)
}
