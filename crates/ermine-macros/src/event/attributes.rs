//! `#[event(…)]`.

use syn::{Attribute, Ident, LitStr, Meta, Path, parse_quote};

use crate::case;
use crate::container_attributes::{read_crate, unknown};
use crate::errors::Errors;
use crate::meta::{event_items, set_once, string};
use crate::names;

/// What an enum or a struct declares.
pub(super) struct ContainerAttributes {
    /// A struct's event type; what stands before the dot in those of an enum's variants.
    pub(super) name: String,
    /// The path to the crate that has `__core`.
    pub(super) krate: Path,
}

impl ContainerAttributes {
    pub(super) fn of_struct(ident: &Ident, attributes: &[Attribute], errors: &mut Errors) -> Self {
        Self::read(ident, attributes, ("name", "note.written"), errors)
    }

    pub(super) fn of_enum(ident: &Ident, attributes: &[Attribute], errors: &mut Errors) -> Self {
        Self::read(ident, attributes, ("prefix", "memory"), errors)
    }

    fn read(
        ident: &Ident,
        attributes: &[Attribute],
        (key, example): (&str, &str),
        errors: &mut Errors,
    ) -> Self {
        let mut declared = None;
        let mut krate = None;
        for meta in event_items(attributes, errors) {
            if meta.path().is_ident(key) {
                read_name(&meta, example, &mut declared, errors);
            } else if meta.path().is_ident("crate") {
                read_crate(&meta, &mut krate, errors);
            } else {
                unknown(&meta, &[key, "crate"], errors);
            }
        }
        Self {
            name: declared.map_or_else(|| default_name(ident, key, errors), |name| name.value()),
            krate: krate.unwrap_or_else(|| parse_quote!(::ermine)),
        }
    }
}

fn default_name(ident: &Ident, key: &str, errors: &mut Errors) -> String {
    let name = case::collection(&case::plain(ident));
    if let Some(problem) = names::event_problem(&name) {
        errors.at(
            ident,
            format!("{problem}; name it by `#[event({key} = \"…\")]`"),
        );
    }
    name
}

/// The name a variant declares.
pub(super) fn variant_name(attributes: &[Attribute], errors: &mut Errors) -> Option<LitStr> {
    let mut declared = None;
    for meta in event_items(attributes, errors) {
        if meta.path().is_ident("name") {
            read_name(&meta, "memory.recorded", &mut declared, errors);
        } else {
            unknown(&meta, &["name"], errors);
        }
    }
    declared
}

fn read_name(meta: &Meta, example: &str, declared: &mut Option<LitStr>, errors: &mut Errors) {
    if let Some(text) = string(meta, example, errors) {
        if let Some(problem) = names::event_problem(&text.value()) {
            errors.at(&text, problem);
        }
        set_once(declared, text, meta, errors);
    }
}
