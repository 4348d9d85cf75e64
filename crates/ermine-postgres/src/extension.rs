//! pgvector, as this database has it.

use ermine_core::{Error, ErrorKind, Metric, Result};
use ermine_sql::quote;
use tokio_postgres::Client;
use tokio_postgres::types::{Kind, Type};

use crate::error::storage;

const LOOKING: &str = "looking for pgvector";

/// The extension: where its functions are and what its types are called.
#[derive(Debug, Clone)]
pub(crate) struct Extension {
    /// The schema it is installed in, quoted.
    schema: String,
    version: String,
    vector: Type,
    vectors: Type,
}

/// The oldest server whose statements this store's are.
const OLDEST_SERVER: i32 = 160_000;

impl Extension {
    /// Looks for it, and refuses a server or an extension that is too old.
    pub(crate) async fn find(client: &Client) -> Result<Self> {
        let server = client
            .query_typed(
                "SELECT current_setting('server_version_num')::int4, current_setting('server_version'), current_database()::text",
                &[],
            )
            .await
            .map_err(storage("connecting"))?;
        let mut database = String::new();
        if let Some(row) = server.first() {
            let number: i32 = row.try_get(0).map_err(storage("connecting"))?;
            let version: String = row.try_get(1).map_err(storage("connecting"))?;
            database = row.try_get(2).map_err(storage("connecting"))?;
            if number < OLDEST_SERVER {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!(
                        "the server is PostgreSQL {version}, and this store needs 16 or later; it is tested on 18"
                    ),
                ));
            }
        }
        let found = client
            .query_typed(
                "SELECT n.nspname::text, e.extversion, t.oid, t.typarray
                 FROM pg_extension AS e
                 JOIN pg_namespace AS n ON n.oid = e.extnamespace
                 JOIN pg_type AS t ON t.typnamespace = e.extnamespace AND t.typname = 'vector'
                 WHERE e.extname = 'vector'",
                &[],
            )
            .await
            .map_err(storage(LOOKING))?;
        let Some(row) = found.first() else {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "the extension pgvector is not installed in the database `{database}`; run `CREATE EXTENSION vector` there, as its owner, once"
                ),
            ));
        };
        let read = || -> std::result::Result<_, tokio_postgres::Error> {
            Ok((
                row.try_get::<_, String>(0)?,
                row.try_get::<_, String>(1)?,
                row.try_get::<_, u32>(2)?,
                row.try_get::<_, u32>(3)?,
            ))
        };
        let (schema, version, oid, array) = read().map_err(storage(LOOKING))?;
        if !at_least(&version, [0, 8, 0]) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "the extension pgvector of the database `{database}` is {version}, and this store needs 0.8 or later; install that and run `ALTER EXTENSION vector UPDATE`"
                ),
            ));
        }
        let vector = Type::new("vector".into(), oid, Kind::Simple, schema.clone());
        Ok(Self {
            vectors: Type::new(
                "_vector".into(),
                array,
                Kind::Array(vector.clone()),
                schema.clone(),
            ),
            vector,
            schema: quote(&schema),
            version,
        })
    }

    /// What an operator should know of this version.
    pub(crate) fn warning(&self) -> Option<String> {
        (!at_least(&self.version, [0, 8, 4])).then(|| {
            format!(
                "pgvector {} has defects in its indexes that 0.8.4 mends; install that and run `ALTER EXTENSION vector UPDATE`",
                self.version
            )
        })
    }

    /// The type of a vector, and of an array of them.
    pub(crate) fn vector(&self) -> Type {
        self.vector.clone()
    }

    pub(crate) fn vectors(&self) -> Type {
        self.vectors.clone()
    }

    /// Something of the extension by its full name.
    pub(crate) fn named(&self, name: &str) -> String {
        format!("{}.{name}", self.schema)
    }

    /// The operator that compares by a metric. Inner products are negated.
    pub(crate) fn operator(&self, metric: Metric) -> Result<String> {
        let operator = match metric {
            Metric::Cosine => "<=>",
            Metric::Euclidean => "<->",
            Metric::InnerProduct => "<#>",
            Metric::L1 => "<+>",
            other => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("the PostgreSQL store does not know the metric {other}"),
                ));
            }
        };
        Ok(format!("OPERATOR({}.{operator})", self.schema))
    }
}

/// Whether a version such as `0.8.4` is this one or later. A part that is no number
/// counts as 0.
fn at_least(version: &str, least: [u32; 3]) -> bool {
    let mut parts = [0; 3];
    for (part, text) in parts.iter_mut().zip(version.split('.')) {
        *part = text.parse().unwrap_or(0);
    }
    parts >= least
}

#[cfg(test)]
mod tests {
    use super::at_least;

    #[test]
    fn versions_compare_by_number() {
        assert!(at_least("0.8.4", [0, 8, 4]));
        assert!(at_least("0.10.0", [0, 8, 4]));
        assert!(at_least("1", [0, 8, 4]));
        assert!(!at_least("0.8.3", [0, 8, 4]));
        assert!(!at_least("0.7.10", [0, 8, 0]));
    }
}
