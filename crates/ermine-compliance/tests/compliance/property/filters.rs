//! Filters of every node, nested.

use ermine_core::{ColumnType, Compare, Expr, ScalarType, Schema, Value};

use super::choices::Choices;
use super::kinds;

const COMPARISONS: [Compare; 8] = [
    Compare::Eq,
    Compare::Ne,
    Compare::Eq,
    Compare::Ne,
    Compare::Lt,
    Compare::Le,
    Compare::Gt,
    Compare::Ge,
];

/// A filter over the fields of a schema; now and then one that must be refused.
pub(super) fn filter(choices: &mut Choices<'_>, schema: &Schema, depth: usize) -> Expr {
    if depth == 0 {
        return leaf(choices, schema);
    }
    let mut parts = |most| choices.some(most, |choices| filter(choices, schema, depth - 1));
    match parts(3) {
        inner if inner.len() == 1 => Expr::Not(Box::new(inner.into_iter().next().expect("one"))),
        inner if inner.is_empty() => leaf(choices, schema),
        inner if choices.below(2) == 0 => Expr::And(inner),
        inner => Expr::Or(inner),
    }
}

fn leaf(choices: &mut Choices<'_>, schema: &Schema) -> Expr {
    let columns = schema.columns();
    let (field, column) = match choices.below(columns.len() + 1) {
        0 => {
            let id = schema.filterable(schema.id_name()).expect("the id filters");
            (schema.id_name().to_owned(), id.column_type())
        }
        at => (
            columns[at - 1].name().to_owned(),
            columns[at - 1].column_type(),
        ),
    };
    if choices.once_in(40) {
        let names = ["nothing", "title", "embedding", "N"];
        return Expr::IsNull {
            field: choices.one_of(&names).to_owned(),
        };
    }
    match column {
        ColumnType::List(scalar) => list(choices, field, scalar),
        ColumnType::Scalar(scalar) => scalar_leaf(choices, field, scalar),
    }
}

fn list(choices: &mut Choices<'_>, field: String, scalar: ScalarType) -> Expr {
    let values = choices.some(3, |choices| value(choices, scalar));
    match choices.below(3) {
        0 => Expr::ContainsAny { field, values },
        1 => Expr::ContainsAll { field, values },
        _ => Expr::IsNull { field },
    }
}

fn scalar_leaf(choices: &mut Choices<'_>, field: String, scalar: ScalarType) -> Expr {
    match choices.below(8) {
        0..=2 => Expr::Compare {
            field,
            op: choices.one_of(&COMPARISONS),
            value: value(choices, scalar),
        },
        3 => Expr::Between {
            field,
            low: value(choices, scalar),
            high: value(choices, scalar),
        },
        4 => Expr::In {
            field,
            values: choices.some(3, |choices| value(choices, scalar)),
        },
        5 => Expr::IsNull { field },
        6 => Expr::Constant(choices.below(2) == 0),
        _ => match (scalar, value(choices, ScalarType::Text)) {
            (ScalarType::Text, Value::Text(prefix)) if choices.below(2) == 0 => {
                Expr::StartsWith { field, prefix }
            }
            (ScalarType::Text, Value::Text(text)) => Expr::Contains { field, text },
            _ => Expr::Not(Box::new(Expr::IsNull { field })),
        },
    }
}

/// A value of the column's type; now and then of another.
fn value(choices: &mut Choices<'_>, scalar: ScalarType) -> Value {
    let scalar = if choices.once_in(60) {
        choices.one_of(&kinds::SCALARS)
    } else {
        scalar
    };
    kinds::value(choices, scalar).1
}
