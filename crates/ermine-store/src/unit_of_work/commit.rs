//! Writing a unit.

use ermine_core::{Error, ErrorKind, Receipt, Result, Storage, Token};

use super::UnitOfWork;
use super::streams::Guard;
use crate::runtime::Context;

/// How often a unit is planned before its writer is told that others keep
/// changing what it rests on.
const ATTEMPTS: usize = 5;

/// The same, where others keep appending to its streams: each time one got through.
const STREAM_ATTEMPTS: usize = 50;

/// A unit that the store has, or had when its commit was dropped.
pub(super) struct InFlight {
    receipt: Receipt,
    /// How many of the recorded operations, from the first, are the unit's.
    pub(super) ops: usize,
}

impl InFlight {
    /// How many of the recorded operations the store has taken.
    pub(super) fn taken(&self) -> usize {
        if self.receipt.is_withdrawn() {
            0
        } else {
            self.ops
        }
    }
}

/// Withdraws the unit where the commit is dropped before the store has taken it.
struct Waiting<'a>(&'a mut InFlight);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.receipt.withdraw();
    }
}

impl UnitOfWork {
    pub(crate) async fn commit(&mut self, context: &Context) -> Result<Token> {
        self.end_earlier().await?;
        if let Some(mistake) = self.mistake.take() {
            self.discard();
            return Err(mistake);
        }
        context.check_name()?;
        if self.unit.ops.is_empty() {
            return Ok(self.token.unwrap_or(Token::at(0)));
        }
        let mut attempt = 1;
        let mut failed: Option<(Error, Vec<Guard>)> = None;
        loop {
            if let Err(error) = self.plan_all(context).await {
                if !may_succeed_later(&error) {
                    self.discard();
                }
                return Err(error);
            }
            // Streams only grow: where each is still at the version that was expected of
            // it, the conflict was with what a caller expects, and stays.
            if let Some((error, guards)) = failed.take()
                && error.kind() != ErrorKind::KeptVectorChanged
                && guards == self.streams.guards
            {
                self.discard();
                return Err(error);
            }
            let written = self.write(context).await;
            match written {
                Err(error) if !self.is_outdated(&error) => return Err(error),
                Err(error) if attempt >= attempts(&error) => {
                    self.discard();
                    return Err(Error::new(
                        ErrorKind::Conflict,
                        format!(
                            "other writers changed the texts of this unit's documents, or appended to its streams, each of the {attempt} times it was planned; read them again, and write again"
                        ),
                    )
                    .with_source(error));
                }
                Err(error) => {
                    attempt += 1;
                    failed = Some((error, self.streams.guards.clone()));
                }
                Ok(token) => return Ok(token),
            }
        }
    }

    /// Decides what the unit writes beside what was recorded, from what is stored.
    async fn plan_all(&mut self, context: &Context) -> Result<()> {
        self.plan_streams(context).await?;
        self.plan(context).await
    }

    /// Whether what the unit was planned from has changed since, so that it is to
    /// be planned again.
    fn is_outdated(&self, error: &Error) -> bool {
        match error.kind() {
            ErrorKind::KeptVectorChanged => true,
            ErrorKind::Conflict | ErrorKind::Archived => !self.streams.guards.is_empty(),
            _ => false,
        }
    }

    /// Hands the unit to the store, and waits for what becomes of it.
    async fn write(&mut self, context: &Context) -> Result<Token> {
        let (receipt, ticket) = Receipt::new();
        let waiting = Waiting(self.in_flight.insert(InFlight {
            receipt,
            ops: self.unit.ops.len(),
        }));
        let engine = &context.runtime.engine;
        let refused = engine.submit(&self.unit, ticket).await.err();
        let outcome = match refused {
            Some(error) => Err(error),
            None => (&mut waiting.0.receipt).await.map(|done| done.token),
        };
        drop(waiting);
        self.in_flight = None;
        self.end(self.unit.ops.len(), outcome)
    }

    /// Learns what became of a unit whose commit was dropped. One that the store had
    /// not taken was withdrawn, and is recorded as if nothing had happened.
    async fn end_earlier(&mut self) -> Result<()> {
        let Some(earlier) = &mut self.in_flight else {
            return Ok(());
        };
        if earlier.receipt.is_withdrawn() {
            self.in_flight = None;
            return Ok(());
        }
        let ops = earlier.ops;
        let outcome = (&mut earlier.receipt).await.map(|done| done.token);
        self.in_flight = None;
        match self.end(ops, outcome) {
            // It is planned again, with what was recorded since.
            Err(error) if self.is_outdated(&error) => Ok(()),
            ended => ended.map(drop),
        }
    }

    /// Forgets the first `ops` operations, unless they were not written and may be
    /// later.
    fn end(&mut self, ops: usize, outcome: Result<Token>) -> Result<Token> {
        match &outcome {
            Ok(token) => self.token = Some(*token),
            Err(error) if may_succeed_later(error) || self.is_outdated(error) => return outcome,
            Err(_) => {}
        }
        self.forget(ops);
        outcome
    }
}

/// Whether nothing was written, and the same unit may be written later.
fn may_succeed_later(error: &Error) -> bool {
    error.is_retryable() || error.kind() == ErrorKind::Provider
}

/// How often a unit is planned that fails like this.
fn attempts(error: &Error) -> usize {
    match error.kind() {
        ErrorKind::KeptVectorChanged => ATTEMPTS,
        _ => STREAM_ATTEMPTS,
    }
}
