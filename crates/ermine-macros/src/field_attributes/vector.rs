//! `vector(dimensions = …, metric = "…", from = "…")`.

use syn::{Expr, ExprLit, Lit, LitStr, Meta};

use crate::container_attributes::unknown;
use crate::errors::Errors;
use crate::meta::{parse_list, set_once, string};

/// The largest number of dimensions (rule V5).
const MAX_DIMENSIONS: usize = 16_000;

/// What a vector field declares.
pub(crate) struct VectorAttribute {
    /// 0 where the declaration was refused.
    pub(crate) dimensions: usize,
    /// The name of the metric's variant.
    pub(crate) metric: &'static str,
    pub(crate) from: Option<Sources>,
}

/// The fields a vector is embedded from.
pub(crate) struct Sources {
    /// The whole list, as written.
    pub(crate) literal: LitStr,
    /// The Rust names in it, in order.
    pub(crate) fields: Vec<String>,
}

impl VectorAttribute {
    pub(super) fn read(meta: &Meta, errors: &mut Errors) -> Self {
        let mut dimensions = None;
        let mut metric = None;
        let mut from = None;
        let items = match parse_list(meta) {
            Some(Ok(items)) => items,
            Some(Err(error)) => {
                errors.push(error);
                // The mistake hides what was meant, so nothing is missed here.
                dimensions = Some(0);
                Default::default()
            }
            None => Default::default(),
        };
        for item in &items {
            let path = item.path();
            if path.is_ident("dimensions") {
                let number = dimensions_of(item, errors).unwrap_or_default();
                set_once(&mut dimensions, number, item, errors);
            } else if path.is_ident("metric") {
                if let Some(text) = string(item, "cosine", errors) {
                    let named = metric_named(&text, errors);
                    set_once(&mut metric, named, item, errors);
                }
            } else if path.is_ident("from") {
                if let Some(text) = string(item, "title, body", errors) {
                    let fields = fields_of(&text, errors);
                    set_once(
                        &mut from,
                        Sources {
                            literal: text,
                            fields,
                        },
                        item,
                        errors,
                    );
                }
            } else {
                unknown(item, &["dimensions", "metric", "from"], errors);
            }
        }
        if dimensions.is_none() {
            errors.at(
                meta,
                "a vector field says how many dimensions it has: `vector(dimensions = 256)`",
            );
        }
        Self {
            dimensions: dimensions.unwrap_or_default(),
            metric: metric.unwrap_or("Cosine"),
            from,
        }
    }
}

fn dimensions_of(item: &Meta, errors: &mut Errors) -> Option<usize> {
    let number = match item {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Int(int), ..
            }) => int.base10_parse().ok(),
            _ => None,
        },
        Meta::Path(_) | Meta::List(_) => None,
    };
    let number = number.filter(|n| (1..=MAX_DIMENSIONS).contains(n));
    if number.is_none() {
        errors.at(
            item,
            format!("`dimensions` is a number from 1 to {MAX_DIMENSIONS}: `dimensions = 256`"),
        );
    }
    number
}

fn metric_named(text: &LitStr, errors: &mut Errors) -> &'static str {
    let name = text.value();
    match name.as_str() {
        "cosine" => "Cosine",
        "euclidean" | "l2" => "Euclidean",
        "inner_product" => "InnerProduct",
        "l1" => "L1",
        _ => {
            errors.at(
                text,
                format!(
                    "there is no metric `{name}`; choose from `cosine`, `euclidean` (or `l2`), `inner_product` and `l1`"
                ),
            );
            "Cosine"
        }
    }
}

fn fields_of(text: &LitStr, errors: &mut Errors) -> Vec<String> {
    let list = text.value();
    let mut fields: Vec<String> = Vec::new();
    for name in list.split(',').map(str::trim) {
        if name.is_empty() {
            errors.at(
                text,
                "`from` names fields, separated by commas: `from = \"title, body\"`",
            );
        } else if fields.iter().any(|field| field == name) {
            errors.at(text, format!("`from` names `{name}` twice"));
        } else {
            fields.push(name.to_owned());
        }
    }
    fields
}
