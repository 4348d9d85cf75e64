//! Strings to try everything with.

use ermine_text::{Analyzer, ForwardRecord, Language};
use proptest::prelude::*;

/// Pieces that meet the analyser's rules, and any other string.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "pool", "timeouts", "The", "or", "OR", "not", "-", "-x", "\"", "\u{201C}", "'", "’", "O’Brien", "a.b",
            "3.14", "_", ":", "error:timeout", "C++", "@nasa", "multi-agent", "茶", "道", "茶道", "タワー", "ｶﾞ", "が",
            "か\u{3099}", "한글", "ㅋㅋ", "ไทย", "ที่", "ພາສາ", "ខ្មែរ", "မြန်မာ", "ﬁ", "㍿", "①", "é", "e\u{301}", "İ", "ß",
            "ŉ", "ﷺ", "हिन्दी", "שָׁלוֹם", "🚀", "👩‍👩‍👧", "🅰️", "\u{301}", "\u{AD}", "\u{200B}", "\u{FE0F}", "\0", " ", " ",
            " ", "\n", "\u{202F}",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

pub(crate) fn analyzer() -> impl Strategy<Value = Analyzer> {
    prop::sample::select(Language::ALL.to_vec()).prop_map(Analyzer::new)
}

/// A record of so many fields, some of them absent.
pub(crate) fn record(fields: usize) -> impl Strategy<Value = ForwardRecord> {
    let texts = prop::collection::vec(prop::option::of(text()), fields);
    (analyzer(), texts).prop_map(|(analyzer, texts)| {
        let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        analyzer.analyze_document(&texts)
    })
}
