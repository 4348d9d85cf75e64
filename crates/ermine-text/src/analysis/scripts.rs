//! Which characters are indexed in pairs.

/// Inclusive ranges, sorted: letters and marks of Thai, Lao, Burmese, Hangul, Khmer, Han and kana.
///
/// Digits and punctuation of these scripts are left out: the word rules know them. Half and full width forms are
/// absent because the text has been normalised, which leaves none.
const PAIRED: [(u32, u32); 45] = [
    (0x0E01, 0x0E3A),   // Thai letters and vowels
    (0x0E40, 0x0E4E),   // Thai vowels and tone marks
    (0x0E81, 0x0EC6),   // Lao letters and vowels
    (0x0EC8, 0x0ECE),   // Lao tone marks
    (0x0EDC, 0x0EDF),   // Lao digraphs and Khmu letters
    (0x1000, 0x103F),   // Burmese letters and signs
    (0x1050, 0x108F),   // Mon, Karen, Shan
    (0x109A, 0x109D),   // Khamti, Aiton
    (0x1100, 0x11FF),   // Hangul jamo
    (0x1780, 0x17D3),   // Khmer letters and signs
    (0x17D7, 0x17D7),   // Khmer repetition mark
    (0x17DC, 0x17DD),   // Khmer signs
    (0x2E80, 0x2E99),   // Han radicals
    (0x2E9B, 0x2EF3),   // Han radicals
    (0x2F00, 0x2FD5),   // Kangxi radicals
    (0x3005, 0x3007),   // Han repetition mark, closing mark, zero
    (0x3021, 0x3029),   // Hangzhou numerals
    (0x302E, 0x302F),   // Hangul tone marks
    (0x3031, 0x3035),   // kana repeat marks
    (0x3038, 0x303C),   // Hangzhou numerals, Han repetition, masu mark
    (0x3041, 0x3096),   // Hiragana
    (0x309D, 0x309F),   // Hiragana repetition marks
    (0x30A1, 0x30FA),   // Katakana
    (0x30FC, 0x30FF),   // length mark, Katakana repetition marks
    (0x3131, 0x318E),   // Hangul compatibility jamo
    (0x31F0, 0x31FF),   // Katakana extensions
    (0x3400, 0x4DBF),   // Han extension A
    (0x4E00, 0x9FFF),   // Han
    (0xA960, 0xA97C),   // Hangul jamo extended A
    (0xA9E0, 0xA9EF),   // Burmese extended B
    (0xA9FA, 0xA9FE),   // Burmese extended B
    (0xAA60, 0xAA76),   // Burmese extended A
    (0xAA7A, 0xAA7F),   // Burmese extended A
    (0xAC00, 0xD7A3),   // Hangul syllables
    (0xD7B0, 0xD7FB),   // Hangul jamo extended B
    (0xF900, 0xFAD9),   // Han compatibility
    (0x16FF0, 0x16FF1), // Han reading marks
    (0x1AFF0, 0x1AFFE), // kana extended B
    (0x1B000, 0x1B122), // kana supplement and extended A
    (0x1B132, 0x1B132), // small kana
    (0x1B150, 0x1B152), // small kana
    (0x1B155, 0x1B155), // small kana
    (0x1B164, 0x1B167), // small kana
    (0x20000, 0x2FA1D), // Han extensions B to F, I, compatibility supplement
    (0x30000, 0x3FFFD), // Han extensions G, H and later
];

/// Whether the character belongs to a run that is indexed as overlapping pairs.
pub(super) fn is_paired(c: char) -> bool {
    let code = u32::from(c);
    if code < 0x0E01 {
        return false;
    }
    let after = PAIRED.partition_point(|&(first, _)| first <= code);
    after
        .checked_sub(1)
        .and_then(|index| PAIRED.get(index))
        .is_some_and(|&(_, last)| code <= last)
}

/// Whether the character has no appearance of its own: soft hyphen, joiners, direction marks, variation selectors.
pub(super) fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// Latin letters, and digits, on which a mark is a diacritic.
pub(super) fn is_latin_or_digit(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c,
            '\u{AA}' | '\u{BA}' | '\u{C0}'..='\u{2AF}' | '\u{1D00}'..='\u{1DBF}' | '\u{1E00}'..='\u{1EFF}'
            | '\u{2C60}'..='\u{2C7F}' | '\u{A720}'..='\u{A7FF}' | '\u{AB30}'..='\u{AB6F}')
}

/// Greek letters.
pub(super) fn is_greek(c: char) -> bool {
    matches!(c, '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_sorted_and_apart() {
        assert!(PAIRED.iter().all(|(first, last)| first <= last));
        assert!(PAIRED.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn scripts_are_told_apart() {
        for c in "茶々〇あアー한ᄒไลาກខမ".chars() {
            assert!(is_paired(c), "{c}");
        }
        for c in "aéяאبक・。、๑០၁ꥁ".chars() {
            assert!(!is_paired(c), "{c}");
        }
    }
}
