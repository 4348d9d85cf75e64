//! Declaring projections, and what is refused before a store opens.

use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ermine_core::{Error, ErrorKind, Result, Schema, ShardName};

use super::erased::Projection;
use crate::collection::Opened;
use crate::events::{DeclaredEvents, EventTypes};

/// What a store's builder takes as a projection.
#[allow(private_bounds, reason = "what can be one is settled here")]
pub trait Projecting: Sealed {}

/// What a projection declares.
pub(crate) trait Sealed {
    fn declare(self) -> DeclaredProjection;
}

/// A projection, as the builder was told of it.
pub(crate) struct DeclaredProjection {
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) document: Option<DocumentType>,
    /// The events that are declared by it.
    pub(crate) events: Vec<DeclaredEvents>,
    /// The names it follows; `None` for all.
    pub(crate) event_types: Option<Vec<&'static str>>,
    pub(crate) feeds: Feeds,
    /// What is wrong with it in itself.
    pub(crate) mistake: Option<Error>,
    pub(crate) bind: Box<Bind>,
}

type Bind = dyn FnOnce(Bound) -> Result<Arc<dyn Projection>> + Send;

/// The document type of a projection.
#[derive(Clone, Copy)]
pub(crate) struct DocumentType {
    pub(crate) rust: TypeId,
    pub(crate) schema: fn() -> Result<Schema>,
}

/// What a projection writes.
pub(crate) enum Feeds {
    /// Nothing.
    Nothing,
    /// The documents of its type.
    Documents,
    /// A vector field, of documents that it makes or of somebody else's.
    Vector {
        /// The field's name; may be left out where the type has one.
        field: Option<String>,
        own_documents: bool,
    },
}

/// What a projection is given when its store is open.
pub(crate) struct Bound {
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) shard: ShardName,
    /// The type of its documents, where it has any.
    pub(crate) opened: Option<Arc<Opened>>,
    /// The place of the vector field that it feeds.
    pub(crate) field: usize,
}

impl Bound {
    /// The type of its documents, which the builder opened for it.
    pub(crate) fn opened(&self) -> Result<Arc<Opened>> {
        self.opened.clone().ok_or_else(|| {
            Error::new(
                ErrorKind::UnknownCollection,
                format!("projection {:?} has no document type", self.name),
            )
        })
    }
}

/// A document type as it is about to be opened.
pub(crate) struct Opening<'a> {
    pub(crate) schema: &'a Schema,
    /// For each vector field, whether a provider embeds for it.
    pub(crate) embedded: Vec<bool>,
    /// The store's provider, in words, where it has one.
    pub(crate) provider: Option<String>,
    pub(crate) is_snapshot: bool,
}

impl DeclaredProjection {
    /// The shard's name.
    pub(crate) fn shard(&self) -> ShardName {
        ShardName::new(format!("{}:{}", self.name, self.version))
    }

    fn refuse<T>(&self, kind: ErrorKind, problem: String) -> Result<T> {
        Err(Error::new(
            kind,
            format!("projection {:?}: {problem}", self.name),
        ))
    }

