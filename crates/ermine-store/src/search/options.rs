//! The options of each search as plain values, and the fluent calls that set them.

use ermine_core::{
    Accuracy, DEFAULT_K, DEFAULT_LIMIT, DeletedScope, Filter, Include, Metric, TextField,
    VectorField,
};
use ermine_text::TextStyle;

use super::{MaxDistance, MinScore};

macro_rules! options {
    (
        $(#[$doc:meta])* $name:ident {
            $($(#[$field_doc:meta])* $field:ident: $kind:ty = $default:expr,)*
        }
    ) => {
        $(#[$doc])*
        pub struct $name<R> {
            /// Only documents that pass it; none is `true`.
            pub filter: Option<Filter<R>>,
            /// How many matches at most: 10 unless given, 10,000 at most.
            pub limit: usize,
            /// How many matches of the order are left out first.
            pub offset: usize,
            /// Whether soft-deleted documents are seen.
            pub deleted: DeletedScope,
            /// Whether vectors are loaded, and the commit that must be seen.
            pub include: Include,
            $($(#[$field_doc])* pub $field: $kind,)*
        }

        // By hand, since derives would ask the same of `R`.
        impl<R> Clone for $name<R> {
            fn clone(&self) -> Self {
                Self {
                    filter: self.filter.clone(),
                    limit: self.limit,
                    offset: self.offset,
                    deleted: self.deleted,
                    include: self.include,
                    $($field: self.$field.clone(),)*
                }
            }
        }

        impl<R> std::fmt::Debug for $name<R> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("filter", &self.filter)
                    .field("limit", &self.limit)
                    .field("offset", &self.offset)
                    .field("deleted", &self.deleted)
                    .field("include", &self.include)
                    $(.field(stringify!($field), &self.$field))*
                    .finish()
            }
        }

        impl<R> Default for $name<R> {
            fn default() -> Self {
                Self {
                    filter: None,
                    limit: DEFAULT_LIMIT,
                    offset: 0,
                    deleted: DeletedScope::Hidden,
                    include: Include::default(),
                    $($field: $default,)*
                }
            }
        }
    };
}

options! {
    /// The options of a vector search; the default is the same as giving none.
    VectorOptions {
        /// The vector field; may be left out where the type has one.
        vector_field: Option<VectorField<R>> = None,
        /// The metric; none is the declared one.
        metric: Option<Metric> = None,
        /// Whether near neighbours may be missed; none is as declared.
        accuracy: Option<Accuracy> = None,
        /// The inclusive largest distance.
        max_distance: Option<MaxDistance> = None,
    }
}

options! {
    /// The options of a text search; the default is the same as giving none.
    TextOptions {
        /// The text fields it searches, in this order; none is all, as declared.
        text_fields: Option<Vec<TextField<R>>> = None,
        /// One weight per searched field, in their order; none is the declared ones.
        column_weights: Option<Vec<f64>> = None,
        /// How the text is read.
        text_style: TextStyle = TextStyle::Plain,
        /// The analyser's language. Another than the declared one is refused.
        language: Option<String> = None,
        /// The inclusive smallest score.
        min_score: Option<MinScore> = None,
    }
}

options! {
    /// The options of a hybrid search; the default is the same as giving none.
    HybridOptions {
        /// The vector field; may be left out where the type has one.
        vector_field: Option<VectorField<R>> = None,
        /// The metric of the vector leg; none is the declared one.
        metric: Option<Metric> = None,
        /// Whether the vector leg may miss near neighbours; none is as declared.
        accuracy: Option<Accuracy> = None,
        /// The text fields it searches, in this order; none is all, as declared.
        text_fields: Option<Vec<TextField<R>>> = None,
        /// One weight per searched field, in their order; none is the declared ones.
        column_weights: Option<Vec<f64>> = None,
        /// How the text is read.
        text_style: TextStyle = TextStyle::Plain,
        /// The analyser's language. Another than the declared one is refused.
        language: Option<String> = None,
        /// The inclusive smallest fused score.
        min_score: Option<MinScore> = None,
        /// How many candidates each leg returns; none is max(4 × limit, 50).
        candidate_depth: Option<usize> = None,
        /// The k of reciprocal rank fusion.
        k: u32 = DEFAULT_K,
        /// How much the text leg counts.
        text_weight: f64 = 1.0,
        /// How much the vector leg counts.
        vector_weight: f64 = 1.0,
    }
}

/// The fluent calls that every search has.
macro_rules! common_calls {
    ($query:ident, $options:ident) => {
        impl<R: ermine_core::Record> $query<R> {
            /// Sets every option at once, instead of those set before; its filter
            /// applies beside the filters given before.
            pub fn options(mut self, mut options: $options<R>) -> Self {
                options.filter = match (self.options.filter, options.filter) {
                    (Some(first), Some(second)) => Some(first & second),
                    (first, second) => first.or(second),
                };
                self.options = options;
                self
            }

            /// Only documents that pass `filter`, and every filter given before;
            /// it applies before any limit (rules V9, T5).
            pub fn filter(mut self, filter: ermine_core::Filter<R>) -> Self {
                let before = self.options.filter.take();
                self.options.filter = Some(crate::query::both(before, filter));
                self
            }

            /// At most `limit` matches: 10 unless given; above 10,000 is refused.
            pub fn limit(mut self, limit: usize) -> Self {
                self.options.limit = limit;
                self
            }

            /// Leaves out the first `offset` matches of the order.
            pub fn offset(mut self, offset: usize) -> Self {
                self.options.offset = offset;
                self
            }

            /// Soft-deleted documents only.
            pub fn deleted(mut self) -> Self {
                self.options.deleted = ermine_core::DeletedScope::Only;
                self
            }

            /// Soft-deleted documents beside the live ones.
            pub fn including_deleted(mut self) -> Self {
                self.options.deleted = ermine_core::DeletedScope::Included;
                self
            }

            /// Loads vectors too; without it they are `Embedding::NotLoaded`.
            pub fn with_vectors(mut self) -> Self {
                self.options.include.vectors = true;
                self
            }

            /// Answers from a snapshot that holds the commit of `token`.
            pub fn at_least(mut self, token: ermine_core::Token) -> Self {
                self.options.include.at_least = Some(token);
                self
            }
        }

        impl<R> std::fmt::Debug for $query<R> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($query))
                    .field("collection", &self.collection)
                    .field("options", &self.options)
                    .finish_non_exhaustive()
            }
        }
    };
}

