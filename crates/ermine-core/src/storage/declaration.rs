//! What is compared at open with what is stored.

mod compare;
mod indexes;
mod models;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ModelIdentity, Result, Schema, VectorIndex};

/// A document type as an application opens it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Declaration {
    /// The type.
    pub schema: Arc<Schema>,
    /// The analyser's identity; stored, and compared at every open. Empty for a
    /// type without text fields, which no analyser concerns.
    pub analyzer: String,
    /// For each vector field, the model of its provider; `None` where it has none.
    /// A stored identity stays when none is declared, and is taken over when none is stored.
    pub models: Vec<Option<ModelIdentity>>,
}

impl Declaration {
    /// Refuses a declaration without a model, or the absence of one, per vector field,
    /// and a model that makes vectors of another length than its field's.
    ///
    /// # Errors
    ///
    /// `Declaration`, `ModelMismatch`.
    pub fn check_models(&self) -> Result<()> {
        models::check(self)
    }

    /// What is to be stored in the place of `stored`, and what changes by that:
    /// this declaration, with the models stored before where it names none.
    ///
    /// Refused where the two differ in anything that stored documents rest on, naming
    /// what is stored and what is declared, and where `mode` forbids the change (rule D7).
    ///
    /// # Errors
    ///
    /// `SchemaMismatch`, `ModelMismatch`.
    pub fn in_place_of(
        &self,
        stored: &Self,
        mode: SchemaMode,
    ) -> Result<(Self, Vec<SchemaChange>)> {
        compare::schemas(stored, self)?;
        let mut changes = indexes::changes(stored, self, mode)?;
        let (merged, recorded) = models::merge(stored, self, mode)?;
        changes.extend(recorded);
        Ok((merged, changes))
    }
}

/// What `ensure` may do to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum SchemaMode {
    /// Create what is missing, add what is new. The default.
    #[default]
    CreateOrUpdate,
    /// Create a type that is missing; refuse to change one that is there.
    CreateOnly,
    /// Change nothing: refuse unless what is stored is what is declared.
    Assert,
}

/// What `ensure` did.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct SchemaReport {
    /// The changes, in order.
    pub changes: Vec<SchemaChange>,
    /// What the store works with and an operator should know of, such as an
    /// extension of the database with known defects.
    pub warnings: Vec<String>,
}

/// One change that `ensure` made.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SchemaChange {
    /// The type's tables were created.
    Created {
        /// The statements that did it.
        ddl: Vec<String>,
    },
    /// The provider's identity was recorded for a field that had none.
    ModelRecorded {
        /// The vector field.
        field: String,
    },
    /// Another index is declared for a vector field than was before. One that is no
    /// longer declared stays in the database until somebody drops it.
    IndexDeclared {
        /// The vector field.
        field: String,
        /// What was stored.
        from: Option<VectorIndex>,
        /// What is declared, and stored now.
        to: Option<VectorIndex>,
    },
    /// An index was built over the rows that were there: declared for the first time
    /// or with other parameters, or missing, or left unfinished before.
    IndexBuilt {
        /// The vector field.
        field: String,
        /// The statements that did it.
        ddl: Vec<String>,
    },
}
