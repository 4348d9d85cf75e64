use ermine_core::{ErrorKind, Include, Metric, Page, VectorRequest, VectorSearch};

use crate::support::{Folder, Notes, any, block_on, note, vector_leg, with_vectors};

#[test]
fn what_plain_sql_damaged_is_found_by_no_vector_search_and_is_an_error_on_load() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store(["a", "b", "c", "d", "e"].map(|id| note(id, "pool").vector([1.0, 0.5])));
    assert_eq!(notes.nearest(notes.target(), [1.0, 0.0], 10).hits.len(), 5);
    let damage = |id: &str, data: &str| {
        folder
            .plain()
            .execute(
                &format!(
                    "UPDATE \"ermine_vec_notes.embedding\" SET data = {data}
                     WHERE doc = (SELECT doc FROM ermine_doc_notes WHERE id = ?1)"
                ),
                [id],
            )
            .unwrap();
    };
    damage("a", "x'0000803f0000c07f'"); // NaN
    damage("b", "x'0000803f000000'"); // 7 bytes
    damage("c", "x'0000000000000000'"); // zero
    damage("d", "'no blob'");
    let found = notes.nearest(notes.target(), [1.0, 0.0], 10).hits;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0.id.to_string(), "e");
    assert_eq!(notes.matching(notes.target(), any(&["pool"])).hits.len(), 5);
    for id in ["a", "b", "c", "d"] {
        let error = notes.load(id, with_vectors()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert!(
            error
                .to_string()
                .contains(&format!("document {id} of `notes`")),
            "{error}"
        );
        assert!(notes.load(id, Include::default()).unwrap().is_some());
    }

    // Validity is judged by the metric of the search: zero is a vector under L1.
    let mut leg = vector_leg([1.0, 0.0]);
    leg.metric = Metric::L1;
    let by_l1 = VectorRequest {
        target: notes.target(),
        leg,
        page: Page::first(10),
        include: Include::default(),
    };
    assert_eq!(
        block_on(notes.engine.vector_search(&by_l1))
            .unwrap()
            .hits
            .len(),
        2
    );
}
