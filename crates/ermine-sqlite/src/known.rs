//! The types this store was told of.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use ermine_core::{Error, ErrorKind, Result, Schema};

use crate::layout::Layout;

/// The layouts of the types that were ensured, by name.
#[derive(Debug, Default)]
pub(crate) struct Known(RwLock<HashMap<String, Arc<Layout>>>);

impl Known {
    /// Puts a layout in the place of the one of its name.
    pub(crate) fn insert(&self, layout: Layout) {
        let name = layout.schema.name().to_owned();
        let mut layouts = self.0.write().unwrap_or_else(PoisonError::into_inner);
        layouts.insert(name, Arc::new(layout));
    }

    /// The layout of the type of a name.
    pub(crate) fn named(&self, name: &str) -> Option<Arc<Layout>> {
        let layouts = self.0.read().unwrap_or_else(PoisonError::into_inner);
        layouts.get(name).cloned()
    }

    /// The layout of a request's type; refused where the store was not told of it,
    /// or was told otherwise.
    pub(crate) fn get(&self, schema: &Arc<Schema>) -> Result<Arc<Layout>> {
        let layouts = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let Some(layout) = layouts.get(schema.name()) else {
            return Err(Error::new(
                ErrorKind::UnknownCollection,
                format!(
                    "this store was not told of `{schema}`; declare it when the store is opened"
                ),
            ));
        };
        if Arc::ptr_eq(&layout.schema, schema) || layout.schema == *schema {
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
