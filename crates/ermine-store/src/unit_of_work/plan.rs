//! Which puts of a unit decide a vector, and from what they find when they run.

use std::collections::HashMap;

use ermine_core::{DeleteMode, Deletion, Id, Op, PutMode, Schema, Vector};

use super::EmbeddedPut;

/// The last put of a document in a unit. It alone decides the vectors, since
/// what earlier ones would write nobody sees: they leave what is stored alone.
pub(super) struct LastPut<'a> {
    pub(super) put: &'a EmbeddedPut,
    pub(super) id: &'a Id,
    /// Whether what was stored before the unit is gone when this put runs.
    pub(super) gone: bool,
    /// For each of the put's fields, the vector that a caller gave for its text,
    /// with it or with a put before it.
    pub(super) ready: Vec<Option<&'a Vector>>,
}

#[derive(Default)]
struct Document<'a> {
    last: Option<LastPut<'a>>,
    gone: bool,
}

/// Walks the operations in order, as the store will.
pub(super) fn last_puts<'a>(ops: &'a [Op], embedded: &'a [EmbeddedPut]) -> Vec<LastPut<'a>> {
    let mut documents: HashMap<(&str, &Id), Document<'a>> = HashMap::new();
    // Types of which some documents are gone; which, only the store can tell.
    let mut swept: HashMap<&str, usize> = HashMap::new();
    let mut embedded = embedded.iter().peekable();
    for (at, op) in ops.iter().enumerate() {
        match op {
            Op::Put(put) => {
                let Some(decides) = embedded.next_if(|embedded| embedded.op == at) else {
                    continue;
                };
                let name = put.schema.name();
                let sweep = swept.get(name).copied();
                let document = documents.entry((name, &put.id)).or_default();
                let before = document
                    .last
                    .take()
                    .filter(|before| sweep.is_none_or(|sweep| sweep < before.put.op));
                document.last = Some(LastPut {
                    put: decides,
                    id: &put.id,
                    // An insert that succeeds finds nothing.
                    gone: document.gone || sweep.is_some() || put.mode == PutMode::Insert,
                    ready: ready(decides, before.as_ref()),
                });
            }
            Op::Delete {
                schema, id, mode, ..
            } if removes(schema, *mode) => {
                let document = documents.entry((schema.name(), id)).or_default();
                document.last = None;
                document.gone = true;
            }
            Op::DeleteWhere { schema, mode, .. } if removes(schema, *mode) => {
                swept.insert(schema.name(), at);
            }
            _ => {}
        }
    }
    let mut last: Vec<_> = documents.into_values().filter_map(|d| d.last).collect();
    last.sort_unstable_by_key(|last| last.put.op);
    last
}

fn ready<'a>(put: &'a EmbeddedPut, before: Option<&LastPut<'a>>) -> Vec<Option<&'a Vector>> {
    let own = put.fields.iter();
    own.enumerate()
        .map(|(at, field)| {
            field.ready.as_ref().or_else(|| {
                let before = before?;
                let same = before.put.fields.get(at)?.hash == field.hash;
                before.ready.get(at).copied().flatten().filter(|_| same)
            })
        })
        .collect()
}

/// Whether a delete removes the vector. A soft one hides it with its document.
fn removes(schema: &Schema, mode: DeleteMode) -> bool {
    mode == DeleteMode::Hard || schema.deletion() == Deletion::Hard
}
