//! Where passages begin and end, and that nothing is lost between them.

use proptest::prelude::*;

use super::{Cut, Format, cut};

fn markdown(text: &str) -> Cut {
    cut(text, Format::Markdown)
}

/// Headings, line and body of each passage.
fn shown(text: &str) -> Vec<(String, usize, String)> {
    let passages = markdown(text).passages.into_iter();
    passages
        .map(|p| (p.headings.join("/"), p.line, p.body))
        .collect()
}

fn row(headings: &str, line: usize, body: &str) -> (String, usize, String) {
    (headings.to_owned(), line, body.to_owned())
}

#[test]
fn headings_make_passages_that_know_their_path() {
    let text = "# Guide\n\nIntro.\n\n## Install\n\nRun it.\n\n### From source ###\n\nBuild it.\n## Use\nSearch.\n";
    assert_eq!(markdown(text).title.as_deref(), Some("Guide"));
    assert_eq!(
        shown(text),
        [
            row("", 1, "Intro."),
            row("Install", 5, "Run it."),
            row("Install/From source", 9, "Build it."),
            row("Use", 12, "Search."),
        ]
    );
}

#[test]
fn underlined_headings_and_windows_line_ends_are_read() {
    let text = "Guide\r\n=====\r\n\r\nIntro.\r\n\r\nUse\r\n---\r\nSearch.\r\n";
    assert_eq!(markdown(text).title.as_deref(), Some("Guide"));
    assert_eq!(
        shown(text),
        [row("", 1, "Intro."), row("Use", 6, "Search.")]
    );
}

#[test]
fn rules_lists_and_code_are_no_headings() {
    let text = "one\ntwo\n---\nthree\n\n- item\n\n---\n\n#hashtag\n\n    # indented\n\n```sh\n# comment\n```\n\n~~~~\n```\n# still code\n~~~\n~~~~\n\n# Real\n\nend\n";
    let passages = shown(text);
    assert_eq!(passages.len(), 2, "{passages:?}");
    assert!(passages[0].2.contains("# still code"));
    assert_eq!(passages[1], row("Real", 24, "end"));
}

#[test]
fn an_unclosed_fence_runs_to_the_end() {
    assert_eq!(shown("a\n\n```\n# no\n"), [row("", 1, "a\n\n```\n# no")]);
}

#[test]
fn front_matter_gives_the_title_and_is_no_text() {
    let text = "---\ntitle: \"Notes\"\ntags: [a]\n---\n# Heading\n\nText.\n";
    assert_eq!(markdown(text).title.as_deref(), Some("Notes"));
    assert_eq!(shown(text), [row("Heading", 5, "Text.")]);
    assert_eq!(shown("---\nno end\n"), [row("", 1, "---\nno end")]);
}

#[test]
fn a_heading_without_text_stands_for_itself_only_where_nothing_is_below_it() {
    let text = "# Guide\n## Empty\n## Parent\n### Child\nText.\n## Last\n";
    assert_eq!(
        shown(text),
        [
            row("Empty", 2, ""),
            row("Parent/Child", 4, "Text."),
            row("Last", 6, "")
        ]
    );
    assert_eq!(shown(""), []);
    assert_eq!(shown(" \n\n"), []);
}

#[test]
fn long_sections_are_cut_between_paragraphs() {
    let paragraph = "Words of a paragraph. ".repeat(50);
    let text = format!("# Long\n\n{p}\n\n{p}\n\n{p}\n", p = paragraph.trim());
    let passages = markdown(&text).passages;
    assert_eq!(passages.len(), 3);
    assert!(passages.iter().all(|p| p.body == paragraph.trim()));
    assert_eq!(
        [passages[0].line, passages[1].line, passages[2].line],
        [1, 5, 7]
    );
}

#[test]
fn without_paragraphs_the_cut_is_after_a_sentence_a_line_a_word_or_a_character() {
    let first = |text: String| cut(&text, Format::Text).passages[0].body.clone();
    let sentences = first("It ends here (so it does.) And goes on without an end ".repeat(80));
    assert!(sentences.ends_with("(so it does.)"), "{sentences}");
    let chinese = first("这里有一句话。那里还有另外一句".repeat(200));
    assert!(chinese.ends_with('。'));
    let lines = first("a line of a table\n".repeat(200));
    assert!(lines.ends_with("table"));
    let words = first("word ".repeat(800));
    assert!(words.ends_with("word") && words.chars().count() <= 1_500);
    assert_eq!(first("é".repeat(4_000)).chars().count(), 1_500);
}

#[test]
fn code_is_kept_whole_where_a_paragraph_ends_before_it() {
    let prose = "Some prose goes here. ".repeat(60);
    let code = format!("```\n{}```", "a line. of code\n\n".repeat(50));
    let passages = markdown(&format!("{prose}\n\n{code}\n\n{prose}")).passages;
    assert_eq!(passages[1].body, code);
}

#[test]
fn a_short_tail_stays_with_what_it_follows() {
    let text = "Some words. ".repeat(145);
    assert_eq!(cut(&text, Format::Text).passages.len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_is_lost_and_nothing_is_too_long(text in "([a-z]{1,12}[.!]?[ \n]|\n\n|é{1,900}|```\n){0,120}") {
        let squeeze = |text: &str| text.split_whitespace().collect::<String>();
        let passages = cut(&text, Format::Text).passages;
        let whole: String = passages.iter().map(|p| squeeze(&p.body)).collect();
        prop_assert_eq!(whole, squeeze(&text));
        for passage in &passages {
            prop_assert!(passage.body.chars().count() <= 1_800);
            prop_assert!(!passage.body.trim().is_empty());
            let line = text.lines().nth(passage.line - 1).unwrap_or_default();
            let first = passage.body.lines().next().unwrap_or_default();
            prop_assert!(line.contains(first), "{line:?} {first:?}");
        }
    }

    #[test]
    fn any_text_can_be_cut(text in any::<String>(), markup in "([#=`~-]{1,4}|[ \t]|\r?\n|x){0,60}") {
        for text in [text, markup] {
            let kept: String = markdown(&text).passages.into_iter().map(|p| p.body).collect();
            prop_assert!(kept.len() <= text.len());
        }
    }
}
