//! Typed handles on a document type's fields; the derive makes one constant per field.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use uuid::Uuid;

use super::{Compare, Expr, Filter};
use crate::{Operand, Timestamp, Value};

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident<$($parameter:ident),+>) => {
        $(#[$doc])*
        pub struct $name<$($parameter),+> {
            name: Cow<'static, str>,
            of: PhantomData<fn() -> ($($parameter,)+)>,
        }

        impl<$($parameter),+> $name<$($parameter),+> {
            /// The handle on the field that serde calls `name`.
            pub const fn new(name: &'static str) -> Self {
                Self { name: Cow::Borrowed(name), of: PhantomData }
            }

            /// The handle on a field whose name is known only at run time.
            pub fn named(name: impl Into<Cow<'static, str>>) -> Self {
                Self { name: name.into(), of: PhantomData }
            }

            /// The field's name as serde writes it.
            pub fn name(&self) -> &str {
                &self.name
            }
        }

        impl<$($parameter),+> Clone for $name<$($parameter),+> {
            fn clone(&self) -> Self {
                Self { name: self.name.clone(), of: PhantomData }
            }
        }

        impl<$($parameter),+> fmt::Debug for $name<$($parameter),+> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.name)
            }
        }
    };
}

handle! {
    /// An indexed field of `D`, whose values compare as `K`.
    Column<D, K>
}
handle! {
    /// A text field of `D` that is not indexed: it is searched, and does not filter.
    TextField<D>
}
handle! {
    /// A text field of `D` that is indexed as well.
    IndexedText<D>
}
handle! {
    /// A vector field of `D`.
    VectorField<D>
}
handle! {
    /// A field of `D` that is a struct `F` with indexed fields of its own.
    Nested<D, F>
}

impl<D, F> Nested<D, F> {
    /// The column of the nested struct, as a column of `D`: its path is joined by a dot.
    ///
    /// ```
    /// use ermine_core::{Column, Nested};
    /// struct Person;
    /// struct Address;
    /// const ADDRESS: Nested<Person, Address> = Nested::new("address");
    /// const CITY: Column<Address, String> = Column::new("city");
    /// assert_eq!(ADDRESS.at(CITY).name(), "address.city");
    /// ```
    pub fn at<K>(self, column: Column<F, K>) -> Column<D, K> {
        Column::named(format!("{}.{}", self.name, column.name))
    }
}

impl<D> IndexedText<D> {
    /// This field as one that text search reads.
    pub fn text(self) -> TextField<D> {
        TextField::named(self.name)
    }

    /// This field as one that filters and orders.
    pub fn column(self) -> Column<D, String> {
        Column::named(self.name)
    }
}

impl<D> From<IndexedText<D>> for TextField<D> {
    fn from(field: IndexedText<D>) -> Self {
        field.text()
    }
}

impl<D> From<IndexedText<D>> for Column<D, String> {
    fn from(field: IndexedText<D>) -> Self {
        field.column()
    }
}

impl<D, K> Column<D, K> {
    /// The field is absent.
    pub fn is_null(self) -> Filter<D> {
        Filter::from_expr(Expr::IsNull {
            field: self.name.into_owned(),
        })
    }

    fn compare(self, op: Compare, value: impl Operand<K>) -> Filter<D> {
        Filter::from_expr(Expr::Compare {
            field: self.name.into_owned(),
            op,
            value: value.into_value(),
        })
    }
}

/// A kind whose values compare: every column kind but lists.
pub trait Comparable: sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! comparable {
    ($($kind:ty),*) => {$(
        impl sealed::Sealed for $kind {}
        impl Comparable for $kind {}
    )*};
}

comparable!(bool, i64, u64, f64, String, Uuid, Timestamp);

macro_rules! comparisons {
    ($(#[$doc:meta] $method:ident => $op:ident;)*) => {$(
        #[$doc]
        pub fn $method(self, value: impl Operand<K>) -> Filter<D> {
            self.compare(Compare::$op, value)
        }
    )*};
}

impl<D, K: Comparable> Column<D, K> {
    comparisons! {
        /// The field equals `value`.
        eq => Eq;
        /// The field differs from `value`, or is absent.
        ne => Ne;
        /// The field is less than `value`.
        lt => Lt;
        /// The field is at most `value`.
        le => Le;
        /// The field is greater than `value`.
        gt => Gt;
        /// The field is at least `value`.
        ge => Ge;
    }

    /// `low <= field <= high`; nothing when the bounds cross.
    pub fn between(self, low: impl Operand<K>, high: impl Operand<K>) -> Filter<D> {
        Filter::from_expr(Expr::Between {
            field: self.name.into_owned(),
            low: low.into_value(),
            high: high.into_value(),
        })
    }

    /// The field equals one of `values`; of none, nothing.
    pub fn is_in<O: Operand<K>>(self, values: impl IntoIterator<Item = O>) -> Filter<D> {
        Filter::from_expr(Expr::In {
            field: self.name.into_owned(),
            values: collect(values),
        })
    }
}

impl<D> Column<D, String> {
    /// The text begins with `prefix`, taken literally.
    pub fn starts_with(self, prefix: impl Into<String>) -> Filter<D> {
        Filter::from_expr(Expr::StartsWith {
            field: self.name.into_owned(),
            prefix: prefix.into(),
        })
    }

    /// The text holds `text` somewhere, taken literally.
    pub fn contains(self, text: impl Into<String>) -> Filter<D> {
        Filter::from_expr(Expr::Contains {
            field: self.name.into_owned(),
            text: text.into(),
        })
    }
}

impl<D, K> Column<D, Vec<K>> {
    /// The list holds `value`.
    pub fn contains(self, value: impl Operand<K>) -> Filter<D> {
        self.contains_any([value])
    }

    /// The list holds at least one of `values`; of none, nothing.
    pub fn contains_any<O: Operand<K>>(self, values: impl IntoIterator<Item = O>) -> Filter<D> {
        Filter::from_expr(Expr::ContainsAny {
            field: self.name.into_owned(),
            values: collect(values),
        })
    }

    /// The list is present and holds every one of `values`.
    pub fn contains_all<O: Operand<K>>(self, values: impl IntoIterator<Item = O>) -> Filter<D> {
        Filter::from_expr(Expr::ContainsAll {
            field: self.name.into_owned(),
            values: collect(values),
        })
    }
}

fn collect<K, O: Operand<K>>(values: impl IntoIterator<Item = O>) -> Vec<Value> {
    values.into_iter().map(Operand::into_value).collect()
}

macro_rules! indexed_text {
    ($(#[$doc:meta] $method:ident;)*) => {
        impl<D> IndexedText<D> {$(
            #[$doc]
            pub fn $method(self, value: impl Into<String>) -> Filter<D> {
                self.column().$method(value.into())
            }
        )*}
    };
}

indexed_text! {
    /// The field equals `value`.
    eq;
    /// The field differs from `value`, or is absent.
    ne;
    /// The field sorts before `value`.
    lt;
    /// The field sorts before `value`, or equals it.
    le;
    /// The field sorts after `value`.
    gt;
    /// The field sorts after `value`, or equals it.
    ge;
    /// The text begins with `prefix`, taken literally.
    starts_with;
    /// The text holds these characters somewhere, taken literally.
    contains;
}

impl<D> IndexedText<D> {
    /// The field is absent.
    pub fn is_null(self) -> Filter<D> {
        self.column().is_null()
    }

    /// The field equals one of `values`; of none, nothing.
    pub fn is_in<O: Operand<String>>(self, values: impl IntoIterator<Item = O>) -> Filter<D> {
        self.column().is_in(values)
    }
}
