//! The ten nearest, exactly.

use ermine::{Postgres, Reader};

use super::gloss::Gloss;
use super::plain::{Plain, Variant};
use super::{LIMIT, Query};
use crate::Result;

pub(super) async fn by_the_library(reader: &Reader<Postgres>, query: &Query) -> Result<usize> {
    let found = reader
        .search::<Gloss>()
        .nearest_to(query.vector.clone())
        .limit(LIMIT)
        .await?;
    Ok(found.len())
}

pub(super) fn variants(plain: &Plain<'_>) -> Vec<Variant> {
    let [documents, vectors, by_hand] = [
        plain.table("ermine_doc_glosses"),
        plain.table("ermine_vec_glosses.embedding"),
        plain.table("by_hand"),
    ];
    vec![
        Variant {
            name: "one table of id, text and vector",
            sql: format!(
                "SELECT id, body, embedding <=> $1 AS distance FROM {by_hand}
                 ORDER BY distance LIMIT {LIMIT}"
            ),
        },
        Variant {
            name: "the same, the texts read last",
            sql: format!(
                "SELECT id, body, distance FROM
                   (SELECT id, embedding <=> $1 AS distance FROM {by_hand} ORDER BY distance LIMIT {LIMIT}) AS n
                 JOIN {by_hand} USING (id) ORDER BY distance"
            ),
        },
        Variant {
            name: "the library's tables, joined",
            sql: format!(
                "SELECT d.id, d.body, v.data <=> $1 AS distance FROM {vectors} AS v
                 JOIN {documents} AS d USING (doc) WHERE d.deleted IS NULL
                 ORDER BY distance LIMIT {LIMIT}"
            ),
        },
        Variant {
            name: "the library's tables, the documents read last",
            sql: format!(
                "SELECT d.id, d.body, n.distance FROM
                   (SELECT doc, data <=> $1 AS distance FROM {vectors} WHERE data IS NOT NULL ORDER BY distance LIMIT {LIMIT}) AS n
                 JOIN {documents} AS d USING (doc) ORDER BY distance"
            ),
        },
    ]
}
