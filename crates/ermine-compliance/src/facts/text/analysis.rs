//! T10: one analyser on every store.

use ermine_core::{ErrorKind, Result};

use crate::facts::kit::{doc, ids, passages, refused, says};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    t10_words_split_at_dots_colons_and_underscores_between_letters,
    t10_case_and_diacritics_are_folded,
    t10_apostrophes_are_one,
    t10_without_a_language_nothing_is_stemmed_or_stopped,
    t10_english_stems_and_stops,
    t10_scripts_without_spaces_are_found_by_pairs_and_single_characters,
    t10_long_terms_are_cut_and_found,
    t10_documents_and_positions_have_no_limit,
    t10_nul_is_refused_at_write,
    t10_nul_in_a_query_separates,
];

async fn found(docs: &Docs, query: &str) -> Result<Vec<String>> {
    Ok(ids(&docs.search().matching(query).await?))
}

async fn t10_words_split_at_dots_colons_and_underscores_between_letters(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("a", "std.fs error:timeout snake_case"),
        says("b", "version 1.5"),
    ])
    .await?;
    for query in ["fs", "std", "timeout", "error", "snake", "case"] {
        assert_eq!(found(&docs, query).await?, ["a"], "{query}");
    }
    assert_eq!(found(&docs, "1.5").await?, ["b"]);
    assert_eq!(
        found(&docs, "5").await?,
        Vec::<String>::new(),
        "a number stays one"
    );
    Ok(())
}

async fn t10_case_and_diacritics_are_folded(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("cafe", "Café"),
        says("strasse", "STRASSE"),
        says("odysseus", "ΟΔΥΣΣΕΎΣ"),
        says("wide", "Ｗｉｄｅ"),
    ])
    .await?;
    for query in ["cafe", "CAFÉ", "cafe\u{301}"] {
        assert_eq!(found(&docs, query).await?, ["cafe"], "{query}");
    }
    assert_eq!(found(&docs, "straße").await?, ["strasse"]);
    assert_eq!(found(&docs, "οδυσσευς").await?, ["odysseus"]);
    assert_eq!(found(&docs, "wide").await?, ["wide"]);
    Ok(())
}

async fn t10_apostrophes_are_one(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([says("straight", "O'Brien"), says("curly", "O’Brien")])
        .await?;
    for query in ["O'Brien", "o’brien"] {
        assert_eq!(found(&docs, query).await?, ["curly", "straight"]);
    }
    Ok(())
}

async fn t10_without_a_language_nothing_is_stemmed_or_stopped(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([says("a", "the pools"), says("b", "a pool")])
        .await?;
    assert_eq!(found(&docs, "pool").await?, ["b"]);
    assert_eq!(found(&docs, "pools").await?, ["a"]);
    assert_eq!(found(&docs, "the").await?, ["a"]);
    Ok(())
}

async fn t10_english_stems_and_stops(world: World) -> Verdict {
    let docs = world.open(passages().language("english")).await?;
    docs.put([says("a", "the pools"), says("b", "a pooling")])
        .await?;
    assert_eq!(found(&docs, "pool").await?, ["a", "b"]);
    assert_eq!(found(&docs, "pooled the").await?, ["a", "b"]);
    assert_eq!(found(&docs, "the").await?, Vec::<String>::new());
    Ok(())
}

async fn t10_scripts_without_spaces_are_found_by_pairs_and_single_characters(
    world: World,
) -> Verdict {
    let docs = world.open(passages()).await?;
    let texts = [
        "茶",
        "茶道具",
        "日本の茶",
        "ひらがな",
        "한국어",
        "ภาษาไทย",
        "ພາສາລາວ",
        "ភាសាខ្មែរ",
        "မြန်မာ",
    ];
    docs.put(texts.map(|text| says(text, text))).await?;
    let mut tea = found(&docs, "茶").await?;
    tea.sort();
    assert_eq!(tea, ["日本の茶", "茶", "茶道具"]);
    assert_eq!(found(&docs, "道具").await?, ["茶道具"]);
    assert_eq!(found(&docs, "日本").await?, ["日本の茶"]);
    assert_eq!(found(&docs, "らが").await?, ["ひらがな"]);
    assert_eq!(found(&docs, "국어").await?, ["한국어"]);
    for whole in &texts[5..] {
        assert_eq!(found(&docs, whole).await?, [*whole]);
    }
    Ok(())
}

async fn t10_long_terms_are_cut_and_found(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let long = "x".repeat(5_000);
    docs.put([says("a", &long), says("b", &"y".repeat(1_024))])
        .await?;
    assert_eq!(found(&docs, &long).await?, ["a"]);
    assert_eq!(
        found(&docs, &long[..1_024]).await?,
        ["a"],
        "equal where the cut falls"
    );
    assert_eq!(found(&docs, &long[..1_023]).await?, Vec::<String>::new());
    Ok(())
}

async fn t10_documents_and_positions_have_no_limit(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let mut body = "word ".repeat(70_000);
    body.push_str("last");
    docs.put([says("long", &body), says("short", "word")])
        .await?;
    assert_eq!(found(&docs, "last").await?, ["long"]);
    assert_eq!(found(&docs, "word").await?.len(), 2);
    let loaded = docs.load("long").await?.expect("it is stored");
    assert_eq!(
        loaded.get("body").and_then(|body| body.as_str()),
        Some(body.as_str())
    );
    Ok(())
}

async fn t10_nul_is_refused_at_write(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    for field in ["body", "scope", "unindexed"] {
        let written = docs.put([doc("a").with(field, "pool\0sea")]).await;
        refused(written, ErrorKind::InvalidValue, &["a", field, "U+0000"]);
    }
    let listed = docs.put([doc("a").with("tags", vec!["x", "y\0"])]).await;
    refused(listed, ErrorKind::InvalidValue, &["a", "tags", "U+0000"]);
    let named = docs.put([doc("a\0b")]).await;
    refused(named, ErrorKind::InvalidValue, &["U+0000"]);
    assert_eq!(docs.query().count().await?, 0);
    Ok(())
}

async fn t10_nul_in_a_query_separates(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([says("a", "pool"), says("b", "sea")]).await?;
    assert_eq!(found(&docs, "pool\0sea").await?, ["a", "b"]);
    assert_eq!(found(&docs, "\0").await?, Vec::<String>::new());
    Ok(())
}
