//! T7, plain: a search box's raw contents.

use ermine_store::TextStyle;

use crate::facts::kit::{ids, notes, passages, says};
use crate::facts::{Verdict, World};

facts![
    t7_plain_matches_any_term,
    t7_in_plain_nothing_is_an_operator,
    t7_punctuation_in_a_query_finds_what_holds_it,
    t7_no_string_fails,
    t7_no_string_selects_a_field,
];

async fn t7_plain_matches_any_term(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("a", "pool"),
        says("b", "timeout"),
        says("c", "pool timeout"),
        says("d", "sea"),
    ])
    .await?;
    assert_eq!(
        ids(&docs.search().matching("pool timeout").await?),
        ["c", "a", "b"]
    );
    Ok(())
}

async fn t7_in_plain_nothing_is_an_operator(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("a", "pool"),
        says("b", "not"),
        says("c", "or"),
        says("d", "near"),
    ])
    .await?;
    let plain = |query: &'static str| docs.search().matching(query);
    assert_eq!(ids(&plain("-pool").await?), ["a"]);
    assert_eq!(ids(&plain("pool NOT").await?), ["a", "b"]);
    assert_eq!(ids(&plain("or").await?), ["c"]);
    assert_eq!(ids(&plain("NEAR(pool, 3)").await?), ["a", "d"]);
    assert_eq!(ids(&plain("\"pool or\"").await?), ["a", "c"]);
    assert_eq!(ids(&plain("po*").await?), Vec::<String>::new());
    Ok(())
}

async fn t7_punctuation_in_a_query_finds_what_holds_it(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let held = ["multi-agent", "error:timeout", "@nasa", "O'Brien", "C++"];
    docs.put(held.map(|text| says(text, text))).await?;
    for text in held {
        for style in [TextStyle::Plain, TextStyle::Web] {
            let found = docs.search().matching(text).text_style(style).await?;
            assert_eq!(ids(&found), [text], "{style:?}");
        }
    }
    assert_eq!(
        ids(&docs.search().matching("timeout").await?),
        ["error:timeout"]
    );
    Ok(())
}

async fn t7_no_string_fails(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("rocket", "rocket").with_vector("embedding", [1.0, 0.0])])
        .await?;
    let strings = [
        "",
        " ",
        "\t\n",
        "\"",
        "\"\"",
        "'",
        "*",
        "()",
        "NEAR(",
        "NOT",
        "AND OR NOT",
        "-",
        "--",
        "-\"",
        "or or or",
        "🚀",
        "a:b:c",
        "{title}",
        "title:",
        "^",
        "\\",
        "%",
        "_",
        "\0",
        "a\0b",
        "\u{FEFF}",
        "\u{202E}abc",
        "ﷺ",
        "e\u{301}\u{301}",
        "\u{10FFFF}",
        "👩‍👩‍👧‍👦",
        "ـــ",
        "ำ",
        "1.5:2_3",
        "''''",
    ];
    for text in strings {
        for style in [TextStyle::Plain, TextStyle::Web] {
            docs.search().matching(text).text_style(style).await?;
            docs.search()
                .hybrid_with(text, [1.0, 0.0])
                .text_style(style)
                .await?;
        }
    }
    let long = "rocket ".repeat(20_000);
    for style in [TextStyle::Plain, TextStyle::Web] {
        let found = docs
            .search()
            .matching(long.as_str())
            .text_style(style)
            .await?;
        assert_eq!(ids(&found), ["rocket"]);
        let found = docs
            .search()
            .matching("rocket 🚀")
            .text_style(style)
            .await?;
        assert_eq!(ids(&found), ["rocket"]);
    }
    Ok(())
}

async fn t7_no_string_selects_a_field(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("body", "pool").with("title", "sea"),
        says("title", "sea").with("title", "pool"),
    ])
    .await?;
    for query in ["title:pool", "{title} : pool", "title: pool"] {
        for style in [TextStyle::Plain, TextStyle::Web] {
            let found = docs.search().matching(query).text_style(style).await?;
            // `title` is a word like any other; no document holds it.
            let expected: &[&str] = match style {
                TextStyle::Plain => &["body", "title"],
                _ => &[],
            };
            assert_eq!(ids(&found), expected, "{query:?} as {style:?}");
        }
    }
    Ok(())
}
