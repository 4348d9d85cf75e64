//! The derived code neither warns nor minds what its surroundings are called.

#![deny(
    warnings,
    missing_docs,
    unused_qualifications,
    unreachable_pub,
    clippy::pedantic,
    clippy::absolute_paths
)]

use ermine_core::{Column, Document as _, Embedding, Event as _, Record};
use ermine_macros::{Document, Event, Fields};
use serde::{Deserialize, Serialize};

/// What nobody reads warns of nothing.
#[derive(Fields, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
pub(crate) struct Address {
    #[document(index)]
    pub(crate) city: String,
    #[document(index)]
    floor: Option<i32>,
}

/// A document of strict manners.
#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Strict {
    #[document(id)]
    id: String,
    #[document(index)]
    #[deprecated = "read `title`"]
    r#type: Option<String>,
    #[document(index, text)]
    title: String,
    #[document(nested)]
    address: Address,
    #[document(vector(dimensions = 1, from = "title, id"))]
    embedding: Embedding,
}

/// What happens strictly.
#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", prefix = "strict")]
pub(crate) enum StrictEvent {
    /// Once.
    #[deprecated = "say `Twice`"]
    Once,
    /// Twice.
    Twice(String),
}

/// It ended.
#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
struct Ended {
    #[deprecated = "nobody asks"]
    why: String,
}

// Only so can the fields name what is shadowed.
#[allow(clippy::absolute_paths)]
/// Everything here is called what the derived code might call its own.
mod shadows {
    use ermine_macros::{Document, Event};
    use serde::{Deserialize, Serialize};

    struct Option;
    struct Result;
    struct Vec;
    struct Some;
    struct Ok;
    struct Schema;
    struct Record;
    struct Clone;
    mod std {}
    mod core {}
    mod serde_json {}

    #[derive(Document, Serialize, Deserialize)]
    #[document(crate = "ermine_core")]
    pub(super) struct Shadowed {
        #[document(id)]
        pub(super) id: ::std::string::String,
        #[document(index)]
        pub(super) columns: ::std::vec::Vec<i64>,
        #[document(text)]
        pub(super) schema: ::core::option::Option<::std::string::String>,
        #[document(vector(dimensions = 1, from = "schema"))]
        pub(super) embeddings: ermine_core::Embedding,
        #[document(vector(dimensions = 1))]
        pub(super) stored: ermine_core::Embedding,
    }

    #[derive(Event, Serialize, Deserialize)]
    #[event(crate = "ermine_core")]
    pub(super) enum Happened {
        String(::std::string::String),
        Event { data: i64 },
    }

    /// Methods of the type's own are not the trait's.
    impl Happened {
        pub(super) fn event_type(&self) -> usize {
            match self {
                Self::String(text) => text.len(),
                Self::Event { .. } => 0,
            }
        }
    }

    /// Methods of the type's own are not the trait's.
    impl Shadowed {
        pub(super) fn id(&self) -> usize {
            let _ = (Option, Result, Vec, Some, Ok, Schema, Record, Clone);
            self.columns.len()
        }
    }
}

#[test]
fn the_derive_adds_nothing_to_notice() {
    assert_eq!(Strict::TYPE.name(), "type");
    let city: Column<Strict, String> = Strict::ADDRESS.at(Address::CITY);
    assert_eq!(city.name(), "address.city");
    let shadowed = shadows::Shadowed {
        id: "a".into(),
        columns: vec![1, 2],
        schema: None,
        embeddings: Embedding::NotLoaded,
        stored: Embedding::NotLoaded,
    };
    assert_eq!(shadowed.id(), 2);
    let parts = shadowed.to_parts(&shadows::Shadowed::schema().unwrap());
    assert_eq!(parts.unwrap().id, "a".into());

    assert_eq!(StrictEvent::TWICE.name(), "strict.twice");
    assert_eq!(Ended::EVENT.name(), "ended");
    let happened = shadows::Happened::String("x".into());
    assert_eq!(happened.event_type(), 1);
    assert_eq!(happened.to_data().unwrap(), r#""x""#);
    let other = shadows::Happened::Event { data: 1 };
    assert_eq!(other.to_data().unwrap(), r#"{"data":1}"#);
}
