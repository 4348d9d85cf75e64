//! T7, web: words that must all be there, alternatives and exclusions.

use ermine_core::{EmptyLeg, Result};
use ermine_store::TextStyle;

use crate::facts::kit::{assert_near, doc, ids, notes, passages, says, scores};
use crate::facts::provider::Scribe;
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    t7_web_needs_every_word_in_any_field,
    t7_or_binds_looser_and_is_ignored_at_the_ends,
    t7_a_word_of_several_terms_means_all_of_them,
    t7_a_minus_excludes_at_the_start_of_a_word_only,
    t7_an_exclusion_looks_at_all_text_fields,
    t7_an_exclusion_holds_in_every_leg_before_its_depth,
    t7_excluded_words_do_not_score,
    t7_exclusions_alone_find_nothing,
    t7_a_hybrid_embeds_the_positive_words_without_operators,
];

async fn web(docs: &Docs, query: &str) -> Result<Vec<String>> {
    Ok(ids(&docs
        .search()
        .matching(query)
        .text_style(TextStyle::Web)
        .await?))
}

async fn shelf(world: &World) -> Result<Docs> {
    let docs = world.open(passages()).await?;
    docs.put([
        says("a", "pool"),
        says("b", "timeout"),
        says("c", "timeout").with("title", "pool"),
        says("d", "sea timeout"),
    ])
    .await?;
    Ok(docs)
}

async fn t7_web_needs_every_word_in_any_field(world: World) -> Verdict {
    let docs = shelf(&world).await?;
    assert_eq!(web(&docs, "pool timeout").await?, ["c"]);
    assert_eq!(web(&docs, "timeout pool sea").await?, Vec::<String>::new());
    assert_eq!(
        web(&docs, "pool 🚀 …").await?,
        ["a", "c"],
        "what has no terms asks for nothing"
    );
    Ok(())
}

async fn t7_or_binds_looser_and_is_ignored_at_the_ends(world: World) -> Verdict {
    let docs = shelf(&world).await?;
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    assert_eq!(
        sorted(web(&docs, "pool timeout or sea timeout").await?),
        ["c", "d"]
    );
    assert_eq!(sorted(web(&docs, "sea OR pool").await?), ["a", "c", "d"]);
    for query in ["or sea", "sea or", "Or sea oR", "or or sea or or"] {
        assert_eq!(web(&docs, query).await?, ["d"], "{query}");
    }
    assert_eq!(web(&docs, "or").await?, Vec::<String>::new());
    docs.put([says("e", "or")]).await?;
    assert_eq!(web(&docs, "\"or\"").await?, ["e"], "in quotes it is a word");
    Ok(())
}

async fn t7_a_word_of_several_terms_means_all_of_them(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("a", "multi"),
        says("b", "agent"),
        says("c", "an agent of multi"),
    ])
    .await?;
    assert_eq!(web(&docs, "multi-agent").await?, ["c"]);
    assert_eq!(web(&docs, "multi:agent or zebra").await?, ["c"]);
    docs.put([says("d", "multi zebra")]).await?;
    let found = web(&docs, "zebra -multi-agent").await?;
    assert_eq!(found, ["d"], "the exclusion needs both terms");
    Ok(())
}

async fn t7_a_minus_excludes_at_the_start_of_a_word_only(world: World) -> Verdict {
    let docs = shelf(&world).await?;
    assert_eq!(web(&docs, "timeout -sea -pool").await?, ["b"]);
    assert_eq!(web(&docs, "timeout -\"sea\" -pool").await?, ["b"]);
    assert_eq!(web(&docs, "sea-timeout").await?, ["d"]);
    assert_eq!(
        web(&docs, "sea - timeout").await?,
        ["d"],
        "alone it is nothing"
    );
    assert_eq!(web(&docs, "sea --timeout").await?, Vec::<String>::new());
    Ok(())
}

