//! Requests, changed before the store sees them.

use ermine_core::{
    DeletedScope, HybridRequest, Include, Matching, Metric, Page, Score, Target, TenantScope,
    TextLeg, TextRequest, VectorLeg, VectorRequest,
};

use super::expressions::rewritten;
use super::mutation::Mutation::{self, *};

impl Mutation {
    pub(super) fn target(self, target: &mut Target) {
        let scope = &mut target.scope;
        let filtered = target.filter.is_some();
        let leaks = self == TenantLeak || (self == FilterReplacesTheScope && filtered);
        if let (true, TenantScope::One(_)) = (leaks, &scope.tenants) {
            scope.tenants = TenantScope::All;
        }
        if self == DeletedLeak || (self == FilterReplacesTheScope && filtered) {
            scope.deleted = DeletedScope::Included;
        }
        if self == DeletedNeverShown {
            scope.deleted = DeletedScope::Hidden;
        }
        if self == FilterIgnored {
            target.filter = None;
        }
        target.filter = target.filter.take().map(|filter| rewritten(self, filter));
    }

    pub(super) fn page(self, page: &mut Page) {
        match self {
            OneTooFew => page.limit = page.limit.saturating_sub(1),
            OffsetIgnored => page.offset = 0,
            _ => {}
        }
    }

    pub(super) fn include(self, include: &mut Include) {
        match self {
            VectorsAlwaysReturned => include.vectors = true,
            VectorsNeverReturned => include.vectors = false,
            _ => {}
        }
    }

    pub(super) fn vector_leg(self, leg: &mut VectorLeg) {
        match self {
            AnotherMetric => {
                leg.metric = match leg.metric {
                    Metric::Cosine => Metric::Euclidean,
                    Metric::Euclidean => Metric::InnerProduct,
                    _ => Metric::Cosine,
                }
            }
            MaximumDistanceIgnored => leg.max_distance = None,
            _ => {}
        }
    }

    pub(super) fn text_leg(self, target: &Target, leg: &mut TextLeg) {
        match self {
            EveryFieldSearched => {
                let declared = target.schema.text();
                leg.fields = (0..declared.len()).collect();
                leg.weights = declared.iter().map(|field| field.weight()).collect();
            }
            ColumnWeightsIgnored => leg.weights.fill(1.0),
            RepeatedWordsCountOnce => leg.query.terms.iter_mut().for_each(|term| term.count = 1),
            AnyWordWillDo => leg.query.matching = Matching::Any,
            ExclusionsIgnored => leg.query.excluded.clear(),
            _ => {}
        }
    }

    fn floor(self, floor: &mut Option<Score>) {
        match self {
            ScoreFloorExclusive => {
                *floor = floor.and_then(|floor| Score::new(floor.value().next_up()));
            }
            ScoreFloorIgnored => *floor = None,
            _ => {}
        }
    }

    pub(super) fn vector(self, request: &mut VectorRequest) {
        self.target(&mut request.target);
        self.vector_leg(&mut request.leg);
        self.page(&mut request.page);
        self.include(&mut request.include);
    }

    pub(super) fn text(self, request: &mut TextRequest) {
        self.target(&mut request.target);
        self.text_leg(&request.target, &mut request.leg);
        self.floor(&mut request.min_score);
        self.page(&mut request.page);
        self.include(&mut request.include);
    }

    pub(super) fn hybrid(self, request: &mut HybridRequest) {
        self.target(&mut request.target);
        self.text_leg(&request.target, &mut request.text);
        request
            .vector
            .iter_mut()
            .for_each(|leg| self.vector_leg(leg));
        self.floor(&mut request.min_score);
        self.page(&mut request.page);
        self.include(&mut request.include);
        match self {
            LegWeightsIgnored => (request.text_weight, request.vector_weight) = (1.0, 1.0),
            AnotherK => request.k += 1,
            DepthIsTheLimit => request.depth = Some(request.page.end()),
            _ => {}
        }
    }
}
