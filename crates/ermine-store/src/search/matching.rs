//! Search by text.

use std::future::IntoFuture;

use ermine_core::{
    BoxFuture, Matches, Outcome, Page, Record, Result, StoredRecord, TextField, TextMatch,
    TextRequest, TextSearch,
};

use super::leg::TextSearched;
use super::options::{common_calls, text_calls};
use super::{MinScore, TextOptions, text_leg};
use crate::Collection;
use crate::runtime::Context;

/// A search for the documents whose text answers a query best; await it.
#[must_use = "a search does nothing until it is awaited"]
pub struct MatchingQuery<R> {
    context: Context,
    collection: Result<Collection<R>>,
    text: String,
    options: TextOptions<R>,
}

impl<R: Record> MatchingQuery<R> {
    pub(super) fn new(
        context: Context,
        collection: Result<Collection<R>>,
        text: String,
        options: TextOptions<R>,
    ) -> Self {
        Self {
            context,
            collection,
            text,
            options,
        }
    }

    /// Only matches of at least this score, the bound included.
    pub fn min_score(mut self, score: impl Into<MinScore>) -> Self {
        self.options.min_score = Some(score.into());
        self
    }

    fn request(self) -> Result<(Context, Collection<R>, TextRequest)> {
        let collection = self.collection?;
        let options = self.options;
        let (leg, _) = text_leg(&collection.opened, &options.searched(&self.text))?;
        let filter = options.filter.map(|filter| filter.into_expr());
        let request = TextRequest {
            target: self
                .context
                .target(&collection.opened, filter, options.deleted)?,
            leg,
            min_score: options.min_score.map(MinScore::score).transpose()?,
            page: Page {
                limit: options.limit,
                offset: options.offset,
            },
            include: options.include,
        };
        Ok((self.context, collection, request))
    }
}

impl<R> TextOptions<R> {
    /// What the text leg of a search of `text` with these options is made of.
    pub(crate) fn searched<'a>(&'a self, text: &'a str) -> TextSearched<'a> {
        let fields = self.text_fields.as_ref();
        TextSearched {
            text,
            style: self.text_style,
            fields: fields.map(|fields| fields.iter().map(TextField::name).collect()),
            weights: self.column_weights.as_deref(),
            language: self.language.as_deref(),
        }
    }
}

common_calls!(MatchingQuery, TextOptions);
text_calls!([R] MatchingQuery<R>, options);

impl<R: Record> IntoFuture for MatchingQuery<R> {
    type Output = Result<Matches<TextMatch<R>>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let request = self.request();
        Box::pin(async move {
            let (context, collection, request) = request?;
            let include = request.include;
            context
                .runtime
                .await_shards(&collection.opened, include)
                .await?;
            let answer = context.runtime.engine.text_search(&request).await?;
            let hit = |(stored, score): (StoredRecord, _)| {
                let tenant = stored.tenant.clone();
                let document = R::from_stored(collection.schema(), stored)?;
                Ok(TextMatch::new(document, score, tenant))
            };
            let hits = answer.hits.into_iter().map(hit).collect::<Result<_>>()?;
            Ok(Matches::new(hits, Outcome::of([answer.outcome])))
        })
    }
}
