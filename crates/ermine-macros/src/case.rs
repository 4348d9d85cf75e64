//! From one way of writing a name to another.

use syn::Ident;
use syn::ext::IdentExt;

/// A rule of serde's `rename_all`, as serde applies it to the fields of a struct.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RenameRule {
    /// `lowercase` and `snake_case`, which serde leaves fields alone for.
    Unchanged,
    Upper,
    Pascal,
    Camel,
    Kebab,
    ScreamingKebab,
}

impl RenameRule {
    /// The rule serde knows as `name`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "lowercase" | "snake_case" => Self::Unchanged,
            "UPPERCASE" | "SCREAMING_SNAKE_CASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return None,
        })
    }

    /// The name of the field `field`.
    pub(crate) fn apply(self, field: &str) -> String {
        match self {
            Self::Unchanged => field.to_owned(),
            Self::Upper => field.to_ascii_uppercase(),
            Self::Pascal => pascal(field),
            Self::Camel => {
                let pascal = pascal(field);
                let mut rest = pascal.chars();
                let first = rest.next().map(|c| c.to_ascii_lowercase());
                first.into_iter().chain(rest).collect()
            }
            Self::Kebab => field.replace('_', "-"),
            Self::ScreamingKebab => field.to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal(field: &str) -> String {
    let words = field.split('_');
    words
        .flat_map(|word| {
            let mut rest = word.chars();
            let first = rest.next().map(|c| c.to_ascii_uppercase());
            first.into_iter().chain(rest)
        })
        .collect()
}

/// The name of the variant `variant` under serde's `rename_all = "rule"`, as serde
/// applies it to the variants of an enum; of a rule that does not exist, serde speaks.
pub(crate) fn variant(rule: &str, variant: &str) -> String {
    let snake = || {
        let mut name = String::new();
        for letter in variant.chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    };
    match rule {
        "lowercase" => variant.to_ascii_lowercase(),
        "UPPERCASE" => variant.to_ascii_uppercase(),
        "camelCase" => {
            let mut rest = variant.chars();
            let first = rest.next().map(|c| c.to_ascii_lowercase());
            first.into_iter().chain(rest).collect()
        }
        "snake_case" => snake(),
        "SCREAMING_SNAKE_CASE" => snake().to_ascii_uppercase(),
        "kebab-case" => snake().replace('_', "-"),
        "SCREAMING-KEBAB-CASE" => snake().to_ascii_uppercase().replace('_', "-"),
        _ => variant.to_owned(),
    }
}

/// The name of `ident`, raw or not.
pub(crate) fn plain(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// The name of the constant for the field `field`.
pub(crate) fn constant(field: &str) -> String {
    field.to_uppercase()
}

/// The name a type has in the database when it declares none: a word begins at each
/// upper-case letter that follows a small one or a digit, or precedes a small
/// one, so `HTTPNote2` is `http_note2`.
pub(crate) fn collection(type_name: &str) -> String {
    let mut name = String::new();
    let mut letters = type_name.chars().peekable();
    let mut before = '_';
    while let Some(letter) = letters.next() {
        let begins_word = letter.is_uppercase()
            && (before.is_lowercase()
                || before.is_numeric()
                || (before != '_' && letters.peek().is_some_and(|next| next.is_lowercase())));
        if begins_word {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
        before = letter;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::collection;

    #[test]
    fn a_document_type_is_named_in_snake_case() {
        for (type_name, expected) in [
            ("Memory", "memory"),
            ("GlossaryTerm", "glossary_term"),
            ("HTTPNote2", "http_note2"),
            ("Note2Self", "note2_self"),
            ("Plan_B", "plan_b"),
            ("X", "x"),
        ] {
            assert_eq!(collection(type_name), expected);
        }
    }
}
