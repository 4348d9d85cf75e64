//! Operands that hold U+0000, which no stored text does.
//!
//! PostgreSQL cannot bind such a text. Nothing stored equals it, begins with it or
//! holds it; and in the order by code point it stands directly after what precedes
//! its first U+0000, so an order against it is an order against that (rule F1).

use ermine_core::{Compare, Expr, Value};

/// An expression without such operands that means the same; `None` where `leaf`
/// holds none, or is no leaf.
pub(crate) fn without_nul(leaf: &Expr) -> Option<Expr> {
    let never = Some(Expr::Constant(false));
    match leaf {
        Expr::Compare { field, op, value } => {
            let before = before_nul(value)?;
            let op = match op {
                Compare::Eq => return never,
                Compare::Ne => return Some(Expr::Constant(true)),
                Compare::Lt | Compare::Le => Compare::Le,
                Compare::Gt | Compare::Ge => Compare::Gt,
            };
            Some(Expr::Compare {
                field: field.clone(),
                op,
                value: before,
            })
        }
        Expr::Between { field, low, high } => {
            before_nul(low).or_else(|| before_nul(high))?;
            let side = |op, value: &Value| Expr::Compare {
                field: field.clone(),
                op,
                value: value.clone(),
            };
            Some(Expr::And(vec![
                side(Compare::Ge, low),
                side(Compare::Le, high),
            ]))
        }
        Expr::In { field, values } => Some(Expr::In {
            field: field.clone(),
            values: kept(values)?,
        }),
        Expr::StartsWith { prefix: text, .. } | Expr::Contains { text, .. } => {
            text.contains('\0').then_some(Expr::Constant(false))
        }
        Expr::ContainsAny { field, values } => Some(Expr::ContainsAny {
            field: field.clone(),
            values: kept(values)?,
        }),
        Expr::ContainsAll { values, .. } => kept(values).and(never),
        _ => None,
    }
}

/// What precedes the first U+0000 of a text that holds one.
fn before_nul(value: &Value) -> Option<Value> {
    match value {
        Value::Text(text) => {
            let (before, _) = text.split_once('\0')?;
            Some(Value::Text(before.to_owned()))
        }
        _ => None,
    }
}

/// The values without those that hold U+0000; `None` where all are kept.
fn kept(values: &[Value]) -> Option<Vec<Value>> {
    let kept = || values.iter().filter(|value| before_nul(value).is_none());
    (kept().count() < values.len()).then(|| kept().cloned().collect())
}
