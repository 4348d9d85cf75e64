//! Running a fusion: one read of every leg, then the pure function.

use std::collections::HashSet;

use ermine_core::{
    EmptyLeg, Error, ErrorKind, Figure, Fused, FusedMatch, HybridSearch, LegAnswer, LegHit,
    LegOutcome, Matches, Outcome, Page, RankedLeg, Result, candidate_depth, fuse,
};

use super::leg::{AnyDocument, Leg};
use super::{FusionKey, Settings};
use crate::runtime::Context;
use crate::search::MinScore;

/// What a leg found under a key.
struct Found<K> {
    key: K,
    figure: Figure,
    document: AnyDocument,
}

pub(super) async fn run<K: FusionKey>(
    context: Context,
    legs: Vec<Result<Leg<K>>>,
    settings: Settings,
) -> Result<Matches<FusedMatch<K>>> {
    let legs = legs.into_iter().collect::<Result<Vec<_>>>()?;
    let page = Page {
        limit: settings.limit,
        offset: settings.offset,
    };
    page.check()?;
    let depth = candidate_depth(settings.depth, page)?;
    let floor = settings.min_score.map(MinScore::score).transpose()?;
    check(&legs, settings.k)?;

    let requests: Vec<_> = legs
        .iter()
        .map(|leg| leg.request(depth, settings.include))
        .collect();
    requests.iter().try_for_each(|request| request.check())?;
    let searched = legs.iter().map(|leg| leg.target.schema.name());
    let searched: Result<Vec<_>> = searched.map(|name| context.runtime.named(name)).collect();
    for opened in searched? {
        let runtime = &context.runtime;
        runtime.await_shards(&opened, settings.include).await?;
    }
    let counted = requests
        .into_iter()
        .zip(&legs)
        .filter(|(_, leg)| leg.weight > 0.0)
        .map(|(request, _)| request)
        .collect::<Vec<_>>();
    let mut answers = context
        .runtime
        .engine
        .search_legs(&counted)
        .await?
        .into_iter();

    let mut outcomes = Vec::new();
    let mut found = Vec::new();
    for leg in &legs {
        if leg.weight > 0.0 {
            let LegAnswer { hits, outcome } =
                answers.next().ok_or_else(crate::reader::broken_answer)?;
            outcomes.push(outcome);
            found.push(distinct(leg, hits)?);
        } else {
            outcomes.push(LegOutcome::empty(leg.kind(), EmptyLeg::LeftOut));
            found.push(Vec::new());
        }
    }

    let ranked: Vec<RankedLeg<K>> = found
        .iter()
        .zip(&legs)
        .map(|(found, leg)| RankedLeg::weighted(found.iter().map(|f| f.key.clone()), leg.weight))
        .collect();
    let mut fused = fuse(&ranked, settings.k)?;
    if let Some(floor) = floor {
        fused.retain(|hit| hit.score >= floor);
    }
    let matches = page
        .of(fused)
        .into_iter()
        .map(|hit| matched(hit, &legs, &found))
        .collect();
    Ok(Matches::new(matches, Outcome::of(outcomes)))
}

/// Refuses what rules T2, T3 and T7 refuse of a fusion as a whole.
fn check<K: FusionKey>(legs: &[Leg<K>], k: u32) -> Result<()> {
    if legs.is_empty() {
        return Err(Error::new(
            ErrorKind::InvalidOption,
            "the fusion has no leg; add one by `.text` or `.vector`",
        ));
    }
    let weights: Vec<RankedLeg<K>> = legs
        .iter()
        .map(|leg| RankedLeg::weighted([], leg.weight))
        .collect();
    fuse(&weights, k)?;
    if legs.len() > 1
        && let Some(leg) = legs.iter().find(|leg| leg.excludes())
    {
        return Err(Error::new(
            ErrorKind::Unsupported,
            format!(
                "the text leg over `{}` has exclusions (`-word`), and the other legs of the fusion cannot tell which keys they mean; use a filter, or a hybrid search of one type",
                leg.target.schema
            ),
        ));
    }
    Ok(())
}

/// What a leg found, a key at its first place only.
fn distinct<K: FusionKey>(
    leg: &Leg<K>,
    hits: Vec<(ermine_core::StoredRecord, Figure)>,
) -> Result<Vec<Found<K>>> {
    let mut seen = HashSet::new();
    let mut found = Vec::with_capacity(hits.len());
    for (stored, figure) in hits {
        let (key, document) = (leg.read)(stored)?;
        if seen.insert(key.clone()) {
            found.push(Found {
                key,
                figure,
                document,
            });
        }
    }
    Ok(found)
}

fn matched<K>(hit: Fused<K>, legs: &[Leg<K>], found: &[Vec<Found<K>>]) -> FusedMatch<K> {
    let mut hits = Vec::new();
    let mut documents = Vec::new();
    for (at, share) in hit.legs.iter().enumerate() {
        let Some(share) = share else { continue };
        // A leg holds a key once, so its rank is its place.
        let place = share.rank.checked_sub(1);
        let found = found.get(at).and_then(|leg| leg.get(place?));
        let (Some(leg), Some(found)) = (legs.get(at), found) else {
            continue;
        };
        hits.push(LegHit {
            leg: at,
            kind: leg.kind(),
            rank: share.rank,
            figure: found.figure,
            weight: leg.weight,
            contribution: share.share,
        });
        documents.push(found.document.clone());
    }
    FusedMatch::new(hit.key, hit.score, hits, documents)
}
