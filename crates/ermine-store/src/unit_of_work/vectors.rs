//! Deciding vectors: keep what fits the text, embed what does not.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use ermine_core::{
    Answer, Error, ErrorKind, Id, Op, Read, Result, Role, Storage, StoredVectorState, VectorWrite,
    embed_checked,
};

use super::plan::{LastPut, last_puts};
use super::{EmbeddedField, EmbeddedPut, UnitOfWork};
use crate::collection::Opened;
use crate::reader::broken_answer;
use crate::runtime::{Context, Runtime};

/// What a field of a put will write, or the text that must be embedded first.
enum Decision {
    Write(VectorWrite),
    Embed { provider: usize },
}

/// What is stored beside vectors, by type, field and id.
type Stored<'a> = HashMap<(&'a str, usize, &'a Id), StoredVectorState>;

impl UnitOfWork {
    /// Decides every vector that is embedded from text, anew at each attempt:
    /// one read of hashes, then the calls for texts that changed (rules D11, P7, P8).
    pub(super) async fn plan(&mut self, context: &Context) -> Result<()> {
        if self.embedded.is_empty() {
            return Ok(());
        }
        let last = last_puts(&self.unit.ops, &self.embedded);
        let stored = read_stored(context, &last).await?;
        let mut decided: Vec<(&EmbeddedPut, &EmbeddedField, Decision)> = Vec::new();
        for put in &last {
            for (field, ready) in put.put.fields.iter().zip(&put.ready) {
                let name = put.put.opened.schema.name();
                let decision = match ready {
                    _ if field.text.is_empty() => {
                        Decision::Write(VectorWrite::Clear { hash: None })
                    }
                    Some(vector) => Decision::Write(VectorWrite::Set {
                        vector: (*vector).clone(),
                        hash: Some(field.hash.clone()),
                    }),
                    None => match stored.get(&(name, field.place, put.id)) {
                        Some(stored) if stored.hash.as_ref() == Some(&field.hash) => {
                            Decision::Write(VectorWrite::KeepIfHash(field.hash.clone()))
                        }
                        _ => Decision::Embed {
                            provider: provider(&put.put.opened, field)?,
                        },
                    },
                };
                decided.push((put.put, field, decision));
            }
        }

        let mut wanted: BTreeMap<usize, Vec<&EmbeddedField>> = BTreeMap::new();
        for (_, field, decision) in &decided {
            if let Decision::Embed { provider } = decision {
                wanted.entry(*provider).or_default().push(field);
            }
        }
        for (provider, fields) in wanted {
            embed(&context.runtime, provider, &fields, &mut self.answers).await?;
        }

        let mut writes = Vec::new();
        for (put, field, decision) in decided {
            let write = match decision {
                Decision::Write(write) => write,
                Decision::Embed { provider } => {
                    let hash = field.hash.clone();
                    match self.answers.get(&(provider, hash.clone())) {
                        Some(Some(vector)) => VectorWrite::Set {
                            vector: vector.clone(),
                            hash: Some(hash),
                        },
                        Some(None) => VectorWrite::Clear { hash: Some(hash) },
                        None => return Err(broken_plan(&put.opened)),
                    }
                }
            };
            writes.push((put.op, field.place, write));
        }
        for put in &self.embedded {
            for field in &put.fields {
                set(&mut self.unit.ops, put.op, field.place, VectorWrite::Keep);
            }
        }
        for (op, place, write) in writes {
            set(&mut self.unit.ops, op, place, write);
        }
        Ok(())
    }
}

fn set(ops: &mut [Op], op: usize, place: usize, write: VectorWrite) {
    if let Some(Op::Put(put)) = ops.get_mut(op)
        && let Some(slot) = put.vectors.get_mut(place)
    {
        *slot = write;
    }
}

/// The provider of a field; opening refused a field embedded from text without one.
fn provider(opened: &Opened, field: &EmbeddedField) -> Result<usize> {
    let place = opened.providers.get(field.place).copied().flatten();
    place.ok_or_else(|| broken_plan(opened))
}

fn broken_plan(opened: &Opened) -> Error {
    Error::new(
        ErrorKind::NoProvider,
        format!("no provider answers for a field of `{}`", opened.schema),
    )
}

/// The documents of one field whose vectors could be kept.
struct Asked<'a> {
    opened: &'a Arc<Opened>,
    ids: Vec<&'a Id>,
}

/// Reads what is recorded beside the vectors that could be kept, in one call.
async fn read_stored<'a>(context: &Context, last: &[LastPut<'a>]) -> Result<Stored<'a>> {
    let mut asked: BTreeMap<(&str, usize), Asked<'a>> = BTreeMap::new();
    for put in last.iter().filter(|put| !put.gone) {
        for (field, ready) in put.put.fields.iter().zip(&put.ready) {
            if ready.is_none() && !field.text.is_empty() {
                asked
                    .entry((put.put.opened.schema.name(), field.place))
                    .or_insert_with(|| Asked {
                        opened: &put.put.opened,
                        ids: Vec::new(),
                    })
                    .ids
                    .push(put.id);
            }
        }
    }
    if asked.is_empty() {
        return Ok(HashMap::new());
    }
    let reads = asked
        .iter()
        .map(|((_, field), Asked { opened, ids })| {
            Ok(Read::Vectors {
                schema: opened.schema.clone(),
                tenant: context.tenant(opened)?,
                field: *field,
                ids: ids.iter().map(|id| (*id).clone()).collect(),
            })
        })
        .collect::<Result<Vec<_>>>()?;
    let answers = context.runtime.engine.read(&reads).await?;
    if answers.len() != asked.len() {
        return Err(broken_answer());
    }
    let mut stored = HashMap::new();
    for (((name, field), Asked { ids, .. }), answer) in asked.into_iter().zip(answers) {
        let Answer::Vectors(states) = answer else {
            return Err(broken_answer());
        };
        if states.len() != ids.len() {
            return Err(broken_answer());
        }
        let found = ids.into_iter().zip(states);
        stored.extend(found.filter_map(|(id, state)| Some(((name, field, id), state?))));
    }
    Ok(stored)
}

/// Embeds the texts that the provider has not answered for, each once. Answers
/// are kept as they come, so that a retry pays for no text twice.
async fn embed(
    runtime: &Runtime,
    place: usize,
    fields: &[&EmbeddedField],
    answers: &mut HashMap<(usize, String), Option<ermine_core::Vector>>,
) -> Result<()> {
    let mut hashes = Vec::new();
    let mut texts = Vec::new();
    let mut seen = HashSet::new();
    for field in fields {
        let key = (place, field.hash.clone());
        if !answers.contains_key(&key) && seen.insert(&field.hash) {
            hashes.push(key);
            texts.push(field.text.as_str());
        }
    }
    let Some(provider) = runtime.providers.get(place) else {
        return Ok(());
    };
    let mut hashes = hashes.into_iter();
    for batch in provider
        .limits()
        .batches(&texts, |text| provider.tokens(text))
    {
        let vectors = embed_checked(&**provider, batch, Role::Document).await?;
        answers.extend(hashes.by_ref().zip(vectors));
    }
    Ok(())
}
