//! The searches: a ranking, a page of it, and the bodies.

use ermine_core::{
    Distance, EmptyLeg, Error, ErrorKind, Figure, FilterPlace, HybridAnswer, HybridHit,
    HybridRequest, HybridSearch, Include, LegAnswer, LegKind, LegOutcome, LegRequest, Outcome,
    Page, Result, ScopedId, Score, StoredRecord, Target, TextAnswer, TextLeg, TextQuery,
    TextRequest, TextSearch, VectorAnswer, VectorLeg, VectorRequest, VectorSearch,
};

use super::ReferenceStore;
use super::state::{Collection, State};

impl VectorSearch for ReferenceStore {
    async fn vector_search(&self, request: &VectorRequest) -> Result<VectorAnswer> {
        let state = self.snapshot([request.include])?;
        state.vector(
            &request.target,
            &request.leg,
            request.page,
            &request.include,
        )
    }
}

impl TextSearch for ReferenceStore {
    async fn text_search(&self, request: &TextRequest) -> Result<TextAnswer> {
        let state = self.snapshot([request.include])?;
        let TextRequest {
            target,
            leg,
            min_score,
            page,
            include,
        } = request;
        state.text(target, leg, *min_score, *page, include)
    }
}

impl HybridSearch for ReferenceStore {
    async fn hybrid_search(&self, request: &HybridRequest) -> Result<HybridAnswer> {
        let state = self.snapshot([request.include])?;
        let target = &request.target;
        let collection = state.collection(&target.schema)?;
        let candidates = Page::first(request.depth()?);
        // Refuses a filter that nobody here knows, also where both legs are empty.
        collection.passing(target)?;

        let text_empty = request.text_is_empty();
        let mut text = match text_empty {
            None => collection.by_text(target, &request.text)?,
            Some(_) => Vec::new(),
        };
        text = candidates.of(text);

        let vector_empty = request.vector_is_empty();
        let mut vector = match (&request.vector, vector_empty) {
            (Some(leg), None) => collection.by_vector(target, leg, &request.text.query)?,
            _ => Vec::new(),
        };
        vector = candidates.of(vector);

        let outcome = Outcome::of([
            collection.outcome(LegKind::Text, target, text.len(), text_empty),
            collection.outcome(LegKind::Vector, target, vector.len(), vector_empty),
        ]);
        let text = text
            .into_iter()
            .map(|(key, score)| (key, Figure::Score(score)));
        let vector = vector
            .into_iter()
            .map(|(key, distance)| (key, Figure::Distance(distance)));
        let mut hits = Vec::new();
        for hit in request.fuse(text.collect(), vector.collect())? {
            hits.push(HybridHit {
                record: collection.read(target, &hit.key, &request.include)?,
                score: hit.score,
                legs: hit.legs,
            });
        }
        Ok(HybridAnswer { hits, outcome })
    }

    async fn search_legs(&self, legs: &[LegRequest]) -> Result<Vec<LegAnswer>> {
        let includes = legs.iter().map(|leg| match leg {
            LegRequest::Text { include, .. } | LegRequest::Vector { include, .. } => *include,
        });
        let state = self.snapshot(includes)?;
        legs.iter()
            .map(|leg| match leg {
                LegRequest::Text {
                    target,
                    leg,
                    depth,
                    include,
                } => {
                    let answer = state.text(target, leg, None, Page::first(*depth), include)?;
                    let hits = answer.hits.into_iter();
                    Ok(LegAnswer {
                        hits: hits
                            .map(|(record, score)| (record, Figure::Score(score)))
                            .collect(),
                        outcome: answer.outcome,
                    })
                }
                LegRequest::Vector {
                    target,
                    leg,
                    depth,
                    include,
                } => {
                    let answer = state.vector(target, leg, Page::first(*depth), include)?;
                    let hits = answer.hits.into_iter();
                    Ok(LegAnswer {
                        hits: hits
                            .map(|(record, distance)| (record, Figure::Distance(distance)))
                            .collect(),
                        outcome: answer.outcome,
                    })
                }
            })
            .collect()
    }
}

impl State {
    fn vector(
        &self,
        target: &Target,
        leg: &VectorLeg,
        page: Page,
        include: &Include,
    ) -> Result<VectorAnswer> {
        let collection = self.collection(&target.schema)?;
        let matches = collection.by_vector(target, leg, &TextQuery::default())?;
        let hits: Vec<(StoredRecord, Distance)> =
            collection.hits(target, page.of(matches), include)?;
        let empty = (page.limit == 0).then_some(EmptyLeg::NothingAsked);
        let outcome = collection.outcome(LegKind::Vector, target, hits.len(), empty);
        Ok(VectorAnswer { hits, outcome })
    }

    fn text(
        &self,
        target: &Target,
        leg: &TextLeg,
        min_score: Option<Score>,
        page: Page,
        include: &Include,
    ) -> Result<TextAnswer> {
        let collection = self.collection(&target.schema)?;
        let mut matches = collection.by_text(target, leg)?;
        matches.retain(|(_, score)| min_score.is_none_or(|floor| *score >= floor));
        let hits: Vec<(StoredRecord, Score)> =
            collection.hits(target, page.of(matches), include)?;
        let unasked = (page.limit == 0).then_some(EmptyLeg::NothingAsked);
        let empty = leg.query.is_empty().or(unasked);
        let outcome = collection.outcome(LegKind::Text, target, hits.len(), empty);
        Ok(TextAnswer { hits, outcome })
    }
}

impl Collection {
    fn hits<F>(
        &self,
        target: &Target,
        page: Vec<(ScopedId, F)>,
        include: &Include,
    ) -> Result<Vec<(StoredRecord, F)>> {
        page.into_iter()
            .map(|(key, figure)| Ok((self.read(target, &key, include)?, figure)))
            .collect()
    }

    fn read(&self, target: &Target, key: &ScopedId, include: &Include) -> Result<StoredRecord> {
        let stored = self.documents.get(key).ok_or_else(|| {
            // A match was read from this very snapshot.
            Error::new(ErrorKind::Corrupt, "a match has no document")
        })?;
        stored.record(&target.schema, key, include)
    }

    /// How a leg found what it found: it looked at every document in scope, unless it is empty.
    fn outcome(
        &self,
        kind: LegKind,
        target: &Target,
        returned: usize,
        empty: Option<EmptyLeg>,
    ) -> LegOutcome {
        if let Some(why) = empty {
            return LegOutcome::empty(kind, why);
        }
        let place = match target.filter {
            Some(_) => FilterPlace::DuringScan,
            None => FilterPlace::None,
        };
        let rows = self.in_scope(&target.scope).count() as u64;
        LegOutcome::exact(kind, place, rows, returned)
    }
}
