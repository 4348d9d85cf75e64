//! The three searches, each in one snapshot.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ermine_core::{
    Error, ErrorKind, Figure, HybridAnswer, HybridHit, HybridRequest, HybridSearch, Include,
    LegAnswer, LegKind, LegOutcome, LegRequest, Outcome, Page, Result, ScopedId, StoredRecord,
    TextAnswer, TextRequest, TextSearch, VectorAnswer, VectorLeg, VectorRequest, VectorSearch,
};
use rusqlite::Connection;

use super::SqliteStore;
use crate::error::corrupt;
use crate::layout::{Layout, VectorTable};
use crate::rank::Ranked;
use crate::read::{Snapshot, Watch, record_of, row_set};
use crate::{text, vector};

impl VectorSearch for SqliteStore {
    async fn vector_search(&self, request: &VectorRequest) -> Result<VectorAnswer> {
        let layout = self.known.get(&request.target.schema)?;
        let (request, cache) = (request.clone(), Arc::clone(&self.cache));
        self.readers
            .run_watched(move |connection, watch| {
                let table = vector_table(&layout, &request.leg)?;
                let (snapshot, indexes) = cache.snapshot(connection, &[(&layout, table)])?;
                snapshot.check(request.include)?;
                let connection = snapshot.connection();
                let VectorRequest {
                    target,
                    leg,
                    page,
                    include,
                } = &request;
                let index = first(&indexes)?;
                let (ranked, outcome) = vector::rank(
                    connection,
                    watch,
                    &layout,
                    index,
                    target,
                    leg,
                    *page,
                    &HashSet::new(),
                )?;
                Ok(VectorAnswer {
                    hits: records(connection, &layout, ranked, *include)?,
                    outcome,
                })
            })
            .await
    }
}

impl TextSearch for SqliteStore {
    async fn text_search(&self, request: &TextRequest) -> Result<TextAnswer> {
        let layout = self.known.get(&request.target.schema)?;
        let request = request.clone();
        self.readers
            .run_watched(move |connection, watch| {
                let snapshot = Snapshot::begin(connection)?;
                snapshot.check(request.include)?;
                let connection = snapshot.connection();
                let TextRequest {
                    target,
                    leg,
                    min_score,
                    page,
                    include,
                } = &request;
                let (ranked, outcome) =
                    text::rank(connection, watch, &layout, target, leg, *min_score, *page)?;
                Ok(TextAnswer {
                    hits: records(connection, &layout, ranked, *include)?,
                    outcome,
                })
            })
            .await
    }
}

impl HybridSearch for SqliteStore {
    async fn hybrid_search(&self, request: &HybridRequest) -> Result<HybridAnswer> {
        let layout = self.known.get(&request.target.schema)?;
        let (request, cache) = (request.clone(), Arc::clone(&self.cache));
        self.readers
            .run_watched(move |connection, watch| {
                let vector_leg = match request.vector_is_empty() {
                    None => request.vector.as_ref(),
                    Some(_) => None,
                };
                let tables = vector_leg
                    .map(|leg| Ok::<_, Error>((&*layout, vector_table(&layout, leg)?)))
                    .transpose()?;
                let tables: Vec<_> = tables.into_iter().collect();
                let (snapshot, indexes) = cache.snapshot(connection, &tables)?;
                snapshot.check(request.include)?;
                let index = vector_leg
                    .map(|leg| Ok::<_, Error>((leg, first(&indexes)?)))
                    .transpose()?;
                hybrid(snapshot.connection(), watch, &layout, &request, index)
            })
            .await
    }

    async fn search_legs(&self, legs: &[LegRequest]) -> Result<Vec<LegAnswer>> {
        let layouts = legs
            .iter()
            .map(|leg| self.known.get(&leg.target().schema))
            .collect::<Result<Vec<_>>>()?;
        let (legs, cache) = (legs.to_vec(), Arc::clone(&self.cache));
        self.readers
            .run_watched(move |connection, watch| {
                let mut tables: Vec<(&Layout, &VectorTable)> = Vec::new();
                for (leg, layout) in legs.iter().zip(&layouts) {
                    if let LegRequest::Vector { leg, .. } = leg {
                        tables.push((layout, vector_table(layout, leg)?));
                    }
                }
                let (snapshot, indexes) = cache.snapshot(connection, &tables)?;
                let mut indexes = indexes.iter();
                legs.iter()
                    .zip(&layouts)
                    .map(|(leg, layout)| one_leg(&snapshot, watch, layout, leg, &mut indexes))
                    .collect()
            })
            .await
    }
}

