//! `#[document(…)]` on the struct.

use syn::{Attribute, Ident, Meta, Path, parse_quote};

use crate::case;
use crate::errors::{Errors, list};
use crate::meta::{document_items, name, set_once, string, word};
use crate::names;

/// The analyser's languages (rule T10).
const LANGUAGES: [&str; 2] = ["none", "english"];
const TENANCIES: [&str; 2] = ["none", "conjoined"];

/// What a document's struct declares.
pub(crate) struct DocumentAttributes {
    /// The document type's name.
    pub(crate) name: String,
    /// The analyser's language, where one is declared.
    pub(crate) language: Option<String>,
    /// Whether the tenant is part of the key.
    pub(crate) conjoined: bool,
    /// Whether deleting hides.
    pub(crate) soft_delete: bool,
    /// The path to the crate that has `__core`.
    pub(crate) krate: Path,
}

impl DocumentAttributes {
    pub(crate) fn read(ident: &Ident, attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut declared_name = None;
        let mut language = None;
        let mut tenancy = None;
        let mut soft_delete = None;
        let mut krate = None;
        for meta in document_items(attributes, errors) {
            let path = meta.path();
            if path.is_ident("name") {
                if let Some(text) = string(&meta, "memories", errors) {
                    if let Some(problem) = names::collection_problem(&text.value()) {
                        errors.at(&text, problem);
                    }
                    set_once(&mut declared_name, text.value(), &meta, errors);
                }
            } else if path.is_ident("language") {
                if let Some(text) = one_of(&meta, &LANGUAGES, errors) {
                    set_once(&mut language, text, &meta, errors);
                }
            } else if path.is_ident("tenancy") {
                if let Some(text) = one_of(&meta, &TENANCIES, errors) {
                    set_once(&mut tenancy, text, &meta, errors);
                }
            } else if path.is_ident("soft_delete") {
                word(&meta, errors);
                set_once(&mut soft_delete, (), &meta, errors);
            } else if path.is_ident("crate") {
                read_crate(&meta, &mut krate, errors);
            } else {
                unknown(
                    &meta,
                    &["name", "language", "tenancy", "soft_delete", "crate"],
                    errors,
                );
            }
        }
        let name = declared_name.unwrap_or_else(|| {
            let name = case::collection(&ident.to_string());
            if let Some(problem) = names::collection_problem(&name) {
                let remedy = "name it by `#[document(name = \"…\")]`";
                errors.at(ident, format!("{problem}; {remedy}"));
            }
            name
        });
        Self {
            name,
            language,
            conjoined: tenancy.as_deref() == Some("conjoined"),
            soft_delete: soft_delete.is_some(),
            krate: krate.unwrap_or_else(|| parse_quote!(::ermine)),
        }
    }
}

/// Reads `#[document(crate = "…")]`, all that a nested struct may declare.
pub(crate) fn crate_path(attributes: &[Attribute], errors: &mut Errors) -> Path {
    let mut krate = None;
    for meta in document_items(attributes, errors) {
        if meta.path().is_ident("crate") {
            read_crate(&meta, &mut krate, errors);
        } else {
            unknown(&meta, &["crate"], errors);
        }
    }
    krate.unwrap_or_else(|| parse_quote!(::ermine))
}

/// Reads `crate = "…"`.
pub(crate) fn read_crate(meta: &Meta, krate: &mut Option<Path>, errors: &mut Errors) {
    if let Some(text) = string(meta, "ermine", errors) {
        match text.parse_with(Path::parse_mod_style) {
            Ok(path) => set_once(krate, path, meta, errors),
            Err(_) => errors.at(
                &text,
                "`crate` takes the path to Ermine, such as \"ermine\"",
            ),
        }
    }
}

fn one_of(meta: &Meta, known: &[&str], errors: &mut Errors) -> Option<String> {
    let text = string(meta, known.last()?, errors)?;
    let value = text.value();
    if known.contains(&value.as_str()) {
        return Some(value);
    }
    let what = name(meta.path());
    let known = list(known.iter().copied());
    errors.at(
        &text,
        format!("there is no {what} `{value}`; choose from {known}"),
    );
    None
}

/// Refuses an attribute that does not exist.
pub(crate) fn unknown(meta: &Meta, known: &[&str], errors: &mut Errors) {
    let name = name(meta.path());
    let known = list(known.iter().copied());
    errors.at(
        meta.path(),
        format!("there is no attribute `{name}` here; the attributes are {known}"),
    );
}
