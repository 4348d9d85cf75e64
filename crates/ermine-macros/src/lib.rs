#![doc = include_str!("../README.md")]

mod case;
mod container_attributes;
mod declared_field;
mod document;
mod errors;
mod event;
mod field_attributes;
mod fields;
mod meta;
mod names;
mod serde_attributes;
mod types;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

#[doc = include_str!("../docs/document.md")]
#[proc_macro_derive(Document, attributes(document))]
pub fn derive_document(input: TokenStream) -> TokenStream {
    document::derive(&parse_macro_input!(input as DeriveInput)).into()
}

#[doc = include_str!("../docs/fields.md")]
#[proc_macro_derive(Fields, attributes(document))]
pub fn derive_fields(input: TokenStream) -> TokenStream {
    fields::derive(&parse_macro_input!(input as DeriveInput)).into()
}

#[doc = include_str!("../docs/event.md")]
#[proc_macro_derive(Event, attributes(event))]
pub fn derive_event(input: TokenStream) -> TokenStream {
    event::derive(&parse_macro_input!(input as DeriveInput)).into()
}
