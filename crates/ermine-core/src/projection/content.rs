//! What a projection embeds.

/// What an event, or an aggregate, has to say for the text of a row.
///
/// ```
/// use ermine_core::Content;
///
/// assert_eq!(Content::text("alpha").as_text(), Some("alpha"));
/// assert_eq!(Content::none().as_text(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content(Option<String>);

impl Content {
    /// The row's text from here on; an empty one removes the row.
    pub fn text(text: impl Into<String>) -> Self {
        Self(Some(text.into()))
    }

    /// This event says nothing: the row stays as it is (rule P3).
    pub fn none() -> Self {
        Self(None)
    }

    /// The text, if it says something.
    pub fn as_text(&self) -> Option<&str> {
        self.0.as_deref()
    }

    pub(super) fn into_text(self) -> Option<String> {
        self.0
    }
}
