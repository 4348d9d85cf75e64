//! Searching, and how matches are shown.

use serde_json::json;

use crate::support::{Place, ids};

#[test]
fn every_mode_finds_and_says_which_way_its_figures_run() {
    let place = Place::with_notes();
    for (mode, says) in [
        (
            "text",
            "text search of `documents`, best first; BM25 score: larger is better",
        ),
        (
            "vector",
            "vector search of `documents`, best first; cosine distance: smaller is closer",
        ),
        (
            "hybrid",
            "hybrid search of `documents`, best first; fused score: larger is better",
        ),
    ] {
        let out = place
            .run(&["search", "pool", "timeouts", "--mode", mode])
            .succeeded();
        assert!(out.starts_with(says), "{out}");
        let first = "  1.  Connection pools › Timeouts\n      notes/pool.md:5  ";
        assert!(out.contains(first), "{out}");
        assert!(
            out.contains("When the **pool** is empty, a request waits"),
            "{out}"
        );
    }
}

#[test]
fn figures_are_ordered_and_limited() {
    let place = Place::with_notes();
    let figures = |mode: &str, figure: &str| -> Vec<f64> {
        let arguments = [
            "search",
            "pool backup",
            "--mode",
            mode,
            "--format",
            "jsonl",
            "--limit",
            "3",
        ];
        let hits = place.run(&arguments).json_lines();
        hits.iter()
            .map(|hit| hit[figure].as_f64().unwrap())
            .collect()
    };
    for mode in ["text", "hybrid"] {
        let scores = figures(mode, "score");
        assert!(
            scores.len() == 3 && scores.is_sorted_by(|a, b| a >= b),
            "{mode}: {scores:?}"
        );
    }
    let distances = figures("vector", "distance");
    assert!(
        distances.len() == 3 && distances.is_sorted(),
        "{distances:?}"
    );
}

#[test]
fn a_match_as_json_has_its_document_and_what_was_found_in_it() {
    let place = Place::with_notes();
    let found = place
        .run(&["search", "cores", "--mode", "text", "--format", "json"])
        .json();
    assert_eq!(found["query"], "cores");
    assert_eq!(found["mode"], "text");
    assert_eq!(found["filter"], json!(null));
    let hits = found["hits"].as_array().unwrap();
    assert_eq!(ids(hits), ["notes/pool.md#3"]);
    assert_eq!(hits[0]["rank"], 1);
    assert_eq!(hits[0]["document"]["heading"], "Sizes");
    assert_eq!(hits[0]["snippet"], "Twice the number of cores.");
    assert_eq!(hits[0]["highlights"], json!([[20, 25]]));
    assert_eq!(hits[0].get("legs"), None);
}

#[test]
fn an_explanation_adds_up() {
    let place = Place::with_notes();
    let found = place
        .run(&["search", "pool timeouts", "--explain", "--format", "json"])
        .json();
    for hit in found["hits"].as_array().unwrap() {
        let legs = hit["legs"].as_array().unwrap();
        let sum: f64 = legs
            .iter()
            .map(|leg| leg["contribution"].as_f64().unwrap())
            .sum();
        assert!(
            (sum - hit["score"].as_f64().unwrap()).abs() < 1e-12,
            "{hit}"
        );
        for leg in legs {
            let rank = leg["rank"].as_f64().unwrap();
            assert!((leg["contribution"].as_f64().unwrap() - 1.0 / (60.0 + rank)).abs() < 1e-12);
        }
    }
    assert_eq!(found["legs"][0]["leg"], "text");
    assert_eq!(found["legs"][1]["plan"], "exact");
    let shown = place
        .run(&["search", "pool timeouts", "--explain"])
        .succeeded();
    assert!(shown.contains("text    rank 1"), "{shown}");
    assert!(
        shown.contains("\nvector leg: exact; no filter; 5 rows read; 5 returned"),
        "{shown}"
    );
}

#[test]
fn a_leg_that_is_empty_says_why() {
    let place = Place::with_notes();
    let shown = place.run(&["search", "🚀", "--mode", "text"]).succeeded();
    assert!(shown.contains("nothing found in `documents`"), "{shown}");
    assert!(
        shown.contains("0 returned: the text holds no word that is searched for"),
        "{shown}"
    );
    let shown = place
        .run(&["search", "zzzzzz", "--mode", "text"])
        .succeeded();
    assert!(shown.contains("0 returned: no document matches"), "{shown}");
    let lines = place.run(&["search", "zzzzzz", "--mode", "text", "--format", "jsonl"]);
    assert_eq!(lines.succeeded(), "");
}

#[test]
fn web_style_excludes() {
    let place = Place::with_notes();
    let arguments = [
        "search",
        "--style",
        "web",
        "--format",
        "jsonl",
        "--",
        "pool -timeouts",
    ];
    let hits = place.run(&arguments).json_lines();
    assert!(!ids(&hits).contains(&"notes/pool.md#2"), "{hits:?}");
    assert!(ids(&hits).contains(&"notes/pool.md#1"), "{hits:?}");
}

#[test]
fn mistakes_in_names_and_numbers_are_refused_with_a_remedy() {
    let place = Place::with_notes();
    let refused = |arguments: &[&str]| {
        place
            .run(&[&["search", "pool"], arguments].concat())
            .refused()
    };
    assert!(refused(&["--collection", "documnts"]).contains("did you mean `documents`?"));
    assert!(refused(&["--limit", "10001"]).contains("10000"));
    assert!(refused(&["--tenant", "acme"]).contains("leave --tenant out"));
    let filter = place.run(&["search", "pool", "--filter", "yaer = 1"]);
    assert_eq!(filter.code, 2);
    assert!(
        filter.err.contains("`documents` has no field `yaer`"),
        "{}",
        filter.err
    );
}

#[test]
fn a_store_of_one_collection_needs_no_name_for_it() {
    let place = Place::new();
    place.write("a.md", "# A\n\nTea.\n");
    place
        .run(&["import", "a.md", "--collection", "tea"])
        .succeeded();
    assert_eq!(
        place
            .run(&["search", "tea", "--format", "jsonl"])
            .json_lines()
            .len(),
        1
    );
    place
        .run(&["import", "a.md", "--collection", "coffee"])
        .succeeded();
    let line = place.run(&["search", "tea"]).refused();
    assert!(line.contains("--collection"), "{line}");
}
