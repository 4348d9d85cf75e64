//! Declarations, reads and writes, changed before the store sees them.

use ermine_core::{
    Answer, Capabilities, Committed, Declaration, DeleteMode, Error, ErrorKind, Expr, Op, PutMode,
    Read, Result, SchemaMode, SchemaReport, Scope, Storage, Target, Unit, VectorWrite,
};

use super::MutantStore;
use super::composed::a_moment;
use super::mutation::Mutation::{self, *};

impl Storage for MutantStore {
    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    async fn ensure(&self, declaration: &Declaration, mode: SchemaMode) -> Result<SchemaReport> {
        let mut declaration = declaration.clone();
        if self.mutation == AnyModelAccepted {
            declaration.models.fill(None);
        }
        let mode = match self.mutation {
            AssertCreates => SchemaMode::CreateOrUpdate,
            _ => mode,
        };
        let report = self.inner.ensure(&declaration, mode).await;
        match self.mutation {
            AnyDeclarationAccepted => Ok(report.unwrap_or_default()),
            _ => report,
        }
    }

    async fn declarations(&self) -> Result<Vec<Declaration>> {
        self.inner.declarations().await
    }

    async fn read(&self, reads: &[Read]) -> Result<Vec<Answer>> {
        let asked = reads;
        let mut reads = reads.to_vec();
        for read in &mut reads {
            match read {
                Read::Get {
                    target, include, ..
                } => {
                    self.mutation.target(target);
                    self.mutation.include(include);
                }
                Read::Count { target, .. } => self.mutation.target(target),
                Read::Query(query) => {
                    self.mutation.target(&mut query.target);
                    self.mutation.include(&mut query.include);
                    self.mutation.page(&mut query.page);
                }
                of_events => self.mutation.event_read(of_events),
            }
        }
        let mut answers = self.inner.read(&reads).await?;
        self.mutation.event_answers(asked, &mut answers);
        for answer in &mut answers {
            if let (BrokenBodiesDropped, Answer::Records(found)) = (self.mutation, answer) {
                found.retain(|record| self.mutation.shows(record));
            }
        }
        Ok(answers)
    }

    async fn commit(&self, unit: &Unit) -> Result<Committed> {
        let mut ops = Vec::new();
        for op in &unit.ops {
            if self.mutation == DeleteOfAMissingDocumentFails {
                self.require(op).await?;
            }
            let mut op = op.clone();
            self.mutation.op(&mut op);
            if !(self.mutation == DeleteForgets && matches!(op, Op::Delete { .. })) {
                let ghost = self.ghosts.of(self.mutation, &op);
                ops.extend(self.event_op(op).await?);
                ops.extend(ghost);
            }
        }
        match self.mutation {
            OrderOfOperationsReversed => ops.reverse(),
            LegsOfTwoSnapshots => a_moment().await,
            HalfAUnit => {
                let last = ops.pop();
                for op in ops {
                    self.inner.commit(&Unit { ops: vec![op] }).await?;
                }
                ops = last.into_iter().collect();
            }
            AppendsApart => {
                ops = self
                    .committed_apart(ops, |op| matches!(op, Op::Append(_)))
                    .await?;
            }
            ProgressApart => {
                ops = self
                    .committed_apart(ops, |op| !matches!(op, Op::Advance(_)))
                    .await?;
            }
            _ => {}
        }
        let committed = self.inner.commit(&Unit { ops }).await;
        self.mutation.committed(committed)
    }
}

impl MutantStore {
    /// Fails where an operation deletes what is not there.
    async fn require(&self, op: &Op) -> Result<()> {
        let Op::Delete {
            schema, tenant, id, ..
        } = op
        else {
            return Ok(());
        };
        let target = Target {
            schema: schema.clone(),
            scope: Scope::live(Read::scope_of(tenant)),
            filter: None,
        };
        let get = Read::Get {
            target,
            ids: vec![id.clone()],
            include: Default::default(),
        };
        match self.inner.read(&[get]).await?.as_slice() {
            [Answer::Records(found)] if found.is_empty() => {
                Err(Error::new(ErrorKind::Missing, format!("there is no {id}")))
            }
            _ => Ok(()),
        }
    }
}

impl Mutation {
    fn op(self, op: &mut Op) {
        match op {
            Op::Put(put) => {
                match (self, put.mode) {
                    (InsertReplaces, PutMode::Insert) | (UpdateCreates, PutMode::Update) => {
                        put.mode = PutMode::Store;
                    }
                    _ => {}
                }
                put.vectors
                    .iter_mut()
                    .for_each(|write| self.vector_write(write));
            }
            Op::PutVectors { vectors, .. } => {
                vectors
                    .iter_mut()
                    .for_each(|write| self.vector_write(write));
            }
            Op::Delete { mode, .. } => match self {
                SoftDeleteRemoves => *mode = DeleteMode::Hard,
                HardDeleteHides => *mode = DeleteMode::Declared,
                _ => {}
            },
            Op::DeleteWhere { filter, mode, .. } => match self {
                DeleteWhereDeletesAll => *filter = Expr::Constant(true),
                SoftDeleteRemoves => *mode = DeleteMode::Hard,
                UnknownOperatorsAreTrue => {
                    *filter = super::expressions::rewritten(self, filter.clone());
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn vector_write(self, write: &mut VectorWrite) {
        match (self, &mut *write) {
            (KeepIfHashIgnored, VectorWrite::KeepIfHash(_)) => *write = VectorWrite::Keep,
            (KeepForgets, VectorWrite::Keep) => *write = VectorWrite::Clear { hash: None },
            (HashForgotten, VectorWrite::Set { hash, .. } | VectorWrite::Clear { hash }) => {
                *hash = None;
            }
            _ => {}
        }
    }
}
