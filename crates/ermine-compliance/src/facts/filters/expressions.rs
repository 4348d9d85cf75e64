//! F5: expressions as data.

use ermine_core::{DynamicRecord, ErrorKind, Expr, Filter, Value};

use crate::facts::kit::{doc, ids, n, notes, refused, scope};
use crate::facts::{Verdict, World};

facts![
    f5_an_expression_survives_being_written_and_read,
    f5_an_operator_that_the_store_does_not_know_is_refused_by_name,
];

async fn f5_an_expression_survives_being_written_and_read(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put((0..20).map(|i| {
        doc(&format!("{i:02}"))
            .with("n", i)
            .with("scope", ["x", "y"][i % 2])
    }))
    .await?;
    let filter = (n().between(3, 15) & !scope().eq("x")) | n().is_in([0, 1]) | scope().is_null();
    let json = serde_json::to_string(filter.expr()).expect("an expression serialises");
    let read: Expr = serde_json::from_str(&json).expect("and deserialises");
    assert_eq!(&read, filter.expr());
    let expected = docs.passing(filter).await?;
    assert_eq!(
        expected,
        ["00", "01", "03", "05", "07", "09", "11", "13", "15"]
    );
    assert_eq!(docs.passing(Filter::from_expr(read)).await?, expected);
    Ok(())
}

async fn f5_an_operator_that_the_store_does_not_know_is_refused_by_name(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let sounds_like = || {
        let expr = Expr::Extension {
            name: "sounds_like".to_owned(),
            field: "scope".to_owned(),
            operands: vec![Value::Text("x".to_owned())],
        };
        let unknown = Filter::<DynamicRecord>::from_expr(expr);
        n().eq(1) | !(n().eq(2) & unknown)
    };
    for stored in [0, 1] {
        let name = ["sounds_like"];
        refused(
            docs.passing(sounds_like()).await,
            ErrorKind::Unsupported,
            &name,
        );
        let count = docs.query().filter(sounds_like()).count().await;
        refused(count, ErrorKind::Unsupported, &name);
        let vector = docs
            .search()
            .nearest_to([1.0, 0.0])
            .filter(sounds_like())
            .await;
        refused(vector, ErrorKind::Unsupported, &name);
        let text = docs.search().matching("pool").filter(sounds_like()).await;
        refused(text, ErrorKind::Unsupported, &name);
        let text = docs.search().matching("").filter(sounds_like()).await;
        refused(text, ErrorKind::Unsupported, &name);
        let hybrid = docs
            .search()
            .hybrid_with("pool", [1.0, 0.0])
            .filter(sounds_like())
            .await;
        refused(hybrid, ErrorKind::Unsupported, &name);
        let mut session = docs.session();
        session.delete_where_in(&docs.kind, sounds_like());
        refused(session.commit().await, ErrorKind::Unsupported, &name);
        assert_eq!(docs.query().count().await?, stored);
        docs.put([doc("a").with("n", 1)]).await?;
    }
    assert_eq!(ids(&docs.query().await?), ["a"]);
    Ok(())
}
