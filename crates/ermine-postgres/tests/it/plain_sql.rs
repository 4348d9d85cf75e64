//! What other programs' statements do is seen, and leaves no index behind.

use crate::segments::assert_sums_agree;
use crate::support::{Notes, Place, note};

#[test]
fn a_document_deleted_by_plain_sql_is_gone_from_every_search() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    notes.store([
        note("a", "pool").vector([1.0, 0.0]),
        note("b", "pool").vector([0.0, 1.0]),
    ]);
    let plain = place.plain();
    // From a session whose path does not lead to the store's tables.
    plain.run("SET search_path = pg_catalog");
    plain.run(&format!(
        "DELETE FROM {}.ermine_doc_notes WHERE id = 'a'",
        place.quoted()
    ));
    assert_eq!(
        notes.searches("pool", [1.0, 0.0]),
        [vec!["b"], vec!["b"], vec!["b"]]
    );
    plain.run(&format!(
        "UPDATE {}.ermine_doc_notes SET deleted = now()",
        place.quoted()
    ));
    assert_eq!(
        notes.searches("pool", [1.0, 0.0]),
        [const { Vec::<String>::new() }; 3]
    );
    assert_sums_agree(&place);
}
