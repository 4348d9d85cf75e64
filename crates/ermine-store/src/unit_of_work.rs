//! Recording operations: taken apart, analysed and judged as they come.

mod commit;
mod plan;
mod removals;
mod snapshots;
mod streams;
mod vectors;

use std::collections::HashMap;
use std::sync::Arc;

use ermine_core::{
    DeleteMode, Embedding, Error, ErrorKind, Expr, ForwardRecord, Id, Op, Put, PutMode,
    RecordParts, Result, Token, Unit, Vector, VectorWrite, content_hash,
};

use crate::collection::Opened;
use crate::runtime::Context;
use commit::InFlight;
use streams::Streams;

/// What a session has recorded.
#[derive(Default)]
pub(crate) struct UnitOfWork {
    unit: Unit,
    /// The puts among them that have fields embedded from text, in their order.
    embedded: Vec<EmbeddedPut>,
    mistake: Option<Error>,
    /// What the providers answered for this unit, by provider and hash.
    answers: HashMap<(usize, String), Option<Vector>>,
    token: Option<Token>,
    /// What the store has of it and has not answered yet.
    in_flight: Option<InFlight>,
    streams: Streams,
}

/// A put whose vectors are decided at commit.
struct EmbeddedPut {
    /// Its place among the operations.
    op: usize,
    opened: Arc<Opened>,
    fields: Vec<EmbeddedField>,
}

/// A field that is embedded from text.
pub(crate) struct EmbeddedField {
    /// Its place in the schema.
    pub(crate) place: usize,
    pub(crate) text: String,
    pub(crate) hash: String,
    /// The vector the caller has for this text.
    pub(crate) ready: Option<Vector>,
}

/// A vector that a caller has for a field.
pub(crate) struct ReadyVector {
    pub(crate) field: String,
    pub(crate) vector: Vector,
}

impl UnitOfWork {
    pub(crate) fn pending(&self) -> usize {
        let taken = self.in_flight.as_ref().map_or(0, InFlight::taken);
        let planned = self.streams.planned.clone();
        let planned = planned.filter(|op| *op >= taken).count();
        self.unit.ops.len().saturating_sub(taken + planned)
    }

    pub(crate) fn discard(&mut self) {
        self.forget(self.unit.ops.len());
        self.mistake = None;
        if let Some(in_flight) = &mut self.in_flight {
            in_flight.ops = 0;
        }
    }

    /// Forgets the first operations, and what was embedded for them.
    fn forget(&mut self, ops: usize) {
        self.remove(0..ops);
        if self.streams.planned.end <= ops {
            self.streams.planned = 0..0;
        }
        self.answers.clear();
    }

    pub(crate) fn put(
        &mut self,
        context: &Context,
        recorded: Result<(Arc<Opened>, RecordParts)>,
        mode: PutMode,
        ready: Option<ReadyVector>,
    ) {
        let pushed = recorded.and_then(|(opened, parts)| {
            context.tenant_of_write(&opened)?;
            self.push_put(context, opened, parts, mode, ready)
        });
        if let Err(mistake) = pushed {
            self.record(Err(mistake));
        }
    }

    fn push_put(
        &mut self,
        context: &Context,
        opened: Arc<Opened>,
        parts: RecordParts,
        mode: PutMode,
        ready: Option<ReadyVector>,
    ) -> Result<()> {
        let (put, fields) = put(context, &opened, parts, mode, ready)?;
        let put = Op::Put(Box::new(put));
        put.check()?;
        let op = self.unit.ops.len();
        self.unit.ops.push(put);
        if !fields.is_empty() {
            self.embedded.push(EmbeddedPut { op, opened, fields });
        }
        Ok(())
    }

    pub(crate) fn delete(
        &mut self,
        context: &Context,
        opened: Result<Arc<Opened>>,
        id: Id,
        mode: DeleteMode,
    ) {
        self.record(opened.and_then(|opened| {
            let op = Op::Delete {
                tenant: context.tenant_of_write(&opened)?,
                schema: opened.schema.clone(),
                id,
                mode,
            };
            op.check()?;
            Ok(op)
        }));
    }

