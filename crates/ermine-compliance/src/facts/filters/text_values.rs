//! F3: text.

use ermine_core::Result;

use crate::facts::kit::{doc, passages, scope};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    f3_text_compares_by_code_point_and_case,
    f3_percent_and_underscore_are_ordinary_characters,
    f3_text_operators_take_their_characters_literally,
    f3_text_is_not_normalised,
];

async fn scoped(world: &World, scopes: &[&str]) -> Result<Docs> {
    let docs = world.open(passages()).await?;
    let documents = scopes.iter().enumerate();
    docs.put(documents.map(|(i, value)| doc(&format!("{i:02}")).with("scope", *value)))
        .await?;
    Ok(docs)
}

async fn f3_text_compares_by_code_point_and_case(world: World) -> Verdict {
    let order = [
        "", " ", "10", "9", "A", "Z", "_", "a", "aa", "b", "z", "é", "Ω", "\u{FFFD}", "🚀",
    ];
    let docs = scoped(&world, &order).await?;
    for (at, value) in order.iter().enumerate() {
        assert_eq!(
            docs.passing(scope().lt(*value)).await?.len(),
            at,
            "< {value:?}"
        );
        assert_eq!(
            docs.passing(scope().eq(*value)).await?,
            [format!("{at:02}")]
        );
        assert_eq!(
            docs.passing(scope().ge(*value)).await?.len(),
            order.len() - at
        );
    }
    assert!(docs.passing(scope().eq("É")).await?.is_empty());
    assert!(docs.passing(scope().eq("B")).await?.is_empty());
    assert_eq!(docs.passing(scope().starts_with("a")).await?, ["07", "08"]);
    assert_eq!(docs.passing(scope().contains("A")).await?, ["04"]);
    Ok(())
}

async fn f3_percent_and_underscore_are_ordinary_characters(world: World) -> Verdict {
    let docs = scoped(
        &world,
        &[
            "100%", "100 of", "a_b", "axb", "%", "_", "a\\%b", "*", "a?b",
        ],
    )
    .await?;
    assert_eq!(docs.passing(scope().starts_with("100%")).await?, ["00"]);
    assert_eq!(
        docs.passing(scope().contains("%")).await?,
        ["00", "04", "06"]
    );
    assert_eq!(docs.passing(scope().contains("a_b")).await?, ["02"]);
    assert_eq!(docs.passing(scope().starts_with("_")).await?, ["05"]);
    assert_eq!(docs.passing(scope().contains("\\%")).await?, ["06"]);
    assert_eq!(docs.passing(scope().contains("*")).await?, ["07"]);
    assert_eq!(docs.passing(scope().contains("?")).await?, ["08"]);
    assert_eq!(
        docs.passing(scope().contains("[a-z]")).await?,
        Vec::<String>::new()
    );
    Ok(())
}

async fn f3_text_operators_take_their_characters_literally(world: World) -> Verdict {
    let odd = [
        "it's",
        "say \"x\"",
        "a; drop table passages; --",
        "'); --",
        "\u{FFFF}x",
        "x\u{10FFFF}",
        "\n\t",
    ];
    let docs = scoped(&world, &odd).await?;
    for (at, value) in odd.iter().enumerate() {
        let id = [format!("{at:02}")];
        assert_eq!(docs.passing(scope().eq(*value)).await?, id, "{value:?}");
        assert_eq!(
            docs.passing(scope().starts_with(*value)).await?,
            id,
            "{value:?}"
        );
        assert_eq!(
            docs.passing(scope().contains(*value)).await?,
            id,
            "{value:?}"
        );
        assert_eq!(
            docs.passing(scope().is_in([*value])).await?,
            id,
            "{value:?}"
        );
        let loaded = docs.load(id[0].as_str()).await?.expect("it is stored");
        assert_eq!(loaded.get("scope").and_then(|v| v.as_str()), Some(*value));
    }
    assert_eq!(docs.passing(scope().starts_with("\u{FFFF}")).await?, ["04"]);
    assert_eq!(
        docs.passing(scope().starts_with("x\u{10FFFF}")).await?,
        ["05"]
    );
    Ok(())
}

async fn f3_text_is_not_normalised(world: World) -> Verdict {
    let docs = scoped(&world, &["caf\u{e9}", "cafe\u{301}"]).await?;
    assert_eq!(docs.passing(scope().eq("caf\u{e9}")).await?, ["00"]);
    assert_eq!(docs.passing(scope().eq("cafe\u{301}")).await?, ["01"]);
    assert_eq!(docs.passing(scope().starts_with("cafe")).await?, ["01"]);
    Ok(())
}
