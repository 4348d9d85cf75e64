use ermine_text::{Analyzer, Language, highlight, snippet};
use proptest::prelude::*;

use crate::strings::{analyzer, text};

fn found<'a>(query: &str, text: &'a str) -> Vec<&'a str> {
    let analyzer = Analyzer::new(Language::English);
    let terms = analyzer.analyze_query(query);
    let ranges = highlight(&analyzer, text, &terms);
    ranges.into_iter().map(|range| &text[range]).collect()
}

#[test]
fn words_are_found_through_analysis() {
    assert_eq!(found("timeout", "error:timeouts, timed out"), ["timeouts"]);
    assert_eq!(
        found("creme", "Crème CRE\u{300}ME"),
        ["Crème", "CRE\u{300}ME"]
    );
    assert_eq!(found("file", "ﬁles"), ["ﬁles"]);
    assert_eq!(found("the", "the pool"), Vec::<&str>::new());
    assert_eq!(found("multi-agent", "multi-agent"), ["multi", "agent"]);
}

#[test]
fn pairs_of_a_run_become_one_range() {
    assert_eq!(found("茶道具", "日本の茶道具と茶道"), ["茶道具", "茶道"]);
    assert_eq!(found("茶", "日本の茶道具"), ["茶"]);
    assert_eq!(found("ガス", "東京ｶﾞｽ会社"), ["ｶﾞｽ"]);
}

#[test]
fn the_window_holds_most_of_the_ranges() {
    let text = "pool at the start, and then a long way of other words, a warm pool by the cold pool, the end";
    let analyzer = Analyzer::new(Language::English);
    let ranges = highlight(&analyzer, text, &["pool"]);
    let snippet = snippet(text, &ranges, 40);
    assert_eq!(snippet.ranges.len(), 2);
    assert!(
        snippet.text.contains("warm pool by the cold pool"),
        "{}",
        snippet.text
    );
    assert_eq!(&text[snippet.window.clone()], snippet.text);
}

#[test]
fn a_short_text_is_its_own_snippet_and_a_long_word_is_cut() {
    let range = 5..9;
    let whole = snippet("warm pool", std::slice::from_ref(&range), 100);
    assert_eq!((whole.text, whole.ranges), ("warm pool", vec![range]));
    let cut = snippet("ééééé", &[0..10], 3);
    assert_eq!((cut.text, cut.ranges), ("ééé", vec![0..6]));
    assert_eq!(snippet("one two three", &[], 9).text, "one two");
    assert_eq!(snippet("pool", &[0..4], 0).text, "");
    // Ranges that do not fit the text are passed over.
    assert!(snippet("é", &[1..2, 5..9], 9).ranges.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ranges_and_windows_lie_on_characters(
        analyzer in analyzer(), text in text(), query in text(), max in 0usize..40,
    ) {
        let mut terms = analyzer.analyze_query(&query);
        terms.extend(analyzer.analyze_query(&text).into_iter().step_by(3));
        let ranges = highlight(&analyzer, &text, &terms);
        prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
        prop_assert!(ranges.iter().all(|range| text.get(range.clone()).is_some_and(|word| !word.is_empty())));

        let snippet = snippet(&text, &ranges, max);
        prop_assert!(snippet.text.chars().count() <= max);
        prop_assert_eq!(text.get(snippet.window.clone()), Some(snippet.text));
        prop_assert!(snippet.ranges.iter().all(|range| snippet.text.get(range.clone()).is_some()));
        if !ranges.is_empty() && max > 0 {
            prop_assert!(!snippet.ranges.is_empty());
        }
    }
}
