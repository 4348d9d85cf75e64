//! What can be told of a type from how it is written.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::{GenericArgument, PathArguments, Type};

/// `T`, where the type is written `Option<T>`.
pub(crate) fn option_item(written: &Type) -> Option<&Type> {
    item_of(written, "Option")
}

/// Whether the type is written as a list of lists, optional or not.
pub(crate) fn is_list_of_lists(written: &Type) -> bool {
    let list_item = |written| item_of(option_item(written).unwrap_or(written), "Vec");
    list_item(written).is_some_and(|item| list_item(item).is_some())
}

fn item_of<'a>(written: &'a Type, container: &str) -> Option<&'a Type> {
    match written {
        // A type that went through another macro comes wrapped.
        Type::Group(group) => item_of(&group.elem, container),
        Type::Paren(paren) => item_of(&paren.elem, container),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            match &last.arguments {
                PathArguments::AngleBracketed(arguments) if last.ident == container => {
                    arguments.args.iter().find_map(|argument| match argument {
                        GenericArgument::Type(item) => Some(item),
                        _ => None,
                    })
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The same tokens at another place, so that the compiler points there.
pub(crate) fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                let inner = respanned(group.stream(), span);
                token = TokenTree::Group(Group::new(group.delimiter(), inner));
            }
            token.set_span(span);
            token
        })
        .collect()
}
