//! Reading what stands between an attribute's parentheses.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Path, Token};

use crate::errors::Errors;

/// What `#[document(…)]` says, item by item, so that one bad item does not hide the others.
pub(crate) fn document_items(attributes: &[Attribute], errors: &mut Errors) -> Vec<Meta> {
    items("document", attributes, errors)
}

/// What `#[event(…)]` says, item by item.
pub(crate) fn event_items(attributes: &[Attribute], errors: &mut Errors) -> Vec<Meta> {
    items("event", attributes, errors)
}

fn items(of: &str, attributes: &[Attribute], errors: &mut Errors) -> Vec<Meta> {
    let mut items = Vec::new();
    for attribute in attributes.iter().filter(|a| a.path().is_ident(of)) {
        match parse_list(&attribute.meta) {
            Some(Ok(list)) => items.extend(list),
            Some(Err(error)) => errors.push(error),
            None => errors.at(attribute, format!("write `#[{of}(…)]`, with parentheses")),
        }
    }
    items
}

/// What `#[serde(…)]` says. What does not parse is left for serde to report.
pub(crate) fn serde_items(attributes: &[Attribute]) -> Vec<Meta> {
    attributes
        .iter()
        .filter(|a| a.path().is_ident("serde"))
        .filter_map(|attribute| parse_list(&attribute.meta)?.ok())
        .flatten()
        .collect()
}

/// The items of `name(…)`; `None` where there are no parentheses.
pub(crate) fn parse_list(meta: &Meta) -> Option<syn::Result<Punctuated<Meta, Token![,]>>> {
    match meta {
        Meta::List(list) => Some(list.parse_args_with(Punctuated::parse_terminated)),
        Meta::Path(_) | Meta::NameValue(_) => None,
    }
}

/// The item's name, as written.
pub(crate) fn name(path: &Path) -> String {
    let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    segments.join("::")
}

/// The string of `name = "…"`.
pub(crate) fn string_of(meta: &Meta) -> Option<&LitStr> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text),
            _ => None,
        },
        Meta::Path(_) | Meta::List(_) => None,
    }
}

/// The string of `name = "…"`, or a mistake.
pub(crate) fn string(meta: &Meta, example: &str, errors: &mut Errors) -> Option<LitStr> {
    let found = string_of(meta).cloned();
    if found.is_none() {
        let name = name(meta.path());
        errors.at(
            meta,
            format!("`{name}` takes a string: `{name} = \"{example}\"`"),
        );
    }
    found
}

/// Refuses `name = …` and `name(…)` for an item that is only a word.
pub(crate) fn word(meta: &Meta, errors: &mut Errors) {
    if !matches!(meta, Meta::Path(_)) {
        let name = name(meta.path());
        errors.at(meta, format!("`{name}` takes no value: write `{name}`"));
    }
}

/// Fills `slot`, which may be filled once.
pub(crate) fn set_once<T>(slot: &mut Option<T>, value: T, meta: &Meta, errors: &mut Errors) {
    if slot.is_some() {
        let name = name(meta.path());
        errors.at(meta.path(), format!("`{name}` is given twice; remove one"));
    }
    *slot = Some(value);
}
