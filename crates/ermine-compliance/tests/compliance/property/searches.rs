//! Queries and searches, and their answers in a form that compares to the bit.

use std::fmt::Debug;

use ermine_core::{
    DeletedScope, Direction, DynamicRecord, Engine, Expr, Filter, Include, Matches, Metric,
    Outcome, Result, Schema, TextField, VectorField,
};
use ermine_store::{
    Collection, HybridOptions, MaxDistance, MinScore, Query, Search, SortKey, Store, TextOptions,
    TextStyle, VectorOptions,
};

use super::choices::Choices;
use super::documents::TENANTS;
use super::{filters, kinds};

/// A question, to be asked of each store.
#[derive(Debug)]
pub(super) struct Question {
    tenant: Option<&'static str>,
    across: bool,
    kind: Kind,
    filter: Option<Expr>,
    limit: usize,
    offset: usize,
    deleted: DeletedScope,
    vectors: bool,
}

#[derive(Debug)]
enum Kind {
    Query {
        order: Vec<(String, Direction)>,
    },
    Count,
    Nearest {
        vector: Asked,
    },
    Matching {
        text: Words,
    },
    Hybrid {
        text: Words,
        vector: Asked,
        depth: usize,
        k: u32,
        weights: [f64; 2],
    },
}

#[derive(Debug)]
struct Asked {
    field: Option<String>,
    vector: Vec<f32>,
    metric: Option<Metric>,
    most: Option<f64>,
}

#[derive(Debug)]
struct Words {
    text: String,
    style: TextStyle,
    fields: Option<Vec<String>>,
    weights: Option<Vec<f64>>,
    floor: Option<f64>,
}

