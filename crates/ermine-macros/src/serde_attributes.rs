//! What serde's attributes mean for the database (rules D9 and F1).

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Attribute, Ident, LitStr, Meta, Type};

use crate::case::RenameRule;
use crate::errors::Errors;
use crate::meta::{parse_list, serde_items, string_of};
use crate::types::option_item;

/// Attributes of a struct after which its JSON is not an object of its fields.
const CONTAINER_INVISIBLE: [&str; 8] = [
    "tag",
    "content",
    "untagged",
    "transparent",
    "from",
    "into",
    "try_from",
    "remote",
];

/// Attributes of a field after which its JSON is not the field's value.
const FIELD_INVISIBLE: [&str; 9] = [
    "skip",
    "skip_serializing",
    "skip_deserializing",
    "skip_serializing_if",
    "with",
    "serialize_with",
    "deserialize_with",
    "flatten",
    "getter",
];

/// One string for each of serde's directions.
#[derive(Default)]
pub(crate) struct PerDirection {
    pub(crate) serialize: Option<LitStr>,
    pub(crate) deserialize: Option<LitStr>,
}

impl PerDirection {
    /// Reads `name = "…"` and `name(serialize = "…", deserialize = "…")`. Of
    /// several for one direction the first counts; serde takes the others for aliases.
    pub(crate) fn read(&mut self, meta: &Meta) {
        if let Some(both) = string_of(meta) {
            self.serialize.get_or_insert_with(|| both.clone());
            self.deserialize.get_or_insert_with(|| both.clone());
        } else if let Some(Ok(list)) = parse_list(meta) {
            for item in &list {
                let slot = if item.path().is_ident("serialize") {
                    &mut self.serialize
                } else {
                    &mut self.deserialize
                };
                if let Some(text) = string_of(item) {
                    slot.get_or_insert_with(|| text.clone());
                }
            }
        }
    }
}

/// The serde attributes of a struct.
pub(crate) struct SerdeContainer {
    rename_all: PerDirection,
    /// `serde(default)`, which stands for every field.
    default: Option<Meta>,
}

impl SerdeContainer {
    /// Reads them, and refuses those the database cannot see.
    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut container = Self {
            rename_all: PerDirection::default(),
            default: None,
        };
        for meta in serde_items(attributes) {
            let path = meta.path();
            if path.is_ident("rename_all") {
                container.rename_all.read(&meta);
            } else if path.is_ident("default") {
                container.default = Some(meta);
            } else if let Some(name) = CONTAINER_INVISIBLE.iter().find(|n| path.is_ident(n)) {
                errors.at(
                    &meta,
                    format!(
                        "the database cannot see serde's `{name}`: the struct is stored as a JSON object with a member for each field; remove it"
                    ),
                );
            }
        }
        container
    }
}

/// The serde attributes of a field.
pub(crate) struct SerdeField {
    rename: PerDirection,
    default: Option<Meta>,
    invisible: Vec<Meta>,
}

/// A field's name in JSON.
pub(crate) struct SerdeName {
    pub(crate) text: String,
    /// Where the field is renamed, if it is.
    pub(crate) renamed: Option<LitStr>,
}

impl SerdeField {
    pub(crate) fn read(attributes: &[Attribute]) -> Self {
        let mut field = Self {
            rename: PerDirection::default(),
            default: None,
            invisible: Vec::new(),
        };
        for meta in serde_items(attributes) {
            let path = meta.path();
            if path.is_ident("rename") {
                field.rename.read(&meta);
            } else if path.is_ident("default") {
                field.default = Some(meta);
            } else if FIELD_INVISIBLE.iter().any(|name| path.is_ident(name)) {
                field.invisible.push(meta);
            }
        }
        field
    }

    /// Refuses `flatten` on a field the database does not know: its members would
    /// stand beside the declared ones, and could take the name of one.
    pub(crate) fn refuse_flatten(&self, errors: &mut Errors) {
        for meta in self
            .invisible
            .iter()
            .filter(|m| m.path().is_ident("flatten"))
        {
            errors.at(
                meta,
                "members that serde's `flatten` puts beside the declared fields could replace one of them; remove it, and keep them in a member of their own",
            );
        }
    }

    /// The one name under which the field is written and read.
    pub(crate) fn name(
        &self,
        ident: &Ident,
        container: &SerdeContainer,
        errors: &mut Errors,
    ) -> SerdeName {
        let rust = ident.unraw().to_string();
        let by_rule = |rule: &Option<LitStr>| {
            rule.as_ref()
                .and_then(|rule| RenameRule::named(&rule.value()))
                .map_or_else(|| rust.clone(), |rule| rule.apply(&rust))
        };
        let rules = &container.rename_all;
        let written = match &self.rename.serialize {
            Some(name) => name.value(),
            None => by_rule(&rules.serialize),
        };
        let read = match &self.rename.deserialize {
            Some(name) => name.value(),
            None => by_rule(&rules.deserialize),
        };
        let renamed = self.rename.serialize.as_ref();
        let renamed = renamed.or(self.rename.deserialize.as_ref());
        if written != read {
            let message = format!(
                "the field `{rust}` is written as `{written}` and read as `{read}`; give it one name, and read older ones by `alias`"
            );
            let rule = rules.serialize.as_ref().or(rules.deserialize.as_ref());
            match renamed.or(rule) {
                Some(at) => errors.at(at, message),
                None => errors.at(ident, message),
            }
        }
        SerdeName {
            text: written,
            renamed: renamed.cloned(),
        }
    }

    /// Refuses the attributes after which the database would hold another value
    /// than the JSON.
    pub(crate) fn refuse_invisible(&self, ty: &Type, errors: &mut Errors) {
        for meta in &self.invisible {
            if is_harmless(meta, ty) {
                continue;
            }
            let name = crate::meta::name(meta.path());
            errors.at(
                meta,
                format!(
                    "the database cannot see serde's `{name}`: what is filtered and searched would differ from what is stored; remove it, or the field's declaration"
                ),
            );
        }
    }

    /// Refuses a default of serde's that `declared`, the word `default` of the
    /// field's own attribute, does not admit to, and the word where there is no default.
    pub(crate) fn refuse_undeclared_default(
        &self,
        ident: &Ident,
        ty: &Type,
        container: &SerdeContainer,
        declared: Option<Span>,
        errors: &mut Errors,
    ) {
        let remedy = "filters judge what is stored: add `default` to the field's `#[document(…)]` if that is meant, or remove it";
        // The plain default of an option is `None`, which is what its absence means anyway.
        let is_none = matches!(self.default, Some(Meta::Path(_))) && option_item(ty).is_some();
        match (&self.default, &container.default, declared) {
            (None, None, Some(span)) => errors.push(syn::Error::new(
                span,
                "`default` admits to serde's `default`, which the field does not have; remove it",
            )),
            (Some(own), _, None) if !is_none => errors.at(
                own,
                format!("serde's `default` gives the field a value that is not stored, and {remedy}"),
            ),
            (None, Some(_), None) => errors.at(
                ident,
                format!("serde's `default` on the struct gives `{ident}` a value that is not stored, and {remedy}"),
            ),
            _ => {}
        }
    }
}

/// Absent and null are the same (rule F1), so `None` may be left out of the JSON.
fn is_harmless(meta: &Meta, ty: &Type) -> bool {
    meta.path().is_ident("skip_serializing_if")
        && option_item(ty).is_some()
        && string_of(meta).is_some_and(|path| path.value() == "Option::is_none")
}
