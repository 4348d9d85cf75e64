use ermine_text::{Analyzer, Language, Matching, ParsedQuery, TextStyle};
use proptest::prelude::*;

use crate::strings::{analyzer, text};

fn parse(text: &str, style: TextStyle) -> ParsedQuery {
    ParsedQuery::parse(&Analyzer::new(Language::English), text, style)
}

/// Whether a query finds a document of this text.
fn finds(query: &str, text: &str, style: TextStyle) -> bool {
    let record = Analyzer::new(Language::English).analyze_document(&[Some(text)]);
    let query = parse(query, style);
    let has = |term: &str| record.get(term).is_some();
    query.matches(has) && !query.excludes(has)
}

fn alternatives(text: &str) -> Vec<Vec<String>> {
    match parse(text, TextStyle::Web).matching {
        Matching::Alternatives(alternatives) => alternatives,
        other => panic!("{other:?}"),
    }
}

#[test]
fn words_with_signs_find_their_documents() {
    for style in [TextStyle::Plain, TextStyle::Web] {
        for word in [
            "multi-agent",
            "error:timeout",
            "@nasa",
            "O'Brien",
            "C++",
            "茶",
        ] {
            assert!(
                finds(word, &format!("before {word} after"), style),
                "{word}"
            );
            assert!(finds(word, word, style), "{word}");
            assert!(!finds(word, "something else", style), "{word}");
        }
        assert!(finds("timeout", "error:timeout", style));
        assert!(finds("茶", "茶道", style));
        assert!(finds("茶道", "日本茶道具", style));
        assert!(!finds("茶道", "茶の道", style));
        assert!(finds("rocket 🚀", "a rocket", style));
        assert!(finds("OBrien’s O’Brien", "O'Brien OBrien", style));
    }
}

#[test]
fn boxes_of_signs_find_nothing_and_fail_nowhere() {
    for style in [TextStyle::Plain, TextStyle::Web] {
        for text in [
            "\"", "*", "()", "NOT", "   ", "🚀", "", "-", "--", "-\"", "\"\"", "or", "or or", "the",
        ] {
            if parse(text, style).is_empty() {
                assert!(!finds(text, "a rocket or not", style), "{text}");
            } else {
                assert_eq!((text, style), ("or or or", TextStyle::Plain), "{text}");
            }
        }
        assert!(finds("NEAR(", "near", style));
    }
}

#[test]
fn in_plain_nothing_is_an_operator() {
    let query = parse("\"db pool\" -db or\0Moon", TextStyle::Plain);
    let terms: Vec<(&str, u32)> = query
        .terms
        .iter()
        .map(|term| (term.term.as_str(), term.count))
        .collect();
    assert_eq!(terms, [("db", 2), ("moon", 1), ("pool", 1)]);
    assert_eq!(query.matching, Matching::Any);
    assert!(query.excluded.is_empty());
    assert_eq!(query.positive_text, "\"db pool\" -db or Moon");
}

#[test]
fn web_wants_all_words_of_an_alternative() {
    assert_eq!(alternatives("pool timeouts"), [["pool", "timeout"]]);
    assert_eq!(alternatives("pool OR moon"), [["pool"], ["moon"]]);
    assert_eq!(
        alternatives("or warm pool Or oR cold moon or"),
        [["pool", "warm"], ["cold", "moon"]]
    );
    assert_eq!(alternatives("the or rocket"), [["rocket"]]);
    assert_eq!(alternatives("rocket or 🚀"), [["rocket"]]);
    assert_eq!(alternatives("the pool"), [["pool"]]);
    assert_eq!(alternatives("error:timeout"), [["error", "timeout"]]);
    assert_eq!(alternatives("pool or pools"), [["pool"]]);
    assert_eq!(alternatives("oregano order"), [["order", "oregano"]]);
}

#[test]
fn web_counts_a_term_in_every_alternative() {
    let query = parse("db pool or db moon -db", TextStyle::Web);
    let db = query.terms.iter().find(|term| term.term == "db").unwrap();
    assert_eq!(db.count, 2);
    assert_eq!(query.all_terms(), ["db", "moon", "pool"]);
}

#[test]
fn a_minus_excludes_only_where_it_begins_a_word() {
    for (text, excluded) in [
        ("pool -db", vec![vec!["db"]]),
        ("-db pool -moon", vec![vec!["db"], vec!["moon"]]),
        ("multi-agent", vec![]),
        ("pool - db", vec![]),
        ("pool --db", vec![vec!["db"]]),
        ("pool -multi-agent", vec![vec!["agent", "multi"]]),
        ("pool -\"db moon\"", vec![vec!["db", "moon"]]),
        ("pool -\"db moon", vec![vec!["db", "moon"]]),
        ("\"pool -db\"", vec![]),
        ("\"pool\"-db", vec![]),
        ("pool\0-db", vec![vec!["db"]]),
        ("pool -the", vec![]),
        ("pool -or", vec![]),
    ] {
        assert_eq!(parse(text, TextStyle::Web).excluded, excluded, "{text}");
    }
    assert!(!finds("pool -\"db moon\"", "pool moon db", TextStyle::Web));
    assert!(finds("pool -\"db moon\"", "pool moon", TextStyle::Web));
}

#[test]
fn exclusions_alone_find_nothing() {
    let query = parse("-db -moon", TextStyle::Web);
    assert!(query.is_empty() && !query.matches(|_| true));
    assert_eq!(query.positive_text, "");
    assert!(!finds("-db", "pool", TextStyle::Web));
}

#[test]
fn inside_quotes_nothing_is_an_operator() {
    assert_eq!(alternatives("\"pool or moon\""), [["moon", "pool"]]);
    assert_eq!(
        alternatives("“pool moon” or db"),
        [vec!["moon", "pool"], vec!["db"]]
    );
    assert_eq!(alternatives("\"warm pool"), [["pool", "warm"]]);
}

#[test]
fn a_hybrid_embeds_the_positive_words() {
    for (text, positive) in [
        ("pool or the moon -mars", "pool the moon"),
        (
            "\"warm  pool\" -\"cold moon\" - O'Brien",
            "warm pool O'Brien",
        ),
        ("OR multi-agent\0systems", "multi-agent systems"),
        ("rocket 🚀", "rocket 🚀"),
    ] {
        assert_eq!(
            parse(text, TextStyle::Web).positive_text,
            positive,
            "{text}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn plain_finds_the_document_of_its_own_text(analyzer in analyzer(), text in text()) {
        let record = analyzer.analyze_document(&[Some(&text)]);
        let query = ParsedQuery::parse(&analyzer, &text, TextStyle::Plain);
        prop_assert_eq!(query.is_empty(), record.terms().is_empty());
        prop_assert_eq!(query.matches(|term| record.get(term).is_some()), !query.is_empty());
    }

    #[test]
    fn web_reads_every_string(analyzer in analyzer(), text in text()) {
        let query = ParsedQuery::parse(&analyzer, &text, TextStyle::Web);
        let Matching::Alternatives(alternatives) = &query.matching else { panic!() };
        prop_assert_eq!(query.is_empty(), alternatives.is_empty());
        prop_assert!(query.terms.windows(2).all(|pair| pair[0].term < pair[1].term));
        for set in alternatives.iter().chain(&query.excluded) {
            prop_assert!(!set.is_empty() && set.windows(2).all(|pair| pair[0] < pair[1]));
        }
        for term in alternatives.iter().flatten() {
            prop_assert!(query.terms.iter().any(|query| query.term == *term));
        }
        prop_assert!(!query.positive_text.contains('\0'));
    }
}
