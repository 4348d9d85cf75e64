//! The three searches, each in one snapshot.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ermine_core::{
    Distance, EmptyLeg, Figure, HybridAnswer, HybridHit, HybridRequest, HybridSearch, Include,
    LegAnswer, LegKind, LegOutcome, LegRequest, Outcome, Page, Result, ScopedId, Score,
    StoredRecord, TextAnswer, TextRequest, TextSearch, VectorAnswer, VectorRequest, VectorSearch,
};
use futures_util::future::{try_join, try_join_all};
use tokio_postgres::Client;

use super::{Inner, PostgresStore};
use crate::error::corrupt;
use crate::layout::Layout;
use crate::rank::Ranked;
use crate::read::{Snapshot, again_if_lost, by_number};
use crate::text::TextScan;
use crate::vector;

impl VectorSearch for PostgresStore {
    async fn vector_search(&self, request: &VectorRequest) -> Result<VectorAnswer> {
        let (inner, request) = (Arc::clone(&self.inner), request.clone());
        self.threads
            .run(async move { again_if_lost(|| inner.vector_search(&request)).await })
            .await
    }
}

impl TextSearch for PostgresStore {
    async fn text_search(&self, request: &TextRequest) -> Result<TextAnswer> {
        let (inner, request) = (Arc::clone(&self.inner), request.clone());
        self.threads
            .run(async move { again_if_lost(|| inner.text_search(&request)).await })
            .await
    }
}

impl HybridSearch for PostgresStore {
    async fn hybrid_search(&self, request: &HybridRequest) -> Result<HybridAnswer> {
        let (inner, request) = (Arc::clone(&self.inner), request.clone());
        self.threads
            .run(async move { again_if_lost(|| inner.hybrid_search(&request)).await })
            .await
    }

    async fn search_legs(&self, legs: &[LegRequest]) -> Result<Vec<LegAnswer>> {
        let (inner, legs) = (Arc::clone(&self.inner), legs.to_vec());
        self.threads
            .run(async move { again_if_lost(|| inner.search_legs(&legs)).await })
            .await
    }
}

impl Inner {
    async fn vector_search(&self, request: &VectorRequest) -> Result<VectorAnswer> {
        let layout = self.known.get(&request.target.schema)?;
        let snapshot = Snapshot::begin(&self.pool).await?;
        let answer = self.nearest(&snapshot, &layout, request).await;
        snapshot.end(answer)
    }

    async fn nearest(
        &self,
        snapshot: &Snapshot,
        layout: &Layout,
        request: &VectorRequest,
    ) -> Result<VectorAnswer> {
        snapshot.check(request.include).await?;
        let (ranked, outcome) = vector::rank(
            snapshot.client()?,
            &self.extension,
            layout,
            &request.target,
            &request.leg,
            request.page,
            &HashSet::new(),
        )
        .await?;
        let hits = records(snapshot, layout, ranked, request.include).await?;
        Ok(VectorAnswer { hits, outcome })
    }

    async fn text_search(&self, request: &TextRequest) -> Result<TextAnswer> {
        let layout = self.known.get(&request.target.schema)?;
        let snapshot = Snapshot::begin(&self.pool).await?;
        let answer = matching(&snapshot, &layout, request).await;
        snapshot.end(answer)
    }

    async fn search_legs(&self, legs: &[LegRequest]) -> Result<Vec<LegAnswer>> {
        let snapshot = Snapshot::begin(&self.pool).await?;
        let answers = try_join_all(legs.iter().map(|leg| self.one_leg(&snapshot, leg))).await;
        snapshot.end(answers)
    }

    async fn one_leg(&self, snapshot: &Snapshot, leg: &LegRequest) -> Result<LegAnswer> {
        let layout = self.known.get(&leg.target().schema)?;
        let client = snapshot.client()?;
        let (ranked, outcome, include) = match leg {
            LegRequest::Text {
                target,
                leg,
                depth,
                include,
            } => {
                snapshot.check(*include).await?;
                let scan = TextScan::new(client, &layout, target, leg).await?;
                let (ranked, outcome) = scan.rank(leg, None, Page::first(*depth)).await?;
                (figures(ranked, Figure::Score), outcome, *include)
            }
            LegRequest::Vector {
                target,
                leg,
                depth,
                include,
            } => {
                snapshot.check(*include).await?;
                let (page, nobody) = (Page::first(*depth), HashSet::new());
                let (ranked, outcome) =
                    vector::rank(client, &self.extension, &layout, target, leg, page, &nobody)
                        .await?;
                (figures(ranked, Figure::Distance), outcome, *include)
            }
        };
        Ok(LegAnswer {
            hits: records(snapshot, &layout, ranked, include).await?,
            outcome,
        })
    }

    async fn hybrid_search(&self, request: &HybridRequest) -> Result<HybridAnswer> {
        let layout = self.known.get(&request.target.schema)?;
        let page = Page::first(request.depth()?);
        let snapshot = Snapshot::begin(&self.pool).await?;
        let answer = self.hybrid(&snapshot, &layout, request, page).await;
        snapshot.end(answer)
    }

