//! A place in the filter's text, and the pieces that are read from it.

use std::ops::Range;

use super::FilterError;

/// Where reading has come to. What a run of characters means depends on where it
/// stands (`"x"` is a field before an operator and text after it), so there are
/// no tokens: the parser asks for what may stand here.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Passes white space and returns the byte reading stands at.
    pub(super) fn skip_space(&mut self) -> usize {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.skip_space() == self.text.len()
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    /// Passes a sign, if it stands here.
    pub(super) fn eat(&mut self, sign: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    /// The word that stands here, not passed.
    pub(super) fn peek_word(&mut self) -> &'a str {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// Passes a word of the language, in any case, if it stands here.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word().eq_ignore_ascii_case(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Passes the run of characters that `belongs`.
    pub(super) fn run(&mut self, belongs: impl Fn(char) -> bool) -> (&'a str, Range<usize>) {
        let start = self.skip_space();
        let rest = self.rest();
        let end = rest.find(|c: char| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        (rest.get(..end).unwrap_or_default(), start..self.at)
    }

    /// Passes a name in `quote`s, a doubled one standing for one of them.
    pub(super) fn quoted_name(
        &mut self,
        quote: char,
    ) -> Result<(String, Range<usize>), FilterError> {
        let start = self.skip_space();
        let mut name = String::new();
        let mut chars = self.rest().char_indices().skip(1).peekable();
        while let Some((offset, c)) = chars.next() {
            if c != quote {
                name.push(c);
            } else if chars.next_if(|(_, next)| *next == quote).is_some() {
                name.push(quote);
            } else {
                self.at = start + offset + quote.len_utf8();
                return Ok((name, start..self.at));
            }
        }
        Err(self.unclosed(start, quote))
    }

    /// Passes text in `quote`s, with Rust's escapes.
    pub(super) fn quoted_text(
        &mut self,
        quote: char,
    ) -> Result<(String, Range<usize>), FilterError> {
        let start = self.skip_space();
        let mut text = String::new();
        let mut chars = self.rest().char_indices();
        chars.next();
        while let Some((offset, c)) = chars.next() {
            if c == quote {
                self.at = start + offset + quote.len_utf8();
                return Ok((text, start..self.at));
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            let Some((decoded, length)) = escaped(chars.as_str()) else {
                let escape = start + offset;
                return Err(self.error(
                    escape..self.char_end(escape + 1),
                    r#"no such escape; the escapes are \\ \" \' \n \r \t \0 and \u{…}"#,
                ));
            };
            text.push(decoded);
            chars.by_ref().take(length).for_each(drop);
        }
        Err(self.unclosed(start, quote))
    }

    fn unclosed(&self, start: usize, quote: char) -> FilterError {
        let end = self.text.trim_end().len().max(start);
        self.error(start..end, format!("the closing {quote} is missing"))
    }

    fn char_end(&self, at: usize) -> usize {
        let next = self.text.get(at..).and_then(|rest| rest.chars().next());
        at + next.map_or(0, char::len_utf8)
    }

    pub(super) fn error(&self, at: Range<usize>, message: impl Into<String>) -> FilterError {
        FilterError::new(self.text, at, message)
    }

    /// The error that what stands here does not belong here.
    pub(super) fn unexpected(&mut self, message: impl Into<String>) -> FilterError {
        let start = self.skip_space();
        let word = self.peek_word().len();
        let end = if word > 0 {
            start + word
        } else {
            self.char_end(start)
        };
        self.error(start..end, message)
    }
}

/// Whether `c` may stand in a bare field name or a word of the language.
pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// What the characters after a backslash stand for, and how many they are.
fn escaped(after: &str) -> Option<(char, usize)> {
    let simple = |c| Some((c, 1));
    match after.chars().next()? {
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        '0' => simple('\0'),
        c @ ('\\' | '"' | '\'') => simple(c),
        'u' => {
            let (hex, _) = after.strip_prefix("u{")?.split_once('}')?;
            let c = char::from_u32(u32::from_str_radix(hex, 16).ok()?)?;
            Some((c, "u{}".len() + hex.len()))
        }
        _ => None,
    }
}