pub(super) fn question(choices: &mut Choices<'_>, schema: &Schema) -> Question {
    let kind = match choices.below(8) {
        0 | 1 => Kind::Nearest {
            vector: asked(choices, schema),
        },
        2 | 3 => Kind::Matching {
            text: words(choices, schema),
        },
        4 | 5 => Kind::Hybrid {
            text: words(choices, schema),
            vector: asked(choices, schema),
            depth: 1 + choices.below(40),
            k: choices.one_of(&[60, 1, 0]),
            weights: choices.one_of(&[[1.0, 1.0], [0.5, 3.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]),
        },
        6 => Kind::Count,
        _ => Kind::Query {
            order: choices.some(2, |choices| {
                let names: Vec<&str> = schema.columns().iter().map(|c| c.name()).collect();
                let name = match choices.below(names.len() + 1) {
                    0 => "id",
                    at => names[at - 1],
                };
                let directions = [Direction::Ascending, Direction::Descending];
                (name.to_owned(), choices.one_of(&directions))
            }),
        },
    };
    let conjoined = schema.tenancy() == ermine_core::Tenancy::Conjoined;
    let tenant = choices.one_of(&TENANTS);
    let scopes = [
        DeletedScope::Hidden,
        DeletedScope::Included,
        DeletedScope::Only,
    ];
    Question {
        tenant: conjoined.then_some(tenant),
        across: conjoined && choices.once_in(3),
        kind,
        filter: (choices.below(2) == 1).then(|| filters::filter(choices, schema, 3)),
        limit: choices.one_of(&[10, 1, 2, 3, 5, 0, 100, 10_000, 10_001]),
        offset: choices.one_of(&[0, 0, 0, 1, 2, 7]),
        deleted: choices.one_of(&scopes),
        vectors: choices.below(2) == 1,
    }
}

fn asked(choices: &mut Choices<'_>, schema: &Schema) -> Asked {
    let fields = schema.vectors();
    let field = (!fields.is_empty()).then(|| choices.one_of(fields));
    let dimensions = field.as_ref().map_or(2, |field| field.dimensions());
    let dimensions = if choices.once_in(30) {
        dimensions + 1
    } else {
        dimensions
    };
    Asked {
        field: field
            .filter(|_| fields.len() > 1 || choices.below(2) == 1)
            .map(|f| f.name().to_owned()),
        vector: kinds::elements(choices, dimensions),
        metric: (choices.below(3) == 2).then(|| choices.one_of(&Metric::ALL)),
        most: (choices.below(3) == 2).then(|| choices.one_of(&[0.0, 1.0, 0.5, 2.0, -1.0])),
    }
}

fn words(choices: &mut Choices<'_>, schema: &Schema) -> Words {
    let mut fields: Vec<String> = schema.text().iter().map(|t| t.name().to_owned()).collect();
    let named = choices.below(3) == 2;
    if named && !fields.is_empty() {
        let middle = choices.below(fields.len());
        fields.rotate_left(middle);
        fields.truncate(1 + choices.below(fields.len()));
    }
    let weights = [1.0, 3.0, 0.5, 0.0];
    let count = fields.len();
    Words {
        text: kinds::words(choices, 5),
        style: choices.one_of(&[TextStyle::Plain, TextStyle::Web]),
        weights: (choices.below(3) == 2)
            .then(|| (0..count).map(|_| choices.one_of(&weights)).collect()),
        fields: named.then_some(fields),
        floor: (choices.below(5) == 4).then(|| choices.one_of(&[0.02, 0.0, 0.5, 1.0])),
    }
}

impl Question {
    /// The answer, or the kind of refusal.
    pub(super) async fn asked_of(&self, store: &Store<Engine>) -> String {
        match self.ask(store).await {
            Ok(answer) => answer,
            Err(error) => format!("{:?}", error.kind()),
        }
    }

    async fn ask(&self, store: &Store<Engine>) -> Result<String> {
        let collection = store.dynamic("things")?;
        let search = self.search(store, &collection);
        Ok(match &self.kind {
            Kind::Query { order } => self.ask_query(store, &collection, order).await?,
            Kind::Count => self.count(store, &collection).await?.to_string(),
            Kind::Nearest { vector } => {
                let search = search.nearest_to(vector.vector.clone());
                written(search.options(self.nearest(vector)).await?)
            }
            Kind::Matching { text } => {
                let search = search.matching(text.text.as_str());
                written(search.options(self.matching(text)).await?)
            }
            Kind::Hybrid {
                text,
                vector,
                depth,
                k,
                weights,
            } => {
                let search = search.hybrid_with(text.text.as_str(), vector.vector.clone());
                let options = HybridOptions {
                    candidate_depth: (*depth > 20 || self.offset > 0).then_some(*depth),
                    k: *k,
                    text_weight: weights[0],
                    vector_weight: weights[1],
                    ..self.hybrid(text, vector)
                };
                written(search.options(options).await?)
            }
        })
    }

    fn filter(&self) -> Option<Filter<DynamicRecord>> {
        self.filter.clone().map(Filter::from_expr)
    }

    fn include(&self) -> Include {
        Include {
            vectors: self.vectors,
            at_least: None,
        }
    }

    fn nearest(&self, asked: &Asked) -> VectorOptions<DynamicRecord> {
        VectorOptions {
            filter: self.filter(),
            limit: self.limit,
            offset: self.offset,
            deleted: self.deleted,
            include: self.include(),
            vector_field: asked.field.clone().map(VectorField::named),
            metric: asked.metric,
            accuracy: None,
            max_distance: asked.most.map(MaxDistance::from),
        }
    }

    fn matching(&self, words: &Words) -> TextOptions<DynamicRecord> {
        TextOptions {
            filter: self.filter(),
            limit: self.limit,
            offset: self.offset,
            deleted: self.deleted,
            include: self.include(),
            text_fields: words.fields(),
            column_weights: words.weights.clone(),
            text_style: words.style,
            min_score: words.floor.map(MinScore::from),
            ..TextOptions::default()
        }
    }

    fn hybrid(&self, words: &Words, asked: &Asked) -> HybridOptions<DynamicRecord> {
        HybridOptions {
            filter: self.filter(),
            limit: self.limit,
            offset: self.offset,
            deleted: self.deleted,
            include: self.include(),
            vector_field: asked.field.clone().map(VectorField::named),
            metric: asked.metric,
            accuracy: None,
            text_fields: words.fields(),
            column_weights: words.weights.clone(),
            text_style: words.style,
            min_score: words.floor.map(MinScore::from),
            ..HybridOptions::default()
        }
    }

    async fn ask_query(
        &self,
        store: &Store<Engine>,
        collection: &Collection<DynamicRecord>,
        order: &[(String, Direction)],
    ) -> Result<String> {
        macro_rules! ask {
            ($query:expr) => {{
                let mut query = self.narrowed($query).limit(self.limit).offset(self.offset);
                for (field, direction) in order {
                    query = query.order_by(SortKey::named(field), *direction);
                }
                if self.vectors {
                    query = query.with_vectors();
                }
                format!("{:?}", query.await?)
            }};
        }
        Ok(match self.tenant {
            _ if self.across => ask!(store.across_tenants().query_in(collection)),
            Some(tenant) => ask!(store.reader(tenant).query_in(collection)),
            None => ask!(store.reader_without_tenant().query_in(collection)),
        })
    }

    async fn count(
        &self,
        store: &Store<Engine>,
        collection: &Collection<DynamicRecord>,
    ) -> Result<u64> {
        match self.tenant {
            _ if self.across => self
                .narrowed(store.across_tenants().query_in(collection))
                .count(),
            Some(tenant) => self
                .narrowed(store.reader(tenant).query_in(collection))
                .count(),
            None => self
                .narrowed(store.reader_without_tenant().query_in(collection))
                .count(),
        }
        .await
    }

    fn narrowed<T>(&self, query: Query<DynamicRecord, T>) -> Query<DynamicRecord, T> {
        let query = match self.filter() {
            Some(filter) => query.filter(filter),
            None => query,
        };
        match self.deleted {
            DeletedScope::Hidden => query,
            DeletedScope::Included => query.including_deleted(),
            DeletedScope::Only => query.deleted(),
        }
    }

    fn search(
        &self,
        store: &Store<Engine>,
        collection: &Collection<DynamicRecord>,
    ) -> Search<Engine, DynamicRecord> {
        match self.tenant {
            _ if self.across => store.across_tenants().search_in(collection),
            Some(tenant) => store.reader(tenant).search_in(collection),
            None => store.reader_without_tenant().search_in(collection),
        }
    }
}

impl Words {
    fn fields(&self) -> Option<Vec<TextField<DynamicRecord>>> {
        let fields = self.fields.clone()?.into_iter();
        Some(fields.map(TextField::named).collect())
    }
}

/// Every match with all it holds, and what each leg returned.
fn written<M: Debug>(matches: Matches<M>) -> String {
    format!("{:?} {}", &*matches, legs(matches.outcome()))
}

fn legs(outcome: &Outcome) -> String {
    let leg =
        |leg: &ermine_core::LegOutcome| format!("{:?} {} {:?}", leg.kind, leg.returned, leg.empty);
    outcome.legs.iter().map(leg).collect::<Vec<_>>().join("; ")
}
