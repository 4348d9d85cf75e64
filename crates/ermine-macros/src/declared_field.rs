//! The fields of a struct, judged together.

mod code;

use std::collections::HashMap;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Field, Fields, Ident, Type, Visibility};

pub(crate) use code::{constants, derived, type_checks};

use crate::case;
use crate::errors::Errors;
use crate::field_attributes::{FieldAttributes, Role};
use crate::names;
use crate::serde_attributes::{SerdeContainer, SerdeField, SerdeName};

/// A field the database knows of.
pub(crate) struct DeclaredField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) vis: &'a Visibility,
    pub(crate) ty: &'a Type,
    /// Its name in JSON and in the schema.
    pub(crate) name: SerdeName,
    pub(crate) role: Role,
}

/// The named fields of a struct without parameters; anything else is a mistake.
pub(crate) fn named_fields<'a>(
    input: &'a DeriveInput,
    derive: &str,
    errors: &mut Errors,
) -> Vec<&'a Field> {
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics,
            format!(
                "`{derive}` is derived for a type without parameters: a schema belongs to one type"
            ),
        );
    }
    if let Data::Struct(data) = &input.data
        && let Fields::Named(fields) = &data.fields
    {
        return fields.named.iter().collect();
    }
    let what = match &input.data {
        Data::Struct(_) => "a struct whose fields have no names",
        Data::Enum(_) => "an enum",
        Data::Union(_) => "a union",
    };
    errors.at(
        &input.ident,
        format!("`{derive}` is derived for a struct with named fields, and this is {what}"),
    );
    Vec::new()
}

/// Judges the fields: serde's attributes, names, constants.
pub(crate) fn declared_fields<'a>(
    fields: &[&'a Field],
    serde: &SerdeContainer,
    read: impl Fn(&Field, &mut Errors) -> FieldAttributes,
    errors: &mut Errors,
) -> Vec<DeclaredField<'a>> {
    let read: Vec<_> = fields
        .iter()
        .filter_map(|field| Some((*field, field.ident.as_ref()?, read(field, errors))))
        .collect();
    let sources: Vec<String> = read
        .iter()
        .filter_map(|(_, _, attributes)| match &attributes.role {
            Role::Vector(vector) => vector.from.as_ref(),
            _ => None,
        })
        .flat_map(|from| from.fields.iter().cloned())
        .collect();
    let mut declared: Vec<DeclaredField<'a>> = Vec::new();
    for (field, ident, FieldAttributes { role, default }) in read {
        let field_serde = SerdeField::read(&field.attrs);
        let is_source = sources.iter().any(|name| ident.unraw() == name);
        if matches!(role, Role::Undeclared) && !is_source {
            if let Some(span) = default {
                errors.push(syn::Error::new(
                    span,
                    "`default` says nothing of a field the database does not know; remove it",
                ));
            }
            field_serde.refuse_flatten(errors);
            continue;
        }
        field_serde.refuse_invisible(&field.ty, errors);
        if !matches!(role, Role::Vector(_)) {
            field_serde.refuse_undeclared_default(ident, &field.ty, serde, default, errors);
        } else if let Some(span) = default {
            errors.push(syn::Error::new(
                span,
                "a vector has no default: one that is missing was not loaded; remove it",
            ));
        }
        declared.push(DeclaredField {
            ident,
            vis: &field.vis,
            ty: &field.ty,
            name: field_serde.name(ident, serde, errors),
            role,
        });
    }
    refuse_bad_names(&declared, errors);
    declared
}

fn refuse_bad_names(fields: &[DeclaredField<'_>], errors: &mut Errors) {
    let mut names: HashMap<String, &str> = HashMap::new();
    let mut constants: HashMap<String, &Ident> = HashMap::new();
    for field in fields {
        let name = field.name.text.as_str();
        if let Some(problem) = names::field_problem(name) {
            errors.at(field.name_tokens(), problem);
        } else if let Some(other) = names.insert(name.to_ascii_lowercase(), name) {
            let message = if other == name {
                format!("two fields are stored as `{name}`; rename one")
            } else {
                format!(
                    "`{other}` and `{name}` differ only by case, which a database may ignore; rename one"
                )
            };
            errors.at(field.name_tokens(), message);
        }
        if matches!(field.role, Role::Undeclared) {
            continue;
        }
        let constant = case::constant(&field.ident.unraw().to_string());
        if let Some(other) = constants.insert(constant.clone(), field.ident) {
            errors.at(
                field.ident,
                format!(
                    "the constants of `{other}` and `{}` would both be `{constant}`; rename one",
                    field.ident
                ),
            );
        } else if syn::parse_str::<Ident>(&constant).is_err() {
            errors.at(
                field.ident,
                format!("`{constant}` cannot name a constant; rename the field"),
            );
        }
    }
}

impl DeclaredField<'_> {
    /// Where the field got its name.
    fn name_tokens(&self) -> &dyn ToTokens {
        match &self.name.renamed {
            Some(literal) => literal,
            None => self.ident,
        }
    }
}
