//! From rows to operations: which texts are embedded, and which are as they were.

use std::collections::BTreeMap;
use std::sync::Arc;

use ermine_core::{
    Answer, DeleteMode, Error, ErrorKind, Id, Op, Read, Result, Storage, StoredVectorState,
    TenantId, VectorWrite,
};

use super::embedder::{Answered, Embedder, Wanted};
use crate::collection::Opened;
use crate::projection::{Cause, Change, Row};
use crate::reader::broken_answer;
use crate::runtime::Runtime;
use crate::unit_of_work::EmbeddedField;

/// An operation, and the texts that it waits for.
pub(super) struct Draft {
    pub(super) opened: Arc<Opened>,
    pub(super) cause: Option<Cause>,
    op: Op,
    waits: Vec<(usize, Wanted)>,
}

/// What became of a draft.
pub(super) enum Ready {
    /// It is to be written.
    Op(Op),
    /// A text of it is refused, or its vector cannot be kept; what is to be written
    /// nevertheless.
    Refused(Error, Option<Op>),
}

/// The documents of one type and tenant, and one field of them.
type Asked<'a> = BTreeMap<(&'a str, &'a Option<TenantId>, usize), (&'a Arc<Opened>, Vec<&'a Id>)>;

/// Compares texts with what is stored, by one read for all (rule P7), and drafts what
/// is to be written. A vector of the same text needs nothing; how many there are of
/// those comes second.
pub(super) async fn drafts(runtime: &Runtime, rows: &[Row]) -> Result<(Vec<Draft>, usize)> {
    let stored = read_stored(runtime, rows).await?;
    let mut drafts = Vec::new();
    let mut unchanged = 0;
    for row in rows {
        let state = |field: &EmbeddedField| {
            let key = (
                row.opened.schema.name(),
                &row.key.tenant,
                field.place,
                row.id(),
            );
            stored.get(&key).and_then(|state| state.hash.as_ref())
        };
        let schema = row.opened.schema.clone();
        let keep = vec![VectorWrite::Keep; schema.vectors().len()];
        let (tenant, id) = (row.key.tenant.clone(), row.id().clone());
        let mut waits = Vec::new();
        let op = match &row.change {
            Change::Put { put, embedded } => {
                let mut put = put.clone();
                for field in embedded {
                    let write = if field.text.is_empty() {
                        VectorWrite::Clear { hash: None }
                    } else if state(field) == Some(&field.hash) {
                        unchanged += 1;
                        VectorWrite::KeepIfHash(field.hash.clone())
                    } else {
                        waits.push((field.place, wanted(&row.opened, field)?));
                        continue;
                    };
                    if let Some(slot) = put.vectors.get_mut(field.place) {
                        *slot = write;
                    }
                }
                Op::Put(put)
            }
            Change::Vector(field) if state(field) == Some(&field.hash) => {
                unchanged += 1;
                continue;
            }
            Change::Vector(field) => {
                waits.push((field.place, wanted(&row.opened, field)?));
                Op::PutVectors {
                    schema,
                    tenant,
                    id,
                    vectors: keep,
                }
            }
            Change::ClearVector(field) => {
                let mut vectors = keep;
                if let Some(slot) = vectors.get_mut(*field) {
                    *slot = VectorWrite::Clear { hash: None };
                }
                Op::PutVectors {
                    schema,
                    tenant,
                    id,
                    vectors,
                }
            }
            Change::Delete => Op::Delete {
                schema,
                tenant,
                id,
                mode: DeleteMode::Hard,
            },
        };
        drafts.push(Draft {
            opened: row.opened.clone(),
            cause: row.cause.clone(),
            op,
            waits,
        });
    }
    Ok((drafts, unchanged))
}

fn wanted(opened: &Opened, field: &EmbeddedField) -> Result<Wanted> {
    let provider = opened.providers.get(field.place).copied().flatten();
    let provider = provider.ok_or_else(|| {
        Error::new(
            ErrorKind::NoProvider,
            format!("no provider answers for a field of `{}`", opened.schema),
        )
    })?;
    Ok(Wanted {
        provider,
        hash: field.hash.clone(),
        text: Arc::from(field.text.as_str()),
    })
}

