//! Events of every shape, from declaration to stored text and back.

// Helpers of a test fail it by panicking; clippy's exception covers test functions only.
#![allow(clippy::unwrap_used)]

use std::fmt::Debug;

use ermine_core::{
    ErrorKind, Event, EventType, NewEvent, Position, StoredEvent, StreamId, Timestamp,
};
use ermine_macros::Event;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Moved {
    x: i64,
}

#[derive(Debug, Clone, PartialEq, Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
enum MemoryEvent {
    Recorded {
        title: String,
        tags: Vec<String>,
        size: u64,
        weight: f32,
    },
    OwnerChanged(String),
    Moved(Moved),
    Maybe(Option<i64>),
    Nothing(()),
    Pair(u64, f64),
    Empty {},
    EmptyTuple(),
    #[event(name = "memory.erased")]
    Forgotten,
}

fn stored(event: &impl Event) -> StoredEvent {
    StoredEvent {
        tenant: None,
        stream: StreamId::text("s").unwrap(),
        version: 3,
        position: Position::at(9),
        event: NewEvent {
            id: Uuid::from_u128(1),
            event_type: event.event_type().into(),
            at: Timestamp::from_unix_micros(0).unwrap(),
            correlation: None,
            causation: None,
            headers: Default::default(),
            data: event.to_data().unwrap(),
        },
    }
}

#[track_caller]
fn comes_back<E: Event + PartialEq + Debug>(event: E, name: &str, data: &str) {
    assert_eq!(event.event_type(), name);
    assert_eq!(event.to_data().unwrap(), data);
    assert_eq!(stored(&event).read::<E>().unwrap(), event);
}

#[test]
fn every_variant_comes_back() {
    comes_back(
        MemoryEvent::Recorded {
            title: "a \"quoted\" \\ title\n}{".into(),
            tags: vec!["db".into()],
            size: u64::MAX,
            weight: 0.1,
        },
        "memory_event.recorded",
        r#"{"title":"a \"quoted\" \\ title\n}{","tags":["db"],"size":18446744073709551615,"weight":0.1}"#,
    );
    comes_back(
        MemoryEvent::OwnerChanged("Ida".into()),
        "memory_event.owner_changed",
        r#""Ida""#,
    );
    comes_back(
        MemoryEvent::Moved(Moved { x: i64::MIN }),
        "memory_event.moved",
        r#"{"x":-9223372036854775808}"#,
    );
    comes_back(MemoryEvent::Maybe(None), "memory_event.maybe", "null");
    comes_back(MemoryEvent::Maybe(Some(1)), "memory_event.maybe", "1");
    comes_back(MemoryEvent::Nothing(()), "memory_event.nothing", "null");
    comes_back(
        MemoryEvent::Pair(u64::MAX, 5e-324),
        "memory_event.pair",
        "[18446744073709551615,5e-324]",
    );
    comes_back(MemoryEvent::Empty {}, "memory_event.empty", "{}");
    comes_back(MemoryEvent::EmptyTuple(), "memory_event.empty_tuple", "[]");
    comes_back(MemoryEvent::Forgotten, "memory.erased", "null");
}

#[test]
fn the_names_are_in_the_order_of_the_variants() {
    assert_eq!(
        MemoryEvent::event_types(),
        [
            "memory_event.recorded",
            "memory_event.owner_changed",
            "memory_event.moved",
            "memory_event.maybe",
            "memory_event.nothing",
            "memory_event.pair",
            "memory_event.empty",
            "memory_event.empty_tuple",
            "memory.erased",
        ]
    );
}

#[test]
fn a_constant_reads_what_its_variant_holds() {
    let moved: EventType<Moved> = MemoryEvent::MOVED;
    let event = stored(&MemoryEvent::Moved(Moved { x: 1 }));
    assert_eq!(moved.name(), "memory_event.moved");
    assert_eq!(moved.read(&event).unwrap(), Moved { x: 1 });
    let owner: EventType<String> = MemoryEvent::OWNER_CHANGED;
    let event = stored(&MemoryEvent::OwnerChanged("Ida".into()));
    assert_eq!(owner.read(&event).unwrap(), "Ida");
    let forgotten: EventType<MemoryEvent> = MemoryEvent::FORGOTTEN;
    let event = stored(&MemoryEvent::Forgotten);
    assert_eq!(forgotten.read(&event).unwrap(), MemoryEvent::Forgotten);
    let pair: EventType<MemoryEvent> = MemoryEvent::PAIR;
    let event = stored(&MemoryEvent::Pair(1, 2.0));
    assert_eq!(pair.read(&event).unwrap(), MemoryEvent::Pair(1, 2.0));
}

