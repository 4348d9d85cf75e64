//! Filters, changed before the store sees them.

use ermine_core::{Compare, Expr, Value};

use super::mutation::Mutation::{self, *};

/// The filter as a wrong store would understand it.
pub(super) fn rewritten(mutation: Mutation, filter: Expr) -> Expr {
    let inside = |part: &Expr| rewritten(mutation, part.clone());
    match &filter {
        Expr::And(parts) => Expr::And(parts.iter().map(inside).collect()),
        Expr::Or(parts) => Expr::Or(parts.iter().map(inside).collect()),
        Expr::Not(part) => {
            let part = inside(part);
            match (mutation, field_of(&part)) {
                (NotIsThreeValued, Some(field)) => {
                    let present = Expr::Not(Box::new(Expr::IsNull { field }));
                    Expr::Not(Box::new(part)).and(present)
                }
                _ => Expr::Not(Box::new(part)),
            }
        }
        _ => changed(mutation, &filter),
    }
}

/// The field of a comparison.
fn field_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Compare { field, .. } | Expr::In { field, .. } | Expr::Between { field, .. } => {
            Some(field.clone())
        }
        _ => None,
    }
}

fn changed(mutation: Mutation, leaf: &Expr) -> Expr {
    match (mutation, leaf) {
        (
            NeIsFalseOfAbsent,
            Expr::Compare {
                field,
                op: Compare::Ne,
                ..
            },
        ) => {
            let present = Expr::Not(Box::new(Expr::IsNull {
                field: field.clone(),
            }));
            leaf.clone().and(present)
        }
        (
            TextIgnoresCase,
            Expr::Compare {
                field,
                op: Compare::Eq,
                value: Value::Text(text),
            },
        ) => {
            let spellings = [text.to_lowercase(), text.to_uppercase(), text.clone()];
            let values = spellings.into_iter().map(Value::Text).collect();
            Expr::In {
                field: field.clone(),
                values,
            }
        }
        (BoundsExclusive, Expr::Between { field, low, high }) => {
            let above = Expr::Compare {
                field: field.clone(),
                op: Compare::Gt,
                value: low.clone(),
            };
            above.and(Expr::Compare {
                field: field.clone(),
                op: Compare::Lt,
                value: high.clone(),
            })
        }
        (ContainsAllOfNothingIsNothing, Expr::ContainsAll { values, .. }) if values.is_empty() => {
            Expr::Constant(false)
        }
        (UnknownOperatorsAreTrue, Expr::Extension { .. }) => Expr::Constant(true),
        (_, leaf) => leaf.clone(),
    }
}
