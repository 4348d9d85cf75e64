//! Reading: by id, in an order, counted, and what is recorded beside vectors.

use std::cmp::Ordering;

use ermine_core::{
    Answer, Direction, Filterable, Include, OrderBy, Query, Read, Result, Scope, ScopedId,
    StoredVectorState, Target, Value, VectorFieldSchema,
};

use super::filter::{Values, check, id_value};
use super::state::{Collection, State, Stored};

/// What a read wants beside its documents.
pub(super) fn include_of(read: &Read) -> Include {
    match read {
        Read::Get { include, .. } | Read::Count { include, .. } => *include,
        Read::Query(query) => query.include,
        _ => Include::default(),
    }
}

impl State {
    pub(super) fn answer(&self, read: &Read) -> Result<Answer> {
        match read {
            Read::Get {
                target,
                ids,
                include,
            } => {
                let collection = self.collection(&target.schema)?;
                let found = collection.passing(target)?;
                let records = ids
                    .iter()
                    .flat_map(|id| found.iter().filter(move |(key, _)| key.1 == *id))
                    .map(|(key, stored)| stored.record(&target.schema, key, include))
                    .collect::<Result<_>>()?;
                Ok(Answer::Records(records))
            }
            Read::Query(query) => self.query(query),
            Read::Count { target, .. } => {
                let found = self.collection(&target.schema)?.passing(target)?;
                Ok(Answer::Count(found.len() as u64))
            }
            Read::CountVectors { target, field } => {
                let found = self.collection(&target.schema)?.passing(target)?;
                let name = target
                    .schema
                    .vectors()
                    .get(*field)
                    .map(VectorFieldSchema::name);
                let holds = |stored: &Stored| {
                    let vector = name.and_then(|name| stored.vectors.get(name));
                    vector.is_some_and(|vector| vector.bytes.is_some())
                };
                let count = found.iter().filter(|(_, stored)| holds(stored)).count();
                Ok(Answer::Count(count as u64))
            }
            Read::Vectors {
                schema,
                tenant,
                field,
                ids,
            } => {
                let collection = self.collection(schema)?;
                let field = schema.vectors().get(*field);
                let state = |id| {
                    let key = (tenant.clone(), Clone::clone(id));
                    let vector = collection.documents.get(&key)?.vectors.get(field?.name())?;
                    if vector.is_damaged(field?) {
                        return None;
                    }
                    let present = vector.bytes.is_some();
                    (present || vector.hash.is_some()).then(|| StoredVectorState {
                        hash: vector.hash.clone(),
                        present,
                    })
                };
                Ok(Answer::Vectors(ids.iter().map(state).collect()))
            }
            other => self.events.answer(other),
        }
    }

    fn query(&self, query: &Query) -> Result<Answer> {
        let collection = self.collection(&query.target.schema)?;
        let mut keyed = Vec::new();
        for (key, stored) in collection.passing(&query.target)? {
            let mut values = Vec::new();
            for OrderBy { field, .. } in &query.order {
                values.push(match query.target.schema.filterable(field)? {
                    Filterable::Id(_) => Some(id_value(&key.1)),
                    Filterable::Column(..) => stored.columns.get(field).cloned(),
                });
            }
            keyed.push((values, key, stored));
        }
        // The sort is stable and the documents come by tenant and id: so do ties.
        keyed.sort_by(|(a, ..), (b, ..)| {
            let fields = query.order.iter().zip(a.iter().zip(b));
            fields.fold(Ordering::Equal, |order, (by, (a, b))| {
                order.then_with(|| match by.direction {
                    Direction::Ascending => compare(a, b),
                    Direction::Descending => compare(b, a),
                })
            })
        });
        let records = query
            .page
            .of(keyed)
            .into_iter()
            .map(|(_, key, stored)| stored.record(&query.target.schema, key, &query.include))
            .collect::<Result<_>>()?;
        Ok(Answer::Records(records))
    }
}

/// Absent first.
fn compare(a: &Option<Value>, b: &Option<Value>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.compare(b).unwrap_or(Ordering::Equal),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

impl Collection {
    /// The documents in a target's scope that pass its filter, by tenant and id.
    pub(super) fn passing<'a>(
        &'a self,
        target: &'a Target,
    ) -> Result<Vec<(&'a ScopedId, &'a Stored)>> {
        let schema = &target.schema;
        let pass = |id, columns| match &target.filter {
            Some(filter) => Values {
                schema,
                id,
                columns,
            }
            .pass(filter),
            None => Ok(true),
        };
        target
            .filter
            .iter()
            .try_for_each(|filter| check(schema, filter))?;
        let scope: &Scope = &target.scope;
        let mut passing = Vec::new();
        for (key, stored) in self.in_scope(scope) {
            if pass(Some(&key.1), &stored.columns)? {
                passing.push((key, stored));
            }
        }
        Ok(passing)
    }
}
