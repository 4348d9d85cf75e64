//! What a store holds.

use serde_json::json;

use crate::support::Place;

#[test]
fn a_status_tells_documents_vectors_language_and_model() {
    let place = Place::with_notes();
    place.write("emoji.jsonl", "{\"id\": \"x\", \"text\": \"\u{e000}\"}\n");
    place.run(&["import", "emoji.jsonl"]).succeeded();
    let status = place.run(&["status", "--format", "json"]).json();
    assert_eq!(status["store"], "ermine.db");
    assert!(status["bytes"].as_u64().unwrap() > 4_096);
    let collection = &status["collections"][0];
    assert_eq!(collection["name"], "documents");
    assert_eq!(collection["documents"], 6);
    assert_eq!(collection["language"], "english");
    assert_eq!(collection["deleted"], json!(null));
    let vectors = &collection["vectors"][0];
    assert_eq!(vectors["present"], 5);
    assert_eq!(vectors["absent"], 1);
    assert_eq!(vectors["dimensions"], 256);
    assert_eq!(vectors["from"], json!(["title", "heading", "body"]));
    assert!(
        vectors["model"]
            .as_str()
            .unwrap()
            .contains("256 dimensions")
    );

    let shown = place.run(&["status"]).succeeded();
    for expected in [
        "documents  6\n",
        "`title ×3`, `heading ×2` and `body`, language english",
        "`embedding`: 5 present, 1 absent; 256 dimensions, cosine, by ",
        "`file (text)`",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
}
