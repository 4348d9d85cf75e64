//! What a document's derive writes.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

use crate::container_attributes::DocumentAttributes;
use crate::declared_field::{DeclaredField, constants, derived};
use crate::field_attributes::{Role, VectorAttribute};

/// The constants and both `impl`s, for a struct without mistakes.
pub(crate) fn document(
    ident: &Ident,
    attributes: &DocumentAttributes,
    fields: &[DeclaredField<'_>],
    core: &TokenStream,
) -> TokenStream {
    let constants = constants(ident, fields, core);
    let record = record(ident, fields, core);
    let schema = schema(attributes, fields, core);
    let attributes = derived();
    quote! {
        #constants

        #record

        #attributes
        impl #core::Document for #ident {
            fn schema() -> #core::Result<#core::Schema> {
                #schema
            }
        }
    }
}

fn schema(
    attributes: &DocumentAttributes,
    fields: &[DeclaredField<'_>],
    core: &TokenStream,
) -> TokenStream {
    let name = &attributes.name;
    let id = fields.iter().find(|f| matches!(f.role, Role::Id));
    let id_name = id.map(|id| &id.name.text);
    let id_type = id.map(|id| id.item(core, "DocumentId", quote!(TYPE)));
    let tenancy = attributes
        .conjoined
        .then(|| quote!(.tenancy(#core::Tenancy::Conjoined)));
    let deletion = attributes
        .soft_delete
        .then(|| quote!(.deletion(#core::Deletion::Soft)));
    let language = attributes.language.iter();
    let declarations = fields.iter().map(|field| declaration(field, fields, core));
    quote! {
        let builder = #core::Schema::builder(#name, #id_name, #id_type)
            #tenancy
            #deletion
            #(.language(#language))*;
        #(#declarations)*
        builder.build()
    }
}

fn declaration(
    field: &DeclaredField<'_>,
    fields: &[DeclaredField<'_>],
    core: &TokenStream,
) -> TokenStream {
    let name = &field.name.text;
    let column = || {
        let column_type = field.item(core, "ColumnValue", quote!(TYPE));
        quote!(let builder = builder.column(#name, #column_type);)
    };
    match &field.role {
        Role::Id | Role::Undeclared => TokenStream::new(),
        Role::Index => column(),
        Role::Text { weight } => quote!(let builder = builder.text(#name, #weight);),
        Role::IndexedText { weight } => {
            let column = column();
            quote!(#column let builder = builder.text(#name, #weight);)
        }
        Role::Nested => {
            let prefix = format!("{name}.");
            let declare = field.item(core, "Fields", quote!(declare));
            quote!(let builder = #declare(#prefix, builder);)
        }
        Role::Vector(vector) => {
            let field = vector_field(name, vector, fields, core);
            quote!(let builder = builder.vector_field(#field);)
        }
    }
}

fn vector_field(
    name: &str,
    vector: &VectorAttribute,
    fields: &[DeclaredField<'_>],
    core: &TokenStream,
) -> TokenStream {
    let dimensions = vector.dimensions;
    let metric = Ident::new(vector.metric, Span::call_site());
    let from = vector.from.iter().map(|from| {
        let names = from.among(fields).map(|source| &source.name.text);
        quote!(.embedded_from([#(#names),*]))
    });
    let index = vector.index.iter().map(|hnsw| {
        let m = hnsw.m.map(|m| quote!(hnsw.m = #m;));
        let ef = hnsw.ef_construction;
        let ef = ef.map(|ef| quote!(hnsw.ef_construction = #ef;));
        let mutable = (m.is_some() || ef.is_some()).then(|| quote!(mut));
        quote!(.indexed({
            let #mutable hnsw = <#core::Hnsw as ::core::default::Default>::default();
            #m
            #ef
            hnsw
        }))
    });
    let approximate = vector.approximate.map(|()| quote!(.approximate()));
    quote! {
        #core::VectorFieldSchema::new(#name, #dimensions, #core::Metric::#metric)
            #(#from)*
            #(#index)*
            #approximate
    }
}

fn record(ident: &Ident, fields: &[DeclaredField<'_>], core: &TokenStream) -> TokenStream {
    let id = fields.iter().find(|f| matches!(f.role, Role::Id));
    let (id_ident, id_type) = id.map(|id| (id.ident, id.ty)).unzip();
    let to_id = id.and_then(|id| id.read(core));
    let columns = fields.iter().filter_map(|field| {
        let read = field.read(core)?;
        match field.role {
            Role::Index => Some(quote!(columns.push(#read);)),
            Role::IndexedText { .. } => {
                let to_value = field.item(core, "ColumnValue", quote!(to_value));
                let ident = field.ident;
                Some(quote!(columns.push(#to_value(&self.#ident));))
            }
            Role::Nested => {
                let (method, ident) = (field.method(core)?, field.ident);
                Some(quote!(#method(&self.#ident, &mut columns);))
            }
            _ => None,
        }
    });
    let columns: Vec<TokenStream> = columns.collect();
    let mutable = (!columns.is_empty()).then(|| quote!(mut));
    let texts = fields.iter().filter_map(|field| {
        let read = field.read(core)?;
        matches!(field.role, Role::Text { .. } | Role::IndexedText { .. })
            .then(|| quote!(#read.map(::std::borrow::ToOwned::to_owned)))
    });
    let vectors = fields.iter().filter_map(|field| {
        let Role::Vector(vector) = &field.role else {
            return None;
        };
        let embedding = field.read(core)?;
        let source = match &vector.from {
            None => quote!(::core::option::Option::None),
            Some(from) => {
                let parts = from.among(fields).map(|source| {
                    let (as_text, ident) = (from.method(source, core), source.ident);
                    quote!(#as_text(&self.#ident))
                });
                quote!(::core::option::Option::Some(#core::source_text([#(#parts),*])))
            }
        };
        Some(quote! {
            #core::VectorPart {
                embedding: ::core::clone::Clone::clone(#embedding),
                source: #source,
            }
        })
    });
    let from_stored = from_stored(fields, core);
    let attributes = derived();
    quote! {
        #attributes
        impl #core::Record for #ident {
            type Id = #id_type;

            fn id(&self) -> #id_type {
                ::core::clone::Clone::clone(&self.#id_ident)
            }

            fn to_parts(&self, schema: &#core::Schema) -> #core::Result<#core::RecordParts> {
                let id = #to_id;
                let #mutable columns = ::std::vec::Vec::with_capacity(schema.columns().len());
                #(#columns)*
                ::core::result::Result::Ok(#core::RecordParts {
                    body: #core::body_of(schema, &id, self)?,
                    id,
                    columns,
                    texts: ::std::vec![#(#texts),*],
                    vectors: ::std::vec![#(#vectors),*],
                })
            }

            fn from_stored(
                schema: &#core::Schema,
                stored: #core::StoredRecord,
            ) -> #core::Result<Self> {
                #from_stored
            }
        }
    }
}

fn from_stored(fields: &[DeclaredField<'_>], core: &TokenStream) -> TokenStream {
    let read = quote! {
        #core::serde_json::from_str(&stored.body)
            .map_err(|cause| stored.body_error(schema, cause))
    };
    let set: Vec<TokenStream> = fields
        .iter()
        .filter(|field| matches!(field.role, Role::Vector(_)))
        .map(|field| {
            let set = field.item(core, "VectorValue", quote!(set_embedding));
            let ident = field.ident;
            quote!(#set(&mut document.#ident, embeddings.next().unwrap_or_default());)
        })
        .collect();
    if set.is_empty() {
        return read;
    }
    quote! {
        let mut document: Self = #read?;
        let mut embeddings = stored.embeddings.into_iter();
        #(#set)*
        ::core::result::Result::Ok(document)
    }
}
