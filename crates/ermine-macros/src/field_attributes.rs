//! `#[document(…)]` on a field.

mod vector;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, ExprUnary, Field, Lit, Meta, UnOp};

pub(crate) use vector::{Sources, VectorAttribute};

use crate::container_attributes::unknown;
use crate::errors::Errors;
use crate::meta::{document_items, set_once, word};
use crate::types::is_list_of_lists;

/// What a field is to the database.
pub(crate) enum Role {
    /// Part of the body, and nothing else.
    Undeclared,
    Id,
    Index,
    Text {
        weight: f64,
    },
    IndexedText {
        weight: f64,
    },
    Vector(VectorAttribute),
    Nested,
}

/// The attributes of one field, and what they add up to.
pub(crate) struct FieldAttributes {
    pub(crate) role: Role,
    /// Where `default` stands.
    pub(crate) default: Option<Span>,
}

/// The items as they are written.
#[derive(Default)]
struct Items {
    id: Option<Meta>,
    index: Option<Meta>,
    text: Option<Meta>,
    nested: Option<Meta>,
    default: Option<Meta>,
    weight: Option<(Meta, f64)>,
    vector: Option<(Meta, VectorAttribute)>,
}

impl FieldAttributes {
    /// Reads the attributes of a document's field.
    pub(crate) fn of_document(field: &Field, errors: &mut Errors) -> Self {
        let known = [
            "id", "index", "text", "weight", "vector", "nested", "default",
        ];
        Self::resolve(Items::read(&field.attrs, &known, errors), field, errors)
    }

    /// Reads the attributes of a nested struct's field.
    pub(crate) fn of_nested(field: &Field, errors: &mut Errors) -> Self {
        let known = ["index", "nested", "default"];
        Self::resolve(Items::read(&field.attrs, &known, errors), field, errors)
    }

    fn resolve(items: Items, field: &Field, errors: &mut Errors) -> Self {
        let default = items.default.as_ref().map(Spanned::span);
        if items.index.is_some() && is_list_of_lists(&field.ty) {
            errors.at(
                &field.ty,
                "a list of lists cannot be indexed; index a list of single values",
            );
        }
        if let (Some((meta, _)), None) = (&items.weight, &items.text) {
            errors.at(meta, "`weight` belongs to `text`: write `text, weight = …`");
        }
        let weight = items.weight.as_ref().map_or(1.0, |(_, weight)| *weight);
        let role = match items {
            Items {
                id: Some(_),
                index,
                text,
                nested,
                vector,
                ..
            } => {
                let vector = vector.map(|(meta, _)| meta);
                if let Some(index) = &index {
                    errors.at(index, "an id filters and orders by itself; remove `index`");
                }
                for other in [text, nested, vector].iter().flatten() {
                    errors.at(other, "a field that is the id can be nothing else");
                }
                Role::Id
            }
            Items {
                vector: Some((_, vector)),
                index,
                text,
                nested,
                ..
            } => {
                for other in [index, text, nested].iter().flatten() {
                    errors.at(other, "a field that holds a vector can be nothing else");
                }
                Role::Vector(vector)
            }
            Items {
                nested: Some(_),
                index,
                text,
                ..
            } => {
                for other in [index, text].iter().flatten() {
                    errors.at(
                        other,
                        "a nested struct is not itself indexed or searched; declare its fields, where it derives `Fields`",
                    );
                }
                Role::Nested
            }
            Items {
                text: Some(_),
                index: Some(_),
                ..
            } => Role::IndexedText { weight },
            Items { text: Some(_), .. } => Role::Text { weight },
            Items { index: Some(_), .. } => Role::Index,
            _ => Role::Undeclared,
        };
        Self { role, default }
    }
}

impl Items {
    fn read(attributes: &[Attribute], known: &[&str], errors: &mut Errors) -> Self {
        let mut items = Self::default();
        for meta in document_items(attributes, errors) {
            let name = crate::meta::name(meta.path());
            if !known.contains(&name.as_str()) {
                items.refuse(&meta, &name, known, errors);
                continue;
            }
            let slot = match name.as_str() {
                "weight" => {
                    if let Some(weight) = weight_of(&meta, errors) {
                        set_once(&mut items.weight, (meta.clone(), weight), &meta, errors);
                    }
                    continue;
                }
                "vector" => {
                    let vector = VectorAttribute::read(&meta, errors);
                    set_once(&mut items.vector, (meta.clone(), vector), &meta, errors);
                    continue;
                }
                "id" => &mut items.id,
                "index" => &mut items.index,
                "text" => &mut items.text,
                "nested" => &mut items.nested,
                _ => &mut items.default,
            };
            word(&meta, errors);
            set_once(slot, meta.clone(), &meta, errors);
        }
        items
    }

    fn refuse(&self, meta: &Meta, name: &str, known: &[&str], errors: &mut Errors) {
        match name {
            "id" | "text" | "vector" => errors.at(
                meta,
                format!(
                    "`{name}` is declared by the document itself; a nested struct has `index` and `nested` fields"
                ),
            ),
            "dimensions" | "metric" | "from" => errors.at(
                meta,
                format!("`{name}` belongs to `vector`: write `vector({name} = …)`"),
            ),
            _ => unknown(meta, known, errors),
        }
    }
}

/// The number of `weight = …`: finite and not negative (rule T8).
fn weight_of(meta: &Meta, errors: &mut Errors) -> Option<f64> {
    let literal = |expr: &Expr| match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Float(float),
            ..
        }) => float.base10_parse().ok(),
        Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) => int.base10_parse().ok(),
        _ => None,
    };
    let number: Option<f64> = match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Unary(ExprUnary {
                op: UnOp::Neg(_),
                expr,
                ..
            }) => literal(expr).map(|n: f64| -n),
            expr => literal(expr),
        },
        Meta::Path(_) | Meta::List(_) => None,
    };
    match number {
        Some(number) if number.is_finite() && number >= 0.0 => Some(number),
        _ => {
            errors.at(
                meta,
                "a weight is a finite number, 0 or more: `weight = 3.0`",
            );
            None
        }
    }
}