    /// Refuses what is wrong with it beside its document type, and returns the place of
    /// the field that it feeds.
    fn check(&self, opening: &Opening<'_>) -> Result<usize> {
        let schema = opening.schema;
        let Feeds::Vector {
            field,
            own_documents,
        } = &self.feeds
        else {
            if opening.is_snapshot && matches!(self.feeds, Feeds::Documents) {
                return self.refuse(ErrorKind::Declaration, format!(
                    "it writes the documents of `{schema}`, which is an inline snapshot and is written by its streams; give the projection a type of its own"
                ));
            }
            return Ok(0);
        };
        let place = match schema.vector_field(field.as_deref()) {
            Ok(place) => place,
            Err(error) => return Err(error.in_context(format_args!("projection {:?}", self.name))),
        };
        let Some(vector) = schema.vectors().get(place) else {
            return self.refuse(
                ErrorKind::UnknownField,
                format!("`{schema}` has no vector field"),
            );
        };
        let name = vector.name();
        if vector.from().is_some() {
            return self.refuse(ErrorKind::Declaration, format!(
                "`{schema}.{name}` is embedded from the document's own text, by `from`, and would be fed twice; leave out one of them"
            ));
        }
        match (own_documents, opening.is_snapshot) {
            (true, true) => {
                return self.refuse(ErrorKind::Declaration, format!(
                    "it makes documents of `{schema}`, which is an inline snapshot and is written by its streams; leave out `document`, and only the vector is written"
                ));
            }
            (false, false) => {
                return self.refuse(ErrorKind::Declaration, format!(
                    "it writes only a vector, and `{schema}` is no inline snapshot: declare it as one, `.snapshot::<…>()`, or say by `document` how the projection makes documents of its own type"
                ));
            }
            _ => {}
        }
        if opening.embedded.get(place) == Some(&true) {
            return Ok(place);
        }
        let dimensions = vector.dimensions();
        let (kind, has) = match &opening.provider {
            Some(provider) => (
                ErrorKind::WrongDimensions,
                format!("the provider is {provider}"),
            ),
            None => (
                ErrorKind::NoProvider,
                "the store has no provider".to_owned(),
            ),
        };
        self.refuse(kind, format!(
            "`{schema}.{name}` has {dimensions} dimensions, and {has}; open the store with a provider of {dimensions} dimensions for it"
        ))
    }
}

/// Refuses projections that are wrong in themselves or beside each other, and returns for
/// each the place of the field that it feeds. `opening` tells of a document type.
///
/// # Errors
///
/// `Declaration` for two projections of one name, for documents or a field that would be
/// fed twice, for a vector of what is no inline snapshot, and for events that are not
/// declared; `UnknownField`, `NoProvider` and `WrongDimensions`.
pub(crate) fn check<'a>(
    projections: &[DeclaredProjection],
    events: &EventTypes,
    mut opening: impl FnMut(&DocumentType) -> Option<Opening<'a>>,
) -> Result<Vec<usize>> {
    let mut names = HashSet::new();
    let mut documents: HashMap<TypeId, &str> = HashMap::new();
    let mut vectors: HashMap<(TypeId, usize), &str> = HashMap::new();
    let mut places = Vec::new();
    for projection in projections {
        let name = projection.name.as_str();
        if name.is_empty() || name.contains('\0') {
            return Err(Error::new(
                ErrorKind::Declaration,
                format!("{name:?} names no projection: a name is not empty and has no U+0000"),
            ));
        }
        if !names.insert(name) {
            return projection.refuse(
                ErrorKind::Declaration,
                "another has the same name; each needs a name of its own".to_owned(),
            );
        }
        if let Some(mistake) = &projection.mistake {
            return projection.refuse(mistake.kind(), mistake.to_string());
        }
        for event_type in projection.event_types.iter().flatten() {
            if !events.knows(event_type) {
                return projection.refuse(ErrorKind::Declaration, format!(
                    "it follows events named {event_type:?}, and no such event type is declared; declare it: `.events::<…>()`"
                ));
            }
        }
        let Some(document) = &projection.document else {
            places.push(0);
            continue;
        };
        let Some(opening) = opening(document) else {
            places.push(0);
            continue;
        };
        let place = projection.check(&opening)?;
        let schema = opening.schema;
        if let Feeds::Vector {
            own_documents: false,
            ..
        } = projection.feeds
        {
            if let Some(first) = vectors.insert((document.rust, place), name) {
                let field = schema.vectors().get(place).map_or("", |field| field.name());
                return projection.refuse(ErrorKind::Declaration, format!(
                    "`{schema}.{field}` is fed by the projection {first:?} too; a field is fed by one"
                ));
            }
        } else if let Some(first) = documents.insert(document.rust, name) {
            return projection.refuse(ErrorKind::Declaration, format!(
                "the documents of `{schema}` are made by the projection {first:?} too; give each a type of its own"
            ));
        }
        places.push(place);
    }
    Ok(places)
}
