//! The storage contract: data in, data out.
//!
//! No transaction and no snapshot handle crosses it. The runtime computes terms,
//! hashes and scopes; a store writes what it is given, all or nothing, and reads
//! it back at one snapshot.

mod declaration;
mod event;
mod read;
mod receipt;
mod token;
mod unit;

use std::future::Future;

pub use declaration::{Declaration, SchemaChange, SchemaMode, SchemaReport};
pub use event::{
    Advance, Append, Epoch, EventFilter, EventPage, EventStorage, Expected, LeaseOp, LeaseState,
    Mask, Parked, ParkedKey, ShardName, ShardRow, ShardState, StreamRange, StreamState,
};
pub use read::{Answer, Direction, OrderBy, Query, Read, StoredVectorState};
pub use receipt::{Receipt, TakenTicket, Ticket};
pub use token::Token;
pub use unit::{Committed, DeleteMode, ForwardRecord, Op, Put, PutMode, Unit, VectorWrite};

use crate::{Capabilities, Result};

/// A database that keeps documents.
pub trait Storage: Send + Sync + 'static {
    /// What this store can do.
    fn capabilities(&self) -> &Capabilities;

    /// Makes what is stored fit a declaration, or refuses, naming what is stored
    /// and what is declared (rule D7). Nothing destructive happens here.
    fn ensure(
        &self,
        declaration: &Declaration,
        mode: SchemaMode,
    ) -> impl Future<Output = Result<SchemaReport>> + Send;

    /// The declarations stored, by name.
    fn declarations(&self) -> impl Future<Output = Result<Vec<Declaration>>> + Send;

    /// Answers every read, in order, all at one snapshot.
    fn read(&self, reads: &[Read]) -> impl Future<Output = Result<Vec<Answer>>> + Send;

    /// Writes a unit: its operations in order, all or none, guards inside.
    ///
    /// Dropping the future withdraws a unit that the store has not begun to write;
    /// one that it has begun is written to its end.
    fn commit(&self, unit: &Unit) -> impl Future<Output = Result<Committed>> + Send;

    /// Hands over a unit, of which the caller keeps the [`Receipt`]: the store takes
    /// the ticket when it begins to write, and settles it when it has written, though
    /// this future is dropped meanwhile (rule D12). An error means that the unit is
    /// not written.
    ///
    /// By itself it is written by [`commit`](Self::commit), and reported as unknown
    /// where the future is dropped meanwhile: override it where a commit waits.
    fn submit(&self, unit: &Unit, ticket: Ticket) -> impl Future<Output = Result<()>> + Send {
        async move {
            if let Some(taken) = ticket.take() {
                taken.settle(self.commit(unit).await);
            }
            Ok(())
        }
    }
}