async fn t7_an_exclusion_looks_at_all_text_fields(world: World) -> Verdict {
    let docs = shelf(&world).await?;
    let body_only = docs
        .search()
        .matching("timeout -pool")
        .text_style(TextStyle::Web);
    let found = body_only.text_fields_named(["body"]).await?;
    assert_eq!(ids(&found), ["b", "d"], "c holds it in its title");
    let unweighted = docs
        .search()
        .matching("timeout -pool")
        .text_style(TextStyle::Web);
    let found = unweighted.column_weights([0.0, 1.0]).await?;
    assert_eq!(ids(&found), ["b", "d"]);
    Ok(())
}

async fn t7_an_exclusion_holds_in_every_leg_before_its_depth(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let near = (0..20_u8)
        .map(|i| says(&format!("x{i:02}"), "sea").with_vector("embedding", [f32::from(i), 0.0]));
    let far =
        (20..25_u8).map(|i| doc(&format!("y{i}")).with_vector("embedding", [f32::from(i), 0.0]));
    docs.put(near.chain(far)).await?;
    let search = docs
        .search()
        .hybrid_with("pool -sea", [0.0, 0.0])
        .text_style(TextStyle::Web);
    let found = search.limit(5).candidate_depth(5).await?;
    assert_eq!(ids(&found), ["y20", "y21", "y22", "y23", "y24"]);
    Ok(())
}

async fn t7_excluded_words_do_not_score(world: World) -> Verdict {
    let docs = shelf(&world).await?;
    let with = docs
        .search()
        .matching("timeout -zebra")
        .text_style(TextStyle::Web)
        .await?;
    let without = docs
        .search()
        .matching("timeout")
        .text_style(TextStyle::Web)
        .await?;
    assert_eq!(ids(&with), ids(&without));
    assert_near(&scores(&with), &scores(&without));
    let plain = docs.search().matching("timeout").await?;
    assert_near(&scores(&plain), &scores(&without));
    Ok(())
}

async fn t7_exclusions_alone_find_nothing(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("a", "sea").with_vector("embedding", [1.0, 0.0])])
        .await?;
    let text = docs
        .search()
        .matching("-pool")
        .text_style(TextStyle::Web)
        .await?;
    assert!(text.is_empty());
    assert_eq!(text.outcome().legs[0].empty, Some(EmptyLeg::OnlyExclusions));
    let hybrid = docs
        .search()
        .hybrid_with("-pool", [1.0, 0.0])
        .text_style(TextStyle::Web)
        .await?;
    assert_eq!(ids(&hybrid), ["a"], "the vector was asked for by itself");
    assert_eq!(
        hybrid.outcome().legs[0].empty,
        Some(EmptyLeg::OnlyExclusions)
    );
    let hybrid = docs
        .search()
        .hybrid_with("-sea", [1.0, 0.0])
        .text_style(TextStyle::Web)
        .await?;
    assert!(hybrid.is_empty());
    Ok(())
}

async fn t7_a_hybrid_embeds_the_positive_words_without_operators(world: World) -> Verdict {
    let scribe = Scribe::new();
    let schema = notes().build()?;
    let store = world
        .store(|builder| builder.schema(schema).embeddings(scribe.clone()))
        .await?;
    let docs = Docs::of(&store, "notes", None)?;
    let queries = [
        ("pool \"time outs\" or sea -boat", "pool time outs sea"),
        ("or pool -\"a b\" -c", "pool"),
    ];
    for (query, embedded) in queries {
        docs.search()
            .hybrid(query)
            .text_style(TextStyle::Web)
            .await?;
        assert_eq!(scribe.asked(), [embedded]);
    }
    let negative = docs
        .search()
        .hybrid("-boat")
        .text_style(TextStyle::Web)
        .await?;
    assert!(negative.is_empty() && scribe.calls().is_empty());
    assert_eq!(
        negative.outcome().legs[1].empty,
        Some(EmptyLeg::NotRepresentable)
    );
    docs.search().hybrid("pool -sea or").await?;
    assert_eq!(
        scribe.asked(),
        ["pool -sea or"],
        "plain has no operators to leave out"
    );
    Ok(())
}
