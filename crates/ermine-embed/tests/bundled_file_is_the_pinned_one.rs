//! The bundled model is the one that the recipe made and the README's figures describe.

use ermine_embed::StaticModel;
use sha2::{Digest, Sha256};

const FILE: &[u8] = include_bytes!("../models/english-256.ermstat");
const SHA256: &str = "c92b4d14c6da16673bd543908e014da377f0f9bd0beeadee6f11c4cecb2bf5ea";

#[test]
fn its_hash_is_pinned() {
    let digest: String = Sha256::digest(FILE)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    assert_eq!(digest, SHA256);
}

#[test]
fn it_is_small() {
    assert!(FILE.len() <= 9_000_000, "{} bytes", FILE.len());
}

#[test]
fn it_is_what_it_says() {
    let checked = StaticModel::from_bytes(FILE).unwrap();
    let bundled = StaticModel::bundled();
    assert_eq!(checked.content_hash(), bundled.content_hash());
    assert_eq!(bundled.content_hash().len(), 64);
    assert_eq!(bundled.name(), "english-256");
    assert_eq!(bundled.dimensions(), 256);
    assert!(bundled.token_count() > 20_000);
}
