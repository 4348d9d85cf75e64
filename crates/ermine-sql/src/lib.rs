//! From Ermine's requests to SQL: how values are encoded, what a document table
//! looks like, and how a filter becomes a predicate that an index serves.
//!
//! It runs no statement and knows no driver. Values are always bound; names come
//! from the schema alone and are quoted. What differs between databases is behind
//! [`Dialect`].
//!
//! ```
//! use std::sync::Arc;
//! use ermine_core::{ColumnType, Expr, Compare, IdType, ScalarType, Schema, Scope, Target, TenantScope, Value};
//! use ermine_sql::{Sql, Sqlite, SqlValue, push_target};
//!
//! let schema = Schema::builder("notes", "id", IdType::Text)
//!     .column("meta.year", ColumnType::Scalar(ScalarType::I64))
//!     .build()?;
//! let target = Target {
//!     schema: Arc::new(schema),
//!     scope: Scope::live(TenantScope::Untenanted),
//!     filter: Some(Expr::Not(Box::new(Expr::Compare {
//!         field: "meta.year".into(), op: Compare::Eq, value: Value::I64(1960),
//!     }))),
//! };
//! let mut sql = Sql::new(&Sqlite);
//! push_target(&mut sql, &target)?;
//! assert_eq!(
//!     sql.text(),
//!     r#"TRUE AND d.deleted IS NULL AND (d."f_meta.year" IS NULL OR d."f_meta.year" <> ?1)"#,
//! );
//! assert_eq!(sql.values(), [SqlValue::Integer(1960)]);
//! # Ok::<(), ermine_core::Error>(())
//! ```

mod dialect;
pub mod events;
mod known;
mod nul;
mod order;
mod predicate;
mod sql;
mod tables;
mod target;
mod value;

pub use dialect::{ArrayType, Dialect, Lists, Postgres, Sqlite};
pub use known::{Known, TypeLayout};
pub use order::push_order;
pub use predicate::push_filter;
pub use sql::Sql;
pub use tables::{Tables, field_column, quote};
pub use target::push_target;
pub use value::{SqlValue, encode, encode_id, encode_tenant, encode_u64};
