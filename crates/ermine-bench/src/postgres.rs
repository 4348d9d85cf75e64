//! The server that is measured on.

use tokio_postgres::NoTls;

use crate::Result;

/// Where it is.
pub(crate) fn url() -> Result<String> {
    std::env::var("ERMINE_TEST_POSTGRES")
        .map_err(|_| "ERMINE_TEST_POSTGRES names no PostgreSQL".into())
}

/// Drops what a measurement made there.
pub(crate) async fn drop_schema(url: &str, schema: &str) -> Result<()> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    let connection = tokio::spawn(connection);
    client
        .batch_execute(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE"))
        .await?;
    drop(client);
    // It ends with its client.
    connection.await??;
    Ok(())
}
