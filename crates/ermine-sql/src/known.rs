//! The types a store was told of.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use ermine_core::{Error, ErrorKind, Result, Schema};

/// How a store keeps one document type.
pub trait TypeLayout {
    /// The type.
    fn schema(&self) -> &Arc<Schema>;
}

/// The layouts of the types that were ensured, by name.
#[derive(Debug)]
pub struct Known<L>(RwLock<HashMap<String, Arc<L>>>);

impl<L> Default for Known<L> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<L: TypeLayout> Known<L> {
    /// Puts a layout in the place of the one of its name.
    pub fn insert(&self, layout: L) {
        let name = layout.schema().name().to_owned();
        let mut layouts = self.0.write().unwrap_or_else(PoisonError::into_inner);
        layouts.insert(name, Arc::new(layout));
    }

    /// The layout of the type of a name.
    pub fn named(&self, name: &str) -> Option<Arc<L>> {
        let layouts = self.0.read().unwrap_or_else(PoisonError::into_inner);
        layouts.get(name).cloned()
    }

    /// The layout of a request's type; refused where the store was not told of it,
    /// or was told otherwise.
    pub fn get(&self, schema: &Arc<Schema>) -> Result<Arc<L>> {
        let layouts = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let Some(layout) = layouts.get(schema.name()) else {
            return Err(Error::new(
                ErrorKind::UnknownCollection,
                format!(
                    "this store was not told of `{schema}`; declare it when the store is opened"
                ),
            ));
        };
        if Arc::ptr_eq(layout.schema(), schema) || layout.schema() == schema {
            return Ok(Arc::clone(layout));
        }
        Err(Error::new(
            ErrorKind::SchemaMismatch,
            format!(
                "`{schema}` was declared to this store in another way than this call has it; use one declaration"
            ),
        ))
    }
}
