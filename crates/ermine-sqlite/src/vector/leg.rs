//! Ranking by distance.

use std::collections::HashSet;

use ermine_core::{
    Distance, EmptyLeg, FilterPlace, LegKind, LegOutcome, Page, Result, Target, TenantScope,
    VectorLeg, by_distance,
};
use ermine_scan::{Allowed, Nearest, scan_unless};
use rusqlite::Connection;

use super::Index;
use crate::layout::Layout;
use crate::rank::{Ranked, in_order};
use crate::read::{Watch, row_set};

/// The page of documents nearest to the query, those of `excluded` left out (rules V8, V9).
#[allow(
    clippy::too_many_arguments,
    reason = "one call, and each is another thing"
)]
pub(crate) fn rank(
    connection: &Connection,
    watch: &Watch,
    layout: &Layout,
    index: &Index,
    target: &Target,
    leg: &VectorLeg,
    page: Page,
    excluded: &HashSet<i64>,
) -> Result<(Vec<Ranked<Distance>>, LegOutcome)> {
    let kind = LegKind::Vector;
    let filters = target.filter.is_some();
    // Built also where nothing is asked for, so that a filter nobody knows is refused.
    let docs = if filters || !excluded.is_empty() {
        Some(row_set(connection, layout, target, excluded)?)
    } else {
        None
    };
    if page.limit == 0 {
        return Ok((Vec::new(), LegOutcome::empty(kind, EmptyLeg::NothingAsked)));
    }
    let place = if filters {
        FilterPlace::BeforeScan
    } else {
        FilterPlace::None
    };
    let tenant = match &target.scope.tenants {
        TenantScope::All => None,
        TenantScope::Untenanted => Some(""),
        TenantScope::One(tenant) => Some(tenant.as_str()),
    };
    let tenant = match tenant.map(|tenant| index.tenants.get(tenant)) {
        None => None,
        Some(Some(number)) => Some(*number),
        // No row of the field belongs to this tenant.
        Some(None) => return Ok((Vec::new(), LegOutcome::exact(kind, place, 0, 0))),
    };
    let allowed = Allowed {
        tenant,
        deleted: target.scope.deleted,
        docs: docs.as_ref(),
    };
    let nearest = Nearest {
        k: page.end(),
        max_distance: leg.max_distance,
    };
    let found = scan_unless(
        &index.blocks,
        leg.query.as_slice(),
        leg.metric,
        &allowed,
        nearest,
        || watch.is_given_up(),
    )
    .ok_or_else(Watch::interrupted)?;
    let candidates = found.into_iter().map(|c| (c.doc, c.distance)).collect();
    let ranked = in_order(connection, layout, candidates, page, by_distance)?;
    let read = docs.map_or(index.blocks.len(), |docs| docs.len());
    let outcome = LegOutcome::exact(kind, place, read as u64, ranked.len());
    Ok((ranked, outcome))
}