#[test]
fn structs_of_every_shape_come_back() {
    #[derive(Debug, PartialEq, Event, Serialize, Deserialize)]
    #[event(crate = "ermine_core")]
    struct HTTPNoteWritten {
        id: Uuid,
        weight: f32,
    }
    #[derive(Debug, PartialEq, Event, Serialize, Deserialize)]
    #[event(crate = "ermine_core", name = "note.renamed")]
    struct Renamed(String);
    #[derive(Debug, PartialEq, Event, Serialize, Deserialize)]
    #[event(crate = "ermine_core")]
    struct Erased;

    comes_back(
        HTTPNoteWritten {
            id: Uuid::nil(),
            weight: 0.1,
        },
        "http_note_written",
        r#"{"id":"00000000-0000-0000-0000-000000000000","weight":0.1}"#,
    );
    comes_back(Renamed("x".into()), "note.renamed", r#""x""#);
    comes_back(Erased, "erased", "null");
    assert_eq!(HTTPNoteWritten::EVENT.name(), "http_note_written");
    let read = Renamed::EVENT.read(&stored(&Renamed("x".into())));
    assert_eq!(read.unwrap(), Renamed("x".into()));
    assert_eq!(Erased::event_types(), [Erased::EVENT.name()]);
}

#[test]
fn a_prefix_stands_before_names_that_are_not_declared() {
    #[derive(Debug, PartialEq, Event, Serialize, Deserialize)]
    #[event(crate = "ermine_core", prefix = "note")]
    enum Happened {
        Written,
        #[event(name = "gone")]
        Erased,
    }
    assert_eq!(Happened::event_types(), ["note.written", "gone"]);
    assert_eq!(Happened::WRITTEN.name(), "note.written");
    comes_back(Happened::Erased, "gone", "null");
}

#[test]
fn what_serde_calls_a_variant_is_not_stored() {
    #[derive(Debug, PartialEq, Event, Serialize, Deserialize)]
    #[event(crate = "ermine_core", prefix = "e")]
    #[serde(rename_all(serialize = "SCREAMING-KEBAB-CASE", deserialize = "kebab-case"))]
    enum Renamed {
        OwnerChanged {
            #[serde(rename = "newOwner")]
            owner: String,
        },
        #[serde(rename = "say \"when\"", alias = "then")]
        When(i64),
        #[serde(rename(serialize = "a", deserialize = "b"))]
        OneWay,
        #[serde(rename_all = "UPPERCASE")]
        Loud {
            word: String,
        },
        Stamped(#[serde(with = "as_text")] i64),
    }
    mod as_text {
        use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};
        pub(super) fn serialize<S: Serializer>(number: &i64, s: S) -> Result<S::Ok, S::Error> {
            s.collect_str(number)
        }
        pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<i64, D::Error> {
            let text = String::deserialize(d)?;
            text.parse().map_err(D::Error::custom)
        }
    }
    comes_back(
        Renamed::OwnerChanged {
            owner: "Ida".into(),
        },
        "e.owner_changed",
        r#"{"newOwner":"Ida"}"#,
    );
    comes_back(Renamed::When(5), "e.when", "5");
    comes_back(Renamed::OneWay, "e.one_way", "null");
    comes_back(
        Renamed::Loud { word: "x".into() },
        "e.loud",
        r#"{"WORD":"x"}"#,
    );
    comes_back(Renamed::Stamped(7), "e.stamped", r#""7""#);
    let read = Renamed::STAMPED.read(&stored(&Renamed::Stamped(7)));
    assert_eq!(read.unwrap(), 7);
}

#[test]
fn variants_come_back_under_every_rule_of_serdes() {
    macro_rules! renamed {
        ($($name:ident = $rule:literal,)*) => {$(
            #[derive(Debug, PartialEq, Event, Serialize, Deserialize)]
            #[event(crate = "ermine_core", prefix = "e")]
            #[serde(rename_all = $rule)]
            enum $name { HTTPGet(i64), Note2Self { a: i64 }, Plan_B, Sommer_Été }
            comes_back($name::HTTPGet(1), "e.http_get", "1");
            comes_back($name::Note2Self { a: 1 }, "e.note2_self", r#"{"a":1}"#);
            comes_back($name::Plan_B, "e.plan_b", "null");
            comes_back($name::Sommer_Été, "e.sommer_été", "null");
            assert_eq!($name::SOMMER_ÉTÉ.name(), "e.sommer_été");
        )*};
    }
    #[allow(non_camel_case_types)]
    fn all() {
        renamed! {
            Lower = "lowercase",
            Upper = "UPPERCASE",
            Pascal = "PascalCase",
            Camel = "camelCase",
            Snake = "snake_case",
            ScreamingSnake = "SCREAMING_SNAKE_CASE",
            Kebab = "kebab-case",
            ScreamingKebab = "SCREAMING-KEBAB-CASE",
        }
    }
    all();
}

#[test]
fn data_of_another_shape_is_an_error_with_the_stream_and_the_version() {
    let mut event = stored(&MemoryEvent::Moved(Moved { x: 1 }));
    for data in [
        "{}",
        "",
        "null",
        r#"{"x":1},"Forgotten":null"#,
        r#"{"x":1}}"#,
    ] {
        event.event.data = data.into();
        for error in [
            event.read::<MemoryEvent>().unwrap_err(),
            MemoryEvent::MOVED.read(&event).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Body);
            assert!(
                error.to_string().starts_with("event 3 of stream s"),
                "{error}"
            );
        }
    }
}

#[test]
fn a_name_that_is_not_declared_is_refused() {
    let error = MemoryEvent::from_data("memory_event.forgotten", "null").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    assert!(error.to_string().contains("memory.erased"), "{error}");
}

#[test]
fn a_string_with_nul_is_refused_and_one_that_looks_so_is_not() {
    for text in ["\0", "a\\\0", "x\n\0y"] {
        let error = MemoryEvent::OwnerChanged(text.into())
            .to_data()
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidValue);
        assert!(error.to_string().contains("memory_event.owner_changed"));
    }
    for text in ["\\u0000", "\\\\u0000", "u0000", "\u{1}"] {
        MemoryEvent::OwnerChanged(text.into()).to_data().unwrap();
    }
}

#[test]
fn an_enum_that_serialises_by_itself_in_another_form_is_an_error() {
    #[derive(Event, Deserialize)]
    #[event(crate = "ermine_core")]
    enum Own {
        One {},
    }
    impl Serialize for Own {
        fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            s.serialize_i64(1)
        }
    }
    let error = Own::One {}.to_data().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Body);
    assert!(error.to_string().contains("own.one"), "{error}");
}
