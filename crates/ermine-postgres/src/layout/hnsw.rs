//! The approximate index of a vector field.

use ermine_core::{Hnsw, Metric, Schema, VectorFieldSchema, VectorIndex};
use ermine_sql::{Dialect, Postgres};

use super::{LARGEST_NORM, SMALLEST_NORM};
use crate::extension::Extension;

/// The most dimensions pgvector indexes in single precision, and in half.
const MOST_SINGLE: usize = 2_000;
const MOST_HALF: usize = 4_000;

/// Between these norms no element is too large for half precision, and the largest
/// keeps its digits.
const SMALLEST_HALF: f64 = 1e-2;
const LARGEST_HALF: f64 = 65_504.0;

/// An index that is declared and possible.
#[derive(Debug)]
pub(crate) struct HnswIndex {
    /// Its name, quoted, and that of one that is being built to take its place.
    pub(crate) name: String,
    pub(crate) next: String,
    table: String,
    /// What is indexed: an expression over the column `data`.
    indexed: String,
    /// The type both operands are compared as.
    operand: String,
    /// The operator class, unqualified.
    pub(crate) class: String,
    qualified_class: String,
    /// Its parameters as the database keeps them.
    pub(crate) parameters: [String; 2],
    /// The norms of the vectors that are in it.
    pub(crate) norms: [f64; 2],
    outside: String,
    by_cosine: bool,
}

impl HnswIndex {
    /// The quoted name of a field's index, whether it is declared or not.
    pub(crate) fn name(schema: &Schema, field: &VectorFieldSchema) -> String {
        Postgres.identifier(&format!("ermine_vec_{schema}.{}.hnsw", field.name()))
    }

    /// The index of a field, where one is declared; or why it cannot be built.
    pub(super) fn declared(
        schema: &Schema,
        field: &VectorFieldSchema,
        table: &str,
        extension: &Extension,
    ) -> Option<Result<Self, String>> {
        let index = field.index()?;
        let VectorIndex::Hnsw(Hnsw { m, ef_construction }) = index else {
            return Some(Err(format!(
                "`{schema}.{}` declares the index {index}, which this store does not know; its searches are exact",
                field.name()
            )));
        };
        let (dimensions, metric) = (field.dimensions(), field.metric());
        let (kind, norms) = if dimensions <= MOST_SINGLE {
            ("vector", [SMALLEST_NORM, LARGEST_NORM])
        } else if dimensions <= MOST_HALF {
            ("halfvec", [SMALLEST_HALF, LARGEST_HALF])
        } else {
            return Some(Err(format!(
                "`{schema}.{}` has {dimensions} dimensions, and pgvector indexes {MOST_HALF} at most; its searches are exact",
                field.name()
            )));
        };
        let by = match metric {
            Metric::Cosine => "cosine",
            Metric::Euclidean => "l2",
            Metric::InnerProduct => "ip",
            Metric::L1 => "l1",
            other => {
                return Some(Err(format!(
                    "`{schema}.{}` is measured by {other}, which this store does not index; its searches are exact",
                    field.name()
                )));
            }
        };
        let operand = format!("{}({dimensions})", extension.named(kind));
        let class = format!("{kind}_{by}_ops");
        let part = |part: &str| {
            Postgres.identifier(&format!("ermine_vec_{schema}.{}.{part}", field.name()))
        };
        Some(Ok(Self {
            name: Self::name(schema, field),
            next: part("hnsw.next"),
            table: table.to_owned(),
            indexed: match kind {
                "vector" => "data".to_owned(),
                _ => format!("(data::{operand})"),
            },
            operand,
            qualified_class: extension.named(&class),
            class,
            parameters: [
                format!("m={m}"),
                format!("ef_construction={ef_construction}"),
            ],
            norms,
            outside: part("hnsw.outside"),
            by_cosine: metric == Metric::Cosine,
        }))
    }

    /// Whether it holds vectors in half precision.
    fn is_half(&self) -> bool {
        self.indexed != "data"
    }

    /// The statement that builds it under a name, over a table in use or a new one.
    pub(crate) fn build(&self, name: &str, building: Building) -> String {
        format!(
            "CREATE INDEX {}{name} ON {} USING hnsw ({} {}) WITH ({}) WHERE {}",
            building.keyword(),
            self.table,
            self.indexed,
            self.qualified_class,
            self.parameters.join(", "),
            self.holds("")
        )
    }

    /// The statement that makes the vectors it does not hold easy to find, where no
    /// other index does.
    /// With its name.
    pub(crate) fn outside(&self, building: Building) -> Option<(&str, String)> {
        self.is_half().then(|| {
            let sql = format!(
                "CREATE INDEX {}{} ON {} (doc) WHERE norm < {:e} OR norm > {:e}",
                building.keyword(),
                self.outside,
                self.table,
                self.norms[0],
                self.norms[1]
            );
            (self.outside.as_str(), sql)
        })
    }

    /// Whether a vector of this norm could be in it, and so be what it is searched for.
    pub(crate) fn can_hold(&self, norm: f64) -> bool {
        let [smallest, largest] = self.norms;
        norm <= largest && (!self.by_cosine || norm >= smallest)
    }

    /// Which of the vectors of `table`, such as `v.`, are in it.
    pub(crate) fn holds(&self, table: &str) -> String {
        let [smallest, largest] = self.norms;
        if self.by_cosine {
            format!("{table}norm BETWEEN {smallest:e} AND {largest:e}")
        } else {
            format!("{table}norm <= {largest:e}")
        }
    }

    /// Which are not, those that no search by the declared metric finds left out.
    pub(crate) fn misses(&self, table: &str) -> String {
        let [smallest, largest] = self.norms;
        if self.by_cosine {
            format!(
                "({table}norm > {largest:e} OR ({table}norm < {smallest:e} AND {table}norm > 0))"
            )
        } else {
            format!("{table}norm > {largest:e}")
        }
    }

    /// The distance that it orders by.
    pub(crate) fn figure(&self, operator: &str, query: &str) -> String {
        if self.is_half() {
            let operand = &self.operand;
            format!("(v.data::{operand}) {operator} ({query}::{operand})")
        } else {
            format!("v.data {operator} {query}")
        }
    }
}

/// How an index comes to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Building {
    /// With its table, before anybody uses it.
    AtOnce,
    /// Over rows that are read and written meanwhile.
    Concurrently,
}

impl Building {
    fn keyword(self) -> &'static str {
        match self {
            Self::AtOnce => "",
            Self::Concurrently => "CONCURRENTLY ",
        }
    }
}
