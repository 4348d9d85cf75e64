//! Units of many new documents, which are written in a way of their own.

use std::sync::Arc;

use ermine_core::{
    ColumnType, DeleteMode, ErrorKind, ForwardRecord, IdType, Include, Metric, Op, Put, PutMode,
    ScalarType, Schema, SchemaMode, Storage, Unit, Value, Vector, VectorWrite,
};
use ermine_text::{Analyzer, Language};

use crate::segments::assert_sums_agree;
use crate::support::{Dice, Notes, Place, any, block_on, declaration, note, with_vectors};

const MANY: u64 = 300;

const SCALARS: [(&str, ScalarType); 7] = [
    ("bool", ScalarType::Bool),
    ("i64", ScalarType::I64),
    ("u64", ScalarType::U64),
    ("f64", ScalarType::F64),
    ("text", ScalarType::Text),
    ("uuid", ScalarType::Uuid),
    ("time", ScalarType::Timestamp),
];

/// A type with a field, and a list, of every kind.
fn kinds(name: &str) -> Arc<Schema> {
    let mut schema = Schema::builder(name, "id", IdType::U64);
    for (name, scalar) in SCALARS {
        schema = schema
            .column(name, ColumnType::Scalar(scalar))
            .column(format!("{name}s"), ColumnType::List(scalar));
    }
    Arc::new(
        schema
            .text("body", 1.0)
            .vector("a", 2, Metric::Cosine)
            .vector("b", 1, Metric::L1)
            .build()
            .unwrap(),
    )
}

fn value(dice: &mut Dice, scalar: ScalarType) -> Value {
    let at = dice.roll(4) as usize;
    match scalar {
        ScalarType::Bool => Value::Bool(at > 1),
        ScalarType::I64 => Value::I64([0, -1, i64::MIN, i64::MAX][at]),
        ScalarType::U64 => Value::U64([0, 9, 1 << 63, u64::MAX][at]),
        ScalarType::F64 => Value::F64([0.1, -0.0, 5e-324, f64::MAX][at]),
        ScalarType::Uuid => Value::Uuid(uuid::Uuid::from_u128([0, 1, 1 << 127, u128::MAX][at])),
        ScalarType::Timestamp => Value::Timestamp(
            [
                "2026-11-30T20:18:12.000001Z",
                "0000-01-01T00:00:00Z",
                "9999-12-31T23:59:59.999999Z",
                "1969-12-31T23:59:59Z",
            ][at]
                .parse()
                .unwrap(),
        ),
        _ => Value::Text(["", "it's, {\"x\"} \\", "NULL", "🚀\t\n"][at].into()),
    }
}

fn put(schema: &Arc<Schema>, id: u64) -> Op {
    let dice = &mut Dice::new(id);
    let mut columns = Vec::new();
    for (_, scalar) in SCALARS {
        columns.push((dice.roll(4) > 0).then(|| value(dice, scalar)));
        columns.push((dice.roll(4) > 0).then(|| {
            let count = dice.roll(5);
            Value::List((0..count).map(|_| value(dice, scalar)).collect())
        }));
    }
    let body = format!("pool word{} word{}", dice.roll(20), dice.roll(90));
    let text = Analyzer::new(Language::None).analyze_document(&[Some(&body)]);
    let hash = (dice.roll(2) == 0).then(|| "h".repeat(64));
    let vectors = vec![
        VectorWrite::Set {
            vector: Vector::from([1.0, dice.roll(50) as f32]),
            hash: hash.clone(),
        },
        VectorWrite::Clear { hash },
    ];
    Op::Put(Box::new(Put {
        schema: Arc::clone(schema),
        tenant: None,
        id: id.into(),
        mode: PutMode::Store,
        body: format!("{{\"body\":{body:?}}}"),
        columns,
        vectors,
        text: Some(ForwardRecord {
            len: u32::try_from(text.len()).unwrap(),
            bytes: text.encode(),
        }),
    }))
}

