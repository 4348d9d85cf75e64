//! What a rebuild would cost.

use std::collections::HashSet;

use ermine_core::Position;

use super::super::draft::{Draft, drafts};
use super::super::embedder::Wanted;
use super::super::halt::Halt;
use super::super::worker::Worker;
use super::Survey;
use crate::projection::{FoldFrom, Input, ProjectionError, RebuiltBy, Row};

/// What a rebuild would cost at present: what a dry run tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RebuildEstimate {
    /// The rows that would be written or compared.
    pub rows: usize,
    /// The texts that would be embedded, each once: those whose vector is missing, or
    /// was made of another text.
    pub texts: usize,
    /// The tokens of those texts, as their providers count them.
    pub tokens: usize,
    /// The calls of providers, unless some fail.
    pub calls: usize,
    /// How far the log goes.
    pub up_to: Position,
}

impl Worker {
    /// Goes through a rebuild without writing and without a call.
    pub(in super::super) async fn estimate(
        &mut self,
        up_to: Position,
    ) -> Result<RebuildEstimate, Halt> {
        let mut estimate = RebuildEstimate {
            up_to,
            ..RebuildEstimate::default()
        };
        let mut seen = HashSet::new();
        let Survey { last, mut folded } = self.survey(None, up_to).await?;
        if self.projection.rebuilt_by() == RebuiltBy::Folding {
            while let Some(rows) = self.some_folded(&mut folded)? {
                self.count(&rows, &mut seen, &mut estimate).await?;
            }
            return Ok(estimate);
        }
        let mut after = Position::START;
        while after < up_to {
            let page = self.page_within(after, up_to).await?;
            after = page.ceiling;
            let events = self.unmarked(page.events);
            let events = self.runtime.events.types.current_all(events)?;
            let input = Input {
                runtime: &self.runtime,
                events: &events,
                only: Some(&last),
                folding: FoldFrom::Stored,
            };
            let rows = self.projection.project(input).await;
            let rows = rows.map_err(|error| match error {
                ProjectionError::Apply(error) => Halt::Pause(error.error),
                ProjectionError::Failed(error) => error.into(),
            })?;
            self.count(&rows, &mut seen, &mut estimate).await?;
        }
        Ok(estimate)
    }

    async fn count(
        &mut self,
        rows: &[Row],
        seen: &mut HashSet<(usize, String)>,
        estimate: &mut RebuildEstimate,
    ) -> Result<(), Halt> {
        estimate.rows += rows.len();
        let (drafts, _) = drafts(&self.runtime, rows).await?;
        let wanted: Vec<Wanted> = drafts.iter().flat_map(Draft::wanted).cloned().collect();
        for call in self.embedder.calls(&wanted) {
            let mut any = false;
            for one in &call {
                let Some(provider) = self.runtime.providers.get(one.provider) else {
                    continue;
                };
                if seen.insert((one.provider, one.hash.clone())) {
                    any = true;
                    estimate.texts += 1;
                    estimate.tokens += provider.tokens(&one.text);
                }
            }
            estimate.calls += usize::from(any);
        }
        self.embedder.forget();
        Ok(())
    }
}
