//! Content from aggregates, their type erased.

use std::any::{Any, TypeId, type_name};
use std::marker::PhantomData;
use std::sync::Arc;

use super::Content;
use super::selector::{SelectedContent, guarded};
use crate::{Aggregate, Error, ErrorKind, Fold, Result, StoredEvent};

/// Makes texts of the states of one aggregate.
pub(super) trait AggregateContent: Send + Sync {
    /// The aggregate's type.
    fn aggregate(&self) -> TypeId;

    /// The text of a state, which is of the aggregate's type.
    fn text(&self, state: &dyn Any) -> Result<String>;

    /// A fold from the first event.
    fn fold(self: Arc<Self>) -> Box<dyn TextFold>;
}

/// A fold whose states are texts.
pub(super) trait TextFold: Send {
    /// Folds the stream's next event.
    fn push(&mut self, event: &StoredEvent) -> Result<()>;

    /// The text of the state that was reached; `None` where there is no state.
    fn text(&self) -> Result<Option<String>>;
}

pub(super) struct Typed<A, F> {
    select: F,
    aggregate: PhantomData<fn() -> A>,
}

impl<A, F> Typed<A, F> {
    pub(super) fn new(select: F) -> Self {
        Self {
            select,
            aggregate: PhantomData,
        }
    }
}

impl<A, C, F> AggregateContent for Typed<A, F>
where
    A: Aggregate,
    C: SelectedContent,
    F: Fn(&A) -> C + Send + Sync + 'static,
{
    fn aggregate(&self) -> TypeId {
        TypeId::of::<A>()
    }

    fn text(&self, state: &dyn Any) -> Result<String> {
        let name = type_name::<A>();
        let Some(state) = state.downcast_ref::<A>() else {
            return Err(Error::new(
                ErrorKind::TypeMismatch,
                format!(
                    "the projection's content is that of a `{name}`, and was given another type"
                ),
            ));
        };
        let content = guarded(|| (self.select)(state).selected());
        let content = content.and_then(|content| content.into_text().ok_or_else(nothing_said));
        content.map_err(|e| e.in_context(format_args!("the content of a `{name}`")))
    }

    fn fold(self: Arc<Self>) -> Box<dyn TextFold> {
        Box::new(TypedFold {
            content: self,
            fold: Fold::<A>::new(),
        })
    }
}

struct TypedFold<A, F> {
    content: Arc<Typed<A, F>>,
    fold: Fold<A>,
}

impl<A: Aggregate, F> TextFold for TypedFold<A, F>
where
    Typed<A, F>: AggregateContent,
{
    fn push(&mut self, event: &StoredEvent) -> Result<()> {
        let fold = &mut self.fold;
        guarded(|| fold.push(event)).map_err(|e| {
            e.in_context(format_args!(
                "folding a `{}` to event {} of stream {}",
                type_name::<A>(),
                event.version,
                event.stream
            ))
        })
    }

    fn text(&self) -> Result<Option<String>> {
        let state = self.fold.state();
        state.map(|state| self.content.text(state)).transpose()
    }
}

/// An event can say nothing; a state is all there is to say, or its row would depend on
/// which states the projection happened to see.
fn nothing_said() -> Error {
    Error::new(
        ErrorKind::InvalidValue,
        format!(
            "an aggregate's content is a text, and this is {:?}; return an empty text to remove the row",
            Content::none()
        ),
    )
}
