//! How hard an index is searched.

/// The least and the most that pgvector's `hnsw.ef_search` is set to. Below 100 a graph
/// of 100,000 glosses loses more than one neighbour in a hundred.
const EF_SEARCH: [f64; 2] = [100.0, 1_000.0];

/// How many times as many candidates as expected are looked at before the documents that
/// pass are taken to lie elsewhere.
const PATIENCE: f64 = 4.0;

/// The most candidates an index is asked for: where a scan costs as much.
const MOST_CANDIDATES: f64 = 20_000.0;

/// How many documents are few: comparing them all costs no more than looking for `wanted`
/// of them among the candidates of an index of `all`.
///
/// Comparing grows with the number that pass, and what the index has to give with its
/// inverse, so that the two meet at the root; the factor was measured.
pub(super) fn few(all: f64, wanted: usize) -> usize {
    let few = 1.5 * (all * wanted as f64).sqrt();
    // A float becomes the nearest integer there is.
    few as usize
}

/// What one search of an index may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effort {
    ef_search: usize,
    /// How many of the nearest it gives, before the filter.
    pub(super) candidates: usize,
}

impl Effort {
    /// For finding `wanted` documents where this share of all passes.
    pub(super) fn new(wanted: usize, share: f64) -> Self {
        let wanted = wanted as f64;
        let expected = wanted / share.clamp(1e-9, 1.0);
        let [least, most] = EF_SEARCH;
        let candidates = (expected * PATIENCE).min(MOST_CANDIDATES).max(wanted);
        Self {
            ef_search: expected.ceil().clamp(least, most) as usize,
            candidates: candidates.ceil() as usize,
        }
    }

    /// The statements before a search: its settings, and what makes the planner take the
    /// index, whose order nothing else in the statement provides.
    ///
    /// The candidates are counted by the statement. Beyond pgvector's own bounds it would
    /// go on with whatever it had put aside, in an order that is worth nothing.
    pub(super) fn settings(self) -> String {
        format!(
            "SET LOCAL hnsw.ef_search = {}; SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL hnsw.max_scan_tuples = 2147483647; SET LOCAL hnsw.scan_mem_multiplier = 16; SET LOCAL enable_sort = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off",
            self.ef_search
        )
    }

    /// The statements after it, since other statements share the transaction.
    pub(super) const RESET: &'static str = "SET LOCAL hnsw.ef_search TO DEFAULT; SET LOCAL hnsw.iterative_scan TO DEFAULT; SET LOCAL hnsw.max_scan_tuples TO DEFAULT; SET LOCAL hnsw.scan_mem_multiplier TO DEFAULT; SET LOCAL enable_sort TO DEFAULT; SET LOCAL enable_hashjoin TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT; SET LOCAL enable_seqscan TO DEFAULT";
}

#[cfg(test)]
mod tests {
    use super::{Effort, few};

    #[test]
    fn effort_follows_from_how_many_pass() {
        let all = Effort::new(42, 1.0);
        assert_eq!((all.ef_search, all.candidates), (100, 168));
        let tenth = Effort::new(42, 0.1);
        assert_eq!((tenth.ef_search, tenth.candidates), (420, 1_680));
        let none = Effort::new(42, 0.0);
        assert_eq!((none.ef_search, none.candidates), (1_000, 20_000));
        // Never fewer than are wanted, and within what pgvector takes.
        let many = Effort::new(30_000, 1.0);
        assert_eq!((many.ef_search, many.candidates), (1_000, 30_000));
    }

    #[test]
    fn what_is_few_grows_with_what_there_is() {
        assert_eq!(few(117_659.0, 42), 3_334);
        assert_eq!(few(1.0, 1), 1);
    }
}
