//! `vector(dimensions = …, metric = "…", from = "…", index = "hnsw", …)`.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use syn::{Expr, ExprLit, Lit, LitStr, Meta};

use crate::container_attributes::unknown;
use crate::errors::Errors;
use crate::meta::{name, parse_list, set_once, string, word};

/// The largest number of dimensions (rule V5).
const MAX_DIMENSIONS: usize = 16_000;

/// Everything that can be said of a vector.
const KNOWN: &[&str] = &[
    "dimensions",
    "metric",
    "from",
    "index",
    "m",
    "ef_construction",
    "approximate",
];

/// What a vector field declares.
pub(crate) struct VectorAttribute {
    /// 0 where the declaration was refused.
    pub(crate) dimensions: usize,
    /// The name of the metric's variant.
    pub(crate) metric: &'static str,
    pub(crate) from: Option<Sources>,
    pub(crate) index: Option<Hnsw>,
    /// Whether its searches are approximate unless they say otherwise.
    pub(crate) approximate: Option<()>,
}

/// An index of the only kind there is, and those of its parameters that are given.
#[derive(Default)]
pub(crate) struct Hnsw {
    pub(crate) m: Option<u16>,
    pub(crate) ef_construction: Option<u16>,
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
        let mut index: Option<()> = None;
        let mut hnsw = Hnsw::default();
        let mut approximate = None;
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
            } else if path.is_ident("index") {
                if let Some(text) = string(item, "hnsw", errors) {
                    if text.value() != "hnsw" {
                        errors.at(&text, "the only kind of index there is is `hnsw`");
                    }
                    set_once(&mut index, (), item, errors);
                }
            } else if path.is_ident("m") {
                let number = within(item, 2..=100, errors).unwrap_or(16);
                set_once(&mut hnsw.m, number, item, errors);
            } else if path.is_ident("ef_construction") {
                let number = within(item, 4..=1_000, errors).unwrap_or(1_000);
                set_once(&mut hnsw.ef_construction, number, item, errors);
            } else if path.is_ident("approximate") {
                word(item, errors);
                set_once(&mut approximate, (), item, errors);
            } else {
                unknown(item, KNOWN, errors);
            }
        }
        let of_an_index = ["m", "ef_construction", "approximate"];
        for item in items.iter().filter(|_| index.is_none()) {
            if let Some(name) = of_an_index.iter().find(|name| item.path().is_ident(name)) {
                errors.at(
                    item,
                    format!("`{name}` says something of an index: add `index = \"hnsw\"`"),
                );
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
            index: index.map(|()| hnsw),
            approximate,
        }
    }
}

fn dimensions_of(item: &Meta, errors: &mut Errors) -> Option<usize> {
    let number = number_of(item).filter(|n| (1..=MAX_DIMENSIONS).contains(n));
    if number.is_none() {
        errors.at(
            item,
            format!("`dimensions` is a number from 1 to {MAX_DIMENSIONS}: `dimensions = 256`"),
        );
    }
    number
}

/// The number of `name = …`, or a mistake.
fn within(item: &Meta, range: RangeInclusive<u16>, errors: &mut Errors) -> Option<u16> {
    let number = number_of(item).filter(|n| range.contains(n));
    if number.is_none() {
        errors.at(
            item,
            format!(
                "`{}` is a number from {} to {}",
                name(item.path()),
                range.start(),
                range.end()
            ),
        );
    }
    number
}

fn number_of<N: FromStr<Err: Display>>(item: &Meta) -> Option<N> {
    match item {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Int(int), ..
            }) => int.base10_parse().ok(),
            _ => None,
        },
        Meta::Path(_) | Meta::List(_) => None,
    }
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