    async fn hybrid(
        &self,
        snapshot: &Snapshot,
        layout: &Layout,
        request: &HybridRequest,
        page: Page,
    ) -> Result<HybridAnswer> {
        snapshot.check(request.include).await?;
        let client = snapshot.client()?;
        let nobody = HashSet::new();
        let ((text, text_outcome), (vector, vector_outcome)) =
            if request.text.query.excluded.is_empty() {
                // Both at once: the database looks at vectors while words are scored here.
                try_join(
                    async {
                        let (target, leg) = (&request.target, &request.text);
                        let scan = TextScan::new(client, layout, target, leg).await?;
                        text_leg(&scan, request, page).await
                    },
                    self.vector_leg(client, layout, request, page, &nobody),
                )
                .await?
            } else {
                let scan = TextScan::new(client, layout, &request.target, &request.text).await?;
                let excluded = scan.excluded()?;
                try_join(
                    text_leg(&scan, request, page),
                    self.vector_leg(client, layout, request, page, &excluded),
                )
                .await?
            };
        let mut docs: HashMap<ScopedId, i64> = HashMap::new();
        let text = candidates(&mut docs, figures(text, Figure::Score));
        let vector = candidates(&mut docs, figures(vector, Figure::Distance));
        let fused = request.fuse(text, vector)?;
        let wanted: Vec<i64> = fused
            .iter()
            .filter_map(|hit| docs.get(&hit.key).copied())
            .collect();
        let mut found = by_number(client, layout, &wanted, request.include).await?;
        let hit = |hit: ermine_core::FusedHit| {
            let record = docs.get(&hit.key).and_then(|doc| found.remove(doc));
            Ok(HybridHit {
                record: record.ok_or_else(|| lost(layout))?,
                score: hit.score,
                legs: hit.legs,
            })
        };
        Ok(HybridAnswer {
            hits: fused.into_iter().map(hit).collect::<Result<_>>()?,
            outcome: Outcome::of([text_outcome, vector_outcome]),
        })
    }

    async fn vector_leg(
        &self,
        client: &Client,
        layout: &Layout,
        request: &HybridRequest,
        page: Page,
        excluded: &HashSet<i64>,
    ) -> Result<(Vec<Ranked<Distance>>, LegOutcome)> {
        match (&request.vector, request.vector_is_empty()) {
            (Some(leg), None) => {
                let (extension, target) = (&self.extension, &request.target);
                vector::rank(client, extension, layout, target, leg, page, excluded).await
            }
            (_, why) => {
                let why = why.unwrap_or(EmptyLeg::NotRepresentable);
                Ok((Vec::new(), LegOutcome::empty(LegKind::Vector, why)))
            }
        }
    }
}

async fn text_leg(
    scan: &TextScan<'_>,
    request: &HybridRequest,
    page: Page,
) -> Result<(Vec<Ranked<Score>>, LegOutcome)> {
    match request.text_is_empty() {
        Some(why) => Ok((Vec::new(), LegOutcome::empty(LegKind::Text, why))),
        None => scan.rank(&request.text, None, page).await,
    }
}

async fn matching(
    snapshot: &Snapshot,
    layout: &Layout,
    request: &TextRequest,
) -> Result<TextAnswer> {
    snapshot.check(request.include).await?;
    let scan = TextScan::new(snapshot.client()?, layout, &request.target, &request.leg).await?;
    let (ranked, outcome) = scan
        .rank(&request.leg, request.min_score, request.page)
        .await?;
    let hits = records(snapshot, layout, ranked, request.include).await?;
    Ok(TextAnswer { hits, outcome })
}

fn figures<F>(ranked: Vec<Ranked<F>>, figure: impl Fn(F) -> Figure) -> Vec<Ranked<Figure>> {
    let hit = |hit: Ranked<F>| Ranked {
        doc: hit.doc,
        key: hit.key,
        figure: figure(hit.figure),
    };
    ranked.into_iter().map(hit).collect()
}

/// A leg's candidates by key, their numbers noted.
fn candidates(
    docs: &mut HashMap<ScopedId, i64>,
    ranked: Vec<Ranked<Figure>>,
) -> Vec<(ScopedId, Figure)> {
    ranked
        .into_iter()
        .map(|hit| {
            docs.insert(hit.key.clone(), hit.doc);
            (hit.key, hit.figure)
        })
        .collect()
}

/// The documents of a ranking, with their figures.
async fn records<F>(
    snapshot: &Snapshot,
    layout: &Layout,
    ranked: Vec<Ranked<F>>,
    include: Include,
) -> Result<Vec<(StoredRecord, F)>> {
    let docs: Vec<i64> = ranked.iter().map(|hit| hit.doc).collect();
    let mut found = by_number(snapshot.client()?, layout, &docs, include).await?;
    ranked
        .into_iter()
        .map(|hit| {
            let record = found.remove(&hit.doc);
            Ok((record.ok_or_else(|| lost(layout))?, hit.figure))
        })
        .collect()
}

/// A match whose document was there a moment ago, in the same snapshot.
fn lost(layout: &Layout) -> ermine_core::Error {
    corrupt(format!(
        "a match of `{}` has no document; was a table changed by hand?",
        layout.schema
    ))
}
