//! T12: the formula.

use ermine_core::{Deletion, IdType, Schema};

use crate::facts::kit::{assert_near, doc, ids, passages, says, scores};
use crate::facts::{Verdict, World};

facts![
    t12_bm25_has_its_values,
    t12_a_word_repeated_in_the_query_counts_as_often,
    t12_counts_of_all_fields_are_weighted_and_the_length_is_not,
    t12_document_frequency_counts_every_text_field,
    t12_single_characters_beside_pairs_do_not_count_as_length,
    t12_documents_without_text_count,
    t12_an_average_of_0_makes_the_length_normal,
    t12_a_common_term_still_scores_above_0,
];

async fn t12_bm25_has_its_values(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("a", "pool"),
        says("b", "pool sea"),
        says("c", "sea sea sea"),
    ])
    .await?;
    let found = docs.search().matching("pool").await?;
    assert_eq!(ids(&found), ["a", "b"]);
    assert_near(&scores(&found), &[0.5908617053, 0.4700036292]);
    Ok(())
}

async fn t12_a_word_repeated_in_the_query_counts_as_often(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("a", "db pool"),
        says("b", "pool pool"),
        says("c", "db sea sea"),
    ])
    .await?;
    let found = docs.search().matching("db db pool").await?;
    assert_eq!(ids(&found), ["a", "c", "b"]);
    assert_near(&scores(&found), &[1.4975288049, 0.8416344059, 0.6733075247]);
    let found = docs.search().matching("db pool").await?;
    assert_eq!(ids(&found), ["a", "b", "c"]);
    assert_near(&scores(&found), &[0.9983525366, 0.6733075247, 0.4208172029]);
    Ok(())
}

async fn t12_counts_of_all_fields_are_weighted_and_the_length_is_not(world: World) -> Verdict {
    let schema = Schema::builder("books", "id", IdType::Text)
        .text("title", 3.0)
        .text("body", 1.0);
    let docs = world.open(schema).await?;
    docs.put([
        doc("a").with("title", "pool").with("body", "sea"),
        doc("b").with("title", "sea").with("body", "pool pool"),
    ])
    .await?;
    let found = docs.search().matching("pool").await?;
    assert_eq!(ids(&found), ["a", "b"]);
    assert_near(&scores(&found), &[0.2993338992, 0.2373416716]);
    Ok(())
}

async fn t12_document_frequency_counts_every_text_field(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("a", "pool"),
        doc("b").with("title", "pool"),
        says("c", "sea"),
    ])
    .await?;
    let all = docs.search().matching("pool").await?;
    let body = docs
        .search()
        .matching("pool")
        .text_fields_named(["body"])
        .await?;
    assert_eq!(ids(&body), ["a"]);
    assert_eq!(
        body[0].score, all[0].score,
        "the title of b counts, searched or not"
    );
    Ok(())
}

async fn t12_single_characters_beside_pairs_do_not_count_as_length(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([says("a", "茶道具"), says("b", "茶")]).await?;
    let found = docs.search().matching("茶").await?;
    assert_eq!(ids(&found), ["b", "a"]);
    assert_near(&scores(&found), &[0.2111091710, 0.1604429700]);
    Ok(())
}

async fn t12_documents_without_text_count(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([says("a", "pool"), doc("b"), doc("c")]).await?;
    let found = docs.search().matching("pool").await?;
    // N = 3, n = 1, average 1/3: ln(1 + 2.5/1.5) · 2.2 / (1 + 1.2 · (0.25 + 0.75 · 3))
    assert_near(&scores(&found), &[0.5394560892]);
    Ok(())
}

async fn t12_an_average_of_0_makes_the_length_normal(world: World) -> Verdict {
    let docs = world.open(passages().deletion(Deletion::Soft)).await?;
    docs.put([says("a", "pool pool sea")]).await?;
    docs.delete("a").await?;
    // No document is live: N = n = 0 and the average is 0.
    let found = docs.search().matching("sea").deleted().await?;
    assert_eq!(ids(&found), ["a"]);
    assert_near(&scores(&found), &[std::f64::consts::LN_2]);
    Ok(())
}

async fn t12_a_common_term_still_scores_above_0(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put((0..30).map(|i| says(&format!("{i:02}"), "pool")))
        .await?;
    let found = docs.search().matching("pool").limit(30).await?;
    assert_eq!(found.len(), 30);
    // ln(1 + 0.5/30.5)
    assert_near(&scores(&found), &[0.0162605209; 30]);
    Ok(())
}
