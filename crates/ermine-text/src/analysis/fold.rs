//! Folding of case and diacritics.

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use super::scripts::{is_greek, is_ignorable, is_latin_or_digit};

/// One word with case, diacritics and typography folded; see [`Analyzer`](super::Analyzer) for what is folded where.
pub(super) fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    // Marks go before the case does: the iota under ᾳ is a mark here, and a letter once its case is folded.
    let mut base = None;
    let unmarked = word.nfd().filter(move |&c| {
        if is_ignorable(c) || is_vowel_point(c) {
            return false;
        }
        if is_mark(c) {
            return base.is_some_and(|base| !drops(base, c));
        }
        base = Some(c);
        true
    });
    let mut plain = String::with_capacity(word.len());
    for c in unmarked.default_case_fold() {
        match unstroked(c) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(c),
        }
    }
    plain.nfc().collect()
}

/// The marks that are diacritics on some scripts.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20F0}'
        | '\u{FE20}'..='\u{FE2F}')
}

/// Whether the mark on this letter is dropped.
fn drops(base: char, mark: char) -> bool {
    if is_latin_or_digit(base) || is_greek(base) {
        return true;
    }
    match base {
        'Е' | 'е' => matches!(mark, '\u{300}' | '\u{301}' | '\u{308}'),
        'А' | 'а' | 'И' | 'и' | 'І' | 'і' | 'О' | 'о' | 'У' | 'у' | 'Ы' | 'ы' | 'Э' | 'э' | 'Ю'
        | 'ю' | 'Я' | 'я' => matches!(mark, '\u{300}' | '\u{301}'),
        _ => false,
    }
}

/// Hebrew and Arabic signs that most writing leaves out, and the tatweel, which only stretches a word.
fn is_vowel_point(c: char) -> bool {
    matches!(c,
        '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}' | '\u{5C2}' | '\u{5C4}' | '\u{5C5}' | '\u{5C7}'
        | '\u{610}'..='\u{61A}' | '\u{640}' | '\u{64B}'..='\u{652}' | '\u{670}' | '\u{6D6}'..='\u{6DC}'
        | '\u{6DF}'..='\u{6E4}' | '\u{6E7}' | '\u{6E8}' | '\u{6EA}'..='\u{6ED}')
}

/// Letters that Unicode does not decompose, and apostrophes.
fn unstroked(c: char) -> Option<&'static str> {
    Some(match c {
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ħ' => "h",
        'ı' => "i",
        'ł' => "l",
        'ŋ' => "n",
        'ŧ' => "t",
        '\u{2BC}' | '\u{2018}' | '\u{2019}' => "'",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn diacritics_go_where_they_are_diacritics() {
        for (word, folded) in [
            ("Crème", "creme"),
            ("cafe\u{301}", "cafe"),
            ("Łódź", "lodz"),
            ("Søren", "soren"),
            ("Straße", "strasse"),
            ("İstanbul", "istanbul"),
            ("ΟΔΟΣ", "οδοσ"),
            ("ὁδός", "οδοσ"),
            ("ᾳ", "α"),
            ("Ёлка", "елка"),
            ("Йод", "йод"),
            ("за\u{301}мок", "замок"),
            ("שָׁלוֹם", "שלום"),
            ("مُحَمَّد", "محمد"),
            ("أحمد", "أحمد"),
            ("O’Brien", "o'brien"),
            ("co\u{AD}operate", "cooperate"),
        ] {
            assert_eq!(fold(word), folded, "{word}");
        }
    }

    #[test]
    fn marks_stay_where_they_are_letters() {
        for word in ["が", "パ", "हिन्दी", "தமிழ்", "ที่", "한", "њ", "ў", "ї", "ќ"]
        {
            assert_eq!(fold(word), word);
        }
        assert_eq!(fold("か\u{3099}"), "が");
    }
}
