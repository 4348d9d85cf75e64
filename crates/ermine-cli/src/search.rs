//! `ermine search`.

mod excerpt;
mod explain;
mod found;
mod json;
mod table;

use std::io::{Write, stdout};

use ermine::{Collection, Reader, Store, TextStyle};
use ermine_core::{DynamicRecord, Engine, Filter, Schema, Tenancy};

use crate::arguments::{Format, Mode, Search, Style};
use crate::failure::{Failure, Finished};
use crate::wait::wait;
use crate::{filter, opening};
pub(crate) use excerpt::Marks;
use found::Found;

/// A search, read from the arguments.
pub(crate) struct Query {
    pub(crate) text: String,
    pub(crate) mode: Mode,
    pub(crate) filter: Option<String>,
    pub(crate) limit: usize,
    pub(crate) style: Style,
    pub(crate) tenant: Option<String>,
}

/// Searches, and shows what was found.
pub(crate) fn run(arguments: &Search) -> Result<Finished, Failure> {
    let connected = opening::existing(&arguments.store.address()?)?;
    let stored = connected.collection(arguments.collection.as_deref())?;
    let query = Query {
        text: arguments.text.join(" "),
        mode: arguments.mode,
        filter: arguments.filter.clone(),
        limit: arguments.limit,
        style: arguments.style,
        tenant: arguments.tenant.clone(),
    };
    // The filter first: its mistakes cost no opening.
    let filter = query.filter(&stored.schema)?;
    let store = connected.for_search(stored)?;
    let collection = store.dynamic(stored.schema.name())?;
    let found = query.run(&store, &collection, filter)?;
    let shown = Shown {
        query: &query,
        collection: &collection,
        found: &found,
    };
    let mut out = stdout().lock();
    match arguments.format {
        Format::Table => shown.as_table(&mut out, Marks::of_stdout(), arguments.explain)?,
        Format::Json => shown.as_json(&mut out, arguments.explain)?,
        Format::Jsonl => shown.as_json_lines(&mut out, arguments.explain)?,
    }
    out.flush()?;
    Ok(Finished::Whole)
}

/// A search and what it found, to be shown.
pub(crate) struct Shown<'a> {
    pub(crate) query: &'a Query,
    pub(crate) collection: &'a Collection<DynamicRecord>,
    pub(crate) found: &'a Found,
}

impl Query {
    /// The filter, read against the collection's schema.
    pub(crate) fn filter(&self, schema: &Schema) -> Result<Option<Filter<DynamicRecord>>, Failure> {
        let read = |text: &String| filter::parse(schema, text);
        let expr = self.filter.as_ref().map(read).transpose();
        let expr = expr.map_err(|mistake| Failure::new(mistake.to_string()))?;
        Ok(expr.map(Filter::from_expr))
    }

    /// Runs the search.
    pub(crate) fn run(
        &self,
        store: &Store<Engine>,
        collection: &Collection<DynamicRecord>,
        filter: Option<Filter<DynamicRecord>>,
    ) -> Result<Found, Failure> {
        let reader = self.reader(store, collection.schema())?;
        let mut search = reader.search_in(collection);
        if let Some(filter) = filter {
            search = search.filter(filter);
        }
        let text = self.text.as_str();
        let style = self.text_style();
        Ok(match self.mode {
            Mode::Vector => wait(search.nearest_text(text).limit(self.limit))?.into(),
            Mode::Text => {
                let query = search.matching(text).text_style(style);
                wait(query.limit(self.limit))?.into()
            }
            Mode::Hybrid => {
                let query = search.hybrid(text).text_style(style);
                wait(query.limit(self.limit))?.into()
            }
        })
    }

    fn text_style(&self) -> TextStyle {
        match self.style {
            Style::Plain => TextStyle::Plain,
            Style::Web => TextStyle::Web,
        }
    }

    fn reader(&self, store: &Store<Engine>, schema: &Schema) -> Result<Reader<Engine>, Failure> {
        match (schema.tenancy(), &self.tenant) {
            (Tenancy::None, None) => Ok(store.reader_without_tenant()),
            (Tenancy::None, Some(_)) => Err(Failure::new(format!(
                "`{schema}` has no tenants; leave --tenant out"
            ))),
            (_, Some(tenant)) => Ok(store.reader(tenant)),
            (_, None) => Err(Failure::new(format!(
                "the documents of `{schema}` belong to tenants; name one with --tenant"
            ))),
        }
    }
}
