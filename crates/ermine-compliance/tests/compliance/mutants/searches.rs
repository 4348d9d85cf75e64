//! Searches, and answers changed after the store gave them.

use ermine_core::{
    Accuracy, Answer, Distance, FilterPlace, HybridAnswer, HybridRequest, HybridSearch, LegAnswer,
    LegOutcome, LegRequest, MAX_LIMIT, Page, Plan, Query, Read, Result, Storage, StoredRecord,
    Target, TextAnswer, TextRequest, TextSearch, VectorAnswer, VectorRequest, VectorSearch,
};

use super::MutantStore;
use super::ghosts::is_ghost;
use super::mutation::Mutation::{self, *};

impl VectorSearch for MutantStore {
    async fn vector_search(&self, request: &VectorRequest) -> Result<VectorAnswer> {
        let mut request = request.clone();
        self.mutation.vector(&mut request);
        let page = request.page;
        let mut answer = match self.mutation {
            FilterAfterTheLimit => {
                let all = Page::first(MAX_LIMIT);
                let passing = VectorRequest {
                    page: all,
                    ..request.clone()
                };
                let passing = self.inner.vector_search(&passing).await?;
                request.target.filter = None;
                let mut answer = self.inner.vector_search(&request).await?;
                answer
                    .hits
                    .retain(|(hit, _)| passing.hits.iter().any(|(p, _)| p.id == hit.id));
                answer
            }
            VectorTiesReversed => {
                request.page = Page::first(MAX_LIMIT);
                let mut answer = self.inner.vector_search(&request).await?;
                answer.hits = page.of(ties_reversed(answer.hits));
                answer
            }
            AbsentVectorsAreFar => {
                let mut answer = self.inner.vector_search(&request).await?;
                self.add_the_rest(&request, &mut answer).await?;
                answer
            }
            mutation if mutation.is_of(request.leg.accuracy) => self.approximate(&request).await?,
            _ => self.inner.vector_search(&request).await?,
        };
        answer
            .hits
            .retain(|(record, _)| self.mutation.shows(record));
        if let (MaximumDistanceExclusive, Some(most)) = (self.mutation, request.leg.max_distance) {
            answer.hits.retain(|(_, distance)| *distance < most);
        }
        for (_, distance) in &mut answer.hits {
            let value = distance.value();
            let wrong = match self.mutation {
                SquaredDistances => value * value,
                DistancesInF32 => f64::from(value as f32),
                _ => value,
            };
            *distance = Distance::new(wrong).unwrap_or(*distance);
        }
        self.mutation.outcome(&mut answer.outcome);
        Ok(answer)
    }
}

impl TextSearch for MutantStore {
    async fn text_search(&self, request: &TextRequest) -> Result<TextAnswer> {
        let mut request = request.clone();
        self.mutation.text(&mut request);
        let page = request.page;
        let reorders = [
            TextTiesReversed,
            StatisticsAcrossTenants,
            StatisticsOfDeletedToo,
        ];
        if !reorders.contains(&self.mutation) {
            let mut answer = self.inner.text_search(&request).await?;
            answer.hits.retain(|(hit, _)| self.mutation.shows(hit));
            self.mutation.outcome(&mut answer.outcome);
            return Ok(answer);
        }
        request.page = Page::first(MAX_LIMIT);
        let mut answer = self.inner.text_search(&request).await?;
        answer.hits.retain(|(hit, _)| self.mutation.shows(hit));
        if self.mutation == TextTiesReversed {
            answer.hits = ties_reversed(answer.hits);
        }
        answer.hits = page.of(answer.hits);
        answer.outcome.returned = answer.hits.len();
        Ok(answer)
    }
}

