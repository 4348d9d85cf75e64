//! Opening a store for the collection that events feed.

use ermine::text::Language;
use ermine::{AggregateProjection, Store, VectorProjection};
use ermine_core::{
    Declaration, Document, EmbeddingProvider, Engine, Feature, SchemaMode, Storage, by_stream,
};

use super::document::{Analysed, English, Text, Unstemmed};
use super::{COLLECTION, Change, VECTORS};
use crate::failure::Failure;
use crate::opening::Connected;
use crate::wait::wait;

/// Opens the collection, makes it if need be, and has `provider` make its vectors.
pub(crate) fn open(
    connected: Connected,
    language: Option<Language>,
    provider: impl EmbeddingProvider,
) -> Result<Store<Engine>, Failure> {
    open_in(connected, language, provider, SchemaMode::default())
}

/// Opens the collection where there is one, and changes nothing.
pub(crate) fn open_existing(
    connected: Connected,
    provider: impl EmbeddingProvider,
) -> Result<Store<Engine>, Failure> {
    require_events(&connected.engine)?;
    if stored(&connected.declarations).is_none() {
        return Err(Failure::new(format!(
            "the store has no collection `{COLLECTION}`, which events would feed; make it with `ermine import --events FILE` or `ermine import --git REPO`"
        )));
    }
    open_in(connected, None, provider, SchemaMode::Assert)
}

/// Refuses a store that keeps no events.
pub(crate) fn require_events(engine: &Engine) -> Result<(), Failure> {
    let required = engine.capabilities().require(Feature::Events);
    required.map_err(|error| Failure::from(error).with("name another store with --store"))
}

fn open_in(
    connected: Connected,
    language: Option<Language>,
    provider: impl EmbeddingProvider,
    mode: SchemaMode,
) -> Result<Store<Engine>, Failure> {
    require_events(&connected.engine)?;
    match self::language(&connected.declarations, language)? {
        Language::None => declared::<Unstemmed>(connected, provider, mode),
        _ => declared::<English>(connected, provider, mode),
    }
}

fn declared<L: Analysed>(
    connected: Connected,
    provider: impl EmbeddingProvider,
    mode: SchemaMode,
) -> Result<Store<Engine>, Failure> {
    let builder = Store::builder(connected.engine)
        .snapshot::<Text<L>>()
        .projection(vectors::<L>())
        .embeddings(provider)
        .schema_mode(mode);
    Ok(wait(builder.open())?)
}

/// What feeds the texts' vectors.
fn vectors<L: Analysed>() -> AggregateProjection<Text<L>, Text<L>> {
    VectorProjection::<Text<L>>::from_aggregate::<Text<L>>(VECTORS)
        .on(Change::RECORDED, by_stream::<Change, String>)
        .on(Change::REVISED, by_stream::<Change, String>)
        .on(Change::RENAMED, by_stream::<Change, String>)
        .on(Change::TAGGED, by_stream::<Change, String>)
        .content(Text::<L>::content)
        .delete_on(Change::FORGOTTEN, by_stream::<Change, String>)
}

fn stored(declarations: &[Declaration]) -> Option<&Declaration> {
    let mut declarations = declarations.iter();
    declarations.find(|declaration| declaration.schema.name() == COLLECTION)
}

/// The language of the collection: as it is stored, or else as it is wanted.
fn language(declarations: &[Declaration], wanted: Option<Language>) -> Result<Language, Failure> {
    let Some(stored) = stored(declarations) else {
        return Ok(wanted.unwrap_or(Language::English));
    };
    let schema = stored.schema.as_ref();
    let language = if *schema == Text::<English>::schema()? {
        Language::English
    } else if *schema == Text::<Unstemmed>::schema()? {
        Language::None
    } else {
        return Err(Failure::new(format!(
            "the collection `{COLLECTION}` exists and is not fed by events; use another store with --store"
        )));
    };
    match wanted {
        Some(wanted) if wanted != language => Err(Failure::new(format!(
            "`{COLLECTION}` is analysed as {}, not as {}; leave --language out, or use another store with --store",
            language.as_str(),
            wanted.as_str(),
        ))),
        _ => Ok(language),
    }
}
