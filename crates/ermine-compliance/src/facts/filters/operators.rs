//! F2: the operators.

use ermine_core::{
    Column, ColumnType, DynamicRecord, ErrorKind, Expr, Filter, IdType, Result, ScalarType, Schema,
    Value,
};

use crate::facts::kit::{doc, n, notes, passages, refused, scope};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    f2_each_comparison_means_what_it_says,
    f2_between_is_inclusive_and_false_when_the_bounds_cross,
    f2_in_nothing_is_nothing,
    f2_and_or_not_and_constants_nest,
    f2_no_filter_is_true,
    f2_an_id_filters,
    f2_a_field_that_is_not_indexed_does_not_filter,
    f2_a_value_of_the_wrong_type_is_refused_naming_both,
    f2_an_operator_that_the_type_lacks_is_refused,
    f2_nested_fields_filter_by_path,
];

/// Documents numbered 1 to 5.
async fn numbered(world: &World) -> Result<Docs> {
    let docs = world.open(passages()).await?;
    docs.put((1..=5).map(|i| doc(&i.to_string()).with("n", i)))
        .await?;
    Ok(docs)
}

async fn f2_each_comparison_means_what_it_says(world: World) -> Verdict {
    let docs = numbered(&world).await?;
    let comparisons = [
        (n().eq(3), "3"),
        (n().ne(3), "1 2 4 5"),
        (n().lt(3), "1 2"),
        (n().le(3), "1 2 3"),
        (n().gt(3), "4 5"),
        (n().ge(3), "3 4 5"),
        (n().is_in([5, 1, 9, 1]), "1 5"),
    ];
    for (filter, expected) in comparisons {
        let name = format!("{filter:?}");
        assert_eq!(docs.passing(filter).await?.join(" "), expected, "{name}");
    }
    Ok(())
}

async fn f2_between_is_inclusive_and_false_when_the_bounds_cross(world: World) -> Verdict {
    let docs = numbered(&world).await?;
    assert_eq!(docs.passing(n().between(2, 4)).await?, ["2", "3", "4"]);
    assert_eq!(docs.passing(n().between(3, 3)).await?, ["3"]);
    assert!(docs.passing(n().between(4, 2)).await?.is_empty());
    assert_eq!(docs.passing(!n().between(4, 2)).await?.len(), 5);
    Ok(())
}

async fn f2_in_nothing_is_nothing(world: World) -> Verdict {
    let docs = numbered(&world).await?;
    assert!(docs.passing(n().is_in(Vec::<i64>::new())).await?.is_empty());
    assert_eq!(docs.passing(!n().is_in(Vec::<i64>::new())).await?.len(), 5);
    Ok(())
}

async fn f2_and_or_not_and_constants_nest(world: World) -> Verdict {
    let docs = numbered(&world).await?;
    let of = |expr: Expr| Filter::<DynamicRecord>::from_expr(expr);
    assert_eq!(docs.passing(Filter::all()).await?.len(), 5);
    assert!(docs.passing(Filter::none()).await?.is_empty());
    assert_eq!(docs.passing(of(Expr::And(vec![]))).await?.len(), 5);
    assert!(docs.passing(of(Expr::Or(vec![]))).await?.is_empty());
    assert!(docs.passing(!of(Expr::And(vec![]))).await?.is_empty());
    assert_eq!(docs.passing(!of(Expr::Or(vec![]))).await?.len(), 5);
    assert_eq!(
        docs.passing(n().ge(2) & Filter::all() & !n().eq(4)).await?,
        ["2", "3", "5"]
    );
    assert_eq!(
        docs.passing((n().eq(1) | n().eq(2)) & (n().eq(2) | n().eq(3)))
            .await?,
        ["2"]
    );
    assert_eq!(
        docs.passing(n().eq(1) | n().eq(2) & n().eq(3)).await?,
        ["1"]
    );
    assert_eq!(docs.passing(!!(n().eq(1) | Filter::none())).await?, ["1"]);
    let mut deep = n().eq(1);
    for _ in 0..60 {
        deep = !(!deep & Filter::all()) | Filter::none();
    }
    assert_eq!(docs.passing(deep).await?, ["1"]);
    Ok(())
}

async fn f2_no_filter_is_true(world: World) -> Verdict {
    let docs = numbered(&world).await?;
    assert_eq!(docs.query().count().await?, 5);
    assert_eq!(docs.query().filter(Filter::all()).count().await?, 5);
    assert_eq!(
        docs.query().await?,
        docs.query().filter(Filter::all()).await?
    );
    Ok(())
}

