//! Ten of both searches, fused by reciprocal rank.
//!
//! By hand the text is ranked as PostgreSQL can, by `ts_rank`, of the documents that hold
//! any word: it knows no BM25, so the order differs and the work is compared.

use ermine::{Postgres, Reader};

use super::gloss::Gloss;
use super::plain::{Plain, Variant};
use super::{LIMIT, Query};
use crate::Result;

/// How deep each search is asked, as the library asks by default.
const DEPTH: usize = 50;

pub(super) async fn by_the_library(reader: &Reader<Postgres>, query: &Query) -> Result<usize> {
    let found = reader
        .search::<Gloss>()
        .hybrid_with(query.text.clone(), query.vector.clone())
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
    // Any word, and not all of them.
    let any = "replace(plainto_tsquery('english', $2)::text, '&', '|')::tsquery";
    let text = |rank: &str| {
        format!(
            "SELECT id, row_number() OVER (ORDER BY figure DESC, id) AS place FROM
               (SELECT id, {rank}(words, q) AS figure FROM {by_hand}, (SELECT {any} AS q) AS asked
                WHERE words @@ q ORDER BY figure DESC, id LIMIT {DEPTH}) AS t"
        )
    };
    let nearest = format!(
        "SELECT id, row_number() OVER (ORDER BY distance, id) AS place FROM
           (SELECT id, embedding <=> $1 AS distance FROM {by_hand} ORDER BY distance LIMIT {DEPTH}) AS v"
    );
    let nearest_apart = format!(
        "SELECT d.id, row_number() OVER (ORDER BY n.distance, d.id) AS place FROM
           (SELECT doc, data <=> $1 AS distance FROM {vectors} WHERE data IS NOT NULL ORDER BY distance LIMIT {DEPTH}) AS n
         JOIN {documents} AS d USING (doc)"
    );
    let joined = |text: &str, nearest: &str| {
        format!(
            "WITH t AS ({text}), v AS ({nearest}),
             fused AS (SELECT id, (coalesce(1.0 / (60 + t.place), 0) + coalesce(1.0 / (60 + v.place), 0))::float8 AS score
                       FROM t FULL JOIN v USING (id) ORDER BY score DESC, id LIMIT {LIMIT})
             SELECT id, body, score FROM fused JOIN {by_hand} USING (id) ORDER BY score DESC, id"
        )
    };
    let gathered = format!(
        "WITH both_legs AS (({}) UNION ALL ({nearest})),
         fused AS (SELECT id, sum(1.0 / (60 + place))::float8 AS score FROM both_legs
                   GROUP BY id ORDER BY score DESC, id LIMIT {LIMIT})
         SELECT id, body, score FROM fused JOIN {by_hand} USING (id) ORDER BY score DESC, id",
        text("ts_rank")
    );
    vec![
        Variant {
            name: "ts_rank, legs joined",
            sql: joined(&text("ts_rank"), &nearest),
        },
        Variant {
            name: "ts_rank, legs gathered",
            sql: gathered,
        },
        Variant {
            name: "ts_rank_cd, legs joined",
            sql: joined(&text("ts_rank_cd"), &nearest),
        },
        Variant {
            name: "ts_rank, vectors in a table of their own",
            sql: joined(&text("ts_rank"), &nearest_apart),
        },
    ]
}
