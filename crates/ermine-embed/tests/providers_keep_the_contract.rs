//! Both providers answer as the provider trait asks.

#![allow(clippy::unwrap_used, reason = "a test helper may panic")]

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ermine_core::{EmbeddingProvider, Role, Vector, embed_checked};
use ermine_embed::{DeterministicProvider, StaticModel};

/// Polls to the end, and tells how often it had to.
fn run<T>(future: impl Future<Output = T>) -> (T, usize) {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for polls in 1.. {
        if let Poll::Ready(answer) = future.as_mut().poll(&mut context) {
            return (answer, polls);
        }
    }
    unreachable!()
}

fn embed(provider: &impl EmbeddingProvider, texts: &[&str], role: Role) -> Vec<Option<Vector>> {
    run(provider.embed(texts, role)).0.unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[test]
fn the_static_model_answers_in_order_with_one_entry_per_text() {
    let model = StaticModel::bundled();
    let texts = ["pool timeouts", "", "a winter coat"];
    let vectors = embed(&model, &texts, Role::Document);
    let expected = texts.map(|text| model.embed(text).map(Vector::from));
    assert_eq!(vectors, expected);
    assert_eq!(vectors, embed(&model, &texts, Role::Query));
    assert_eq!(
        run(embed_checked(&model, &texts, Role::Query)).0.unwrap(),
        expected
    );
    assert!(embed(&model, &[], Role::Document).is_empty());
}

#[test]
fn the_static_models_identity_holds_its_content() {
    let model = StaticModel::bundled();
    let identity = EmbeddingProvider::identity(&model);
    assert_eq!(
        (identity.provider.as_str(), identity.dimensions),
        ("static", 256)
    );
    let (name, hash) = identity.model.split_once('@').unwrap();
    assert_eq!(name, "english-256");
    assert!(hash.len() == 16 && model.content_hash().starts_with(hash));
}

#[test]
fn a_long_batch_gives_way_to_other_work() {
    let model = StaticModel::bundled();
    let text = "word ".repeat(10_000);
    let (vectors, polls) = run(EmbeddingProvider::embed(
        &model,
        &[text.as_str(); 8],
        Role::Document,
    ));
    assert_eq!(vectors.unwrap().len(), 8);
    assert!(polls > 3, "{polls}");
}

#[test]
fn the_deterministic_provider_counts_calls_and_texts_with_its_clones() {
    let provider = DeterministicProvider::new(8);
    let clone = provider.clone();
    embed(&provider, &["a", "b"], Role::Document);
    embed(&clone, &["c"], Role::Query);
    assert_eq!((provider.calls(), provider.texts()), (2, 3));
    assert_eq!((clone.calls(), clone.texts()), (2, 3));
    clone.reset_counts();
    assert_eq!((provider.calls(), provider.texts()), (0, 0));
    run(embed_checked(&provider, &[], Role::Query)).0.unwrap();
    assert_eq!(provider.calls(), 0, "an empty list makes no call");
}

#[test]
fn the_deterministic_provider_has_any_dimensions_and_brings_words_together() {
    for dimensions in [1, 3, 33, 1_536] {
        let provider = DeterministicProvider::new(dimensions);
        let vector = provider.vector("Pool timeouts!").unwrap();
        assert_eq!(vector.len(), dimensions);
        assert_eq!(provider.vector("pool, TIMEOUTS").unwrap(), vector);
        assert_eq!(
            EmbeddingProvider::identity(&provider).dimensions,
            dimensions
        );
    }
    let provider = DeterministicProvider::new(1_536);
    let [query, near, far] = ["pool timeouts", "timeouts of the pool", "winter coat"]
        .map(|text| provider.vector(text).unwrap());
    assert!(cosine(&query, &near) > 0.5);
    assert!(cosine(&query, &far).abs() < 0.15);
}

#[test]
fn the_deterministic_provider_has_stable_vectors() {
    // The first four bytes of SHA-256 over eight zero bytes and the word, as signed numbers.
    let [a, b, c, d] = [62.0, -91.0, 107.0, -95.0_f64];
    let length = (a * a + b * b + c * c + d * d).sqrt();
    let expected = [a, b, c, d].map(|x| (x / length) as f32);
    assert_eq!(
        DeterministicProvider::new(4).vector("ermine").unwrap(),
        expected
    );
    assert!(DeterministicProvider::new(4).vector("?!").is_some());
    assert_eq!(DeterministicProvider::new(4).vector(" \n"), None);
    assert_eq!(DeterministicProvider::new(0).vector("no dimensions"), None);
}
