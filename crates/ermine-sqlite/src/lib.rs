//! Ermine on SQLite, inside the process.
//!
//! [`Sqlite`] says where the database is; connecting gives an
//! [`Engine`](ermine_core::Engine) over a [`SqliteStore`]. Any async runtime will
//! do, or none: the work is done on threads of the store's own.
//!
//! * **Writes** go to one thread. It begins a transaction, takes what is queued,
//!   gives each unit a savepoint, commits once, and only then answers everybody. A
//!   unit that fails fails alone.
//! * **Reads** go to a pool of connections that cannot write. A call is one read
//!   transaction on one of them, whatever it consists of.
//! * **Vectors** are ranked in packed blocks in memory. Before a search they are
//!   brought up to exactly the search's own snapshot, so that commits of other
//!   processes, and other programs' statements, are seen like our own.
//! * **Text** is ranked from tables, in the search's own transaction.
//!
//! # The tables
//!
//! They stand beside the application's own. For a type `notes` with a vector field
//! `embedding`:
//!
//! | table | what is in it |
//! |---|---|
//! | `ermine_meta` | the format of the tables, and how many groups were committed |
//! | `ermine_types` | the declarations, as JSON |
//! | `ermine_doc_notes` | documents: `doc`, `tenant`, `id`, `body`, `deleted`, `f_…` per indexed field |
//! | `ermine_list_notes` | the elements of lists |
//! | `ermine_vec_notes.embedding` | vectors: `slot`, `doc`, `data` (little-endian `f32`), `hash` of the text |
//! | `ermine_vector_fields`, `ermine_vector_log` | vector fields by number; changes that a new slot does not tell |
//! | `ermine_text_notes` | forward records: what the text says, and the segment that holds its postings |
//! | `ermine_segs_notes`, `ermine_seg_notes` | segments, and their postings by term |
//! | `ermine_replaced_notes` | for a moment, the document whose place another is taking |
//! | `ermine_dead_notes` | replaced records whose postings still sit in a segment |
//! | `ermine_streams`, `ermine_events` | streams, and all events by `position`; times are microseconds since 1970 |
//! | `ermine_shards`, `ermine_parked` | how far each follower of the events has come, who runs it, and what it set aside |
//!
//! Triggers in plain SQL keep them true to each other: a document deleted with
//! `DELETE FROM ermine_doc_notes` takes its lists, vectors and text along, and is
//! gone from every search; so is one that `OR REPLACE` displaces. What only Ermine can compute, the forward record of a
//! changed text and the columns of a changed body, other programs cannot change.
//!
//! # What it is not
//!
//! Not for a network file system: WAL needs shared memory. One process writes at
//! a time; others wait for it. Fields cannot be added to a stored type yet.

mod bind;
mod catalog;
mod connection;
mod ensure;
mod error;
mod events;
mod layout;
mod rank;
mod read;
mod sqlite;
mod store;
mod text;
mod vector;
mod write;

pub use sqlite::Sqlite;
pub use store::SqliteStore;