    pub(crate) fn delete_where(
        &mut self,
        context: &Context,
        opened: Result<Arc<Opened>>,
        filter: Expr,
    ) {
        self.record(opened.and_then(|opened| {
            let op = Op::DeleteWhere {
                tenant: context.tenant_of_write(&opened)?,
                schema: opened.schema.clone(),
                filter,
                mode: DeleteMode::Declared,
            };
            op.check()?;
            Ok(op)
        }));
    }

    fn record(&mut self, op: Result<Op>) {
        match op {
            Ok(op) => self.unit.ops.push(op),
            Err(mistake) => {
                self.mistake.get_or_insert(mistake);
            }
        }
    }
}

/// A document ready to be written, but for the vectors that are decided at commit.
pub(crate) fn put(
    context: &Context,
    opened: &Arc<Opened>,
    parts: RecordParts,
    mode: PutMode,
    ready: Option<ReadyVector>,
) -> Result<(Put, Vec<EmbeddedField>)> {
    let schema = &opened.schema;
    let tenant = context.tenant(opened)?;
    let RecordParts {
        id,
        body,
        columns,
        texts,
        vectors: parts,
    } = parts;
    let declared = [
        schema.columns().len(),
        schema.text().len(),
        schema.vectors().len(),
    ];
    if [columns.len(), texts.len(), parts.len()] != declared {
        return Err(Error::new(
            ErrorKind::Declaration,
            format!(
                "document {id} of `{schema}` is taken apart into {} columns, {} texts and {} vectors, and the type declares {}, {} and {}",
                columns.len(),
                texts.len(),
                parts.len(),
                declared[0],
                declared[1],
                declared[2],
            ),
        ));
    }
    let mut ready = match ready {
        Some(ready) => Some((schema.vector_field(Some(&ready.field))?, ready.vector)),
        None => None,
    };
    let mut vectors = Vec::with_capacity(parts.len());
    let mut fields = Vec::new();
    for (place, part) in parts.into_iter().enumerate() {
        let ready = ready
            .take_if(|(field, _)| *field == place)
            .map(|(_, vector)| vector);
        let Some(text) = part.source else {
            vectors.push(match (ready, part.embedding) {
                (Some(vector), _) | (None, Embedding::Present(vector)) => {
                    VectorWrite::Set { vector, hash: None }
                }
                (None, Embedding::Absent) => VectorWrite::Clear { hash: None },
                (None, Embedding::NotLoaded) => VectorWrite::Keep,
            });
            continue;
        };
        if ready.is_some() && text.is_empty() {
            let name = schema.vectors().get(place).map_or("", |field| field.name());
            return Err(Error::new(
                ErrorKind::InvalidValue,
                format!(
                    "document {id} of `{schema}`, field `{name}`: a vector is given, and the document has no text that it could come from"
                ),
            ));
        }
        let hash = content_hash(&text);
        vectors.push(match &ready {
            Some(vector) => VectorWrite::Set {
                vector: vector.clone(),
                hash: Some(hash.clone()),
            },
            None => VectorWrite::Keep,
        });
        fields.push(EmbeddedField {
            place,
            text,
            hash,
            ready,
        });
    }
    let put = Put {
        schema: schema.clone(),
        tenant,
        text: forward_record(opened, &id, &texts)?,
        id,
        mode,
        body,
        columns,
        vectors,
    };
    Ok((put, fields))
}

/// The analysed text of a document; `None` for a type without text fields.
fn forward_record(
    opened: &Opened,
    id: &Id,
    texts: &[Option<String>],
) -> Result<Option<ForwardRecord>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let texts: Vec<_> = texts.iter().map(Option::as_deref).collect();
    let record = opened.analyzer.analyze_document(&texts);
    let len = u32::try_from(record.len()).map_err(|_| {
        Error::new(
            ErrorKind::InvalidValue,
            format!(
                "document {id} of `{}` has {} terms, and at most {} are indexed; split it",
                opened.schema,
                record.len(),
                u32::MAX
            ),
        )
    })?;
    Ok(Some(ForwardRecord {
        len,
        bytes: record.encode(),
    }))
}
