//! `#[derive(Document)]`.

mod expand;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;
use syn::ext::IdentExt;

use crate::container_attributes::DocumentAttributes;
use crate::declared_field::{DeclaredField, declared_fields, named_fields, type_checks};
use crate::errors::{Errors, list};
use crate::field_attributes::{FieldAttributes, Role};
use crate::serde_attributes::SerdeContainer;

/// The `impl`s of a document, or everything that is wrong with it.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let attributes = DocumentAttributes::read(&input.ident, &input.attrs, &mut errors);
    let serde = SerdeContainer::read(&input.attrs, &mut errors);
    let named = named_fields(input, "Document", &mut errors);
    let fields = declared_fields(&named, &serde, FieldAttributes::of_document, &mut errors);
    if !named.is_empty() {
        refuse_other_than_one_id(input, &fields, &mut errors);
    }
    let rust_names: Vec<String> = named
        .iter()
        .filter_map(|field| Some(field.ident.as_ref()?.unraw().to_string()))
        .collect();
    refuse_unknown_sources(&rust_names, &fields, &mut errors);

    let krate = &attributes.krate;
    let core = quote!(#krate::__core);
    match errors.into_compile_errors() {
        Some(errors) => {
            let checks = type_checks(&fields, &core);
            quote!(#errors #checks)
        }
        None => expand::document(&input.ident, &attributes, &fields, &core),
    }
}

fn refuse_other_than_one_id(
    input: &DeriveInput,
    fields: &[DeclaredField<'_>],
    errors: &mut Errors,
) {
    let mut ids = fields.iter().filter(|f| matches!(f.role, Role::Id));
    match ids.next() {
        None => errors.at(
            &input.ident,
            "a document has an id: mark one field `#[document(id)]`",
        ),
        Some(first) => {
            for other in ids {
                errors.at(
                    other.ident,
                    format!("`{}` is the id already; a document has one", first.ident),
                );
            }
        }
    }
}

fn refuse_unknown_sources(
    rust_names: &[String],
    fields: &[DeclaredField<'_>],
    errors: &mut Errors,
) {
    for field in fields {
        let Role::Vector(vector) = &field.role else {
            continue;
        };
        for source in vector.from.iter() {
            for name in &source.fields {
                if !rust_names.contains(name) {
                    let known = list(rust_names.iter().map(String::as_str));
                    errors.at(
                        &source.literal,
                        format!("there is no field `{name}`; `from` names fields of this struct as Rust does: {known}"),
                    );
                }
            }
        }
    }
}
