use ermine_core::{Scope, TenantScope};

use crate::support::{Notes, any, note};

#[test]
fn another_tenants_documents_move_no_score() {
    let notes = Notes::temporary();
    notes.store(["pool pool db", "pool", "db timeouts"].map(|body| note(body, body)));
    let scores = || {
        let hits = notes.matching(notes.target(), any(&["db", "pool"])).hits;
        hits.iter()
            .map(|(record, score)| (record.id.clone(), score.value().to_bits()))
            .collect::<Vec<_>>()
    };
    let before = scores();
    assert_eq!(before.len(), 3);
    notes.store((0..50).map(|n| note(&n.to_string(), "pool db db").of("other")));
    assert_eq!(scores(), before);
}

#[test]
fn across_tenants_each_is_scored_by_its_own_and_ties_end_in_tenant_and_id() {
    let notes = Notes::temporary();
    for name in ["b", "a"] {
        notes.store(["2", "1"].map(|id| note(id, "pool").vector([1.0, 0.0]).of(name)));
    }
    notes.store([note("3", "pool").of("b").vector([1.0, 1.0])]);
    let mut target = notes.target();
    target.scope = Scope::live(TenantScope::All);
    let key = |record: &ermine_core::StoredRecord| {
        format!("{}{}", record.tenant.as_ref().unwrap(), record.id)
    };
    let nearest = notes.nearest(target.clone(), [1.0, 0.0], 10).hits;
    let nearest: Vec<_> = nearest.iter().map(|(r, _)| key(r)).collect();
    assert_eq!(nearest, ["a1", "a2", "b1", "b2", "b3"]);
    let matching = notes.matching(target, any(&["pool"])).hits;
    let own = notes.matching(notes.target(), any(&["pool"])).hits;
    assert!(own.is_empty());
    let keys: Vec<_> = matching.iter().map(|(r, _)| key(r)).collect();
    assert_eq!(keys, ["a1", "a2", "b1", "b2", "b3"]);
    assert!(matching[1].1 > matching[2].1);
}