impl HybridSearch for MutantStore {
    async fn hybrid_search(&self, request: &HybridRequest) -> Result<HybridAnswer> {
        let mut request = request.clone();
        self.mutation.hybrid(&mut request);
        let target = request.target.clone();
        let mut answer = match self.mutation {
            LegsOfTwoSnapshots | ExclusionsInTheTextLegOnly => {
                self.composed(&request, target).await?
            }
            FilterInTheTextLegOnly => {
                let unfiltered = Target {
                    filter: None,
                    ..target
                };
                self.composed(&request, unfiltered).await?
            }
            _ => self.inner.hybrid_search(&request).await?,
        };
        if self.mutation == LegsUnexplained {
            answer.hits.iter_mut().for_each(|hit| hit.legs.clear());
        }
        answer.hits.retain(|hit| self.mutation.shows(&hit.record));
        for leg in &mut answer.outcome.legs {
            self.mutation.outcome(leg);
        }
        Ok(answer)
    }

    async fn search_legs(&self, legs: &[LegRequest]) -> Result<Vec<LegAnswer>> {
        self.inner.search_legs(legs).await
    }
}

/// How many candidates an index that is left to itself gives.
const CANDIDATES: usize = 40;

impl MutantStore {
    /// An answer as from an approximate index, wrong in the mutation's way.
    async fn approximate(&self, request: &VectorRequest) -> Result<VectorAnswer> {
        let mut wider = request.clone();
        if self.mutation == ApproximateComesUpShort {
            // The filter sees what the index gives, and that is not all.
            wider.target.filter = None;
            wider.page = Page::first(CANDIDATES);
            let candidates = self.inner.vector_search(&wider).await?.hits;
            let mut answer = self.inner.vector_search(request).await?;
            let given = |id| candidates.iter().any(|(hit, _)| hit.id == id);
            answer.hits.retain(|(hit, _)| given(hit.id.clone()));
            return Ok(answer);
        }
        // The nearest is missed, where another takes its place.
        wider.page.limit = (request.page.limit + 1).min(MAX_LIMIT);
        let mut answer = self.inner.vector_search(&wider).await?;
        if answer.hits.len() > request.page.limit {
            answer.hits.remove(0);
        }
        if self.mutation != ApproximateUnreported {
            answer.outcome.plan = Plan::Approximate;
        }
        if self.mutation == ApproximateOrderIsTheIndexs {
            answer.hits.chunks_mut(2).for_each(<[_]>::reverse);
        }
        answer.outcome.returned = answer.hits.len();
        Ok(answer)
    }

    /// What is in scope and was not found, as if it were far away.
    async fn add_the_rest(&self, request: &VectorRequest, answer: &mut VectorAnswer) -> Result<()> {
        let query = Read::Query(Query {
            target: request.target.clone(),
            order: Vec::new(),
            page: Page::first(MAX_LIMIT),
            include: request.include,
        });
        for found in self.inner.read(&[query]).await? {
            let Answer::Records(records) = found else {
                continue;
            };
            for record in records {
                let known = answer.hits.iter().any(|(hit, _)| hit.id == record.id);
                let far = Distance::new(1e9).filter(|_| !known);
                answer.hits.extend(far.map(|far| (record, far)));
            }
        }
        Ok(())
    }
}

impl Mutation {
    /// Whether it concerns searches of this accuracy.
    fn is_of(self, accuracy: Accuracy) -> bool {
        match self {
            ApproximateComesUpShort | ApproximateOrderIsTheIndexs | ApproximateUnreported => {
                accuracy == Accuracy::Approximate
            }
            ApproximateIsTheDefault => accuracy == Accuracy::Exact,
            _ => false,
        }
    }

    /// Whether a document is among what the store returns.
    pub(super) fn shows(self, record: &StoredRecord) -> bool {
        let whole = serde_json::from_str::<serde_json::Map<_, _>>(&record.body).is_ok();
        !is_ghost(record) && (whole || self != BrokenBodiesDropped)
    }

    fn outcome(self, outcome: &mut LegOutcome) {
        match self {
            EmptyLegsUnreported => outcome.empty = None,
            FilterPlaceUnreported => outcome.filter = FilterPlace::None,
            _ => {}
        }
    }
}

/// Hits of one figure in the opposite order.
fn ties_reversed<F: PartialEq>(hits: Vec<(StoredRecord, F)>) -> Vec<(StoredRecord, F)> {
    let mut turned: Vec<_> = hits;
    let ties = turned.chunk_by_mut(|(_, a), (_, b)| a == b);
    ties.for_each(<[_]>::reverse);
    turned
}
