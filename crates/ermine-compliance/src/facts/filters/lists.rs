//! F2 and F3: lists.

use ermine_core::{Column, ColumnType, DynamicRecord, IdType, Result, ScalarType, Schema};

use crate::facts::kit::{doc, passages};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    f2_a_list_is_asked_what_it_contains,
    f2_of_nothing_contains_any_is_nothing_and_contains_all_is_everything_present,
    f2_an_absent_list_is_not_an_empty_one,
    f3_lists_hold_values_of_every_type,
    f3_a_list_that_is_replaced_is_forgotten,
];

fn tags() -> Column<DynamicRecord, Vec<String>> {
    Column::new("tags")
}

async fn tagged(world: &World) -> Result<Docs> {
    let docs = world.open(passages()).await?;
    docs.put([
        doc("1").with("tags", vec!["db", "pool", "db"]),
        doc("2").with("tags", vec!["pool"]),
        doc("3").with("tags", Vec::<String>::new()),
        doc("4"),
        doc("5").with("tags", vec!["", "Db"]),
    ])
    .await?;
    Ok(docs)
}

async fn f2_a_list_is_asked_what_it_contains(world: World) -> Verdict {
    let docs = tagged(&world).await?;
    assert_eq!(docs.passing(tags().contains("db")).await?, ["1"]);
    assert_eq!(docs.passing(tags().contains("")).await?, ["5"]);
    assert_eq!(
        docs.passing(!tags().contains("db")).await?,
        ["2", "3", "4", "5"]
    );
    assert_eq!(
        docs.passing(tags().contains_any(["db", "Db", "x"])).await?,
        ["1", "5"]
    );
    assert_eq!(
        docs.passing(tags().contains_all(["db", "pool", "db"]))
            .await?,
        ["1"]
    );
    assert_eq!(
        docs.passing(tags().contains_all(["pool"])).await?,
        ["1", "2"]
    );
    assert_eq!(
        docs.passing(!tags().contains_all(["pool"])).await?,
        ["3", "4", "5"]
    );
    Ok(())
}

async fn f2_of_nothing_contains_any_is_nothing_and_contains_all_is_everything_present(
    world: World,
) -> Verdict {
    let docs = tagged(&world).await?;
    let nothing = Vec::<String>::new;
    assert!(
        docs.passing(tags().contains_any(nothing()))
            .await?
            .is_empty()
    );
    assert_eq!(
        docs.passing(!tags().contains_any(nothing())).await?.len(),
        5
    );
    assert_eq!(
        docs.passing(tags().contains_all(nothing())).await?,
        ["1", "2", "3", "5"]
    );
    assert_eq!(docs.passing(!tags().contains_all(nothing())).await?, ["4"]);
    Ok(())
}

async fn f2_an_absent_list_is_not_an_empty_one(world: World) -> Verdict {
    let docs = tagged(&world).await?;
    assert_eq!(docs.passing(tags().is_null()).await?, ["4"]);
    assert_eq!(docs.passing(!tags().is_null()).await?, ["1", "2", "3", "5"]);
    Ok(())
}

async fn f3_lists_hold_values_of_every_type(world: World) -> Verdict {
    let list = ColumnType::List;
    let schema = Schema::builder("lists", "id", IdType::Text)
        .column("flags", list(ScalarType::Bool))
        .column("signed", list(ScalarType::I64))
        .column("unsigned", list(ScalarType::U64))
        .column("floats", list(ScalarType::F64))
        .column("times", list(ScalarType::Timestamp))
        .column("keys", list(ScalarType::Uuid));
    let docs = world.open(schema).await?;
    let key = "0190b5a0-7a3c-7def-8000-00000000000a";
    docs.put([
        doc("1")
            .with("flags", vec![true])
            .with("signed", vec![-1_i64, i64::MIN])
            .with("unsigned", vec![u64::MAX])
            .with("floats", vec![0.1, -0.0])
            .with("times", vec!["2026-11-30T21:18:12+01:00"])
            .with("keys", vec![key.to_uppercase()]),
        doc("2")
            .with("flags", vec![false])
            .with("signed", vec![1_i64, i64::MAX])
            .with("unsigned", vec![u64::MAX - 1, 1 << 63])
            .with("floats", vec![0.2])
            .with("times", vec!["2026-11-30T20:18:12.000001Z"]),
    ])
    .await?;
    let flags = Column::<DynamicRecord, Vec<bool>>::new("flags");
    assert_eq!(docs.passing(flags.contains(true)).await?, ["1"]);
    let signed = || Column::<DynamicRecord, Vec<i64>>::new("signed");
    assert_eq!(docs.passing(signed().contains(i64::MIN)).await?, ["1"]);
    assert_eq!(
        docs.passing(signed().contains_all([1, i64::MAX])).await?,
        ["2"]
    );
    let unsigned = Column::<DynamicRecord, Vec<u64>>::new("unsigned");
    assert_eq!(docs.passing(unsigned.contains(u64::MAX)).await?, ["1"]);
    let floats = || Column::<DynamicRecord, Vec<f64>>::new("floats");
    assert_eq!(docs.passing(floats().contains(0.1)).await?, ["1"]);
    assert_eq!(
        docs.passing(floats().contains(0.0)).await?,
        ["1"],
        "−0 is 0"
    );
    let times = Column::<DynamicRecord, Vec<ermine_core::Timestamp>>::new("times");
    let at: ermine_core::Timestamp = "2026-11-30T20:18:12Z".parse()?;
    assert_eq!(docs.passing(times.contains(at)).await?, ["1"]);
    let keys = Column::<DynamicRecord, Vec<uuid::Uuid>>::new("keys");
    let key: uuid::Uuid = key.parse().expect("a uuid");
    assert_eq!(docs.passing(keys.contains(key)).await?, ["1"]);
    Ok(())
}

async fn f3_a_list_that_is_replaced_is_forgotten(world: World) -> Verdict {
    let docs = tagged(&world).await?;
    docs.put([doc("1").with("tags", vec!["sea"]), doc("2")])
        .await?;
    assert!(
        docs.passing(tags().contains_any(["db", "pool"]))
            .await?
            .is_empty()
    );
    assert_eq!(docs.passing(tags().contains("sea")).await?, ["1"]);
    assert_eq!(docs.passing(tags().is_null()).await?, ["2", "4"]);
    docs.delete("1").await?;
    docs.put([doc("1").with("tags", Vec::<String>::new())])
        .await?;
    assert!(docs.passing(tags().contains("sea")).await?.is_empty());
    Ok(())
}
