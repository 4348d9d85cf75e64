//! The ten nearest, exactly: of all, and of half of them.

use ermine::{Postgres, Reader};

use super::gloss::Gloss;
use super::plain::{Plain, Variant};
use super::{LIMIT, Query};
use crate::Result;

/// Of which documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    All,
    Half,
}

pub(super) async fn by_the_library(
    reader: &Reader<Postgres>,
    query: &Query,
    of: Of,
) -> Result<usize> {
    let search = reader.search::<Gloss>().nearest_to(query.vector.clone());
    let search = match of {
        Of::All => search,
        Of::Half => search.filter(Gloss::HALF.eq(1)),
    };
    Ok(search.limit(LIMIT).await?.len())
}

pub(super) fn variants(plain: &Plain<'_>, of: Of) -> Vec<Variant> {
    let [narrowed, joined] = match of {
        Of::All => ["TRUE", "d.deleted IS NULL"],
        Of::Half => ["half = 1", "d.deleted IS NULL AND d.f_half = 1"],
    };
    let [documents, vectors, by_hand] = [
        plain.table("ermine_doc_glosses"),
        plain.table("ermine_vec_glosses.embedding"),
        plain.table("by_hand"),
    ];
    let mut variants = vec![
        Variant {
            name: "one table of id, text and vector",
            sql: format!(
                "SELECT id, body, embedding <=> $1 AS distance FROM {by_hand}
                 WHERE {narrowed} ORDER BY distance LIMIT {LIMIT}"
            ),
        },
        Variant {
            name: "the same, the texts read last",
            sql: format!(
                "SELECT id, body, distance FROM
                   (SELECT id, embedding <=> $1 AS distance FROM {by_hand} WHERE {narrowed} ORDER BY distance LIMIT {LIMIT}) AS n
                 JOIN {by_hand} USING (id) ORDER BY distance"
            ),
        },
        Variant {
            name: "the library's tables, joined",
            sql: format!(
                "SELECT d.id, d.body, v.data <=> $1 AS distance FROM {vectors} AS v
                 JOIN {documents} AS d USING (doc) WHERE {joined}
                 ORDER BY distance LIMIT {LIMIT}"
            ),
        },
    ];
    if of == Of::All {
        variants.push(Variant {
            name: "the library's tables, the documents read last",
            sql: format!(
                "SELECT d.id, d.body, n.distance FROM
                   (SELECT doc, data <=> $1 AS distance FROM {vectors} WHERE data IS NOT NULL ORDER BY distance LIMIT {LIMIT}) AS n
                 JOIN {documents} AS d USING (doc) ORDER BY distance"
            ),
        });
    }
    variants
}
