//! More documents than SQLite keeps unsealed: postings, their dead and the tail together.

use ermine_compliance::{Database, Fixture, ReferenceFixture};
use ermine_core::{
    ColumnType, Deletion, DynamicRecord, Engine, Filter, IdType, Result, ScalarType, Schema,
    Tenancy,
};
use ermine_store::{Collection, Store, TextStyle};

/// An open store, and the database under it.
struct Shelf {
    _database: Box<dyn Database>,
    store: Store<Engine>,
    collection: Collection<DynamicRecord>,
}

const DOCUMENTS: i64 = 9_500;

fn text(id: i64, round: i64) -> String {
    let words = [
        "pool", "db", "sea", "moon", "timeout", "agent", "茶道", "error",
    ];
    let mut state = (id * 7_919 + round * 104_729 + 12_345) as u64;
    let mut text = String::new();
    for _ in 0..1 + id % 9 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // Each word is half as common as the one after it.
        let at = (state >> 33) % 256;
        text.push_str(words[at.max(1).ilog2() as usize]);
        text.push(' ');
    }
    text
}

async fn shelf(fixture: &dyn Fixture) -> Result<Shelf> {
    let schema = Schema::builder("many", "id", IdType::I64)
        .tenancy(Tenancy::Conjoined)
        .deletion(Deletion::Soft)
        .column("n", ColumnType::Scalar(ScalarType::I64))
        .text("title", 2.0)
        .text("body", 1.0)
        .build()?;
    let database = fixture.fresh().await?;
    let engine = database.connect().await?;
    let store = Store::builder(engine).schema(schema).open().await?;
    let collection = store.dynamic("many")?;
    let put = async |tenant: &str, ids: Vec<i64>, round: i64| {
        for unit in ids.chunks(500) {
            let mut session = store.session(tenant);
            for &id in unit {
                let document = DynamicRecord::new(id).with("n", id % 100);
                let document = document
                    .with("body", text(id, round))
                    .with("title", text(id / 3, round));
                session.store_in(&collection, &document);
            }
            session.commit().await?;
        }
        Ok::<_, ermine_core::Error>(())
    };
    put("a", (0..DOCUMENTS).collect(), 0).await?;
    put("b", (0..100).collect(), 0).await?;
    put("a", (0..DOCUMENTS).step_by(13).collect(), 1).await?;
    let mut session = store.session("a");
    for id in (0..DOCUMENTS).step_by(17) {
        session.delete_in(&collection, id);
    }
    for id in (0..DOCUMENTS).step_by(19) {
        session.hard_delete_in(&collection, id);
    }
    session.commit().await?;
    put("a", (0..DOCUMENTS).step_by(34).collect(), 2).await?;
    Ok(Shelf {
        _database: database,
        store,
        collection,
    })
}

pub(super) async fn stores_agree(other: &dyn Fixture) -> Result<(), String> {
    let failed = |error: ermine_core::Error| format!("{error:?}");
    let reference = shelf(&ReferenceFixture).await.map_err(failed)?;
    let other = shelf(other).await.map_err(failed)?;
    let queries = [
        "pool",
        "error",
        "pool db sea",
        "error error 茶道",
        "moon -pool",
        "nothing",
    ];
    for query in queries {
        for style in [TextStyle::Plain, TextStyle::Web] {
            for round in 0..3 {
                let expected = answer(&reference, query, style, round)
                    .await
                    .map_err(failed)?;
                let found = answer(&other, query, style, round).await.map_err(failed)?;
                if expected != found {
                    return Err(format!("{query}, {style:?}, {round}: the stores disagree"));
                }
            }
        }
    }
    Ok(())
}

/// Ids and scores to the bit.
async fn answer(
    shelf: &Shelf,
    query: &str,
    style: TextStyle,
    round: usize,
) -> Result<Vec<(String, u64)>> {
    let n = ermine_core::Column::<DynamicRecord, i64>::new("n");
    let filter = [Filter::all(), n.clone().lt(3), !n.ge(90)];
    let search = shelf
        .store
        .reader("a")
        .search_in(&shelf.collection)
        .matching(query)
        .text_style(style);
    let search = search
        .filter(filter[round].clone())
        .limit([50, 10_000, 7][round]);
    let search = if round == 2 {
        search.including_deleted()
    } else {
        search
    };
    let found = search.await?;
    Ok(found
        .iter()
        .map(|hit| (hit.document.id.to_string(), hit.score.value().to_bits()))
        .collect())
}
