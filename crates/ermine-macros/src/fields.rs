//! `#[derive(Fields)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::container_attributes::crate_path;
use crate::declared_field::{
    DeclaredField, constants, declared_fields, derived, named_fields, type_checks,
};
use crate::errors::Errors;
use crate::field_attributes::{FieldAttributes, Role};
use crate::serde_attributes::SerdeContainer;

/// The `impl` of a nested struct, or everything that is wrong with it.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let krate = crate_path(&input.attrs, &mut errors);
    let serde = SerdeContainer::read(&input.attrs, &mut errors);
    let named = named_fields(input, "Fields", &mut errors);
    let fields = declared_fields(&named, &serde, FieldAttributes::of_nested, &mut errors);
    let core = quote!(#krate::__core);
    if let Some(errors) = errors.into_compile_errors() {
        let checks = type_checks(&fields, &core);
        return quote!(#errors #checks);
    }

    let ident = &input.ident;
    let constants = constants(ident, &fields, &core);
    let declarations = fields.iter().map(|field| declaration(field, &core));
    let values = fields.iter().filter_map(|field| value(field, &core));
    let absences = fields.iter().map(|field| absence(field, &core));
    let attributes = derived();
    quote! {
        #constants

        #attributes
        impl #core::Fields for #ident {
            type Struct = Self;

            fn declare(prefix: &str, builder: #core::SchemaBuilder) -> #core::SchemaBuilder {
                #(#declarations)*
                builder
            }

            fn values(&self, values: &mut ::std::vec::Vec<::core::option::Option<#core::Value>>) {
                #(#values)*
            }

            fn absent(values: &mut ::std::vec::Vec<::core::option::Option<#core::Value>>) {
                #(#absences)*
            }
        }
    }
}

fn declaration(field: &DeclaredField<'_>, core: &TokenStream) -> TokenStream {
    let name = &field.name.text;
    if matches!(field.role, Role::Nested) {
        let format = format!("{{prefix}}{}.", braces_doubled(name));
        let declare = field.item(core, "Fields", quote!(declare));
        return quote!(let builder = #declare(&::std::format!(#format), builder););
    }
    let format = format!("{{prefix}}{}", braces_doubled(name));
    let column_type = field.item(core, "ColumnValue", quote!(TYPE));
    quote!(let builder = builder.column(::std::format!(#format), #column_type);)
}

fn value(field: &DeclaredField<'_>, core: &TokenStream) -> Option<TokenStream> {
    let (method, ident) = (field.method(core)?, field.ident);
    Some(match field.role {
        Role::Nested => quote!(#method(&self.#ident, values);),
        _ => quote!(values.push(#method(&self.#ident));),
    })
}

fn absence(field: &DeclaredField<'_>, core: &TokenStream) -> TokenStream {
    match field.role {
        Role::Nested => {
            let absent = field.item(core, "Fields", quote!(absent));
            quote!(#absent(values);)
        }
        _ => quote!(values.push(::core::option::Option::None);),
    }
}

fn braces_doubled(name: &str) -> String {
    name.replace('{', "{{").replace('}', "}}")
}
