//! What an event's derive writes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use super::variant::DeclaredVariant;
use crate::declared_field::derived;
use crate::types::respanned;

/// The constant and the `impl`, for a struct without mistakes.
pub(super) fn of_struct(input: &DeriveInput, name: &str, core: &TokenStream) -> TokenStream {
    let (ident, vis, attributes) = (&input.ident, &input.vis, derived());
    let doc = format!("The event type `{name}`, for projections.");
    quote! {
        // Not every event is projected.
        #[allow(dead_code)]
        #attributes
        impl #ident {
            #[doc = #doc]
            #vis const EVENT: #core::EventType<Self> =
                #core::EventType::new(#name, #core::event_data::to_struct::<Self>);
        }

        #attributes
        impl #core::Event for #ident {
            fn event_types() -> &'static [&'static str] {
                &[#name]
            }

            fn event_type(&self) -> &'static str {
                #name
            }

            fn to_data(&self) -> #core::Result<::std::string::String> {
                #core::event_data::of_struct(#name, self)
            }

            fn from_data(event_type: &str, data: &str) -> #core::Result<Self> {
                match event_type {
                    #name => #core::event_data::to_struct(data),
                    _ => ::core::result::Result::Err(
                        #core::event_data::of_another_type(event_type, &[#name])
                    ),
                }
            }
        }
    }
}

/// The constants and the `impl`, for an enum without mistakes.
pub(super) fn of_enum(
    input: &DeriveInput,
    variants: &[DeclaredVariant<'_>],
    core: &TokenStream,
) -> TokenStream {
    let (ident, vis, attributes) = (&input.ident, &input.vis, derived());
    let names: Vec<&str> = variants.iter().map(|v| v.name.as_str()).collect();
    let idents: Vec<_> = variants.iter().map(|v| v.ident).collect();
    let tags = variants.iter().map(|v| &v.tag);
    let constants = variants.iter().map(|variant| {
        let DeclaredVariant { name, constant, .. } = variant;
        let doc = format!("The event type `{name}`, for projections.");
        let (ty, read) = match variant.holds {
            Some(inner) => (quote!(#inner), inner_of(variant, variants.len(), core)),
            None => (
                quote!(Self),
                quote!(|data| <Self as #core::Event>::from_data(#name, data)),
            ),
        };
        // Where a constant of this name is there already, the compiler points at the variant.
        let place = variant.ident.span();
        let head = respanned(quote!(const #constant: #core::EventType<#ty>), place);
        let end = respanned(quote!(;), place);
        quote! {
            #[doc = #doc]
            #vis #head = #core::EventType::new(#name, #read) #end
        }
    });
    quote! {
        // Not every event is projected.
        #[allow(dead_code)]
        #attributes
        impl #ident { #(#constants)* }

        #attributes
        impl #core::Event for #ident {
            fn event_types() -> &'static [&'static str] {
                &[#(#names),*]
            }

            fn event_type(&self) -> &'static str {
                match self {
                    #(Self::#idents { .. } => #names,)*
                }
            }

            fn to_data(&self) -> #core::Result<::std::string::String> {
                #core::event_data::of_variant(<Self as #core::Event>::event_type(self), self)
            }

            fn from_data(event_type: &str, data: &str) -> #core::Result<Self> {
                match event_type {
                    #(#names => #core::event_data::to_variant(#tags, data),)*
                    _ => ::core::result::Result::Err(#core::event_data::of_another_type(
                        event_type,
                        <Self as #core::Event>::event_types(),
                    )),
                }
            }
        }
    }
}

/// Reads what a variant holds as serde reads the variant, whose field may have
/// attributes of its own.
fn inner_of(variant: &DeclaredVariant<'_>, variants: usize, core: &TokenStream) -> TokenStream {
    let DeclaredVariant { ident, name, .. } = variant;
    let other = (variants > 1).then(|| {
        quote! {
            _ => ::core::result::Result::Err(#core::event_data::of_another_type(
                #name,
                <Self as #core::Event>::event_types(),
            )),
        }
    });
    quote! {
        |data| match <Self as #core::Event>::from_data(#name, data)? {
            Self::#ident(event) => ::core::result::Result::Ok(event),
            #other
        }
    }
}
