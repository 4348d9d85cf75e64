//! The variants of an enum, judged together.

use std::collections::HashMap;

use quote::ToTokens;
use syn::{DataEnum, DeriveInput, Fields, Ident, Type, Variant};

use super::attributes::variant_name;
use super::serde::VariantNames;
use crate::case;
use crate::errors::Errors;
use crate::names;

/// A variant, which is an event type.
pub(super) struct DeclaredVariant<'a> {
    pub(super) ident: &'a Ident,
    /// The event type's name.
    pub(super) name: String,
    /// Its constant.
    pub(super) constant: Ident,
    /// The name by which serde reads it.
    pub(super) tag: String,
    /// The type that it holds, where it holds just one, without a name.
    pub(super) holds: Option<&'a Type>,
}

/// Judges the variants of `input`, whose names begin with `prefix`.
pub(super) fn declared_variants<'a>(
    input: &'a DeriveInput,
    data: &'a DataEnum,
    prefix: &str,
    errors: &mut Errors,
) -> Vec<DeclaredVariant<'a>> {
    if data.variants.is_empty() {
        errors.at(
            &input.ident,
            "an enum without variants has no events: declare one, or remove the derive",
        );
    }
    let serde = VariantNames::of_enum(&input.attrs, errors);
    let mut names = HashMap::new();
    let mut constants = HashMap::new();
    let variants = data.variants.iter();
    variants
        .filter_map(|variant| {
            let name = event_type(variant, prefix, &mut names, errors);
            let constant = constant(variant, data, &mut constants, errors)?;
            Some(DeclaredVariant {
                ident: &variant.ident,
                name,
                constant,
                tag: serde.of_variant(&variant.ident, &variant.attrs, errors),
                holds: match &variant.fields {
                    Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                        fields.unnamed.first().map(|field| &field.ty)
                    }
                    _ => None,
                },
            })
        })
        .collect()
}

fn event_type<'a>(
    variant: &'a Variant,
    prefix: &str,
    names: &mut HashMap<String, &'a Ident>,
    errors: &mut Errors,
) -> String {
    let declared = variant_name(&variant.attrs, errors);
    let name = match &declared {
        Some(text) => text.value(),
        None => {
            let name = format!(
                "{prefix}.{}",
                case::collection(&case::plain(&variant.ident))
            );
            if let Some(problem) = names::event_problem(&name)
                && names::event_problem(prefix).is_none()
            {
                errors.at(
                    &variant.ident,
                    format!("{problem}; name it by `#[event(name = \"…\")]`"),
                );
            }
            name
        }
    };
    if let Some(other) = names.insert(name.clone(), &variant.ident) {
        let place: &dyn ToTokens = match &declared {
            Some(text) => text,
            None => &variant.ident,
        };
        errors.at(
            place,
            format!(
                "`{other}` and `{}` would both be stored as {name:?}; name one by `#[event(name = \"…\")]`",
                variant.ident
            ),
        );
    }
    name
}

fn constant<'a>(
    variant: &'a Variant,
    data: &DataEnum,
    constants: &mut HashMap<String, &'a Ident>,
    errors: &mut Errors,
) -> Option<Ident> {
    let ident = &variant.ident;
    let name = case::constant(&case::collection(&case::plain(ident)));
    if let Some(same) = data.variants.iter().find(|v| v.ident == name) {
        errors.at(
            ident,
            format!(
                "the constant of `{ident}` would be `{name}`, and the variant `{}` hides it; rename the variant, and keep what is stored by `#[event(name = \"…\")]`",
                same.ident
            ),
        );
        return None;
    }
    if let Some(other) = constants.insert(name.clone(), ident) {
        errors.at(
            ident,
            format!(
                "the constants of `{other}` and `{ident}` would both be `{name}`; rename one, and keep what is stored by `#[event(name = \"…\")]`"
            ),
        );
        return None;
    }
    match syn::parse_str::<Ident>(&name) {
        Ok(mut constant) => {
            constant.set_span(ident.span());
            Some(constant)
        }
        Err(_) => {
            errors.at(
                ident,
                format!("`{name}` cannot name a constant; rename the variant"),
            );
            None
        }
    }
}
