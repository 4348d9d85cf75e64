//! D11: the text a vector comes from, and its hash.

use ermine_core::{content_hash, source_text};

use crate::facts::{Verdict, World};

facts![
    d11_the_hash_is_that_of_the_text_as_it_is,
    d11_the_source_text_joins_what_is_there,
];

async fn d11_the_hash_is_that_of_the_text_as_it_is(_world: World) -> Verdict {
    assert_eq!(
        content_hash("alpha"),
        "8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8"
    );
    assert!(content_hash("caf\u{e9}").starts_with("850f7dc4"));
    assert!(content_hash("cafe\u{301}").starts_with("81ef060b"));
    Ok(())
}

async fn d11_the_source_text_joins_what_is_there(_world: World) -> Verdict {
    assert_eq!(
        source_text([Some("Pool"), None, Some(""), Some("timeouts")]),
        "Pool\ntimeouts"
    );
    assert_eq!(source_text([Some(" "), Some("\n")]), " \n\n");
    assert_eq!(source_text([None, Some("")]), "");
    Ok(())
}
