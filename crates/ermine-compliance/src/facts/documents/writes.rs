//! D2: storing, inserting and updating; ids.

use ermine_core::{DocumentId, DynamicRecord, ErrorKind, Id, IdType, Schema, new_id};
use ermine_macros::Document;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::facts::kit::{at, doc, ids, notes, passages, refused, says};
use crate::facts::{Verdict, World};

facts![
    d2_store_creates_and_replaces,
    d2_insert_fails_on_an_existing_id,
    d2_update_fails_on_a_missing_id,
    d2_ids_of_every_type_keep_their_value_and_order,
    d2_newtypes_of_ids_are_ids,
    d2_an_id_of_another_type_is_refused,
    d2_new_ids_are_in_the_order_they_were_made,
];

async fn d2_store_creates_and_replaces(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("a", "pool")
        .with("n", 1)
        .with_vector("embedding", [1.0, 0.0])])
        .await?;
    docs.put([at("a", [5.0, 0.0]).with("title", "sea").with("scope", "x")])
        .await?;
    let loaded = docs.load("a").await?.expect("a is stored");
    assert_eq!(
        loaded,
        at("a", [5.0, 0.0]).with("title", "sea").with("scope", "x")
    );
    assert!(docs.search().matching("pool").await?.is_empty());
    assert_eq!(ids(&docs.search().matching("sea").await?), ["a"]);
    assert_eq!(docs.passing(crate::facts::kit::n().is_null()).await?, ["a"]);
    let nearest = docs.search().nearest_to([5.0, 0.0]).await?;
    assert_eq!((nearest.len(), nearest[0].distance.value()), (1, 0.0));
    Ok(())
}

async fn d2_insert_fails_on_an_existing_id(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let mut session = docs.session();
    session.insert_in(&docs.kind, &doc("a").with("n", 1));
    session.commit().await?;
    session.insert_in(&docs.kind, &doc("a").with("n", 2));
    let again = session.commit().await;
    assert!(again.as_ref().is_err_and(ermine_core::Error::is_conflict));
    refused(again, ErrorKind::AlreadyExists, &["passages", "a"]);
    let loaded = docs.load("a").await?.expect("a is stored");
    assert_eq!(loaded.get("n"), Some(&1.into()));
    Ok(())
}

async fn d2_update_fails_on_a_missing_id(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let mut session = docs.session();
    session.update_in(&docs.kind, &doc("a").with("n", 1));
    refused(
        session.commit().await,
        ErrorKind::Missing,
        &["passages", "a"],
    );
    assert!(docs.load("a").await?.is_none());
    docs.put([doc("a")]).await?;
    let mut session = docs.session();
    session.update_in(&docs.kind, &doc("a").with("n", 2));
    session.commit().await?;
    let loaded = docs.load("a").await?.expect("a is stored");
    assert_eq!(loaded.get("n"), Some(&2.into()));
    Ok(())
}

async fn d2_ids_of_every_type_keep_their_value_and_order(world: World) -> Verdict {
    let uuids = [
        Uuid::nil(),
        Uuid::from_u128(1 << 120),
        Uuid::from_u128(1 << 127),
        Uuid::max(),
    ];
    let orders: [(IdType, Vec<Id>); 4] = [
        (
            IdType::Text,
            ["", "10", "9", "A", "a", "é", "🚀"].map(Id::from).to_vec(),
        ),
        (
            IdType::I64,
            [i64::MIN, -10, -9, 0, 9, 10, i64::MAX]
                .map(Id::from)
                .to_vec(),
        ),
        (
            IdType::U64,
            [0, 9, 10, 1 << 63, u64::MAX].map(Id::from).to_vec(),
        ),
        (IdType::Uuid, uuids.map(Id::from).to_vec()),
    ];
    for (id_type, order) in orders {
        let docs = world
            .open(Schema::builder(format!("by_{id_type}"), "key", id_type))
            .await?;
        docs.put(order.iter().rev().cloned().map(DynamicRecord::new))
            .await?;
        let found: Vec<Id> = docs
            .query()
            .await?
            .into_iter()
            .map(|found| found.id)
            .collect();
        assert_eq!(found, order);
        for id in order {
            let loaded = docs.load(id.clone()).await?.expect("it is stored");
            assert_eq!(loaded.id, id);
            docs.delete(id.clone()).await?;
            assert!(docs.load(id).await?.is_none());
        }
    }
    Ok(())
}

async fn d2_an_id_of_another_type_is_refused(world: World) -> Verdict {
    let docs = world
        .open(Schema::builder("signed", "key", IdType::I64))
        .await?;
    let text = docs.put([doc("7")]).await;
    refused(
        text,
        ErrorKind::TypeMismatch,
        &["7", "signed", "text", "i64"],
    );
    let unsigned = docs.put([DynamicRecord::new(7_u64)]).await;
    refused(
        unsigned,
        ErrorKind::TypeMismatch,
        &["7", "signed", "u64", "i64"],
    );
    let deleted = docs.delete("7").await;
    refused(
        deleted,
        ErrorKind::TypeMismatch,
        &["7", "signed", "text", "i64"],
    );
    Ok(())
}

async fn d2_new_ids_are_in_the_order_they_were_made(world: World) -> Verdict {
    let docs = world
        .open(Schema::builder("keyed", "id", IdType::Uuid))
        .await?;
    let made: Vec<Uuid> = (0..100).map(|_| new_id()).collect();
    assert!(made.iter().all(|id| id.get_version_num() == 7));
    docs.put(made.iter().rev().copied().map(DynamicRecord::new))
        .await?;
    let found: Vec<Id> = docs
        .query()
        .await?
        .into_iter()
        .map(|found| found.id)
        .collect();
    assert_eq!(found, made.into_iter().map(Id::from).collect::<Vec<_>>());
    Ok(())
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct ShelfMark(i64);

impl DocumentId for ShelfMark {
    type Kind = i64;
    const TYPE: IdType = IdType::I64;
    fn to_id(&self) -> Id {
        Id::I64(self.0)
    }
    fn from_id(id: Id) -> Option<Self> {
        match id {
            Id::I64(number) => Some(Self(number)),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "books")]
struct Book {
    #[document(id)]
    mark: ShelfMark,
    title: String,
}

async fn d2_newtypes_of_ids_are_ids(world: World) -> Verdict {
    let store = world.store(|builder| builder.document::<Book>()).await?;
    let book = |number| Book {
        mark: ShelfMark(number),
        title: format!("book {number}"),
    };
    let mut session = store.session_without_tenant();
    for number in [10, -1, 9] {
        session.store(&book(number));
    }
    session.delete::<Book>(ShelfMark(10));
    session.commit().await?;
    let reader = store.reader_without_tenant();
    assert_eq!(reader.load::<Book>(ShelfMark(9)).await?, Some(book(9)));
    assert_eq!(reader.load::<Book>(ShelfMark(10)).await?, None);
    assert_eq!(reader.query::<Book>().await?, [book(-1), book(9)]);
    assert_eq!(
        reader.query::<Book>().filter(Book::MARK.gt(0)).await?,
        [book(9)]
    );
    Ok(())
}
