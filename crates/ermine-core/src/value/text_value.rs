//! Which Rust types a text search can read.

/// A Rust type that can be a text field, or one that a vector is embedded from.
///
/// Implement it for a newtype to search it; the text must then be what serde writes.
///
/// ```
/// use ermine_core::TextValue;
///
/// struct Title(String);
///
/// impl TextValue for Title {
///     fn as_text(&self) -> Option<&str> {
///         self.0.as_text()
///     }
/// }
/// assert_eq!(Some(Title("Pool".into())).as_text(), Some("Pool"));
/// assert_eq!(None::<Title>.as_text(), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text",
    label = "neither a `String` nor an `Option<String>`",
    note = "a field that is `text`, or that a vector is embedded `from`, is a `String`, an `Option<String>` or a type that implements `TextValue`"
)]
pub trait TextValue {
    /// The text; `None` where it is absent.
    fn as_text(&self) -> Option<&str>;
}

impl TextValue for String {
    fn as_text(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: TextValue> TextValue for Option<T> {
    fn as_text(&self) -> Option<&str> {
        self.as_ref().and_then(T::as_text)
    }
}
