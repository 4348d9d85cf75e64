use ermine_text::{Analyzer, Language, MAX_TERM_BYTES};
use proptest::prelude::*;

use crate::strings::{analyzer, text};

fn none() -> Analyzer {
    Analyzer::new(Language::None)
}

fn english() -> Analyzer {
    Analyzer::new(Language::English)
}

#[test]
fn words_are_split_also_where_unicode_keeps_them_together() {
    for (text, terms) in [
        ("multi-agent", vec!["multi", "agent"]),
        ("error:timeout", vec!["error", "timeout"]),
        ("std::mem::take", vec!["std", "mem", "take"]),
        ("max_pool_size_2", vec!["max", "pool", "size", "2"]),
        ("__init__", vec!["init"]),
        ("www.example.com", vec!["www", "example", "com"]),
        (
            "3.14 and 1_000, 12:30",
            vec!["3.14", "and", "1_000", "12", "30"],
        ),
        ("@nasa", vec!["nasa"]),
        ("C++", vec!["c"]),
        (
            "O'Brien O’Brien ‘quoted’",
            vec!["o'brien", "o'brien", "quoted"],
        ),
        ("ﬁle Ｆｕｌｌ：ｗｉｄｔｈ", vec!["file", "full", "width"]),
        ("a\0b", vec!["a", "b"]),
    ] {
        assert_eq!(none().analyze_query(text), terms, "{text}");
    }
}

#[test]
fn punctuation_and_emoji_have_no_terms() {
    for text in [
        "",
        " ",
        "\"",
        "*",
        "()",
        "🚀",
        "👩‍👩‍👧",
        "…—",
        "\0",
        "\u{301}",
        "🇯🇵",
        "_",
        ".",
        "'",
    ] {
        assert!(none().analyze_query(text).is_empty(), "{text:?}");
        assert_eq!(none().analyze_document(&[Some(text)]).len(), 0, "{text:?}");
    }
}

#[test]
fn a_mark_on_nothing_is_no_term() {
    // A combining iota, which Unicode counts among the letters: on a space, written
    // as one character, on a hyphen, alone; and a hamza on a tatweel, which folds away.
    for text in [
        " \u{345}",
        "\u{37a}",
        "-\u{345}",
        "\u{345}",
        "\u{640}\u{654}",
        "a \u{345} b",
    ] {
        for analyzer in [none(), english()] {
            let terms = analyzer.analyze_query(text);
            assert!(
                terms.iter().all(|term| term == "b" || term == "a"),
                "{text:?}: {terms:?}"
            );
            let record = analyzer.analyze_document(&[Some(text)]);
            assert_eq!(record.len(), terms.len() as u64, "{text:?}");
        }
    }
    assert_eq!(none().analyze_query("a \u{345} b"), ["a", "b"]);
    assert_eq!(none().analyze_query("ᾳ 1\u{20e3}"), ["α", "1"]);
}

#[test]
fn english_stems_and_drops_stop_words_and_none_does_not() {
    let text = "The connections were pooling, not timed out";
    assert_eq!(
        english().analyze_query(text),
        ["connect", "were", "pool", "time", "out"]
    );
    assert_eq!(
        none().analyze_query(text),
        [
            "the",
            "connections",
            "were",
            "pooling",
            "not",
            "timed",
            "out"
        ]
    );
    assert_eq!(
        english().analyze_query("O'Brien's Jean’s"),
        ["o'brien", "jean"]
    );
}

#[test]
fn runs_become_pairs_and_their_characters() {
    let record = none().analyze_document(&[Some("茶道具 and 水")]);
    let terms: Vec<&str> = record.terms().iter().map(|term| term.term()).collect();
    assert_eq!(terms, ["and", "具", "水", "茶", "茶道", "道", "道具"]);
    // The pairs, "and" and the lone character.
    assert_eq!(record.len(), 4);
    for (text, terms) in [
        ("茶", vec!["茶"]),
        ("タワー", vec!["タワ", "ワー"]),
        ("ｶﾞｽ", vec!["ガス"]),
        ("か\u{3099}く", vec!["がく"]),
        (
            "東京タワーABC한국어",
            vec!["東京", "京タ", "タワ", "ワー", "abc", "한국", "국어"],
        ),
        ("ที่นี่", vec!["ที่นี่"]),
        ("茶。道", vec!["茶", "道"]),
    ] {
        assert_eq!(none().analyze_query(text), terms, "{text}");
    }
}

#[test]
fn positions_keep_the_gaps_of_stop_words() {
    let record = english().analyze_document(&[Some("the pool of the pools 茶道具 pool")]);
    assert_eq!(record.get("pool").unwrap().positions(0), [1, 4, 8]);
    assert_eq!(record.get("道具").unwrap().positions(0), [6]);
    assert_eq!(record.get("道").unwrap().positions(0), [6]);
}

#[test]
fn long_terms_are_cut_at_a_character() {
    let terms = none().analyze_query(&"é".repeat(3000));
    assert_eq!(terms, ["e".repeat(MAX_TERM_BYTES)]);
    let terms = none().analyze_query(&"д".repeat(3000).replace('д', "ж"));
    assert_eq!(terms, ["ж".repeat(MAX_TERM_BYTES / 2)]);
    let terms = none().analyze_query(&"ა".repeat(3000));
    assert_eq!(terms, ["ა".repeat(MAX_TERM_BYTES / 3)]);
}

#[test]
fn there_is_no_limit_on_positions() {
    let text = "word ".repeat(70_000);
    let record = none().analyze_document(&[Some(&text)]);
    assert_eq!(record.len(), 70_000);
    assert_eq!(
        record.get("word").unwrap().positions(0).last(),
        Some(&69_999)
    );
}

#[test]
fn the_identity_tells_languages_apart_and_names_the_tables() {
    assert_ne!(none().identity(), english().identity());
    for part in [
        "recipe",
        "Unicode",
        "Porter 2",
        "33 words",
        "language english",
    ] {
        assert!(english().identity().contains(part), "{part}");
    }
}

#[test]
fn an_analyser_is_shared_by_threads() {
    fn shared<T: Send + Sync + Clone + 'static>(_: &T) {}
    shared(&english());
}

#[test]
fn an_unknown_language_is_refused_with_the_known_ones() {
    let error = "klingon".parse::<Language>().unwrap_err().to_string();
    assert!(
        error.contains("klingon") && error.contains("none, english"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tokens_lie_on_characters(analyzer in analyzer(), text in text()) {
        let mut position = 0;
        for token in analyzer.tokens(&text) {
            prop_assert!(text.get(token.range.clone()).is_some_and(|word| !word.is_empty()), "{:?}", token);
            prop_assert!(!token.term.is_empty() && token.term.len() <= MAX_TERM_BYTES);
            prop_assert!(token.position >= position);
            position = token.position;
        }
    }

    #[test]
    fn a_query_has_terms_of_the_document_with_its_text(analyzer in analyzer(), text in text()) {
        let record = analyzer.analyze_document(&[None, Some(&text)]);
        let terms = analyzer.analyze_query(&text);
        // What counts towards the length is what a query has.
        prop_assert_eq!(record.len(), terms.len() as u64);
        for term in terms {
            prop_assert!(record.get(&term).is_some(), "{}", term);
        }
    }
}
