//! Texts are cut exactly as the `tokenizers` library cuts them with the teacher's own tokenizer.

use ermine_embed::StaticModel;
use proptest::prelude::*;

const GOLDEN: &str = include_str!("tokens.golden");

#[test]
fn on_the_hard_cases() {
    let model = StaticModel::bundled();
    for line in GOLDEN.lines() {
        let golden: Vec<String> = serde_json::from_str(line).unwrap();
        let (text, pieces) = golden.split_first().unwrap();
        assert_eq!(model.pieces(text), pieces, "{text:?}");
    }
}

#[test]
fn special_tokens_spelled_in_a_text_are_text() {
    let model = StaticModel::bundled();
    assert_eq!(model.pieces("[CLS]"), ["[", "cl", "##s", "]"]);
}

#[test]
fn a_word_of_a_hundred_characters_is_cut_and_a_longer_one_is_unknown() {
    let model = StaticModel::bundled();
    assert!(!model.pieces(&"a".repeat(100)).is_empty());
    assert!(model.pieces(&"a".repeat(101)).is_empty());
    assert_eq!(model.pieces(&format!("{}-x", "a".repeat(101))), ["-", "x"]);
}

#[test]
fn punctuation_alone_has_pieces_and_no_vector() {
    let model = StaticModel::bundled();
    assert_eq!(model.pieces("?!"), ["?", "!"]);
    assert_eq!(model.embed("?!"), None);
    assert_eq!(
        model.embed("pool timeouts"),
        model.embed("(pool: timeouts)")
    );
}

proptest! {
    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        let model = StaticModel::bundled();
        let pieces = model.pieces(&text);
        prop_assert!(pieces.iter().all(|piece| !piece.is_empty()));
        prop_assert!(!pieces.is_empty() || model.embed(&text).is_none());
    }
}