/// The fluent calls of a search with a vector in it.
macro_rules! vector_calls {
    ([$($parameter:ident),+] $query:ty, $($options:ident).+) => {
        impl<$($parameter),+> $query {
            /// Searches this vector field; it may be left out where the type has one.
            pub fn vector_field(mut self, field: ermine_core::VectorField<R>) -> Self {
                self.$($options).+.vector_field = Some(field);
                self
            }

            /// Searches the vector field of this name.
            pub fn vector_field_named(self, name: impl Into<String>) -> Self {
                self.vector_field(ermine_core::VectorField::named(name.into()))
            }

            /// Measures by `metric` instead of the declared one, exactly (rule V2).
            pub fn measured_by(mut self, metric: ermine_core::Metric) -> Self {
                self.$($options).+.metric = Some(metric);
                self
            }

            /// Answers from the field's approximate index, where it has one: near
            /// neighbours may be missed, and never fewer documents returned; the
            /// outcome names the plan (rule V10). Where there is no such index,
            /// and by another metric than the declared one, the search is exact.
            pub fn approximate(mut self) -> Self {
                self.$($options).+.accuracy = Some(ermine_core::Accuracy::Approximate);
                self
            }

            /// Compares every vector in scope, which is the default unless the
            /// field declares otherwise (rule V10).
            pub fn exact(mut self) -> Self {
                self.$($options).+.accuracy = Some(ermine_core::Accuracy::Exact);
                self
            }
        }
    };
}

/// The fluent calls of a search with a text in it.
macro_rules! text_calls {
    ([$($parameter:ident),+] $query:ty, $($options:ident).+) => {
        impl<$($parameter),+> $query {
            /// Searches these text fields only.
            pub fn text_fields<F: Into<ermine_core::TextField<R>>>(
                mut self,
                fields: impl IntoIterator<Item = F>,
            ) -> Self {
                self.$($options).+.text_fields = Some(fields.into_iter().map(Into::into).collect());
                self
            }

            /// Searches the text fields of these names only.
            pub fn text_fields_named<N: Into<String>>(
                self,
                names: impl IntoIterator<Item = N>,
            ) -> Self {
                let named = |name: N| ermine_core::TextField::named(name.into());
                self.text_fields(names.into_iter().map(named))
            }

            /// Weighs the searched fields, one weight each, in their order
            /// (rule T8); 0 leaves a field out.
            pub fn column_weights(mut self, weights: impl IntoIterator<Item = f64>) -> Self {
                self.$($options).+.column_weights = Some(weights.into_iter().collect());
                self
            }

            /// Reads the text in this style: plain unless given (rule T7).
            pub fn text_style(mut self, style: ermine_text::TextStyle) -> Self {
                self.$($options).+.text_style = style;
                self
            }

            /// Says which language is expected; another than the declared one is
            /// refused (rule T1).
            pub fn language(mut self, language: impl Into<String>) -> Self {
                self.$($options).+.language = Some(language.into());
                self
            }
        }
    };
}

pub(crate) use {common_calls, text_calls, vector_calls};
