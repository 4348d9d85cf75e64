//! V6: vectors that cannot be compared.

use ermine_core::{DynamicRecord, Embedding, ErrorKind, Metric, Result, Vector};

use crate::Overwriting;
use crate::facts::kit::{at, doc, ids, notes, points, refused, says};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    v6_a_zero_vector_is_refused_under_cosine,
    v6_a_zero_vector_is_a_vector_under_the_other_metrics,
    v6_nan_and_infinity_are_refused,
    v6_a_refused_vector_stores_nothing_of_its_unit,
    v6_a_bad_stored_value_is_never_found,
    v6_a_stored_value_of_the_wrong_length_is_never_found,
    v6_a_bad_stored_value_is_an_error_on_load,
    v6_a_text_search_finds_a_document_whose_stored_vector_is_bad,
    v6_huge_and_tiny_elements_have_finite_distances,
    v6_elements_are_stored_as_little_endian_floats,
];

async fn v6_a_zero_vector_is_refused_under_cosine(world: World) -> Verdict {
    let docs = world.open(points(3, Metric::Cosine)).await?;
    let stored = docs.put([at("zero", [0.0, 0.0, 0.0])]).await;
    refused(stored, ErrorKind::InvalidVector, &["zero", "embedding"]);
    let stored = docs.put([at("minus", [0.0, -0.0, 0.0])]).await;
    refused(stored, ErrorKind::InvalidVector, &["minus", "embedding"]);
    let asked = docs.search().nearest_to([0.0, 0.0, 0.0]).await;
    refused(asked, ErrorKind::InvalidVector, &["points", "embedding"]);
    Ok(())
}

async fn v6_a_zero_vector_is_a_vector_under_the_other_metrics(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Euclidean)).await?;
    docs.put([at("zero", [0.0, 0.0]), at("one", [0.0, 1.0])])
        .await?;
    for metric in [Metric::Euclidean, Metric::L1, Metric::InnerProduct] {
        let found = docs
            .search()
            .nearest_to([0.0, 0.0])
            .measured_by(metric)
            .await?;
        assert_eq!(found.len(), 2, "{metric}");
    }
    Ok(())
}

async fn v6_nan_and_infinity_are_refused(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Euclidean)).await?;
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let stored = docs.put([at("bad", [1.0, bad])]).await;
        refused(
            stored,
            ErrorKind::InvalidVector,
            &["bad", "embedding", "element 1"],
        );
        let asked = docs.search().nearest_to([bad, 1.0]).await;
        refused(
            asked,
            ErrorKind::InvalidVector,
            &["points", "embedding", "element 0"],
        );
    }
    Ok(())
}

async fn v6_a_refused_vector_stores_nothing_of_its_unit(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Cosine)).await?;
    let unit = docs
        .put([at("first", [1.0, 0.0]), at("zero", [0.0, 0.0])])
        .await;
    refused(unit, ErrorKind::InvalidVector, &["zero"]);
    assert_eq!(docs.query().count().await?, 0);
    Ok(())
}

/// Two documents, of which the one called `bad` is to be spoilt.
async fn two(world: &World, metric: Metric) -> Result<Docs> {
    let docs = world.open(points(2, metric)).await?;
    docs.put([at("bad", GOOD), at("good", [0.0, 1.0])]).await?;
    Ok(docs)
}

/// The vector of the document called `bad` before it is spoilt.
const GOOD: [f32; 2] = [1.0, 0.0];

/// Puts bytes in place of the vector of the document called `bad`. Where the
/// database itself refuses them it is [`GOOD`].
async fn spoil(world: &World, collection: &str, bytes: &[u8]) -> Result<Overwriting> {
    let good = bytes_of(GOOD);
    let overwriting = world.overwrite_vector(collection, "bad", "embedding", &good);
    assert_eq!(overwriting.await?, Overwriting::Done);
    world
        .overwrite_vector(collection, "bad", "embedding", bytes)
        .await
}

/// What a search finds of the two documents, the nearest to [`GOOD`] first.
fn found_after(overwriting: Overwriting) -> &'static [&'static str] {
    match overwriting {
        Overwriting::Done => &["good"],
        Overwriting::RefusedByTheDatabase => &["bad", "good"],
    }
}

fn bytes_of(elements: [f32; 2]) -> Vec<u8> {
    Vector::from(elements).to_le_bytes()
}

