//! Any string is a query, in both styles.

use ermine_compliance::{Database, Fixture, ReferenceFixture};
use ermine_core::{DynamicRecord, Engine, IdType, Metric, Result, Schema};
use ermine_store::{Collection, Store, TextStyle};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;

const PIECES: [&str; 30] = [
    "\"", "-", "or", " or ", "-\"", "\0", " ", "*", "(", ")", "NEAR(", ":", ".", "_", "'", "’",
    "茶", "茶道", "ก", "ำ", "한", "🚀", "\u{301}", "\u{200D}", "\u{202E}", "ß", "İ", "pool", "“",
    "ﷺ",
];

/// Queries of arbitrary characters, of telling pieces, and of both.
pub(super) fn queries() -> impl Strategy<Value = Vec<String>> {
    let piece = prop_oneof![
        select(&PIECES[..]).prop_map(str::to_owned),
        any::<String>(),
        any::<char>().prop_map(String::from),
        Just(" pool".to_owned()),
    ];
    vec(vec(piece, 0..12).prop_map(|pieces| pieces.concat()), 1..12)
}

/// An open store, and the database under it.
struct Shelf {
    _database: Box<dyn Database>,
    store: Store<Engine>,
    collection: Collection<DynamicRecord>,
}

async fn shelf(fixture: &dyn Fixture, texts: &[String]) -> Result<Shelf> {
    let schema = Schema::builder("texts", "id", IdType::I64)
        .text("body", 1.0)
        .vector("embedding", 1, Metric::L1)
        .build()?;
    let database = fixture.fresh().await?;
    let engine = database.connect().await?;
    let store = Store::builder(engine).schema(schema).open().await?;
    let collection = store.dynamic("texts")?;
    let mut session = store.session_without_tenant();
    for (text, id) in texts.iter().zip(0_i64..) {
        // What a query may hold, a stored string may not.
        let document = DynamicRecord::new(id).with("body", text.replace('\0', " "));
        session.store_in(&collection, &document.with_vector("embedding", [id as f32]));
    }
    session.commit().await?;
    Ok(Shelf {
        _database: database,
        store,
        collection,
    })
}

/// Stores the queries, then asks with each of them: no string fails, and both
/// stores give the same answer to the bit.
pub(super) async fn is_answered_alike(
    other: &dyn Fixture,
    queries: &[String],
) -> Result<(), String> {
    let failed = |error: ermine_core::Error| format!("{error:?}");
    let reference = shelf(&ReferenceFixture, queries).await.map_err(failed)?;
    let other = shelf(other, queries).await.map_err(failed)?;
    for query in queries {
        for style in [TextStyle::Plain, TextStyle::Web] {
            let expected = answers(&reference, query, style).await.map_err(failed)?;
            let found = answers(&other, query, style).await.map_err(failed)?;
            if expected != found {
                return Err(format!(
                    "{query:?}, {style:?}: {expected}\nand the other: {found}"
                ));
            }
        }
    }
    Ok(())
}

async fn answers(shelf: &Shelf, query: &str, style: TextStyle) -> Result<String> {
    let reader = shelf.store.reader_without_tenant();
    let collection = &shelf.collection;
    let text = reader
        .search_in(collection)
        .matching(query)
        .text_style(style)
        .limit(100)
        .await?;
    let hybrid = reader
        .search_in(collection)
        .hybrid_with(query, [3.0])
        .text_style(style)
        .await?;
    Ok(format!("{:?} {:?}", &*text, &*hybrid))
}
