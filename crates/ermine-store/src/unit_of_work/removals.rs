//! Taking away what projections made of events that are removed (rule P15).

use std::collections::BTreeMap;

use ermine_core::{DeleteMode, Id, Op, Result, StoredEvent, TenantId, VectorWrite};

use crate::events::{Events, Made, Part};

/// The rows to be removed, each once.
#[derive(Default)]
pub(super) struct Removals {
    rows: BTreeMap<Row, Made>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    collection: String,
    tenant: Option<TenantId>,
    id: Id,
}

impl Removals {
    /// Adds what the projections made of some stored events.
    pub(super) fn of(&mut self, events: &Events, page: &[StoredEvent]) -> Result<()> {
        if events.projections.is_empty() {
            return Ok(());
        }
        let page = events.types.current_all(page.to_vec())?;
        for projection in &events.projections {
            for made in projection.made_of(&page)? {
                self.add(made);
            }
        }
        Ok(())
    }

    fn add(&mut self, made: Made) {
        let row = Row {
            collection: made.opened.schema.name().to_owned(),
            tenant: made.tenant.clone(),
            id: made.id.clone(),
        };
        let before = self.rows.entry(row).or_insert_with(|| made.clone());
        match (&mut before.part, made.part) {
            (Part::Vectors(fields), Part::Vectors(more)) => fields.extend(more),
            (part, Part::Document) => *part = Part::Document,
            (Part::Document, _) => {}
        }
    }

    /// The operations that remove them.
    pub(super) fn into_ops(self) -> impl Iterator<Item = Op> {
        self.rows.into_values().map(|made| {
            let Made {
                opened,
                tenant,
                id,
                part,
            } = made;
            let schema = opened.schema.clone();
            match part {
                Part::Document => Op::Delete {
                    schema,
                    tenant,
                    id,
                    mode: DeleteMode::Hard,
                },
                Part::Vectors(fields) => {
                    let write = |field: usize| {
                        if fields.contains(&field) {
                            VectorWrite::Clear { hash: None }
                        } else {
                            VectorWrite::Keep
                        }
                    };
                    let vectors = (0..schema.vectors().len()).map(write).collect();
                    Op::PutVectors {
                        schema,
                        tenant,
                        id,
                        vectors,
                    }
                }
            }
        })
    }
}
