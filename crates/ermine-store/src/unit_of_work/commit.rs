//! Writing a unit.

use ermine_core::{Error, ErrorKind, Result, Storage, Token};

use super::UnitOfWork;
use crate::runtime::Context;

/// How often a unit is planned before its writer is told that others keep
/// changing what it rests on.
const ATTEMPTS: usize = 5;

impl UnitOfWork {
    pub(crate) async fn commit(&mut self, context: &Context) -> Result<Token> {
        if std::mem::take(&mut self.in_flight) {
            self.discard();
            return Err(Error::new(
                ErrorKind::OutcomeUnknown,
                "an earlier commit of this session was dropped while the store had it, so it may or may not be written; read before writing it again",
            ));
        }
        if let Some(mistake) = self.mistake.take() {
            self.discard();
            return Err(mistake);
        }
        context.check_name()?;
        if self.unit.ops.is_empty() {
            return Ok(self.token.unwrap_or(Token::at(0)));
        }
        let written = self.write(context).await;
        match &written {
            Ok(token) => self.token = Some(*token),
            Err(error) if error.is_retryable() || error.kind() == ErrorKind::Provider => {
                return written;
            }
            Err(_) => {}
        }
        self.discard();
        written
    }

    async fn write(&mut self, context: &Context) -> Result<Token> {
        let mut attempt = 1;
        loop {
            self.plan(context).await?;
            self.in_flight = true;
            let committed = context.runtime.engine.commit(&self.unit).await;
            self.in_flight = false;
            match committed {
                Ok(committed) => return Ok(committed.token),
                Err(error) if error.kind() != ErrorKind::KeptVectorChanged => return Err(error),
                Err(error) if attempt == ATTEMPTS => {
                    return Err(Error::new(
                        ErrorKind::Conflict,
                        format!(
                            "other writers changed the texts of this unit's documents each of the {ATTEMPTS} times it was planned; read them again, and write again"
                        ),
                    )
                    .with_source(error));
                }
                Err(_) => attempt += 1,
            }
        }
    }
}
