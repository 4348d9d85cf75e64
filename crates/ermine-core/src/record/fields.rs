//! Structs inside documents.

use crate::{SchemaBuilder, Value};

/// A struct whose indexed fields are part of the document that holds it: what
/// `#[derive(Fields)]` makes.
///
/// Its columns are named by their path, so an index on `city` inside the field
/// `address` is the column `address.city`. In an `Option` that is `None` all of
/// its columns are absent.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a nested field",
    label = "does not derive `Fields`",
    note = "a `nested` field is a struct that derives `Fields`, or an `Option` of one; a list of structs cannot be indexed"
)]
pub trait Fields {
    /// The struct that has the columns: `Self`, and `F` for an `Option<F>`.
    type Struct;
    /// Adds this struct's columns, each name beginning with `prefix`: its path with the last dot.
    fn declare(prefix: &str, builder: SchemaBuilder) -> SchemaBuilder;
    /// Adds this struct's values, in the order they were declared.
    fn values(&self, values: &mut Vec<Option<Value>>);
    /// Adds as many absent values as this struct declares columns.
    fn absent(values: &mut Vec<Option<Value>>);
}

impl<F: Fields> Fields for Option<F> {
    type Struct = F::Struct;

    fn declare(prefix: &str, builder: SchemaBuilder) -> SchemaBuilder {
        F::declare(prefix, builder)
    }

    fn values(&self, values: &mut Vec<Option<Value>>) {
        match self {
            Some(fields) => fields.values(values),
            None => F::absent(values),
        }
    }

    fn absent(values: &mut Vec<Option<Value>>) {
        F::absent(values);
    }
}
