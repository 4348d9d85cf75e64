//! The contracts as objects, each implemented for whatever implements the contract.

use std::time::Duration;

use crate::{
    Answer, BoxFuture, Capabilities, Committed, Declaration, EventFilter, EventPage, EventStorage,
    HybridAnswer, HybridRequest, HybridSearch, HybridTextInRequest, HybridVectorizableTextSearch,
    LeaseOp, LeaseState, LegAnswer, LegRequest, Position, Read, Result, SchemaMode, SchemaReport,
    Storage, TextAnswer, TextRequest, TextSearch, Ticket, Unit, VectorAnswer, VectorRequest,
    VectorSearch, VectorTextInRequest, VectorizableTextSearch,
};

/// An object trait whose methods are those of a contract, boxed, and its blanket
/// implementation. The names differ (`boxed_…`), since both traits are in scope
/// where a store is used.
macro_rules! erased {
    ($object:ident for $contract:ident {
        $($boxed:ident = $method:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*
    }) => {
        pub(super) trait $object: Send + Sync {
            $(fn $boxed<'a>(&'a self, $($argument: $type),*) -> BoxFuture<'a, Result<$answer>>;)*
        }

        impl<S: $contract> $object for S {
            $(fn $boxed<'a>(&'a self, $($argument: $type),*) -> BoxFuture<'a, Result<$answer>> {
                Box::pin($contract::$method(self, $($argument),*))
            })*
        }
    };
}

erased!(DynStorageCalls for Storage {
    boxed_ensure = ensure(declaration: &'a Declaration, mode: SchemaMode) -> SchemaReport;
    boxed_declarations = declarations() -> Vec<Declaration>;
    boxed_read = read(reads: &'a [Read]) -> Vec<Answer>;
    boxed_commit = commit(unit: &'a Unit) -> Committed;
    boxed_submit = submit(unit: &'a Unit, ticket: Ticket) -> ();
});

erased!(DynEventStorage for EventStorage {
    boxed_events = events(after: Position, filter: &'a EventFilter, limit: usize) -> EventPage;
    boxed_lease = lease(op: &'a LeaseOp) -> LeaseState;
    boxed_wait = wait(after: Position, at_most: Duration) -> ();
});

pub(super) trait DynStorage: DynStorageCalls {
    fn boxed_capabilities(&self) -> &Capabilities;
}

impl<S: Storage> DynStorage for S {
    fn boxed_capabilities(&self) -> &Capabilities {
        self.capabilities()
    }
}

erased!(DynVectorSearch for VectorSearch {
    boxed_vector_search = vector_search(request: &'a VectorRequest) -> VectorAnswer;
});

erased!(DynTextSearch for TextSearch {
    boxed_text_search = text_search(request: &'a TextRequest) -> TextAnswer;
});

erased!(DynHybridSearch for HybridSearch {
    boxed_hybrid_search = hybrid_search(request: &'a HybridRequest) -> HybridAnswer;
    boxed_search_legs = search_legs(legs: &'a [LegRequest]) -> Vec<LegAnswer>;
});

erased!(DynVectorTextIn for VectorizableTextSearch {
    boxed_vectorizable = vectorizable_text_search(request: &'a VectorTextInRequest) -> VectorAnswer;
});

erased!(DynHybridTextIn for HybridVectorizableTextSearch {
    boxed_hybrid_vectorizable =
        hybrid_vectorizable_text_search(request: &'a HybridTextInRequest) -> HybridAnswer;
});
