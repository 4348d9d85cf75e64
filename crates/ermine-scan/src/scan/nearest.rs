//! Keeping the nearest rows, ties included.

use ermine_core::Distance;

use super::{Candidate, Nearest};

/// Candidates as near as the `k`-th nearest offered so far.
pub(super) struct Collector {
    k: usize,
    /// No candidate farther than this can be among the first `k`.
    farthest: Option<Distance>,
    found: Vec<Candidate>,
    /// How many are kept before those too far are dropped.
    room: usize,
}

impl Collector {
    pub(super) fn new(nearest: Nearest) -> Self {
        Self {
            k: nearest.k,
            farthest: nearest.max_distance,
            found: Vec::new(),
            room: room_for(nearest.k),
        }
    }

    pub(super) fn offer(&mut self, candidate: Candidate) {
        if self
            .farthest
            .is_some_and(|farthest| candidate.distance > farthest)
        {
            return;
        }
        self.found.push(candidate);
        if self.found.len() >= self.room {
            self.drop_too_far();
            // Ties are kept however many there are, so the room grows with them.
            self.room = room_for(self.found.len());
        }
    }

    pub(super) fn finish(mut self) -> Vec<Candidate> {
        self.drop_too_far();
        self.found
            .sort_unstable_by_key(|candidate| (candidate.distance, candidate.slot));
        self.found
    }

    fn drop_too_far(&mut self) {
        let Some(last) = self.k.checked_sub(1).filter(|at| *at < self.found.len()) else {
            return;
        };
        let (_, kth, _) = self
            .found
            .select_nth_unstable_by_key(last, |candidate| candidate.distance);
        let farthest = kth.distance;
        self.found
            .retain(|candidate| candidate.distance <= farthest);
        self.farthest = Some(farthest);
    }
}

fn room_for(kept: usize) -> usize {
    kept.saturating_mul(2).saturating_add(64)
}
