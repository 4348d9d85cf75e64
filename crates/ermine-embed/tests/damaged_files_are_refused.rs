//! No bytes make the loader panic, and no damage goes unnoticed.

#![allow(clippy::panic, reason = "a test helper may panic")]

use ermine_embed::{ModelError, StaticModel};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

const DIMENSIONS: u32 = 3;
const TOKENS: [&str; 4] = ["pool", "time", "##out", "é"];

/// A well-formed file with the given parts.
fn file(name: &[u8], tokens: &[&[u8]], scales: &[f32], rows: &[u8]) -> Vec<u8> {
    let vocabulary = tokens.concat();
    let mut head = b"ERMSTATC".to_vec();
    for field in [
        1,
        DIMENSIONS,
        tokens.len() as u32,
        name.len() as u32,
        vocabulary.len() as u32,
        0,
    ] {
        head.extend(field.to_le_bytes());
    }
    let mut body = name.to_vec();
    body.extend(tokens.iter().map(|t| t.len() as u8));
    body.extend(vocabulary);
    body.extend(scales.iter().flat_map(|s| s.to_le_bytes()));
    body.extend(rows);
    signed(&head, &body)
}

fn signed(head: &[u8], body: &[u8]) -> Vec<u8> {
    let hash = Sha256::digest([head, body].concat());
    [head, hash.as_slice(), body].concat()
}

fn good() -> Vec<u8> {
    let tokens = TOKENS.map(str::as_bytes);
    file(
        b"tiny",
        &tokens,
        &[0.5, 1.0, 0.25, 1.0],
        &[2, 0, 0, 0, 0xff, 0, 0, 0, 4, 0, 0, 0],
    )
}

fn malformed(bytes: Vec<u8>) -> &'static str {
    match StaticModel::from_bytes(bytes) {
        Err(ModelError::Malformed(what)) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_good_file_is_read() {
    let model = StaticModel::from_bytes(good()).unwrap();
    assert_eq!(
        (model.name(), model.dimensions(), model.token_count()),
        ("tiny", 3, 4)
    );
    assert_eq!(model.pieces("Timeout pool"), ["time", "##out", "pool"]);
    assert_eq!(model.embed("pool pool"), Some(vec![1.0, 0.0, 0.0]));
    let third = 1.0 / 3.0_f64.sqrt();
    assert_eq!(
        model.embed("timeout pool"),
        Some([third, -third, third].map(|x| x as f32).to_vec())
    );
    assert_eq!(model.embed("nothing of it is known"), None);
    assert_eq!(
        model.embed("é"),
        None,
        "its accent is stripped, so the piece é is never met"
    );
}

#[test]
fn an_unknown_version_is_named() {
    let mut bytes = good();
    bytes[8] = 2;
    let refused = StaticModel::from_bytes(bytes).unwrap_err();
    assert!(
        matches!(
            refused,
            ModelError::Version {
                found: 2,
                supported: 1
            }
        ),
        "{refused}"
    );
}

#[test]
fn contradictions_are_named() {
    let words = TOKENS.map(str::as_bytes);
    let ones = [1.0; 4];
    let rows = [1; 12];
    assert_eq!(
        malformed(file(b"\xff", &words, &ones, &rows)),
        "the name or the vocabulary is not UTF-8"
    );
    assert_eq!(
        malformed(file(b"", &[b"\xff"], &[1.0], &[1; 3])),
        "the name or the vocabulary is not UTF-8"
    );
    assert_eq!(
        malformed(file(b"", &[b"a", b"a"], &[1.0; 2], &[1; 6])),
        "a token is there twice"
    );
    assert_eq!(
        malformed(file(b"", &[b"a", b""], &[1.0; 2], &[1; 6])),
        "a token's length is wrong"
    );
    assert_eq!(
        malformed(file(b"", &[b"\xc3", b"\xa9"], &[1.0; 2], &[1; 6])),
        "a token's length is wrong"
    );
    assert_eq!(
        malformed(file(b"", &[&[b'a'; 65]], &[1.0], &[1; 3])),
        "a token's length is wrong"
    );
    assert_eq!(malformed(file(b"", &[], &[], &[])), "there are no tokens");
    for scale in [f32::NAN, f32::INFINITY, -1.0] {
        let bytes = file(b"", &words, &[1.0, scale, 1.0, 1.0], &rows);
        assert_eq!(malformed(bytes), "a scale is negative or not finite");
    }
}

#[test]
fn sizes_that_overflow_are_refused_without_allocating() {
    let mut head = good()[..32].to_vec();
    head[12..28].fill(0xff);
    assert!(StaticModel::from_bytes(signed(&head, b"")).is_err());
    head[12..16].copy_from_slice(&16_000_u32.to_le_bytes());
    assert!(StaticModel::from_bytes(signed(&head, b"")).is_err());
}

#[test]
fn every_truncation_is_refused() {
    let good = good();
    for length in 0..good.len() {
        assert!(
            StaticModel::from_bytes(good[..length].to_vec()).is_err(),
            "{length} bytes"
        );
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    for bit in 0..good().len() * 8 {
        let mut bytes = good();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(StaticModel::from_bytes(bytes).is_err(), "bit {bit}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let refused = StaticModel::from_file("no/such/file.ermstat").unwrap_err();
    assert!(
        refused.to_string().contains("no/such/file.ermstat"),
        "{refused}"
    );
    assert!(std::error::Error::source(&refused).is_some());
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in any::<Vec<u8>>()) {
        prop_assert!(StaticModel::from_bytes(bytes).is_err());
    }

    #[test]
    fn no_signed_content_makes_it_panic(
        fields in prop::array::uniform4(0_u32..40),
        body in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let mut head = b"ERMSTATC".to_vec();
        head.extend(1_u32.to_le_bytes());
        head.extend(fields.iter().flat_map(|f| f.to_le_bytes()));
        head.extend([0; 4]);
        if let Ok(model) = StaticModel::from_bytes(signed(&head, &body)) {
            let _ = model.embed("any text at all");
        }
    }

    #[test]
    fn damage_to_several_bytes_is_refused(at in prop::collection::vec((0_usize..1_000, 1_u8..), 1..8)) {
        let mut bytes = good();
        for (at, change) in at {
            let at = at % bytes.len();
            bytes[at] = bytes[at].wrapping_add(change);
        }
        prop_assert!(bytes == good() || StaticModel::from_bytes(bytes).is_err());
    }
}
