//! How good a ranking is.

/// Normalised discounted cumulative gain of the first `depth`, with linear gain.
pub(crate) fn ndcg<'a>(
    depth: usize,
    gains: &[f64],
    relevant: impl IntoIterator<Item = &'a f64>,
) -> f64 {
    let mut ideal: Vec<f64> = relevant.into_iter().copied().collect();
    ideal.sort_by(|a, b| b.total_cmp(a));
    dcg(depth, gains) / dcg(depth, &ideal)
}

fn dcg(depth: usize, gains: &[f64]) -> f64 {
    let places = (1_u32..).map(|place| f64::from(place + 1).log2());
    gains
        .iter()
        .take(depth)
        .zip(places)
        .map(|(gain, discount)| gain / discount)
        .sum()
}

/// The share of the `relevant` documents that is among the first `depth`.
pub(crate) fn recall(depth: usize, gains: &[f64], relevant: usize) -> f64 {
    let found = gains.iter().take(depth).filter(|gain| **gain > 0.0).count();
    found as f64 / relevant as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranking_is_judged_by_where_its_answers_are() {
        let relevant = [2.0, 1.0];
        assert_eq!(ndcg(10, &[2.0, 1.0, 0.0], &relevant), 1.0);
        let ideal = 2.0 + 1.0 / 3.0_f64.log2();
        assert_eq!(ndcg(10, &[0.0, 0.0, 2.0], &relevant), 1.0 / ideal);
        assert_eq!(ndcg(2, &[0.0, 0.0, 2.0], &relevant), 0.0);
        assert_eq!(recall(2, &[0.0, 1.0, 2.0], 4), 0.25);
        assert_eq!(recall(100, &[], 4), 0.0);
    }
}
