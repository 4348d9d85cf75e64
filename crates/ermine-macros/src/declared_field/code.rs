//! The code written for one field.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Ident;
use syn::ext::IdentExt;

use super::DeclaredField;
use crate::case;
use crate::field_attributes::{Role, Sources, VectorAttribute};
use crate::types::respanned;

impl DeclaredField<'_> {
    /// The call that reads the field's value, at the place of its type, so that
    /// a type which cannot be read is reported there.
    pub(crate) fn read(&self, core: &TokenStream) -> Option<TokenStream> {
        let method = self.method(core)?;
        let ident = self.ident;
        Some(quote!(#method(&self.#ident)))
    }

    /// The method by which the field's value is read; `None` for one that is
    /// only the source of a vector.
    pub(crate) fn method(&self, core: &TokenStream) -> Option<TokenStream> {
        let (trait_name, method) = match self.role {
            Role::Id => ("DocumentId", quote!(to_id)),
            Role::Index => ("ColumnValue", quote!(to_value)),
            Role::Text { .. } | Role::IndexedText { .. } => ("TextValue", quote!(as_text)),
            Role::Vector(_) => ("VectorValue", quote!(embedding)),
            Role::Nested => ("Fields", quote!(values)),
            Role::Undeclared => return None,
        };
        Some(self.item(core, trait_name, method))
    }

    /// `<T as Trait>::item` for the field's type, at the place of that type.
    pub(crate) fn item(
        &self,
        core: &TokenStream,
        trait_name: &str,
        item: TokenStream,
    ) -> TokenStream {
        let ty = self.ty;
        let trait_name = Ident::new(trait_name, Span::call_site());
        self.placed(
            quote!(<),
            quote!(#ty),
            quote!(as #core::#trait_name>::#item),
        )
    }

    /// Code that the compiler takes to stand where the field's type stands: it
    /// measures from the first token to the last, and says the same mistake of
    /// the same place only once.
    fn placed(&self, first: TokenStream, middle: TokenStream, last: TokenStream) -> TokenStream {
        let spans: Vec<Span> = self
            .ty
            .to_token_stream()
            .into_iter()
            .map(|token| token.span())
            .collect();
        match (spans.first(), spans.last()) {
            (Some(begin), Some(end)) => {
                let first = respanned(first, *begin);
                let last = respanned(last, *end);
                quote!(#first #middle #last)
            }
            _ => quote!(#first #middle #last),
        }
    }

    /// The field's constant: a typed handle on it.
    pub(crate) fn constant(&self, core: &TokenStream) -> Option<TokenStream> {
        let (vis, name) = (self.vis, &self.name.text);
        let rust = self.ident.unraw().to_string();
        let mut constant = syn::parse_str::<Ident>(&case::constant(&rust)).ok()?;
        constant.set_span(self.ident.span());
        let kind = quote!(Kind);
        let (handle, parameter) = match self.role {
            Role::Id => ("Column", Some(self.item(core, "DocumentId", kind))),
            Role::Index => ("Column", Some(self.item(core, "ColumnValue", kind))),
            Role::Text { .. } => ("TextField", None),
            Role::IndexedText { .. } => ("IndexedText", None),
            Role::Vector(_) => ("VectorField", None),
            Role::Nested => ("Nested", Some(self.item(core, "Fields", quote!(Struct)))),
            Role::Undeclared => return None,
        };
        let handle = Ident::new(handle, Span::call_site());
        let parameter = parameter.into_iter();
        let doc = format!("The field `{rust}`, for filters and searches.");
        let handle = quote!(#core::#handle);
        let ty = self.placed(quote!(#handle<), quote!(Self #(, #parameter)*), quote!(>));
        let value = self.placed(quote!(#handle::new), TokenStream::new(), quote!((#name)));
        Some(quote! {
            #[doc = #doc]
            #vis const #constant: #ty = #value;
        })
    }
}

impl Sources {
    /// The fields named, in that order.
    pub(crate) fn among<'a>(
        &'a self,
        fields: &'a [DeclaredField<'a>],
    ) -> impl Iterator<Item = &'a DeclaredField<'a>> {
        self.fields
            .iter()
            .filter_map(|name| fields.iter().find(|field| field.ident.unraw() == name))
    }

    /// The method by which the text of `field` is read, at the place where it is named.
    pub(crate) fn method(&self, field: &DeclaredField<'_>, core: &TokenStream) -> TokenStream {
        let ty = field.ty;
        respanned(
            quote!(<#ty as #core::TextValue>::as_text),
            self.literal.span(),
        )
    }
}

/// Names the trait of every field's type, so that the compiler reports the types
/// that do not fit beside the mistakes found here.
pub(crate) fn type_checks(fields: &[DeclaredField<'_>], core: &TokenStream) -> TokenStream {
    let methods = fields.iter().filter_map(|field| field.method(core));
    let sources = fields.iter().filter_map(|field| match &field.role {
        Role::Vector(VectorAttribute { from, .. }) => from.as_ref(),
        _ => None,
    });
    let sources = sources.flat_map(|from| from.among(fields).map(|field| from.method(field, core)));
    quote!(const _: () = { #(let _ = #methods;)* #(let _ = #sources;)* };)
}

/// The constants, as an `impl` of `ident`.
pub(crate) fn constants(
    ident: &Ident,
    fields: &[DeclaredField<'_>],
    core: &TokenStream,
) -> TokenStream {
    let constants = fields.iter().filter_map(|field| field.constant(core));
    let attributes = derived();
    quote! {
        // A struct need not use all of its handles.
        #[allow(dead_code)]
        #attributes
        impl #ident { #(#constants)* }
    }
}

/// What stands before each `impl`: code that nobody wrote gets no advice.
pub(crate) fn derived() -> TokenStream {
    quote! {
        #[automatically_derived]
        #[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
    }
}
