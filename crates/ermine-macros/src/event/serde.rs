//! What serde's attributes mean for an event's data.

use syn::{Attribute, Ident};

use crate::case;
use crate::errors::Errors;
use crate::meta::serde_items;
use crate::serde_attributes::PerDirection;

/// After these an enum's JSON is not one member, named after the variant.
const NOT_TAGGED_BY_VARIANT: [&str; 9] = [
    "tag",
    "content",
    "untagged",
    "from",
    "into",
    "try_from",
    "remote",
    "variant_identifier",
    "field_identifier",
];

/// After these a struct's JSON holds its name, or is none.
const NOT_THE_STRUCT: [&str; 4] = ["tag", "content", "untagged", "remote"];

/// After these a variant cannot be written, or not be read.
const NOT_THE_VARIANT: [&str; 5] = [
    "skip",
    "skip_serializing",
    "skip_deserializing",
    "untagged",
    "other",
];

/// How serde names an enum's variants when it reads them.
pub(super) struct VariantNames(PerDirection);

impl VariantNames {
    /// Reads the attributes of the enum, and refuses those that change its form.
    pub(super) fn of_enum(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut rename_all = PerDirection::default();
        for meta in serde_items(attributes) {
            if meta.path().is_ident("rename_all") {
                rename_all.read(&meta);
            }
        }
        refuse(
            attributes,
            &NOT_TAGGED_BY_VARIANT,
            |name| {
                format!(
                    "serde's `{name}` changes the form by which an event's type is told from its data; remove it: the type's name is stored beside the data"
                )
            },
            errors,
        );
        Self(rename_all)
    }

    /// The name by which serde reads a variant, which is all that matters of it: no
    /// name of serde's is stored.
    pub(super) fn of_variant(
        &self,
        ident: &Ident,
        attributes: &[Attribute],
        errors: &mut Errors,
    ) -> String {
        let mut rename = PerDirection::default();
        for meta in serde_items(attributes) {
            if meta.path().is_ident("rename") {
                rename.read(&meta);
            }
        }
        refuse(
            attributes,
            &NOT_THE_VARIANT,
            |name| {
                format!(
                    "an event of this type would not come back as it was written: remove serde's `{name}`"
                )
            },
            errors,
        );
        let rust = case::plain(ident);
        match (&rename.deserialize, &self.0.deserialize) {
            (Some(name), _) => name.value(),
            (None, Some(rule)) => case::variant(&rule.value(), &rust),
            (None, None) => rust,
        }
    }
}

/// Refuses the attributes of a struct that change the form of its data.
pub(super) fn refuse_on_struct(attributes: &[Attribute], errors: &mut Errors) {
    refuse(
        attributes,
        &NOT_THE_STRUCT,
        |name| {
            format!(
                "serde's `{name}` changes the form of the event's data; remove it: the type's name is stored beside the data"
            )
        },
        errors,
    );
}

fn refuse(
    attributes: &[Attribute],
    names: &[&str],
    message: impl Fn(&str) -> String,
    errors: &mut Errors,
) {
    for meta in serde_items(attributes) {
        if let Some(name) = names.iter().find(|name| meta.path().is_ident(name)) {
            errors.at(&meta, message(name));
        }
    }
}
