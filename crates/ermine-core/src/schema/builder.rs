//! Declaring a type at run time.

use std::collections::HashSet;

use super::{ColumnSchema, Deletion, Schema, Tenancy, TextFieldSchema, VectorFieldSchema, names};
use crate::{Accuracy, ColumnType, Error, ErrorKind, IdType, MAX_DIMENSIONS, Metric, Result};

/// Collects a declaration; [`build`](Self::build) judges it as a whole.
#[derive(Debug, Clone)]
#[must_use]
pub struct SchemaBuilder {
    schema: Schema,
}

impl SchemaBuilder {
    pub(super) fn new(name: String, id_name: String, id_type: IdType) -> Self {
        Self {
            schema: Schema {
                name,
                id_name,
                id_type,
                tenancy: Tenancy::None,
                deletion: Deletion::Hard,
                language: "none".to_owned(),
                columns: Vec::new(),
                text: Vec::new(),
                vectors: Vec::new(),
            },
        }
    }

    /// Sets whether documents belong to tenants.
    pub fn tenancy(mut self, tenancy: Tenancy) -> Self {
        self.schema.tenancy = tenancy;
        self
    }

    /// Sets what deleting does.
    pub fn deletion(mut self, deletion: Deletion) -> Self {
        self.schema.deletion = deletion;
        self
    }

    /// Sets the analyser's language for every text field.
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.schema.language = language.into();
        self
    }

    /// Adds an indexed field.
    pub fn column(mut self, name: impl Into<String>, column_type: ColumnType) -> Self {
        self.schema.columns.push(ColumnSchema {
            name: name.into(),
            column_type,
        });
        self
    }

    /// Adds a text field whose occurrences count `weight` times.
    pub fn text(mut self, name: impl Into<String>, weight: f64) -> Self {
        self.schema.text.push(TextFieldSchema {
            name: name.into(),
            weight,
        });
        self
    }

    /// Adds a vector field that the caller feeds.
    pub fn vector(self, name: impl Into<String>, dimensions: usize, metric: Metric) -> Self {
        self.vector_field(VectorFieldSchema::new(name, dimensions, metric))
    }

    /// Adds a vector field that is embedded from the text of the fields `from`, joined by newlines.
    pub fn vector_from<S: Into<String>>(
        self,
        name: impl Into<String>,
        dimensions: usize,
        metric: Metric,
        from: impl IntoIterator<Item = S>,
    ) -> Self {
        self.vector_field(VectorFieldSchema::new(name, dimensions, metric).embedded_from(from))
    }

    /// Adds a vector field with everything that can be said of one.
    pub fn vector_field(mut self, field: VectorFieldSchema) -> Self {
        self.schema.vectors.push(field);
        self
    }

    /// The declaration, or what is wrong with it.
    ///
    /// A field may be indexed and text at once; otherwise names are distinct,
    /// also when ASCII case is ignored, since a store may ignore it.
    ///
    /// # Errors
    ///
    /// `Declaration`.
    pub fn build(self) -> Result<Schema> {
        let schema = self.schema;
        names::check_collection(&schema.name)?;
        names::check_field(&schema.name, &schema.id_name)?;
        let refuse = |message: String| {
            Err(Error::new(
                ErrorKind::Declaration,
                format!("`{}`: {message}", schema.name),
            ))
        };
        let fold = |name: &str| name.to_ascii_lowercase();
        let id = fold(&schema.id_name);
        let groups: [Vec<&str>; 3] = [
            schema.columns.iter().map(ColumnSchema::name).collect(),
            schema.text.iter().map(TextFieldSchema::name).collect(),
            schema.vectors.iter().map(VectorFieldSchema::name).collect(),
        ];
        for group in &groups {
            let mut seen = HashSet::from([id.clone()]);
            for name in group {
                names::check_field(&schema.name, name)?;
                if !seen.insert(fold(name)) {
                    return refuse(format!(
                        "two fields are named `{name}` (case does not tell them apart)"
                    ));
                }
            }
        }
        for text in &schema.text {
            if !(text.weight.is_finite() && text.weight >= 0.0) {
                return refuse(format!(
                    "text field `{}` has weight {}; a weight is a finite number, 0 or more",
                    text.name, text.weight
                ));
            }
            let clash = schema
                .columns
                .iter()
                .find(|c| c.name != text.name && fold(&c.name) == fold(&text.name));
            if let Some(column) = clash {
                return refuse(format!(
                    "fields `{}` and `{}` differ only by case",
                    column.name, text.name
                ));
            }
        }
        for vector in &schema.vectors {
            if !(1..=MAX_DIMENSIONS).contains(&vector.dimensions) {
                return refuse(format!(
                    "vector field `{}` declares {} dimensions; 1 to {MAX_DIMENSIONS} are possible",
                    vector.name, vector.dimensions
                ));
            }
            let taken = groups.iter().take(2).flatten();
            if let Some(other) = taken.into_iter().find(|n| fold(n) == fold(&vector.name)) {
                return refuse(format!(
                    "`{other}` is a vector field, so it is neither indexed nor text"
                ));
            }
            if vector.from.as_ref().is_some_and(Vec::is_empty) {
                return refuse(format!(
                    "vector field `{}` is embedded from no field; name at least one",
                    vector.name
                ));
            }
            if let Some(problem) = vector.index.and_then(|index| index.problem()) {
                return refuse(format!(
                    "the index of vector field `{}`: {problem}",
                    vector.name
                ));
            }
            if vector.accuracy == Accuracy::Approximate && vector.index.is_none() {
                return refuse(format!(
                    "the searches of vector field `{}` are approximate, and it has no index; declare one",
                    vector.name
                ));
            }
        }
        Ok(schema)
    }
}
