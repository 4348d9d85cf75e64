//! What a search asks of a store: plain data, checked before any store sees it.

use std::sync::Arc;

use super::{Accuracy, Figure, LegOutcome, Page};
use crate::{
    Distance, Error, ErrorKind, Expr, Metric, Result, Schema, Scope, StoredRecord, Tenancy,
    TenantScope, Token, Vector, VectorFieldSchema,
};

/// Where a search looks: the type, the implicit predicates, and the caller's filter beside them.
#[derive(Debug, Clone)]
pub struct Target {
    /// The document type.
    pub schema: Arc<Schema>,
    /// The implicit predicates; applied always.
    pub scope: Scope,
    /// The caller's filter; `None` is `true`.
    pub filter: Option<Expr>,
}

impl Target {
    /// Refuses a scope that does not fit the type's tenancy, and a filter that
    /// does not fit its fields.
    ///
    /// # Errors
    ///
    /// `Tenancy`; those of [`Expr::check`].
    pub fn check(&self) -> Result<()> {
        check_scope(&self.schema, &self.scope)?;
        self.filter
            .iter()
            .try_for_each(|filter| filter.check(&self.schema))
    }
}

pub(crate) fn check_scope(schema: &Schema, scope: &Scope) -> Result<()> {
    let refuse = |message: &str| {
        Err(Error::new(
            ErrorKind::Tenancy,
            format!("`{schema}` {message}"),
        ))
    };
    match (schema.tenancy(), &scope.tenants) {
        (Tenancy::None, TenantScope::Untenanted)
        | (Tenancy::Conjoined, TenantScope::One(_) | TenantScope::All) => Ok(()),
        (Tenancy::None, _) => refuse("has no tenants, so none can be selected"),
        (Tenancy::Conjoined, TenantScope::Untenanted) => {
            refuse("belongs to tenants; open the session for one, by name")
        }
    }
}

pub(crate) fn vector_field(schema: &Schema, at: usize) -> Result<&VectorFieldSchema> {
    schema.vectors().get(at).ok_or_else(|| {
        Error::new(
            ErrorKind::UnknownField,
            format!("`{schema}` has no vector field number {at}"),
        )
    })
}

/// What a request wants beside the matches, and what it must have seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Include {
    /// Whether vectors are returned.
    pub vectors: bool,
    /// The commit the snapshot must hold.
    pub at_least: Option<Token>,
}

/// A ranking by distance to a vector.
#[derive(Debug, Clone)]
pub struct VectorLeg {
    /// The place of the field in [`Schema::vectors`].
    pub field: usize,
    /// The query vector.
    pub query: Vector,
    /// The metric: the declared one unless the caller named another (rule V2).
    pub metric: Metric,
    /// Whether near neighbours may be missed: as declared unless the caller said
    /// otherwise. Another metric than the declared one is always exact (rule V10).
    pub accuracy: Accuracy,
    /// The inclusive largest distance.
    pub max_distance: Option<Distance>,
}

impl VectorLeg {
    /// Refuses a field that is not declared and a query vector that cannot be
    /// searched with: length first, then finiteness, then zero under cosine.
    ///
    /// # Errors
    ///
    /// `UnknownField`; those of [`Vector::check`].
    pub fn check(&self, schema: &Schema) -> Result<()> {
        let field = vector_field(schema, self.field)?;
        let what = format_args!("query vector for `{schema}.{}`", field.name());
        self.query.check(field.dimensions(), self.metric, what)
    }
}

/// A ranking by BM25.
#[derive(Debug, Clone)]
pub struct TextLeg {
    /// The analysed query.
    pub query: TextQuery,
    /// The places in [`Schema::text`] of the fields it searches, in the caller's order.
    pub fields: Vec<usize>,
    /// How much an occurrence in each counts; 0 leaves the field out.
    pub weights: Vec<f64>,
}

