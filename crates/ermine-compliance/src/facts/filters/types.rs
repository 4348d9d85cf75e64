//! F3: numbers, truth values, uuids and times.

use ermine_core::{
    Column, ColumnType, DynamicRecord, ErrorKind, Filter, IdType, Result, ScalarType, Schema,
    Timestamp,
};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::facts::kit::{doc, n, passages, refused};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    f3_integers_order_as_numbers,
    f3_unsigned_integers_are_exact_over_their_whole_range,
    f3_signed_integers_are_exact_over_their_whole_range,
    f3_floating_point_numbers_are_exact_and_finite,
    f3_booleans_are_false_and_true,
    f3_uuids_compare_by_value_however_they_are_written,
    f3_timestamps_are_utc_to_the_microsecond,
    f3_one_is_not_the_text_1,
];

/// Documents numbered from 0, each with one value in the field `v`.
async fn valued(world: &World, scalar: ScalarType, values: Vec<Json>) -> Result<Docs> {
    let schema =
        Schema::builder("values", "id", IdType::I64).column("v", ColumnType::Scalar(scalar));
    let docs = world.open(schema).await?;
    let documents = values.into_iter().zip(0_i64..);
    docs.put(documents.map(|(value, i)| DynamicRecord::new(i).with("v", value)))
        .await?;
    Ok(docs)
}

fn v<K>() -> Column<DynamicRecord, K> {
    Column::new("v")
}

async fn assert_passing(docs: &Docs, cases: Vec<(Filter<DynamicRecord>, &str)>) -> Verdict {
    for (filter, expected) in cases {
        let name = format!("{filter:?}");
        assert_eq!(docs.passing(filter).await?.join(" "), expected, "{name}");
    }
    Ok(())
}

async fn f3_integers_order_as_numbers(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([9, 10, -1, -10].map(|i| doc(&i.to_string()).with("n", i)))
        .await?;
    assert_eq!(docs.passing(n().lt(10)).await?, ["-1", "-10", "9"]);
    assert_eq!(docs.passing(n().gt(9)).await?, ["10"]);
    assert_eq!(docs.passing(n().lt(-1)).await?, ["-10"]);
    Ok(())
}

async fn f3_unsigned_integers_are_exact_over_their_whole_range(world: World) -> Verdict {
    let values = [
        0,
        9,
        10,
        (1 << 53) + 1,
        i64::MAX as u64,
        1 << 63,
        u64::MAX - 1,
        u64::MAX,
    ];
    let docs = valued(&world, ScalarType::U64, values.map(Json::from).to_vec()).await?;
    assert_passing(
        &docs,
        vec![
            (v::<u64>().eq(u64::MAX), "7"),
            (v::<u64>().ge(1_u64 << 63), "5 6 7"),
            (v::<u64>().lt(1_u64 << 63), "0 1 2 3 4"),
            (v::<u64>().eq(1_u64 << 53), ""),
            (v::<u64>().between(9_u64, i64::MAX as u64), "1 2 3 4"),
            (v::<u64>().is_in([u64::MAX - 1, 0]), "0 6"),
        ],
    )
    .await?;
    let loaded = docs.load(7_i64).await?.expect("it is stored");
    assert_eq!(loaded.get("v"), Some(&json!(u64::MAX)));
    Ok(())
}

async fn f3_signed_integers_are_exact_over_their_whole_range(world: World) -> Verdict {
    let values = [i64::MIN, -(1 << 53) - 1, -1, 0, (1 << 53) + 1, i64::MAX];
    let docs = valued(&world, ScalarType::I64, values.map(Json::from).to_vec()).await?;
    assert_passing(
        &docs,
        vec![
            (v::<i64>().eq(i64::MIN), "0"),
            (v::<i64>().eq(i64::MAX), "5"),
            (v::<i64>().eq(1_i64 << 53), ""),
            (v::<i64>().lt(0), "0 1 2"),
            (v::<i64>().gt(1_i64 << 53), "4 5"),
        ],
    )
    .await
}

