//! D: documents and sessions.

mod across_tenants;
mod bodies;
mod declarations;
mod deletes;
mod dropped_commits;
mod embedded;
mod guarded;
mod hashes;
mod renames;
mod sessions;
mod soft_deletes;
mod tenants;
mod vectors_alone;
mod writes;

use crate::Fact;

pub(super) const FACTS: &[&[Fact]] = &[
    sessions::FACTS,
    writes::FACTS,
    deletes::FACTS,
    soft_deletes::FACTS,
    tenants::FACTS,
    across_tenants::FACTS,
    declarations::FACTS,
    bodies::FACTS,
    renames::FACTS,
    embedded::FACTS,
    guarded::FACTS,
    hashes::FACTS,
    dropped_commits::FACTS,
    vectors_alone::FACTS,
];