impl TextLeg {
    /// Refuses fields that are not declared and weights that do not fit them (rules T6, T8).
    ///
    /// # Errors
    ///
    /// `NotIndexed`, `UnknownField`, `InvalidOption`.
    pub fn check(&self, schema: &Schema) -> Result<()> {
        let refuse = |kind, message: String| Err(Error::new(kind, message));
        if schema.text().is_empty() {
            return refuse(
                ErrorKind::NotIndexed,
                format!("`{schema}` declares no text field, so text cannot be searched in it"),
            );
        }
        if let Some(at) = self.fields.iter().find(|at| **at >= schema.text().len()) {
            return refuse(
                ErrorKind::UnknownField,
                format!("`{schema}` has no text field number {at}"),
            );
        }
        for (place, at) in self.fields.iter().enumerate() {
            if self.fields.iter().take(place).any(|before| before == at) {
                let name = schema.text().get(*at).map_or("", |field| field.name());
                return refuse(
                    ErrorKind::InvalidOption,
                    format!("text field `{name}` is named twice; name it once"),
                );
            }
        }
        if self.fields.is_empty() {
            return refuse(
                ErrorKind::InvalidOption,
                "the list of text fields is empty; leave it out to search all of them".to_owned(),
            );
        }
        if self.weights.len() != self.fields.len() {
            return refuse(
                ErrorKind::InvalidOption,
                format!(
                    "{} column weights for {} text fields; give one each, in their order",
                    self.weights.len(),
                    self.fields.len()
                ),
            );
        }
        if let Some(weight) = self.weights.iter().find(|w| !w.is_finite() || **w < 0.0) {
            return refuse(
                ErrorKind::InvalidOption,
                format!("column weight {weight} is not a finite number of 0 or more"),
            );
        }
        Ok(())
    }
}

/// A query text after analysis.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextQuery {
    /// The distinct terms that score, in ascending order.
    pub terms: Vec<QueryTerm>,
    /// Which documents match.
    pub matching: Matching,
    /// A document that holds every term of one of these groups, in any text
    /// fields, is excluded (rule T7).
    pub excluded: Vec<Vec<String>>,
}

/// A term of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryTerm {
    /// The term.
    pub term: String,
    /// How often the analysed query holds it: the q of rule T12.
    pub count: u32,
}

/// Which documents match a text query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Matching {
    /// Those that hold any of the terms.
    #[default]
    Any,
    /// Those that hold every term of at least one alternative, each in any of
    /// the searched fields.
    Alternatives(Vec<Vec<String>>),
}

/// A search by vector.
#[derive(Debug, Clone)]
pub struct VectorRequest {
    /// Where it looks.
    pub target: Target,
    /// What it ranks by.
    pub leg: VectorLeg,
    /// Which part of the order it returns.
    pub page: Page,
    /// What else it wants.
    pub include: Include,
}

impl VectorRequest {
    /// Refuses what rules V3, V4, V6, V11, F2 and D5 refuse.
    ///
    /// # Errors
    ///
    /// Those of the target, the leg and the page.
    pub fn check(&self) -> Result<()> {
        self.target.check()?;
        self.leg.check(&self.target.schema)?;
        self.page.check()
    }
}

/// A search by text.
#[derive(Debug, Clone)]
pub struct TextRequest {
    /// Where it looks.
    pub target: Target,
    /// What it ranks by.
    pub leg: TextLeg,
    /// The inclusive smallest score.
    pub min_score: Option<crate::Score>,
    /// Which part of the order it returns.
    pub page: Page,
    /// What else it wants.
    pub include: Include,
}

impl TextRequest {
    /// Refuses what rules T6, T8, V11, F2 and D5 refuse.
    ///
    /// # Errors
    ///
    /// Those of the target, the leg and the page.
    pub fn check(&self) -> Result<()> {
        self.target.check()?;
        self.leg.check(&self.target.schema)?;
        self.page.check()
    }
}

/// One ranking of a fusion over several types.
#[derive(Debug, Clone)]
pub enum LegRequest {
    /// A ranking by text.
    Text {
        /// Where it looks.
        target: Target,
        /// What it ranks by.
        leg: TextLeg,
        /// How many it returns.
        depth: usize,
        /// What else it wants.
        include: Include,
    },
    /// A ranking by vector.
    Vector {
        /// Where it looks.
        target: Target,
        /// What it ranks by.
        leg: VectorLeg,
        /// How many it returns.
        depth: usize,
        /// What else it wants.
        include: Include,
    },
}

impl LegRequest {
    /// Refuses what the two kinds of search refuse.
    ///
    /// # Errors
    ///
    /// Those of the target and the leg.
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Text { target, leg, .. } => {
                target.check()?;
                leg.check(&target.schema)
            }
            Self::Vector { target, leg, .. } => {
                target.check()?;
                leg.check(&target.schema)
            }
        }
    }

    /// Where it looks.
    pub fn target(&self) -> &Target {
        match self {
            Self::Text { target, .. } | Self::Vector { target, .. } => target,
        }
    }
}

/// What one ranking found, best first.
#[derive(Debug, Clone)]
pub struct LegAnswer {
    /// The documents, each with its raw figure.
    pub hits: Vec<(StoredRecord, Figure)>,
    /// How it was found.
    pub outcome: LegOutcome,
}
