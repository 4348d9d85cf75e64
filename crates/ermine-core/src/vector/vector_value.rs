//! Which Rust types a vector field has.

use super::Embedding;

/// The type of a vector field: [`Embedding`], and no other, since only it can
/// say that its vector was not loaded.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a vector field",
    label = "not an `Embedding`",
    note = "a vector field is an `Embedding`, which can say that its vector was not loaded or is absent"
)]
pub trait VectorValue {
    /// The field's value.
    fn embedding(&self) -> &Embedding;
    /// Replaces the field's value.
    fn set_embedding(&mut self, embedding: Embedding);
}

impl VectorValue for Embedding {
    fn embedding(&self) -> &Embedding {
        self
    }

    fn set_embedding(&mut self, embedding: Embedding) {
        *self = embedding;
    }
}