type Stored<'a> = BTreeMap<(&'a str, &'a Option<TenantId>, usize, &'a Id), StoredVectorState>;

async fn read_stored<'a>(runtime: &Runtime, rows: &'a [Row]) -> Result<Stored<'a>> {
    let mut asked: Asked<'a> = BTreeMap::new();
    for row in rows {
        for field in row.embedded().iter().filter(|field| !field.text.is_empty()) {
            let key = (row.opened.schema.name(), &row.key.tenant, field.place);
            let (_, ids) = asked
                .entry(key)
                .or_insert_with(|| (&row.opened, Vec::new()));
            ids.push(row.id());
        }
    }
    if asked.is_empty() {
        return Ok(BTreeMap::new());
    }
    let reads: Vec<Read> = asked
        .iter()
        .map(|((_, tenant, field), (opened, ids))| Read::Vectors {
            schema: opened.schema.clone(),
            tenant: (*tenant).clone(),
            field: *field,
            ids: ids.iter().map(|id| (*id).clone()).collect(),
        })
        .collect();
    let answers = runtime.engine.read(&reads).await?;
    if answers.len() != asked.len() {
        return Err(broken_answer());
    }
    let mut stored = BTreeMap::new();
    for (((name, tenant, field), (_, ids)), answer) in asked.into_iter().zip(answers) {
        let Answer::Vectors(states) = answer else {
            return Err(broken_answer());
        };
        if states.len() != ids.len() {
            return Err(broken_answer());
        }
        for (id, state) in ids.into_iter().zip(states) {
            stored.extend(state.map(|state| ((name, tenant, field, id), state)));
        }
    }
    Ok(stored)
}

impl Draft {
    /// The texts it waits for.
    pub(super) fn wanted(&self) -> impl Iterator<Item = &Wanted> {
        self.waits.iter().map(|(_, wanted)| wanted)
    }

    /// Whether all its texts are answered.
    pub(super) fn is_answered(&self, embedder: &Embedder) -> bool {
        self.wanted()
            .all(|wanted| embedder.answer(wanted).is_some())
    }

    /// What is written of it, once all its texts are answered.
    pub(super) fn finish(&self, embedder: &Embedder) -> Result<Ready> {
        let mut op = self.op.clone();
        let alone = matches!(op, Op::PutVectors { .. });
        let vectors = match &mut op {
            Op::Put(put) => &mut put.vectors,
            Op::PutVectors { vectors, .. } => vectors,
            _ => return Ok(Ready::Op(op)),
        };
        let mut refused = None;
        for (place, wanted) in &self.waits {
            let Some(slot) = vectors.get_mut(*place) else {
                continue;
            };
            let hash = Some(wanted.hash.clone());
            *slot = match embedder.answer(wanted) {
                Some(Answered::Vector(Some(vector))) => match self.check(*place, vector) {
                    Ok(()) => VectorWrite::Set {
                        vector: vector.clone(),
                        hash,
                    },
                    Err(error) => {
                        refused.get_or_insert(error);
                        VectorWrite::Clear { hash: None }
                    }
                },
                Some(Answered::Vector(None)) => VectorWrite::Clear { hash },
                Some(Answered::Rejected(reason)) => {
                    refused
                        .get_or_insert_with(|| Error::new(ErrorKind::RejectedText, reason.clone()));
                    VectorWrite::Clear { hash: None }
                }
                None => return Err(broken_answer()),
            };
        }
        Ok(match refused {
            None => Ready::Op(op),
            // The text of such a document is there already: its old vector is no longer its own.
            Some(error) if alone => Ready::Refused(error, Some(op)),
            Some(error) => Ready::Refused(error, None),
        })
    }

    /// Refuses a vector that the field cannot keep.
    fn check(&self, place: usize, vector: &ermine_core::Vector) -> Result<()> {
        let schema = &self.opened.schema;
        let Some(field) = schema.vectors().get(place) else {
            return Ok(());
        };
        let what = format_args!("the provider's vector for `{schema}.{}`", field.name());
        vector.check(field.dimensions(), field.metric(), what)
    }
}
