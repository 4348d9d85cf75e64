//! One case: the same work and the same questions in both stores.

use ermine_compliance::{Database, Fixture, ReferenceFixture};
use ermine_core::{Engine, Result, Schema};
use ermine_store::Store;

use super::choices::Choices;
use super::{documents, kinds, searches};

/// Two stores that must be told apart by nothing.
struct Pair {
    databases: [Box<dyn Database>; 2],
    stores: [Store<Engine>; 2],
}

impl Pair {
    async fn opened(other: &dyn Fixture, schema: &Schema) -> Result<Self> {
        let databases = [ReferenceFixture.fresh().await?, other.fresh().await?];
        let stores = open(&databases, schema).await?;
        Ok(Self { databases, stores })
    }
}

async fn open(databases: &[Box<dyn Database>; 2], schema: &Schema) -> Result<[Store<Engine>; 2]> {
    let [reference, other] = databases;
    let open = async |database: &dyn Database| {
        let engine = database.connect().await?;
        Store::builder(engine).schema(schema.clone()).open().await
    };
    Ok([open(&**reference).await?, open(&**other).await?])
}

/// The case that the numbers choose, in the reference and in another store.
pub(super) async fn stores_agree(other: &dyn Fixture, numbers: &[u32]) -> Result<(), String> {
    let choices = &mut Choices::of(numbers);
    let failed = |error: ermine_core::Error| format!("{error:?}");
    let schema = kinds::schema(choices).map_err(failed)?;
    let mut pair = Pair::opened(other, &schema).await.map_err(failed)?;
    while choices.are_left() {
        for _ in 0..choices.below(5) {
            let work = documents::work(choices, &schema);
            let [reference, other] = &pair.stores;
            let kind = |done: Result<()>| done.map_err(|error| error.kind());
            let expected = kind(work.done_in(reference).await);
            let found = kind(work.done_in(other).await);
            if expected != found {
                return Err(format!(
                    "{schema:?}\n{work:?}\n{expected:?}, and the other: {found:?}"
                ));
            }
        }
        for _ in 0..1 + choices.below(5) {
            let question = searches::question(choices, &schema);
            let [reference, other] = &pair.stores;
            let expected = question.asked_of(reference).await;
            let found = question.asked_of(other).await;
            if expected != found {
                return Err(format!(
                    "{schema:?}\n{question:?}\n{expected}\nand the other:\n{found}"
                ));
            }
        }
        if choices.once_in(8) {
            pair.stores = open(&pair.databases, &schema).await.map_err(failed)?;
        }
    }
    Ok(())
}
