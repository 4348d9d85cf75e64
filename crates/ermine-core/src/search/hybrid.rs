//! Hybrid search over one type: the request, and the fusion every store shares.

use super::{
    EmptyLeg, Figure, Include, LegHit, LegKind, Page, Target, TextLeg, VectorLeg, candidate_depth,
};
use crate::fusion::{check_k, check_weights};
use crate::{Fused, Id, RankedLeg, Result, Score, TenantId, fuse};

/// What identifies a document in a scope that may span tenants; orders by tenant, then id.
pub type ScopedId = (Option<TenantId>, Id);

/// A text and a vector search over one type, fused by key.
#[derive(Debug, Clone)]
pub struct HybridRequest {
    /// Where both legs look.
    pub target: Target,
    /// The text leg. Its exclusions hold for the vector leg too (rule T7).
    pub text: TextLeg,
    /// The vector leg; `None` where the provider cannot represent the text.
    pub vector: Option<VectorLeg>,
    /// How much the text leg counts.
    pub text_weight: f64,
    /// How much the vector leg counts.
    pub vector_weight: f64,
    /// The k of the fusion.
    pub k: u32,
    /// How many candidates each leg returns; `None` is max(4 × limit, 50).
    pub depth: Option<usize>,
    /// The inclusive smallest fused score, applied before offset and limit (rule V1).
    pub min_score: Option<Score>,
    /// Which part of the fused order is returned.
    pub page: Page,
    /// What else it wants.
    pub include: Include,
}

/// A leg's candidates, best first, each with its raw figure.
pub type LegCandidates = Vec<(ScopedId, Figure)>;

/// A fused match before its body is read.
#[derive(Debug, Clone)]
pub struct FusedHit {
    /// Which document.
    pub key: ScopedId,
    /// The fused score.
    pub score: Score,
    /// What each leg that found it contributed.
    pub legs: Vec<LegHit>,
}

impl HybridRequest {
    /// Refuses what rules V3, V4, V6, V11, T1–T3, T6, T8, F2 and D5 refuse.
    ///
    /// # Errors
    ///
    /// Those of the target, of both legs, of the page, and of [`depth`](Self::depth) and [`fuse`].
    pub fn check(&self) -> Result<()> {
        self.target.check()?;
        self.text.check(&self.target.schema)?;
        self.vector
            .iter()
            .try_for_each(|leg| leg.check(&self.target.schema))?;
        self.page.check()?;
        check_k(self.k)?;
        check_weights([self.text_weight, self.vector_weight].into_iter())?;
        self.depth().map(drop)
    }

    /// How many candidates each leg returns.
    ///
    /// # Errors
    ///
    /// Those of [`candidate_depth`].
    pub fn depth(&self) -> Result<usize> {
        candidate_depth(self.depth, self.page)
    }

    /// Why the text leg need not run, if it need not.
    pub fn text_is_empty(&self) -> Option<EmptyLeg> {
        if self.text_weight == 0.0 {
            Some(EmptyLeg::LeftOut)
        } else {
            self.text.query.is_empty().or(self.unasked())
        }
    }

    /// Why the vector leg need not run, if it need not.
    pub fn vector_is_empty(&self) -> Option<EmptyLeg> {
        match &self.vector {
            _ if self.vector_weight == 0.0 => Some(EmptyLeg::LeftOut),
            None => Some(EmptyLeg::NotRepresentable),
            Some(_) => self.unasked(),
        }
    }

    /// With a limit of 0 no leg runs (rule V11).
    fn unasked(&self) -> Option<EmptyLeg> {
        (self.page.limit == 0).then_some(EmptyLeg::NothingAsked)
    }

    /// Fuses the two legs' candidates and cuts the page: floor, then offset, then limit.
    ///
    /// # Errors
    ///
    /// Those of [`fuse`].
    pub fn fuse(&self, text: LegCandidates, vector: LegCandidates) -> Result<Vec<FusedHit>> {
        let kinds = [LegKind::Text, LegKind::Vector];
        let weights = [self.text_weight, self.vector_weight];
        let candidates = [text, vector];
        let legs: Vec<RankedLeg<ScopedId>> = candidates
            .iter()
            .zip(weights)
            .map(|(leg, weight)| RankedLeg::weighted(leg.iter().map(|(k, _)| k.clone()), weight))
            .collect();
        let mut fused = fuse(&legs, self.k)?;
        if let Some(floor) = self.min_score {
            fused.retain(|hit| hit.score >= floor);
        }
        let hit = |Fused { key, score, legs }: Fused<ScopedId>| {
            let legs = legs
                .into_iter()
                .enumerate()
                .filter_map(|(leg, share)| {
                    let share = share?;
                    // A leg holds a key once, so its rank is its place.
                    let (_, figure) = candidates.get(leg)?.get(share.rank.checked_sub(1)?)?;
                    Some(LegHit {
                        leg,
                        kind: *kinds.get(leg)?,
                        rank: share.rank,
                        figure: *figure,
                        weight: *weights.get(leg)?,
                        contribution: share.share,
                    })
                })
                .collect();
            FusedHit { key, score, legs }
        };
        Ok(self.page.of(fused).into_iter().map(hit).collect())
    }
}

impl super::TextQuery {
    /// Why this query finds nothing whatever is stored, if so.
    pub fn is_empty(&self) -> Option<EmptyLeg> {
        if !self.terms.is_empty() {
            None
        } else if self.excluded.is_empty() {
            Some(EmptyLeg::NoTerms)
        } else {
            Some(EmptyLeg::OnlyExclusions)
        }
    }
}