#[test]
fn many_new_documents_are_stored_as_a_few_are() {
    let place = Place::new();
    let engine = block_on(ermine_core::Backend::connect(place.postgres())).unwrap();
    for (name, at_once) in [("many", MANY), ("few", 50)] {
        let schema = kinds(name);
        let declared = declaration(Schema::clone(&schema));
        block_on(engine.ensure(&declared, SchemaMode::CreateOrUpdate)).unwrap();
        let ids: Vec<u64> = (0..MANY)
            .map(|at| at.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .collect();
        for ids in ids.chunks(at_once as usize) {
            let ops = ids.iter().map(|id| put(&schema, *id)).collect();
            block_on(engine.commit(&Unit { ops })).unwrap();
        }
    }
    let plain = place.plain();
    let fields: String = SCALARS
        .iter()
        .map(|(name, _)| format!(", f_{name}, f_{name}s"))
        .collect();
    let rows = |name: &str| {
        format!(
            "SELECT d.tenant, d.id, d.body, d.deleted{fields}, t.tenant, t.live, t.len, t.terms,
               a.data::text, a.norm, a.hash, b.data::text, b.norm, b.hash, b.doc IS NULL
             FROM ermine_doc_{name} AS d JOIN ermine_text_{name} AS t USING (doc)
             LEFT JOIN \"ermine_vec_{name}.a\" AS a USING (doc)
             LEFT JOIN \"ermine_vec_{name}.b\" AS b USING (doc)"
        )
    };
    let (many, few) = (rows("many"), rows("few"));
    let count = |sql: &str| plain.numbers(sql)[0];
    assert_eq!(
        count(&format!("SELECT count(*) FROM ({many}) AS m")),
        MANY as i64
    );
    for (these, those) in [(&many, &few), (&few, &many)] {
        let different = format!("SELECT count(*) FROM (({these}) EXCEPT ALL ({those})) AS x");
        assert_eq!(count(&different), 0);
    }
    // They came with a segment of their own.
    assert_eq!(count("SELECT count(*) FROM ermine_segs_many"), 1);
    assert_eq!(
        count("SELECT count(*) FROM ermine_text_many WHERE seg IS NULL"),
        0
    );
}

#[test]
fn many_new_documents_among_old_ones_are_found_by_every_search() {
    let found = [MANY, 100].map(|at_once| {
        let place = Place::new();
        let notes = Notes::open(place.postgres());
        let text = |at: u64| format!("pool word{} word{}", at % 7, at % 11);
        let new = |at: u64| note(&format!("{at:04}"), &text(at)).vector([1.0, at as f32]);
        notes.store(
            (0..40).map(|at| note(&format!("{:04}", at * 7), "old pool").vector([1.0, 0.5])),
        );
        notes
            .commit(vec![notes.delete("0007", DeleteMode::Declared)])
            .unwrap();
        let all: Vec<u64> = (0..MANY).collect();
        for part in all.chunks(at_once as usize) {
            notes.store(part.iter().map(|at| new(*at)));
        }
        // Some of them again, and one away.
        notes.store((0..10).map(|at| new(at * 3)));
        notes
            .commit(vec![notes.delete("0100", DeleteMode::Hard)])
            .unwrap();
        assert_sums_agree(&place);
        let matching = |words: &[&str]| -> Vec<(String, u64)> {
            let hits = notes.matching(notes.target(), any(words)).hits;
            hits.iter()
                .map(|(record, score)| (record.id.to_string(), score.value().to_bits()))
                .collect()
        };
        let loaded = notes.load("0021", with_vectors()).unwrap();
        (
            [
                matching(&["pool"]),
                matching(&["word3", "word5"]),
                matching(&["old"]),
            ],
            notes.searches("word6", [1.0, 40.0]),
            notes.count(notes.target()),
            format!("{loaded:?}"),
        )
    });
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].2, MANY - 1);
}

#[test]
fn of_many_new_documents_all_are_stored_or_none() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    notes.store([note("0200", "pool")]);
    let ops =
        (0..MANY).map(|at| notes.put(note(&format!("{at:04}"), "pool").mode(PutMode::Insert)));
    let refused = notes.commit(ops.collect()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
    let mut ops: Vec<Op> = (300..300 + MANY)
        .map(|at| notes.put(note(&format!("{at:04}"), "pool")))
        .collect();
    // Behind a deletion it is a run of its own, looked at once the others are written.
    ops.push(notes.delete("0200", DeleteMode::Hard));
    ops.push(notes.put(note("gone", "pool").mode(PutMode::Update)));
    let refused = notes.commit(ops).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Missing);
    assert_eq!(notes.count(notes.target()), 1);
    assert!(notes.load("0300", Include::default()).unwrap().is_none());
    assert_sums_agree(&place);
}

#[test]
fn of_two_who_create_the_same_many_both_succeed() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let notes = &notes;
            scope.spawn(move || {
                let ids = (0..MANY).map(|at| if writer == 1 { MANY - 1 - at } else { at });
                notes.store(ids.map(|at| note(&format!("{at:04}"), "pool").vector([1.0, 1.0])));
            });
        }
    });
    assert_eq!(notes.count(notes.target()), MANY);
    assert_sums_agree(&place);
}
