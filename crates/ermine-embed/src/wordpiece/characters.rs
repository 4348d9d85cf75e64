//! The classes of characters that BERT's normaliser tells apart.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// NUL, the replacement character and control, format and private-use characters, but for the three
/// that separate words.
///
/// Characters that Unicode has not assigned are kept, as the `tokenizers` library keeps them.
pub(crate) fn is_dropped(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        ' '..='~' => false,
        '\u{FFFD}' => true,
        _ => matches!(
            c.general_category(),
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
        ),
    }
}

/// The ideographs that stand alone; kana and Hangul do not.
pub(crate) fn is_han(c: char) -> bool {
    // 2B920 is how the reference implementation spells the start of extension E.
    matches!(u32::from(c),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x20000..=0x2A6DF | 0x2A700..=0x2B73F
        | 0x2B740..=0x2B81F | 0x2B920..=0x2CEAF | 0xF900..=0xFAFF | 0x2F800..=0x2FA1F)
}

/// Non-spacing marks, which decomposition separates from their letter.
pub(crate) fn is_mark(c: char) -> bool {
    !c.is_ascii() && c.general_category() == GeneralCategory::NonspacingMark
}

/// Unicode's punctuation, and every ASCII character that is neither letter, digit, space nor control.
pub(crate) fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    c.general_category_group() == GeneralCategoryGroup::Punctuation
}
