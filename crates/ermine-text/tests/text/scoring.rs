use ermine_text::bm25::idf;
use ermine_text::{
    Analyzer, ForwardRecord, Language, ParsedQuery, Scorer, Statistics, TermStatistics, TextError,
    TextStyle,
};
use proptest::prelude::*;

/// The scores of documents of two fields, in their order.
fn scores(query: &str, documents: &[[&str; 2]], weights: &[f64]) -> Vec<Option<f64>> {
    let analyzer = Analyzer::new(Language::None);
    let records: Vec<ForwardRecord> = documents
        .iter()
        .map(|fields| analyzer.analyze_document(&fields.map(Some)))
        .collect();
    let query = ParsedQuery::parse(&analyzer, query, TextStyle::Plain);
    let statistics = Statistics {
        documents: records.len() as u64,
        total_len: records.iter().map(ForwardRecord::len).sum(),
    };
    let has = |record: &&ForwardRecord, term: &str| record.get(term).is_some();
    let terms: Vec<TermStatistics> = query
        .terms
        .iter()
        .map(|term| TermStatistics {
            df: records.iter().filter(|r| has(r, &term.term)).count() as u64,
            count: term.count,
        })
        .collect();
    let scorer = Scorer::new(statistics, &terms, weights).unwrap();
    records
        .iter()
        .map(|record| {
            let counts: Vec<&[u32]> = query
                .terms
                .iter()
                .map(|term| record.counts(&term.term).unwrap_or_default())
                .collect();
            scorer.score(record.len(), &counts)
        })
        .collect()
}

/// The expected figures were computed apart from this crate, with forty decimal digits.
fn close(actual: Option<f64>, expected: f64) {
    let actual = actual.unwrap();
    assert!((actual - expected).abs() < 1e-12, "{actual} for {expected}");
}

#[test]
fn a_repeated_word_of_the_query_counts_as_often() {
    // N 3, average 7/3; each of db and pool is in two documents: idf ln 1.6.
    let documents = [["", "db pool"], ["", "db db timeouts pool"], ["", "moon"]];
    let found = scores("db db pool", &documents, &[1.0, 1.0]);
    close(found[0], 1.497_528_804_907_102);
    close(found[1], 1.440_012_240_245_709_7);
    assert_eq!(found[2], None);
}

#[test]
fn scores_are_the_same_bits_on_every_machine() {
    let documents = [["", "db pool"], ["", "db db timeouts pool"], ["", "moon"]];
    let found = scores("db db pool", &documents, &[1.0, 1.0]);
    let bits: Vec<Option<u64>> = found.iter().map(|score| score.map(f64::to_bits)).collect();
    assert_eq!(
        bits,
        [
            Some(0x3ff7_f5e0_c39e_4db3),
            Some(0x3ff7_0a4a_465b_1ecc),
            None
        ]
    );
}

#[test]
fn weights_multiply_counts_before_saturation() {
    let documents = [["pool", "db pool"], ["", "pool pool"], ["moon", "moon"]];
    let found = scores("pool db", &documents, &[3.0, 1.0]);
    close(found[0], 1.636_095_942_743_486);
    close(found[1], 0.673_307_524_686_914_1);
    assert_eq!(found[2], None);
}

#[test]
fn weight_0_leaves_a_field_out_but_not_out_of_the_statistics() {
    let documents = [["pool", "db"], ["", "pool"], ["", "moon"]];
    let found = scores("pool", &documents, &[0.0, 1.0]);
    assert_eq!(found[0], None);
    // len 1, average 4/3, df 2 although one field is searched.
    let expected = 1.6f64.ln() * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * 0.75));
    close(found[1], expected);
    assert_eq!(scores("pool", &documents, &[0.0])[1], None);
}

#[test]
fn idf_is_positive_and_has_known_values() {
    assert_eq!(idf(0, 0).to_bits(), 2f64.ln().to_bits());
    assert!((idf(3, 2) - 0.470_003_629_245_735_6).abs() < 1e-15);
    assert!(idf(10, 10) > 0.0);
    assert_eq!(idf(10, 11), idf(10, 10));
}

#[test]
fn an_average_of_0_makes_the_relative_length_1() {
    let terms = [TermStatistics { df: 0, count: 1 }];
    let scorer = Scorer::new(Statistics::default(), &terms, &[1.0]).unwrap();
    close(scorer.score(5, [[1]]), 2f64.ln());
}

#[test]
fn bad_weights_are_refused_and_huge_ones_are_not_infinite() {
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = Scorer::new(Statistics::default(), &[], &[1.0, weight]);
        assert!(
            matches!(refused, Err(TextError::Weight { field: 1, .. })),
            "{weight}"
        );
    }
    let documents = [["pool", "pool"], ["", "moon"]];
    let found = scores("pool pool", &documents, &[f64::MAX, f64::MAX]);
    assert!(found[0].unwrap().is_finite());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn scores_are_finite_and_grow_with_counts(
        documents in 1u64..1_000_000, df in 0u64..1_000_000, total in 0u64..1_000_000_000,
        len in 0u64..1_000_000, count in 1u32..1_000, weight in 0.001f64..100.0,
    ) {
        let statistics = Statistics { documents, total_len: total };
        let scorer = Scorer::new(statistics, &[TermStatistics { df, count: 1 }], &[weight])?;
        let less = scorer.score(len, [[count]]).unwrap();
        let more = scorer.score(len, [[count + 1]]).unwrap();
        prop_assert!(less.is_finite() && less > 0.0 && less <= more);
        prop_assert!(scorer.score(len + 1, [[count]]).unwrap() <= less);
    }
}
