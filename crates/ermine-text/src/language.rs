//! The languages an index can declare.

use std::fmt;
use std::str::FromStr;

use crate::TextError;

/// The language a text index declares, which decides stemming and stop words (rule T10).
///
/// ```
/// use ermine_text::Language;
///
/// let language: Language = "english".parse()?;
/// assert_eq!(language, Language::English);
/// assert_eq!(Language::default().as_str(), "none");
/// assert!("klingon".parse::<Language>().is_err());
/// # Ok::<(), ermine_text::TextError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Language {
    /// No stemming and no stop words; what an index has that declares nothing.
    #[default]
    None,
    /// Snowball English stemming and 33 English stop words.
    English,
}

impl Language {
    /// Every language, in the order in which messages list them.
    pub const ALL: &'static [Self] = &[Self::None, Self::English];

    /// The name by which the language is declared and stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::English => "english",
        }
    }

    /// The names of all languages, for messages.
    pub(crate) fn known() -> String {
        let names: Vec<&str> = Self::ALL.iter().map(|language| language.as_str()).collect();
        names.join(", ")
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Language {
    type Err = TextError;

    /// Reads a declared name, exactly as [`Language::as_str`] spells it.
    ///
    /// # Errors
    ///
    /// [`TextError::UnknownLanguage`], whose message lists the known ones.
    fn from_str(name: &str) -> Result<Self, TextError> {
        Self::ALL
            .iter()
            .copied()
            .find(|language| language.as_str() == name)
            .ok_or_else(|| TextError::UnknownLanguage {
                name: name.to_owned(),
            })
    }
}
