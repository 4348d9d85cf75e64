//! What a document type declares: the value every store and the runtime work from.

mod builder;
mod field;
mod names;
mod vector_index;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use builder::SchemaBuilder;
pub use field::{ColumnSchema, Element, TextFieldSchema, VectorFieldSchema};
pub use vector_index::{Hnsw, VectorIndex};

use crate::{ColumnType, Error, ErrorKind, IdType, Result, ScalarType};

/// A document type's declaration.
///
/// Made by the derive, or by [`Schema::builder`] for types known only at run
/// time; both take the same path through the runtime and every store.
///
/// ```
/// use ermine_core::{ColumnType, IdType, Metric, ScalarType, Schema};
///
/// let notes = Schema::builder("notes", "id", IdType::Text)
///     .column("year", ColumnType::Scalar(ScalarType::I64))
///     .text("title", 3.0)
///     .text("body", 1.0)
///     .language("english")
///     .vector_from("embedding", 256, Metric::Cosine, ["title", "body"])
///     .build()?;
/// assert_eq!(notes.vectors().len(), 1);
/// # Ok::<(), ermine_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    name: String,
    id_name: String,
    id_type: IdType,
    tenancy: Tenancy,
    deletion: Deletion,
    language: String,
    columns: Vec<ColumnSchema>,
    text: Vec<TextFieldSchema>,
    vectors: Vec<VectorFieldSchema>,
}

/// Whether documents of a type belong to tenants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Tenancy {
    /// The same documents from every session.
    #[default]
    None,
    /// The tenant is part of the key; a session sees one tenant's documents.
    Conjoined,
}

/// What deleting a document does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Deletion {
    /// Removes it.
    #[default]
    Hard,
    /// Hides it until it is stored again.
    Soft,
}

/// A field that can stand in a filter or an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filterable {
    /// The id.
    Id(IdType),
    /// The column at this place in [`Schema::columns`].
    Column(usize, ColumnType),
}

impl Filterable {
    /// The type its values have.
    pub fn column_type(self) -> ColumnType {
        match self {
            Self::Id(IdType::Uuid) => ColumnType::Scalar(ScalarType::Uuid),
            Self::Id(IdType::Text) => ColumnType::Scalar(ScalarType::Text),
            Self::Id(IdType::I64) => ColumnType::Scalar(ScalarType::I64),
            Self::Id(IdType::U64) => ColumnType::Scalar(ScalarType::U64),
            Self::Column(_, column_type) => column_type,
        }
    }
}

impl Schema {
    /// Begins a declaration of the type `name`, whose id is the field `id_name`.
    pub fn builder(
        name: impl Into<String>,
        id_name: impl Into<String>,
        id_type: IdType,
    ) -> SchemaBuilder {
        SchemaBuilder::new(name.into(), id_name.into(), id_type)
    }

    /// The type's name, which its tables are named after.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the id field.
    pub fn id_name(&self) -> &str {
        &self.id_name
    }

    /// The type of the id.
    pub fn id_type(&self) -> IdType {
        self.id_type
    }

    /// Whether documents belong to tenants.
    pub fn tenancy(&self) -> Tenancy {
        self.tenancy
    }

    /// What deleting does.
    pub fn deletion(&self) -> Deletion {
        self.deletion
    }

    /// The analyser's language: `"none"` unless declared.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The indexed fields, in order of declaration.
    pub fn columns(&self) -> &[ColumnSchema] {
        &self.columns
    }

    /// The text fields, in order of declaration.
    pub fn text(&self) -> &[TextFieldSchema] {
        &self.text
    }

    /// The vector fields, in order of declaration.
    pub fn vectors(&self) -> &[VectorFieldSchema] {
        &self.vectors
    }

    /// The field `name` where it is an id or indexed; refused by name otherwise (rule F2).
    ///
    /// # Errors
    ///
    /// `UnknownField`; `NotIndexed` for one that is not indexed.
    pub fn filterable(&self, name: &str) -> Result<Filterable> {
        if name == self.id_name {
            return Ok(Filterable::Id(self.id_type));
        }
        if let Some((at, column)) = self
            .columns
            .iter()
            .enumerate()
            .find(|(_, column)| column.name() == name)
        {
            return Ok(Filterable::Column(at, column.column_type()));
        }
        if self.text.iter().any(|t| t.name() == name)
            || self.vectors.iter().any(|v| v.name() == name)
        {
            return Err(Error::new(
                ErrorKind::NotIndexed,
                format!(
                    "field `{name}` of `{}` is not indexed, so it cannot filter or order; declare it `index`",
                    self.name
                ),
            ));
        }
        let known = std::iter::once(self.id_name.as_str())
            .chain(self.columns.iter().map(ColumnSchema::name));
        Err(self.unknown_field(name, "field that can filter", known))
    }

    /// The place of text field `name`; refused by name where it is not declared (rules V3, T6).
    ///
    /// # Errors
    ///
    /// `UnknownField`; `NotIndexed` for one that is no text field.
    pub fn text_field(&self, name: &str) -> Result<usize> {
        self.text
            .iter()
            .position(|field| field.name() == name)
            .ok_or_else(|| {
                let known = self.text.iter().map(TextFieldSchema::name);
                self.unknown_field(name, "text field", known)
            })
    }

    /// The place of vector field `name`, or of the only one where no name is given (rules V3, V14).
    ///
    /// # Errors
    ///
    /// `UnknownField`; `NotIndexed` where there is none; `InvalidOption` where one of several must be named.
    pub fn vector_field(&self, name: Option<&str>) -> Result<usize> {
        let known = || self.vectors.iter().map(VectorFieldSchema::name);
        let Some(name) = name else {
            return match self.vectors.len() {
                1 => Ok(0),
                0 => Err(Error::new(
                    ErrorKind::NotIndexed,
                    format!("`{}` declares no vector field", self.name),
                )),
                _ => Err(Error::new(
                    ErrorKind::InvalidOption,
                    format!(
                        "`{}` has several vector fields; name one of {}",
                        self.name,
                        names::list(known())
                    ),
                )),
            };
        };
        self.vectors
            .iter()
            .position(|field| field.name() == name)
            .ok_or_else(|| self.unknown_field(name, "vector field", known()))
    }

    fn unknown_field<'a>(
        &self,
        name: &str,
        what: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Error {
        Error::new(
            ErrorKind::UnknownField,
            format!(
                "`{}` has no {what} named `{name}`; it has {}",
                self.name,
                names::list(known)
            ),
        )
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
