//! Queries: documents by filter and order, without a ranking.

mod row;

use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;

use ermine_core::{
    Answer, BoxFuture, Column, DeletedScope, Direction, Error, ErrorKind, Filter, Include,
    IndexedText, MAX_LIMIT, OrderBy, Page, Read, Record, Result, Target, Token,
};

pub use self::row::Owned;
use self::row::Row;
use crate::Collection;
use crate::collection::Opened;
use crate::reader::{answer_records, broken_answer};
use crate::runtime::Context;

/// A query of one collection; await it for the documents.
///
/// Without an order they come by id. Without a limit they all come; more than
/// 10,000 are refused rather than cut off.
#[must_use = "a query does nothing until it is awaited"]
pub struct Query<R, T = R> {
    context: Context,
    collection: Result<Collection<R>>,
    filter: Option<Filter<R>>,
    order: Vec<OrderBy>,
    limit: Option<usize>,
    offset: usize,
    deleted: DeletedScope,
    include: Include,
    row: PhantomData<fn() -> T>,
}

/// A field of `R` to order by: an indexed one, or the id.
pub struct SortKey<R> {
    field: String,
    record: PhantomData<fn() -> R>,
}

impl<R> SortKey<R> {
    /// A field whose name is known only at run time.
    pub fn named(field: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            record: PhantomData,
        }
    }
}

impl<R> Clone for SortKey<R> {
    fn clone(&self) -> Self {
        Self::named(&self.field)
    }
}

impl<R> fmt::Debug for SortKey<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SortKey({})", self.field)
    }
}

impl<R, K> From<Column<R, K>> for SortKey<R> {
    fn from(column: Column<R, K>) -> Self {
        Self::named(column.name())
    }
}

impl<R> From<IndexedText<R>> for SortKey<R> {
    fn from(field: IndexedText<R>) -> Self {
        Self::named(field.name())
    }
}

impl<R: Record, T> Query<R, T> {
    pub(crate) fn new(context: Context, collection: Result<Collection<R>>) -> Self {
        Self {
            context,
            collection,
            filter: None,
            order: Vec::new(),
            limit: None,
            offset: 0,
            deleted: DeletedScope::Hidden,
            include: Include::default(),
            row: PhantomData,
        }
    }

    /// Only documents that pass `filter`, and every filter given before.
    pub fn filter(mut self, filter: Filter<R>) -> Self {
        self.filter = Some(both(self.filter, filter));
        self
    }

    /// Orders by a field, absent before present, after those given before. Ties are by id.
    pub fn order_by(mut self, field: impl Into<SortKey<R>>, direction: Direction) -> Self {
        self.order.push(OrderBy {
            field: field.into().field,
            direction,
        });
        self
    }

    /// At most `limit` documents; at most 10,000.
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Leaves out the first `offset` documents of the order.
    pub fn offset(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// Soft-deleted documents only.
    pub fn deleted(mut self) -> Self {
        self.deleted = DeletedScope::Only;
        self
    }

    /// Soft-deleted documents beside the live ones.
    pub fn including_deleted(mut self) -> Self {
        self.deleted = DeletedScope::Included;
        self
    }

    /// Loads vectors too; without it they are `Embedding::NotLoaded`.
    pub fn with_vectors(mut self) -> Self {
        self.include.vectors = true;
        self
    }

    /// Answers from a snapshot that holds the commit of `token`.
    pub fn at_least(mut self, token: Token) -> Self {
        self.include.at_least = Some(token);
        self
    }

    fn parts(self) -> Result<Parts> {
        let opened = self.collection?.opened;
        let filter = self.filter.map(Filter::into_expr);
        Ok(Parts {
            target: self.context.target(&opened, filter, self.deleted)?,
            context: self.context,
            opened,
            order: self.order,
            limit: self.limit,
            offset: self.offset,
            include: self.include,
        })
    }

    /// How many documents the query answers with.
    pub fn count(self) -> BoxFuture<'static, Result<u64>> {
        let parts = self.parts();
        Box::pin(async move { parts?.count().await })
    }

    /// Whether the query answers with any document.
    pub fn exists(mut self) -> BoxFuture<'static, Result<bool>> {
        self.limit = Some(self.limit.unwrap_or(1).min(1));
        self.include.vectors = false;
        let parts = self.parts();
        Box::pin(async move { Ok(!parts?.records().await?.1.is_empty()) })
    }
}

impl<R: Record, T: Row<R>> IntoFuture for Query<R, T> {
    type Output = Result<Vec<T>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let parts = self.parts();
        Box::pin(async move {
            let (opened, records) = parts?.records().await?;
            let row = |stored| T::of(&opened.schema, stored);
            records.into_iter().map(row).collect()
        })
    }
}

impl<R, T> fmt::Debug for Query<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query")
            .field("collection", &self.collection)
            .field("filter", &self.filter)
            .field("order", &self.order)
            .field("limit", &self.limit)
            .field("offset", &self.offset)
            .field("deleted", &self.deleted)
            .field("include", &self.include)
            .finish_non_exhaustive()
    }
}

/// A query without its types.
struct Parts {
    context: Context,
    opened: std::sync::Arc<Opened>,
    target: Target,
    order: Vec<OrderBy>,
    limit: Option<usize>,
    offset: usize,
    include: Include,
}

impl Parts {
    async fn records(self) -> Result<(std::sync::Arc<Opened>, Vec<ermine_core::StoredRecord>)> {
        self.await_shards().await?;
        let query = Read::Query(ermine_core::Query {
            target: self.target.clone(),
            order: self.order,
            page: Page {
                limit: self.limit.unwrap_or(MAX_LIMIT),
                offset: self.offset,
            },
            include: self.include,
        });
        if self.limit.is_some() {
            return Ok((self.opened, self.context.records(query).await?));
        }
        // Nobody asked for a part, so a part must not pass for the whole.
        let count = Read::Count {
            target: self.target,
            include: self.include,
        };
        let [records, count] = self.context.answers([query, count]).await?;
        let (records, count) = (answer_records(records)?, answer_count(count)?);
        let whole = count.saturating_sub(self.offset as u64);
        if whole > MAX_LIMIT as u64 {
            return Err(Error::new(
                ErrorKind::InvalidOption,
                format!(
                    "the query of `{}` finds {count} documents, and at most {MAX_LIMIT} come at once; give it a limit, and page with an offset",
                    self.opened.schema
                ),
            ));
        }
        Ok((self.opened, records))
    }

    /// Waits for what feeds the collection, where the query must see a commit.
    async fn await_shards(&self) -> Result<()> {
        let runtime = &self.context.runtime;
        runtime.await_shards(&self.opened, self.include).await
    }

    async fn count(self) -> Result<u64> {
        self.await_shards().await?;
        let count = Read::Count {
            target: self.target,
            include: self.include,
        };
        let [count] = self.context.answers([count]).await?;
        let rest = answer_count(count)?.saturating_sub(self.offset as u64);
        Ok(self.limit.map_or(rest, |limit| rest.min(limit as u64)))
    }
}

fn answer_count(answer: Answer) -> Result<u64> {
    match answer {
        Answer::Count(count) => Ok(count),
        _ => Err(broken_answer()),
    }
}

/// What passes both filters.
pub(crate) fn both<R>(first: Option<Filter<R>>, second: Filter<R>) -> Filter<R> {
    match first {
        Some(first) => first & second,
        None => second,
    }
}