fn one_leg<'i>(
    snapshot: &Snapshot<'_>,
    watch: &Watch,
    layout: &Layout,
    leg: &LegRequest,
    indexes: &mut impl Iterator<Item = &'i vector::Index>,
) -> Result<LegAnswer> {
    let connection = snapshot.connection();
    match leg {
        LegRequest::Text {
            target,
            leg,
            depth,
            include,
        } => {
            snapshot.check(*include)?;
            let page = Page::first(*depth);
            let (ranked, outcome) = text::rank(connection, watch, layout, target, leg, None, page)?;
            let ranked = ranked
                .into_iter()
                .map(|hit| with(hit, Figure::Score))
                .collect();
            Ok(LegAnswer {
                hits: records(connection, layout, ranked, *include)?,
                outcome,
            })
        }
        LegRequest::Vector {
            target,
            leg,
            depth,
            include,
        } => {
            snapshot.check(*include)?;
            let index = indexes.next().ok_or_else(missing_index)?;
            let page = Page::first(*depth);
            let (ranked, outcome) = vector::rank(
                connection,
                watch,
                layout,
                index,
                target,
                leg,
                page,
                &HashSet::new(),
            )?;
            let ranked = ranked
                .into_iter()
                .map(|hit| with(hit, Figure::Distance))
                .collect();
            Ok(LegAnswer {
                hits: records(connection, layout, ranked, *include)?,
                outcome,
            })
        }
    }
}

fn hybrid(
    connection: &Connection,
    watch: &Watch,
    layout: &Layout,
    request: &HybridRequest,
    vector_leg: Option<(&VectorLeg, &vector::Index)>,
) -> Result<HybridAnswer> {
    let target = &request.target;
    let page = Page::first(request.depth()?);
    let mut docs: HashMap<ScopedId, i64> = HashMap::new();
    if target.filter.is_some() && vector_leg.is_none() && request.text_is_empty().is_some() {
        // Neither leg runs, and a filter nobody knows is refused all the same.
        row_set(connection, layout, target, &HashSet::new())?;
    }

    let (text, text_outcome) = match request.text_is_empty() {
        Some(why) => (Vec::new(), LegOutcome::empty(LegKind::Text, why)),
        None => text::rank(connection, watch, layout, target, &request.text, None, page)?,
    };
    let (vector, vector_outcome) = match (vector_leg, request.vector_is_empty()) {
        (Some((leg, index)), None) => {
            let excluded = text::excluded(
                connection,
                watch,
                layout,
                &target.scope,
                &request.text.query,
            )?;
            vector::rank(
                connection, watch, layout, index, target, leg, page, &excluded,
            )?
        }
        (_, why) => {
            let why = why.ok_or_else(missing_index)?;
            (Vec::new(), LegOutcome::empty(LegKind::Vector, why))
        }
    };
    let mut candidates = |doc, key: ScopedId, figure| {
        docs.insert(key.clone(), doc);
        (key, figure)
    };
    let text = text
        .into_iter()
        .map(|hit| candidates(hit.doc, hit.key, Figure::Score(hit.figure)))
        .collect();
    let vector = vector
        .into_iter()
        .map(|hit| candidates(hit.doc, hit.key, Figure::Distance(hit.figure)))
        .collect();
    let mut hits = Vec::new();
    for hit in request.fuse(text, vector)? {
        let doc = docs.get(&hit.key).copied();
        let record = match doc {
            Some(doc) => record_of(connection, layout, doc, request.include)?,
            None => None,
        };
        hits.push(HybridHit {
            record: record.ok_or_else(|| lost(layout))?,
            score: hit.score,
            legs: hit.legs,
        });
    }
    Ok(HybridAnswer {
        hits,
        outcome: Outcome::of([text_outcome, vector_outcome]),
    })
}

fn with<F, G>(hit: Ranked<F>, figure: impl Fn(F) -> G) -> Ranked<G> {
    Ranked {
        doc: hit.doc,
        key: hit.key,
        figure: figure(hit.figure),
    }
}

/// The documents of a ranking, with their figures.
fn records<F>(
    connection: &Connection,
    layout: &Layout,
    ranked: Vec<Ranked<F>>,
    include: Include,
) -> Result<Vec<(StoredRecord, F)>> {
    ranked
        .into_iter()
        .map(|hit| {
            let record = record_of(connection, layout, hit.doc, include)?;
            Ok((record.ok_or_else(|| lost(layout))?, hit.figure))
        })
        .collect()
}

fn vector_table<'l>(layout: &'l Layout, leg: &VectorLeg) -> Result<&'l VectorTable> {
    layout.vectors.get(leg.field).ok_or_else(|| {
        Error::new(
            ErrorKind::UnknownField,
            format!(
                "`{}` has no vector field number {}",
                layout.schema, leg.field
            ),
        )
    })
}

fn first(indexes: &[vector::Index]) -> Result<&vector::Index> {
    indexes.first().ok_or_else(missing_index)
}

fn missing_index() -> Error {
    Error::new(
        ErrorKind::Storage,
        "a vector leg came without its index; please report this",
    )
}

/// A match whose document was there a moment ago, in the same snapshot.
fn lost(layout: &Layout) -> Error {
    corrupt(format!(
        "a match of `{}` has no document; check the file with `PRAGMA integrity_check`",
        layout.schema
    ))
}