async fn f2_an_id_filters(world: World) -> Verdict {
    let docs = numbered(&world).await?;
    let id = || Column::<DynamicRecord, String>::new("id");
    assert_eq!(docs.passing(id().ge("3") & id().ne("4")).await?, ["3", "5"]);
    assert_eq!(docs.passing(id().is_in(["2", "x"])).await?, ["2"]);
    assert!(docs.passing(id().is_null()).await?.is_empty());
    let signed = Schema::builder("signed", "key", IdType::I64).build()?;
    let docs = world.open(signed).await?;
    docs.put([-2_i64, 3, 10].map(DynamicRecord::new)).await?;
    let key = Column::<DynamicRecord, i64>::new("key");
    assert_eq!(docs.passing(key.lt(10)).await?, ["-2", "3"]);
    Ok(())
}

async fn f2_a_field_that_is_not_indexed_does_not_filter(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    for field in ["title", "embedding"] {
        let column = || Column::<DynamicRecord, String>::named(field);
        refused(
            docs.passing(column().eq("x")).await,
            ErrorKind::NotIndexed,
            &["notes", field],
        );
        refused(
            docs.passing(column().is_null()).await,
            ErrorKind::NotIndexed,
            &["notes", field],
        );
        let search = docs
            .search()
            .nearest_to([1.0, 0.0])
            .filter(column().eq("x"))
            .await;
        refused(search, ErrorKind::NotIndexed, &["notes", field]);
        let search = docs
            .search()
            .matching("pool")
            .filter(!column().eq("x"))
            .await;
        refused(search, ErrorKind::NotIndexed, &["notes", field]);
    }
    Ok(())
}

async fn f2_a_value_of_the_wrong_type_is_refused_naming_both(world: World) -> Verdict {
    let docs = numbered(&world).await?;
    let text = Column::<DynamicRecord, String>::new("n");
    refused(
        docs.passing(text.eq("1")).await,
        ErrorKind::TypeMismatch,
        &["n", "i64", "text"],
    );
    let float = Column::<DynamicRecord, f64>::new("n");
    refused(
        docs.passing(float.lt(1.0)).await,
        ErrorKind::TypeMismatch,
        &["n", "i64", "f64"],
    );
    let unsigned = Column::<DynamicRecord, u64>::new("n");
    refused(
        docs.passing(unsigned.eq(1_u64)).await,
        ErrorKind::TypeMismatch,
        &["n", "i64", "u64"],
    );
    let number = Column::<DynamicRecord, i64>::new("scope");
    let buried = docs
        .passing(n().eq(1) | !(n().eq(2) & number.is_in([1])))
        .await;
    refused(buried, ErrorKind::TypeMismatch, &["scope", "text", "i64"]);
    let bounds = Expr::Between {
        field: "n".to_owned(),
        low: Value::I64(1),
        high: Value::Bool(true),
    };
    let between = docs.passing(Filter::from_expr(bounds)).await;
    refused(between, ErrorKind::TypeMismatch, &["n", "i64", "bool"]);
    Ok(())
}

async fn f2_an_operator_that_the_type_lacks_is_refused(world: World) -> Verdict {
    let docs = numbered(&world).await?;
    let number = || Column::<DynamicRecord, String>::new("n");
    refused(
        docs.passing(number().starts_with("1")).await,
        ErrorKind::TypeMismatch,
        &["n", "i64"],
    );
    refused(
        docs.passing(number().contains("1")).await,
        ErrorKind::TypeMismatch,
        &["n", "i64"],
    );
    let list = Column::<DynamicRecord, Vec<String>>::new("scope");
    refused(
        docs.passing(list.contains("x")).await,
        ErrorKind::TypeMismatch,
        &["scope", "text"],
    );
    let scalar = Column::<DynamicRecord, String>::new("tags");
    refused(
        docs.passing(scalar.eq("x")).await,
        ErrorKind::TypeMismatch,
        &["tags", "list"],
    );
    assert!(docs.passing(scope().eq("x")).await?.is_empty());
    Ok(())
}

async fn f2_nested_fields_filter_by_path(world: World) -> Verdict {
    let text = ColumnType::Scalar(ScalarType::Text);
    let schema = Schema::builder("people", "id", IdType::Text)
        .column("address.city", text)
        .column("address.geo.zone", ColumnType::Scalar(ScalarType::I64));
    let docs = world.open(schema).await?;
    let address = |city: &str, zone: i64| serde_json::json!({"city": city, "geo": {"zone": zone}});
    docs.put([
        doc("a").with("address", address("Oslo", 1)),
        doc("b").with("address", address("Rome", 2)),
        doc("c").with("address", serde_json::json!({"geo": null})),
        doc("d"),
    ])
    .await?;
    let city = || Column::<DynamicRecord, String>::new("address.city");
    let zone = Column::<DynamicRecord, i64>::new("address.geo.zone");
    assert_eq!(docs.passing(city().eq("Oslo")).await?, ["a"]);
    assert_eq!(docs.passing(zone.ge(2)).await?, ["b"]);
    assert_eq!(docs.passing(city().is_null()).await?, ["c", "d"]);
    Ok(())
}
