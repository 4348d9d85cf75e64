//! Hybrid searches put together from separate searches, as a careless store would.

use std::task::Poll;

use ermine_core::{
    Answer, Error, ErrorKind, FusedHit, HybridAnswer, HybridHit, HybridRequest, HybridSearch,
    LegAnswer, LegCandidates, LegRequest, Outcome, Read, Result, Storage, StoredRecord, Target,
};

use super::MutantStore;

/// Lets whoever waits go on.
pub(super) async fn a_moment() {
    let mut waited = false;
    std::future::poll_fn(|context| {
        if waited {
            return Poll::Ready(());
        }
        waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

impl MutantStore {
    /// Each leg a search of its own, the vector's over a target of its own.
    pub(super) async fn composed(
        &self,
        request: &HybridRequest,
        vector_target: Target,
    ) -> Result<HybridAnswer> {
        let depth = request.depth()?;
        let include = request.include;
        let mut legs = vec![LegRequest::Text {
            target: request.target.clone(),
            leg: request.text.clone(),
            depth,
            include,
        }];
        if let Some(leg) = request.vector.clone() {
            let target = vector_target;
            legs.push(LegRequest::Vector {
                target,
                leg,
                depth,
                include,
            });
        }
        let mut answers = Vec::new();
        for leg in legs {
            answers.extend(self.inner.search_legs(&[leg]).await?);
            a_moment().await;
        }
        let outcome = Outcome::of(answers.iter().map(|answer| answer.outcome.clone()));
        let mut answers = answers.into_iter().map(candidates);
        let (text, vector) = (answers.next(), answers.next());
        let mut hits = Vec::new();
        for hit in request.fuse(text.unwrap_or_default(), vector.unwrap_or_default())? {
            hits.push(HybridHit {
                record: self.body(request, &hit).await?,
                score: hit.score,
                legs: hit.legs,
            });
        }
        Ok(HybridAnswer { hits, outcome })
    }

    async fn body(&self, request: &HybridRequest, hit: &FusedHit) -> Result<StoredRecord> {
        let get = Read::Get {
            target: Target {
                filter: None,
                ..request.target.clone()
            },
            ids: vec![hit.key.1.clone()],
            include: request.include,
        };
        let answers = self.inner.read(&[get]).await?;
        match answers.into_iter().next() {
            Some(Answer::Records(mut records)) => records.pop(),
            _ => None,
        }
        .ok_or_else(|| Error::new(ErrorKind::Missing, "it is gone"))
    }
}

fn candidates(answer: LegAnswer) -> LegCandidates {
    let hits = answer.hits.into_iter();
    hits.map(|(record, figure)| ((record.tenant, record.id), figure))
        .collect()
}