async fn v6_a_bad_stored_value_is_never_found(world: World) -> Verdict {
    let nan = [0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0xc0, 0x7f];
    let docs = two(&world, Metric::Cosine).await?;
    let values = [
        nan.to_vec(),
        bytes_of([f32::INFINITY, 0.0]),
        bytes_of([1.0, f32::NEG_INFINITY]),
        bytes_of([0.0, 0.0]),
    ];
    for bytes in values {
        let spoilt = spoil(&world, "points", &bytes).await?;
        let found = docs.search().nearest_to(GOOD).await?;
        assert_eq!(ids(&found), found_after(spoilt), "{bytes:?}");
    }
    // Under another metric the zero vector is good, and nothing else is.
    let found = docs
        .search()
        .nearest_to([0.0, 0.0])
        .measured_by(Metric::L1)
        .await?;
    assert_eq!(ids(&found), ["bad", "good"]);
    let spoilt = spoil(&world, "points", &nan).await?;
    let found = docs
        .search()
        .nearest_to([0.0, 0.0])
        .measured_by(Metric::L1)
        .await?;
    assert_eq!(ids(&found), found_after(spoilt));
    Ok(())
}

async fn v6_a_stored_value_of_the_wrong_length_is_never_found(world: World) -> Verdict {
    let docs = two(&world, Metric::Euclidean).await?;
    for length in [0, 4, 7, 9, 12, 13] {
        let spoilt = spoil(&world, "points", &vec![0; length]).await?;
        let found = docs.search().nearest_to(GOOD).await?;
        assert_eq!(ids(&found), found_after(spoilt), "{length} bytes");
    }
    spoil(&world, "points", &bytes_of([1.0, 0.0])).await?;
    let found = docs.search().nearest_to(GOOD).await?;
    assert_eq!(ids(&found), ["bad", "good"], "a good value is found again");
    Ok(())
}

async fn v6_a_bad_stored_value_is_an_error_on_load(world: World) -> Verdict {
    let docs = two(&world, Metric::Cosine).await?;
    let values = [
        vec![0; 9],
        vec![0; 13],
        bytes_of([f32::NAN, 1.0]),
        bytes_of([0.0, 0.0]),
    ];
    for bytes in values {
        let spoilt = spoil(&world, "points", &bytes).await?;
        let loaded = docs.load("bad").await;
        match spoilt {
            Overwriting::Done => refused(loaded, ErrorKind::Corrupt, &["bad", "embedding"]),
            Overwriting::RefusedByTheDatabase => assert_eq!(loaded?, Some(at("bad", GOOD))),
        }
        assert!(docs.load("good").await?.is_some());
    }
    Ok(())
}

async fn v6_a_text_search_finds_a_document_whose_stored_vector_is_bad(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("bad", "pool").with_vector("embedding", GOOD)])
        .await?;
    for bytes in [&[0; 9][..], &[0; 13], &bytes_of([f32::NAN, 1.0])] {
        let spoilt = spoil(&world, "notes", bytes).await?;
        let found = docs.search().matching("pool").await?;
        assert_eq!(ids(&found), ["bad"]);
        assert_eq!(
            found[0].document.embeddings["embedding"],
            Embedding::NotLoaded
        );
        let hybrid = docs.search().hybrid_with("pool", GOOD).await?;
        assert_eq!(ids(&hybrid), ["bad"]);
        let legs = match spoilt {
            // Only the text leg found it.
            Overwriting::Done => 1,
            Overwriting::RefusedByTheDatabase => 2,
        };
        assert_eq!(hybrid[0].legs.len(), legs);
    }
    Ok(())
}

async fn v6_huge_and_tiny_elements_have_finite_distances(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Cosine)).await?;
    let tiny = f32::from_bits(1);
    docs.put([
        at("huge", [f32::MAX, 0.0]),
        at("low", [f32::MIN, 0.0]),
        at("tiny", [0.0, tiny]),
    ])
    .await?;
    for metric in Metric::ALL {
        let found = docs
            .search()
            .nearest_to([f32::MAX, 0.0])
            .measured_by(metric)
            .await?;
        assert_eq!(found[0].document.id.to_string(), "huge", "{metric}");
        assert_eq!(found.len(), 3, "{metric}");
    }
    let found = docs.search().nearest_to([0.0, tiny]).await?;
    assert_eq!(ids(&found), ["tiny", "huge", "low"]);
    assert_eq!(found[0].distance.value(), 0.0);
    Ok(())
}

async fn v6_elements_are_stored_as_little_endian_floats(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::L1)).await?;
    docs.put([at("a", [9.0, 9.0])]).await?;
    let bytes = [0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0xc0];
    let overwriting = world.overwrite_vector("points", "a", "embedding", &bytes);
    assert_eq!(overwriting.await?, Overwriting::Done);
    let loaded: Option<DynamicRecord> = docs.load("a").await?;
    assert_eq!(loaded, Some(doc("a").with_vector("embedding", [1.0, -2.0])));
    Ok(())
}
