//! `#[derive(Fields)]`, and `nested` fields of a document.

use ermine_core::{Column, ColumnType, Document, Filter, Nested, Record, ScalarType, Value};
use ermine_macros::{Document, Fields};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Fields, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Place {
    #[document(index)]
    height: f64,
    #[document(index)]
    names: Vec<String>,
    description: String,
}

#[derive(Debug, Clone, PartialEq, Fields, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Address {
    #[document(index)]
    city: String,
    #[document(nested)]
    place: Option<Place>,
    #[document(index)]
    floor: Option<i32>,
}

#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(name = "people", crate = "ermine_core")]
struct Person {
    #[document(id)]
    id: String,
    #[document(nested)]
    home: Address,
    #[document(index)]
    age: u8,
    #[document(nested)]
    work: Option<Address>,
}

fn person() -> Person {
    Person {
        id: "ada".into(),
        home: Address {
            city: "Bern".into(),
            place: Some(Place {
                height: 540.0,
                names: vec!["Berna".into()],
                description: "On the Aare".into(),
            }),
            floor: None,
        },
        age: 36,
        work: None,
    }
}

#[test]
fn columns_are_named_by_their_path_in_order_of_declaration() {
    let schema = Person::schema().unwrap();
    let columns: Vec<_> = schema
        .columns()
        .iter()
        .map(|c| (c.name(), c.column_type()))
        .collect();
    let scalar = ColumnType::Scalar;
    assert_eq!(
        columns,
        [
            ("home.city", scalar(ScalarType::Text)),
            ("home.place.height", scalar(ScalarType::F64)),
            ("home.place.names", ColumnType::List(ScalarType::Text)),
            ("home.floor", scalar(ScalarType::I64)),
            ("age", scalar(ScalarType::U64)),
            ("work.city", scalar(ScalarType::Text)),
            ("work.place.height", scalar(ScalarType::F64)),
            ("work.place.names", ColumnType::List(ScalarType::Text)),
            ("work.floor", scalar(ScalarType::I64)),
        ]
    );
}

#[test]
fn values_stand_where_their_columns_do_and_none_is_absent_throughout() {
    let parts = person().to_parts(&Person::schema().unwrap()).unwrap();
    let text = |text: &str| Value::Text(text.into());
    assert_eq!(
        parts.columns,
        [
            Some(text("Bern")),
            Some(Value::F64(540.0)),
            Some(Value::List(vec![text("Berna")])),
            None,
            Some(Value::U64(36)),
            None,
            None,
            None,
            None,
        ]
    );
}

#[test]
fn handles_compose_through_optional_structs() {
    let work: Nested<Person, Address> = Person::WORK;
    let height: Column<Person, f64> = work.at(Address::PLACE.at(Place::HEIGHT));
    let filter: Filter<Person> = height.gt(500.5) & Person::HOME.at(Address::CITY).eq("Bern");
    assert_eq!(
        filter.expr().to_string(),
        r#"work.place.height > 500.5 and home.city = "Bern""#
    );
}

#[test]
fn nested_structs_come_back_whole() {
    let schema = Person::schema().unwrap();
    let parts = person().to_parts(&schema).unwrap();
    let stored = ermine_core::StoredRecord {
        id: parts.id,
        tenant: None,
        body: parts.body,
        embeddings: vec![],
    };
    assert_eq!(Person::from_stored(&schema, stored).unwrap(), person());
}

#[test]
fn paths_that_meet_are_refused_with_the_schema() {
    #[derive(Document, Serialize, Deserialize)]
    #[document(crate = "ermine_core")]
    struct Meeting {
        #[document(id)]
        id: String,
        #[document(nested)]
        home: Address,
        #[document(index)]
        #[serde(rename = "home.City")]
        city: String,
    }
    let error = Meeting::schema().unwrap_err().to_string();
    assert!(error.contains("home.City"), "{error}");
}
