//! F1: logic has two values.

use ermine_core::{Filter, Result};

use crate::facts::kit::{doc, n, passages, scope};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    f1_a_comparison_with_an_absent_field_is_false,
    f1_only_ne_and_is_null_are_true_of_an_absent_field,
    f1_not_is_the_exact_complement,
    f1_absent_and_null_are_the_same,
];

/// Five documents, two of which lack `scope`.
async fn five(world: &World) -> Result<Docs> {
    let docs = world.open(passages()).await?;
    docs.put([
        doc("1").with("scope", "x").with("n", 1),
        doc("2").with("scope", "y").with("n", 8),
        doc("3").with("n", 3),
        doc("4").with("n", 8),
        doc("5").with("scope", "x"),
    ])
    .await?;
    Ok(docs)
}

async fn f1_a_comparison_with_an_absent_field_is_false(world: World) -> Verdict {
    let docs = five(&world).await?;
    let present = [
        (scope().eq("x"), "1 5"),
        (scope().lt("z"), "1 2 5"),
        (scope().le("x"), "1 5"),
        (scope().gt(""), "1 2 5"),
        (scope().ge("y"), "2"),
        (scope().between("", "z"), "1 2 5"),
        (scope().is_in(["x", "y", ""]), "1 2 5"),
        (scope().starts_with(""), "1 2 5"),
        (scope().contains(""), "1 2 5"),
        (n().ge(i64::MIN), "1 2 3 4"),
    ];
    for (filter, expected) in present {
        let name = format!("{filter:?}");
        assert_eq!(docs.passing(filter).await?.join(" "), expected, "{name}");
    }
    Ok(())
}

async fn f1_only_ne_and_is_null_are_true_of_an_absent_field(world: World) -> Verdict {
    let docs = five(&world).await?;
    assert_eq!(docs.passing(scope().ne("x")).await?, ["2", "3", "4"]);
    assert_eq!(docs.passing(scope().is_null()).await?, ["3", "4"]);
    assert_eq!(docs.passing(n().ne(8)).await?, ["1", "3", "5"]);
    assert_eq!(docs.passing(n().is_null()).await?, ["5"]);
    Ok(())
}

async fn f1_not_is_the_exact_complement(world: World) -> Verdict {
    let docs = five(&world).await?;
    // Those without scope are in the complement unless n is 8.
    let passing = docs.passing(!(scope().eq("x") | n().eq(8))).await?;
    assert_eq!(passing, ["3"]);
    let all = ["1", "2", "3", "4", "5"];
    let filters = || -> Vec<Filter<_>> {
        vec![
            scope().eq("x"),
            scope().ne("x"),
            scope().is_null(),
            scope().lt("y"),
            scope().is_in(["x"]),
            scope().is_in(Vec::<String>::new()),
            scope().starts_with("x"),
            scope().between("z", "a"),
            n().ge(3) & scope().eq("y"),
            n().ge(3) | scope().eq("x"),
            !(n().ge(3) & !scope().eq("x")),
            (scope().eq("x") & n().eq(1)) | (!n().le(3) & !scope().is_null()),
        ]
    };
    for (filter, same) in filters().into_iter().zip(filters()) {
        let name = format!("{filter:?}");
        let passing = docs.passing(filter).await?;
        let failing = docs.passing(!same).await?;
        let complement = all.iter().filter(|id| !passing.iter().any(|p| p == *id));
        assert_eq!(
            failing,
            complement.copied().collect::<Vec<_>>(),
            "not {name}"
        );
    }
    Ok(())
}

async fn f1_absent_and_null_are_the_same(world: World) -> Verdict {
    let docs = five(&world).await?;
    let null = serde_json::Value::Null;
    docs.put([doc("6")
        .with("scope", null.clone())
        .with("n", null.clone())
        .with("tags", null)])
        .await?;
    assert_eq!(
        docs.passing(scope().is_null() & n().is_null()).await?,
        ["6"]
    );
    assert_eq!(
        docs.passing(!scope().eq("x") & n().ne(3)).await?,
        ["2", "4", "6"]
    );
    Ok(())
}
