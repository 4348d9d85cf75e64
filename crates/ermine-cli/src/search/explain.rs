//! How a search found what it found, in words.

use ermine_core::{EmptyLeg, Figure, FilterPlace, LegHit, LegKind, LegOutcome, Plan};

pub(super) fn kind(kind: LegKind) -> &'static str {
    match kind {
        LegKind::Text => "text",
        LegKind::Vector => "vector",
        _ => "other",
    }
}

pub(super) fn plan(plan: Plan) -> &'static str {
    match plan {
        Plan::Exact => "exact",
        Plan::CodedThenExact => "coded, then exact",
        Plan::Approximate => "approximate",
        Plan::ExactOfFiltered => "exact, of the filtered rows",
        Plan::ApproximateThenExact => "approximate, then exact",
        _ => "another plan",
    }
}

pub(super) fn filter_place(place: FilterPlace) -> &'static str {
    match place {
        FilterPlace::None => "no filter",
        FilterPlace::BeforeScan => "filtered before the scan",
        FilterPlace::DuringScan => "filtered during the scan",
        FilterPlace::NotRun => "not run",
        _ => "filtered elsewhere",
    }
}

pub(super) fn empty(why: EmptyLeg) -> &'static str {
    match why {
        EmptyLeg::NoTerms => "the text holds no word that is searched for",
        EmptyLeg::OnlyExclusions => "the text only excludes",
        EmptyLeg::NotRepresentable => "the model knows no word of the text",
        EmptyLeg::LeftOut => "its weight is 0",
        EmptyLeg::NothingAsked => "the limit is 0",
        EmptyLeg::NoMatch => "no document matches",
        _ => "for another reason",
    }
}

/// `score 8.214531` or `distance 0.412000`.
pub(super) fn figure(figure: Figure) -> String {
    match figure {
        Figure::Score(score) => format!("score {:.6}", score.value()),
        Figure::Distance(distance) => format!("distance {:.6}", distance.value()),
    }
}

/// What a leg read and returned.
pub(super) fn leg(outcome: &LegOutcome) -> String {
    let LegOutcome {
        rows_read,
        returned,
        ..
    } = outcome;
    let kind = kind(outcome.kind);
    let plan = plan(outcome.plan);
    let filter = filter_place(outcome.filter);
    let why = outcome.empty.map(empty);
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    format!("{kind} leg: {plan}; {filter}; {rows_read} rows read; {returned} returned{why}")
}

/// What a leg contributed to a match.
pub(super) fn contribution(hit: &LegHit) -> String {
    format!(
        "{:<6}  rank {:<4} {:<19} weight {} contributes {:.6}",
        kind(hit.kind),
        hit.rank,
        figure(hit.figure),
        hit.weight,
        hit.contribution
    )
}
