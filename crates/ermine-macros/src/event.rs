//! `#[derive(Event)]`.

mod attributes;
mod expand;
mod serde;
mod variant;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput};

use crate::errors::Errors;
use attributes::ContainerAttributes;
use variant::declared_variants;

/// The `impl`s of an event's type, or everything that is wrong with it.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics,
            "`Event` is derived for a type without parameters: an event type belongs to one type",
        );
    }
    let ident = &input.ident;
    let code = match &input.data {
        Data::Struct(_) => {
            let attributes = ContainerAttributes::of_struct(ident, &input.attrs, &mut errors);
            serde::refuse_on_struct(&input.attrs, &mut errors);
            let krate = &attributes.krate;
            expand::of_struct(input, &attributes.name, &quote!(#krate::__core))
        }
        Data::Enum(data) => {
            let attributes = ContainerAttributes::of_enum(ident, &input.attrs, &mut errors);
            let variants = declared_variants(input, data, &attributes.name, &mut errors);
            let krate = &attributes.krate;
            expand::of_enum(input, &variants, &quote!(#krate::__core))
        }
        Data::Union(_) => {
            errors.at(
                ident,
                "`Event` is derived for an enum or a struct, and this is a union",
            );
            TokenStream::new()
        }
    };
    errors.into_compile_errors().unwrap_or(code)
}