async fn f3_floating_point_numbers_are_exact_and_finite(world: World) -> Verdict {
    let values = [-0.0, 0.1, 1e15, f64::MAX, f64::MIN_POSITIVE, 3.0];
    let docs = valued(&world, ScalarType::F64, values.map(Json::from).to_vec()).await?;
    assert_passing(
        &docs,
        vec![
            (v::<f64>().eq(0.0), "0"),
            (v::<f64>().eq(-0.0), "0"),
            (v::<f64>().eq(0.1), "1"),
            (v::<f64>().eq(0.1_f64.next_up()), ""),
            (v::<f64>().gt(0.0), "1 2 3 4 5"),
            (v::<f64>().eq(1e15), "2"),
            (v::<f64>().eq(f64::MAX), "3"),
            (v::<f64>().eq(3), "5"),
        ],
    )
    .await?;
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let asked = docs.passing(v::<f64>().lt(value)).await;
        refused(asked, ErrorKind::TypeMismatch, &["v", "finite"]);
    }
    Ok(())
}

async fn f3_booleans_are_false_and_true(world: World) -> Verdict {
    let docs = valued(
        &world,
        ScalarType::Bool,
        vec![json!(true), json!(false), Json::Null],
    )
    .await?;
    assert_passing(
        &docs,
        vec![
            (v::<bool>().eq(true), "0"),
            (v::<bool>().eq(false), "1"),
            (v::<bool>().ne(true), "1 2"),
            (v::<bool>().lt(true), "1"),
            (v::<bool>().is_in([true, false]), "0 1"),
        ],
    )
    .await?;
    let number = docs.put([DynamicRecord::new(9_i64).with("v", 1)]).await;
    refused(number, ErrorKind::TypeMismatch, &["9", "v", "bool"]);
    Ok(())
}

async fn f3_uuids_compare_by_value_however_they_are_written(world: World) -> Verdict {
    let key = Uuid::from_u128(0x0190_b5a0_7a3c_7def_8000_0000_0000_000a);
    let larger = Uuid::from_u128(0xf190_b5a0_7a3c_7def_8000_0000_0000_000a);
    let values = [
        json!(key.to_string().to_uppercase()),
        json!(key.simple().to_string()),
        json!(larger.to_string()),
    ];
    let docs = valued(&world, ScalarType::Uuid, values.to_vec()).await?;
    assert_passing(
        &docs,
        vec![
            (v::<Uuid>().eq(key), "0 1"),
            (v::<Uuid>().gt(key), "2"),
            (v::<Uuid>().le(key), "0 1"),
            (v::<Uuid>().between(Uuid::nil(), Uuid::max()), "0 1 2"),
        ],
    )
    .await
}

async fn f3_timestamps_are_utc_to_the_microsecond(world: World) -> Verdict {
    let values = [
        json!("2026-11-30T21:18:12+01:00"),
        json!("2026-11-30T20:18:12.000001Z"),
        json!("1969-12-31T23:59:59.999999Z"),
        json!("0001-01-01T00:00:00Z"),
        json!("9999-12-31T23:59:59.999999Z"),
    ];
    let docs = valued(&world, ScalarType::Timestamp, values.to_vec()).await?;
    let at: Timestamp = "2026-11-30T20:18:12Z".parse()?;
    let epoch = Timestamp::from_unix_micros(0)?;
    assert_passing(
        &docs,
        vec![
            (v::<Timestamp>().eq(at), "0"),
            (v::<Timestamp>().gt(at), "1 4"),
            (v::<Timestamp>().lt(epoch), "2 3"),
            (v::<Timestamp>().between(epoch, at), "0"),
        ],
    )
    .await?;
    let finer = DynamicRecord::new(9_i64).with("v", "2026-11-30T20:18:12.0000001Z");
    refused(
        docs.put([finer]).await,
        ErrorKind::TypeMismatch,
        &["9", "v", "timestamp"],
    );
    Ok(())
}

async fn f3_one_is_not_the_text_1(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let text = docs.put([doc("a").with("n", "1")]).await;
    refused(text, ErrorKind::TypeMismatch, &["a", "n", "i64"]);
    let number = docs.put([doc("a").with("scope", 1)]).await;
    refused(number, ErrorKind::TypeMismatch, &["a", "scope", "text"]);
    let float = docs.put([doc("a").with("n", 1.5)]).await;
    refused(float, ErrorKind::TypeMismatch, &["a", "n", "i64"]);
    let asked = docs
        .passing(Column::<DynamicRecord, String>::new("n").eq("1"))
        .await;
    refused(asked, ErrorKind::TypeMismatch, &["n", "i64", "text"]);
    Ok(())
}
