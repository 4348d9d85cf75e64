//! Writing a segment.

use ermine_text::{Segment, SegmentTerm};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error as DriverError};

use super::copy::copy;
use crate::layout::TextTables;

/// Writes a segment of the tenant's documents between two numbers, and returns its own.
pub(super) async fn insert(
    client: &Client,
    text: &TextTables,
    tenant: &str,
    (first, last): (i64, i64),
    segment: &Segment,
) -> Result<Option<i64>, DriverError> {
    let sums = (
        segment.documents.cast_signed(),
        segment.total_len.cast_signed(),
    );
    let rows = client
        .query_typed(
            &format!(
                "INSERT INTO {} (tenant, first, last, n, sum_len) VALUES ($1, $2, $3, $4, $5) RETURNING seg",
                text.segments
            ),
            &[
                (&tenant, Type::TEXT),
                (&first, Type::INT8),
                (&last, Type::INT8),
                (&sums.0, Type::INT8),
                (&sums.1, Type::INT8),
            ],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let number: i64 = row.try_get(0)?;
    let rows: Vec<(&SegmentTerm, i64)> = segment
        .terms
        .iter()
        .map(|term| (term, term.df.cast_signed()))
        .collect();
    copy(
        client,
        &text.postings,
        &[
            ("seg", Type::INT8),
            ("term", Type::TEXT),
            ("df", Type::INT8),
            ("post", Type::BYTEA),
            ("pos", Type::BYTEA),
        ],
        &rows,
        |(term, df)| vec![&number, &term.term, df, &term.post, &term.pos],
    )
    .await?;
    Ok(Some(number))
}
