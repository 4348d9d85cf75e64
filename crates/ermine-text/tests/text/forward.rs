use ermine_text::{Analyzer, EncodedRecord, ForwardRecord, Language, TextError};
use proptest::prelude::*;

use crate::strings::record;

#[test]
fn the_bytes_are_those_documented() {
    let analyzer = Analyzer::new(Language::None);
    let record = analyzer.analyze_document(&[Some("b"), Some("a b a")]);
    let bytes = [
        1, 2, 4, 2, // version, fields, length, terms
        1, b'a', 0, 2, 2, 0, 2, // a: in the second field at 0 and 2
        1, b'b', 1, 1, 2, 0, 1, // b: in the first at 0, in the second at 1
    ];
    assert_eq!(record.encode(), bytes);
}

#[test]
fn counts_and_positions_are_per_field() {
    let analyzer = Analyzer::new(Language::None);
    let record = analyzer.analyze_document(&[Some("db pool"), None, Some("pool db pool")]);
    let pool = record.get("pool").unwrap();
    assert_eq!(pool.counts(), [1, 0, 2]);
    assert_eq!(pool.positions(0), [1]);
    assert!(pool.positions(1).is_empty());
    assert_eq!(pool.positions(2), [0, 2]);
    assert!(pool.positions(3).is_empty());
}

#[test]
fn wrong_bytes_are_errors_that_say_where() {
    let good = Analyzer::new(Language::None)
        .analyze_document(&[Some("b a")])
        .encode();
    for end in 0..good.len() {
        assert!(ForwardRecord::decode(&good[..end]).is_err(), "{end}");
    }
    let mut long = good.clone();
    long.push(0);
    let error = ForwardRecord::decode(&long).unwrap_err();
    assert!(
        matches!(error, TextError::Corrupt { what: "forward record", offset, .. } if offset == good.len())
    );
    assert!(error.to_string().contains("rebuild"), "{error}");
}

#[test]
fn looking_up_passes_over_terms_unjudged_and_never_past_the_end() {
    // After c, a byte that is no UTF-8, and b: out of order, and in no field.
    let bytes = [
        1, 1, 1, 3, // version, fields, length, terms
        1, b'c', 1, 1, 0, //
        1, 0xff, 1, 1, 0, //
        1, b'b', 0, 0,
    ];
    let view = EncodedRecord::new(&bytes).unwrap();
    assert_eq!(view.lookup("c").unwrap(), Some(vec![1]));
    assert_eq!(view.lookup("d").unwrap(), None);
    assert!(view.terms().any(|term| term.is_err()));
    let nowhere = EncodedRecord::new(&[1, 1, 1, 1, 1, b'b', 0, 0]).unwrap();
    assert!(nowhere.lookup("b").is_err());

    let good = Analyzer::new(Language::None)
        .analyze_document(&[Some("a b c")])
        .encode();
    for end in 4..good.len() {
        if let Ok(view) = EncodedRecord::new(&good[..end]) {
            assert!(view.lookup("d").is_err(), "{end}");
        }
    }
    let mut long = good;
    long.push(0);
    assert!(EncodedRecord::new(&long).unwrap().lookup("d").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn records_round_trip(record in record(3)) {
        let bytes = record.encode();
        prop_assert_eq!(&ForwardRecord::decode(&bytes)?, &record);

        let view = EncodedRecord::new(&bytes)?;
        prop_assert_eq!((view.fields(), view.len()), (record.fields(), record.len()));
        let terms: Vec<&str> = record.terms().iter().map(|term| term.term()).collect();
        let all: Vec<Vec<u32>> = record.terms().iter().map(|term| term.counts().to_vec()).collect();
        prop_assert_eq!(&view.lookup_all(&terms)?, &all);
        for (term, counts) in terms.iter().zip(&all) {
            prop_assert_eq!(view.lookup(term)?, Some(counts.clone()));
        }
        prop_assert_eq!(view.lookup("no such term")?, None);
        let alternating: Vec<&str> = terms.iter().copied().step_by(2).collect();
        let found: Vec<Vec<u32>> = all.iter().step_by(2).cloned().collect();
        prop_assert_eq!(view.lookup_all(&alternating)?, found);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(record) = ForwardRecord::decode(&bytes) {
            prop_assert_eq!(ForwardRecord::decode(&record.encode())?, record);
        }
    }

    #[test]
    fn no_damage_makes_it_panic(record in record(2), at in any::<prop::sample::Index>(), byte: u8) {
        let mut bytes = record.encode();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(record) = ForwardRecord::decode(&bytes) {
            prop_assert_eq!(ForwardRecord::decode(&record.encode())?, record);
        }
        if let Ok(view) = EncodedRecord::new(&bytes) {
            let _ = view.lookup_all(&["a", "pool", "茶"]);
        }
    }
}
