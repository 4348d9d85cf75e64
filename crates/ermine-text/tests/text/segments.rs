use std::collections::BTreeMap;

use ermine_text::segment::BLOCK;
use ermine_text::{
    Analyzer, ForwardRecord, Language, Positions, Postings, SegmentBuilder, TextError,
};
use proptest::prelude::*;

use crate::strings::record;

type Documents = BTreeMap<i64, ForwardRecord>;

fn documents() -> impl Strategy<Value = Documents> {
    let doc =
        prop_oneof![4 => 0i64..1000, 1 => any::<i64>(), 1 => Just(i64::MIN), 1 => Just(i64::MAX)];
    prop::collection::btree_map(doc, record(2), 0..20)
}

fn build(documents: &Documents) -> Result<ermine_text::Segment, TextError> {
    let mut builder = SegmentBuilder::new(2);
    for (doc, record) in documents {
        builder.push(*doc, record)?;
    }
    Ok(builder.finish())
}

#[test]
fn blocks_are_passed_over_and_read_alike() {
    let analyzer = Analyzer::new(Language::None);
    let mut builder = SegmentBuilder::new(1);
    let docs: Vec<i64> = (0..1000).map(|doc| doc * 3 - 500).collect();
    for (doc, words) in docs.iter().zip((1..=7).cycle()) {
        let text = "pool ".repeat(words);
        builder
            .push(*doc, &analyzer.analyze_document(&[Some(&text)]))
            .unwrap();
    }
    let segment = builder.finish();
    let pool = segment.term("pool").unwrap();
    assert_eq!(pool.df, 1000);
    assert!(docs.len() > 7 * BLOCK);

    for target in [i64::MIN, -500, -499, 0, 1, 700, 2497, 2498, i64::MAX] {
        let mut postings = Postings::new(&pool.post, 1);
        let found = postings.seek(target).unwrap().map(|posting| posting.doc);
        let expected = docs.iter().copied().find(|&doc| doc >= target);
        assert_eq!(found, expected, "{target}");
        let again = postings.seek(target).unwrap().map(|posting| posting.doc);
        assert_eq!(again, expected, "{target}");
        let next = postings.advance().unwrap().map(|posting| posting.doc);
        assert_eq!(
            next,
            docs.iter().copied().filter(|&doc| doc >= target).nth(1),
            "{target}"
        );
    }
}

#[test]
fn documents_out_of_order_or_too_wide_are_refused() {
    let analyzer = Analyzer::new(Language::None);
    let narrow = analyzer.analyze_document(&[Some("db")]);
    let wide = analyzer.analyze_document(&[Some("db"), Some("pool"), None]);
    let mut builder = SegmentBuilder::new(2);
    builder.push(7, &narrow).unwrap();
    assert_eq!(
        builder.push(7, &narrow),
        Err(TextError::DocumentOrder {
            previous: 7,
            document: 7
        })
    );
    assert_eq!(
        builder.push(8, &wide),
        Err(TextError::FieldCount {
            expected: 2,
            actual: 3
        })
    );
    let segment = builder.finish();
    assert_eq!((segment.documents, segment.total_len), (1, 1));
    let mut postings = Postings::new(&segment.term("db").unwrap().post, 2);
    assert_eq!(postings.advance().unwrap().unwrap().counts, [1, 0]);
}

#[test]
fn cut_bytes_are_errors() {
    let analyzer = Analyzer::new(Language::None);
    let mut builder = SegmentBuilder::new(1);
    for doc in 0..3 {
        let record = analyzer.analyze_document(&[Some("db pool db")]);
        builder.push(doc, &record).unwrap();
    }
    let segment = builder.finish();
    let db = segment.term("db").unwrap();
    for end in 1..db.post.len() {
        let mut postings = Postings::new(&db.post[..end], 1);
        assert!(postings.advance().is_err(), "{end}");
        assert_eq!(postings.advance(), Ok(None), "{end}");
    }
    assert!(Positions::new(&db.pos[..1]).advance(&[2]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn postings_equal_the_records(documents in documents()) {
        let segment = build(&documents)?;
        prop_assert_eq!(segment.documents, documents.len() as u64);
        prop_assert_eq!(segment.total_len, documents.values().map(ForwardRecord::len).sum::<u64>());
        prop_assert!(segment.terms.windows(2).all(|pair| pair[0].term < pair[1].term));
        let mut entries = 0;
        for term in &segment.terms {
            let expected: Vec<_> = documents
                .iter()
                .filter_map(|(doc, record)| Some((*doc, record.len(), record.get(&term.term)?)))
                .collect();
            prop_assert_eq!(term.df, expected.len() as u64);
            let mut postings = Postings::new(&term.post, 2);
            let mut positions = Positions::new(&term.pos);
            for (doc, len, entry) in &expected {
                let posting = postings.advance()?.unwrap();
                prop_assert_eq!((posting.doc, posting.len, posting.counts), (*doc, *len, entry.counts()));
                prop_assert_eq!(positions.advance(posting.counts)?, entry.all_positions());
            }
            prop_assert!(postings.advance()?.is_none() && positions.is_at_end());
            entries += expected.len();
        }
        prop_assert_eq!(entries, documents.values().map(|record| record.terms().len()).sum::<usize>());
    }

    #[test]
    fn seeking_equals_scanning(documents in documents(), mut targets in prop::collection::vec(-10i64..1010, 1..6)) {
        targets.sort_unstable();
        for term in build(&documents)?.terms {
            let docs: Vec<i64> = documents
                .iter()
                .filter(|(_, record)| record.get(&term.term).is_some())
                .map(|(doc, _)| *doc)
                .collect();
            let mut postings = Postings::new(&term.post, 2);
            for target in &targets {
                let found = postings.seek(*target)?.map(|posting| posting.doc);
                prop_assert_eq!(found, docs.iter().copied().find(|doc| doc >= target));
            }
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), fields in 0usize..4) {
        let mut postings = Postings::new(&bytes, fields);
        let mut previous = None;
        while let Ok(Some(posting)) = postings.advance() {
            prop_assert!(previous.is_none_or(|previous| previous < posting.doc));
            previous = Some(posting.doc);
        }
        let _ = Postings::new(&bytes, fields).seek(5);
        let _ = Positions::new(&bytes).advance(&[3, u32::MAX]);
    }

    #[test]
    fn no_damage_makes_it_panic(documents in documents(), at in any::<prop::sample::Index>(), byte: u8) {
        for term in build(&documents)?.terms.iter().take(3) {
            let mut post = term.post.clone();
            let at = at.index(post.len());
            post[at] = byte;
            let mut postings = Postings::new(&post, 2);
            while let Ok(Some(_)) = postings.advance() {}
        }
    }
}
