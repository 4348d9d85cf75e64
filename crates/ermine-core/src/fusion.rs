//! Reciprocal rank fusion: a pure function over ranked lists, with no store in it.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::hash::Hash;

use crate::{Error, ErrorKind, Result, Score};

/// One ranked list of a fusion.
#[derive(Debug, Clone)]
pub struct RankedLeg<K> {
    /// The keys, best first. A key repeated counts at its first place only.
    pub keys: Vec<K>,
    /// How much the leg counts; 0 leaves it out.
    pub weight: f64,
}

impl<K> RankedLeg<K> {
    /// A leg of weight 1.
    pub fn new(keys: impl IntoIterator<Item = K>) -> Self {
        Self::weighted(keys, 1.0)
    }

    /// A leg of the weight given.
    pub fn weighted(keys: impl IntoIterator<Item = K>, weight: f64) -> Self {
        Self {
            keys: keys.into_iter().collect(),
            weight,
        }
    }
}

/// A key with its fused score.
#[derive(Debug, Clone, PartialEq)]
pub struct Fused<K> {
    /// The key.
    pub key: K,
    /// Σ weight / (k + rank) over the legs that found it.
    pub score: Score,
    /// For each leg, in the order given, what it contributed; `None` where it
    /// did not find the key or was left out.
    pub legs: Vec<Option<Contribution>>,
}

/// What one leg added to a fused score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contribution {
    /// The 1-based rank in the leg, repeated keys not counted.
    pub rank: usize,
    /// weight / (k + rank).
    pub share: f64,
}

/// The default `k` of reciprocal rank fusion.
pub const DEFAULT_K: u32 = 60;

/// Fuses ranked lists by reciprocal rank (Cormack, Clarke and Büttcher, 2009):
/// score(d) = Σ weight / (k + rank(d)) over the legs that found d.
///
/// Only ordinals are read, never the legs' own figures, so the legs need no
/// common scale and may rank documents of different types. Contributions are
/// added largest first, so the sum does not depend on the order of the legs.
/// The result is ordered by score, then best rank, then key (rules T3, T4).
///
/// Refused: `k` below 1, a weight that is negative or not finite, all weights 0.
///
/// ```
/// use ermine_core::{RankedLeg, fuse};
///
/// let fused = fuse(&[RankedLeg::new(["A", "B", "C"]), RankedLeg::new(["C", "A", "D"])], 60)?;
/// let order: Vec<_> = fused.iter().map(|f| f.key).collect();
/// assert_eq!(order, ["A", "C", "B", "D"]);
/// assert!((fused[0].score.value() - 0.032522475).abs() < 1e-9);
/// # Ok::<(), ermine_core::Error>(())
/// ```
///
/// # Errors
///
/// `InvalidOption` for a `k` below 1, and for weights that are negative, not finite, or all 0.
pub fn fuse<K: Clone + Eq + Hash + Ord>(legs: &[RankedLeg<K>], k: u32) -> Result<Vec<Fused<K>>> {
    check_k(k)?;
    check_weights(legs.iter().map(|leg| leg.weight))?;
    let mut found: HashMap<&K, Vec<Option<Contribution>>> = HashMap::new();
    for (at, leg) in legs.iter().enumerate().filter(|(_, leg)| leg.weight > 0.0) {
        let mut rank = 0;
        for key in &leg.keys {
            let places = found.entry(key).or_insert_with(|| vec![None; legs.len()]);
            if let Some(place @ None) = places.get_mut(at) {
                rank += 1;
                *place = Some(Contribution {
                    rank,
                    share: leg.weight / (f64::from(k) + rank as f64),
                });
            }
        }
    }
    let mut fused: Vec<Fused<K>> = found
        .into_iter()
        .filter_map(|(key, legs)| {
            Some(Fused {
                key: key.clone(),
                score: total(&legs)?,
                legs,
            })
        })
        .collect();
    fused.sort_unstable_by(|a, b| {
        b.score
            .cmp(&a.score)
            .then_with(|| best_rank(a).cmp(&best_rank(b)))
            .then_with(|| a.key.cmp(&b.key))
    });
    Ok(fused)
}

/// Refuses a `k` below 1 (rule T2).
pub(crate) fn check_k(k: u32) -> Result<()> {
    if k == 0 {
        return Err(Error::new(
            ErrorKind::InvalidOption,
            "fusion needs k of 1 or more; the usual value is 60",
        ));
    }
    Ok(())
}

/// Refuses weights of legs that are negative, not finite, or all 0 (rule T3).
pub(crate) fn check_weights(weights: impl Iterator<Item = f64>) -> Result<()> {
    let mut legs = 0_usize;
    let mut counted = 0_usize;
    for weight in weights {
        if !weight.is_finite() || weight < 0.0 {
            return Err(Error::new(
                ErrorKind::InvalidOption,
                format!("a leg has weight {weight}; a weight is a finite number, 0 or more"),
            ));
        }
        legs += 1;
        counted += usize::from(weight > 0.0);
    }
    if legs > 0 && counted == 0 {
        return Err(Error::new(
            ErrorKind::InvalidOption,
            "every leg has weight 0, so nothing can be found; give one a weight",
        ));
    }
    Ok(())
}

fn total(legs: &[Option<Contribution>]) -> Option<Score> {
    let mut shares: Vec<f64> = legs.iter().flatten().map(|c| c.share).collect();
    shares.sort_unstable_by(|a, b| b.total_cmp(a));
    Score::new(shares.into_iter().fold(0.0, |sum, share| sum + share))
}

fn best_rank<K>(fused: &Fused<K>) -> impl Ord + use<K> {
    let best = fused.legs.iter().flatten().map(|c| Reverse(c.rank)).max();
    best.map_or(usize::MAX, |Reverse(rank)| rank)
}

/// The order of the matches of a search by distance: distance, then key (rule V8).
pub fn by_distance<K: Ord>(a: (crate::Distance, &K), b: (crate::Distance, &K)) -> Ordering {
    a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1))
}

/// The order of the matches of a search by score: largest score first, then key (rule T4).
pub fn by_score<K: Ord>(a: (Score, &K), b: (Score, &K)) -> Ordering {
    b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1))
}
