//! Ermine on PostgreSQL with pgvector.
//!
//! [`Postgres`] says where the database is; connecting gives an
//! [`Engine`](ermine_core::Engine) over a [`PostgresStore`]. Any async runtime will
//! do, or none: the store has threads of its own, on which its connections live.
//!
//! * **Writes** are one transaction per unit. The documents it names are locked in the
//!   order of their ids, then everything is written in one flush that ends with the
//!   commit. A unit that lost against another (a deadlock, a document that appeared
//!   meanwhile) is written again as a whole.
//! * **Reads** are one read-only transaction per call, at one snapshot (REPEATABLE READ),
//!   its statements pipelined on one connection of the pool.
//! * **Vectors** are compared by pgvector, which supplies candidates with a margin for
//!   its rounding; distances and their order are Ermine's own, equal to the bit on every
//!   store. [`LegOutcome::rows_read`](ermine_core::LegOutcome) of a vector leg counts these
//!   candidates: what the database looked at to find them it does not tell.
//!   Where a field declares an index (HNSW) and a search allows it, candidates come from
//!   that, by a plan that Ermine chooses and the outcome names.
//! * **Text** is ranked from tables, in the search's own transaction. A search waits for
//!   no writer and writers do not wait for each other's words.
//!
//! # The tables
//!
//! They stand in the connection's schema. For a type `notes` with a vector field
//! `embedding`:
//!
//! | table | what is in it |
//! |---|---|
//! | `ermine_meta` | the format of the tables |
//! | `ermine_types` | the declarations, as JSON |
//! | `ermine_doc_notes` | documents: `doc`, `tenant`, `id`, `body`, `deleted`, `f_…` per indexed field, lists as arrays |
//! | `ermine_vec_notes.embedding` | vectors: `doc`, `data vector(n)`, its `norm`, `hash` of the text |
//! | `ermine_text_notes` | forward records: what the text says, and the segment that holds its postings |
//! | `ermine_segs_notes`, `ermine_seg_notes` | segments, and their postings by term |
//! | `ermine_dead_notes` | replaced records whose postings still sit in a segment |
//!
//! Triggers keep them true to each other: a document deleted with
//! `DELETE FROM ermine_doc_notes` takes its vectors and text along, and is gone from
//! every search.
//!
//! # What it is not
//!
//! Connections are encrypted with the feature `tls` only; without it, a URL that requires
//! TLS is refused. A value of an indexed field, or an id, of more than about 2,700 bytes is
//! refused by the database, which cannot index it. Settings travel with the connection's
//! start, so a pooler between must pass the `options` parameter on. Statements are not
//! prepared by name, but those of COPY, within the transactions that take in many new
//! documents.

mod bind;
mod catalog;
mod ensure;
mod error;
mod events;
mod extension;
mod layout;
mod pool;
mod postgres;
mod progress;
mod rank;
mod read;
mod runtime;
mod store;
mod text;
mod tls;
mod vector;
mod write;

pub use postgres::Postgres;
pub use progress::IndexProgress;
pub use store::PostgresStore;
