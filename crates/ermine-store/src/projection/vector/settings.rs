//! What vector projections of both forms have in common.

use std::any::TypeId;
use std::sync::Arc;

use ermine_core::{Document, VectorField, VectorProjectionMap};

use super::ProjectedRow;
use super::shard::VectorShard;
use crate::events::DeclaredEvents;
use crate::projection::declare::{DeclaredProjection, DocumentType, Feeds};

/// Makes a document of a row.
pub(super) type Constructor<D> =
    dyn Fn(&ProjectedRow<'_, <D as ermine_core::Record>::Id>) -> D + Send + Sync;

pub(super) struct Settings<D: Document> {
    pub(super) name: String,
    pub(super) version: u32,
    pub(super) field: Option<VectorField<D>>,
    pub(super) document: Option<Arc<Constructor<D>>>,
}

impl<D: Document> Settings<D> {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            version: 1,
            field: None,
            document: None,
        }
    }

    pub(super) fn declare(
        self,
        map: VectorProjectionMap<D::Id>,
        events: Vec<DeclaredEvents>,
    ) -> DeclaredProjection {
        let document = self.document;
        DeclaredProjection {
            name: self.name.clone(),
            version: self.version,
            document: Some(DocumentType {
                rust: TypeId::of::<D>(),
                schema: D::schema,
            }),
            events,
            event_types: Some(map.event_types()),
            feeds: Feeds::Vector {
                field: self.field.map(|field| field.name().to_owned()),
                own_documents: document.is_some(),
            },
            mistake: map.check().err(),
            bind: Box::new(move |bound| Ok(Arc::new(VectorShard::<D>::new(bound, map, document)?))),
        }
    }
}

/// The calls that both forms have.
macro_rules! common_calls {
    ([$($parameter:ident: $bound:path),+] $projection:ty) => {
        impl<$($parameter: $bound),+> $projection {
            /// Makes a document of the projection's own type for each row. Its id is the
            /// row's, and its projected vector field is written by the projection,
            /// whatever stands in it here.
            pub fn document(
                mut self,
                document: impl Fn(&crate::ProjectedRow<'_, D::Id>) -> D + Send + Sync + 'static,
            ) -> Self {
                self.settings.document = Some(std::sync::Arc::new(document));
                self
            }

            /// Feeds this vector field; it may be left out where the type has one.
            pub fn field(mut self, field: ermine_core::VectorField<D>) -> Self {
                self.settings.field = Some(field);
                self
            }

            /// Another version of the projection than the first, 1: where its events, its
            /// texts or its documents are declared otherwise, so that it is made anew.
            /// What only the version before made is removed.
            pub fn version(mut self, version: u32) -> Self {
                self.settings.version = version;
                self
            }
        }
    };
}

pub(super) use common_calls;
