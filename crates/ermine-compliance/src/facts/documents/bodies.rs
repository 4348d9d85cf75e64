//! D8: a document that does not deserialise.

use ermine_core::{ErrorKind, Tenancy, TenantId};

use crate::facts::kit::{ids, notes, refused, says};
use crate::facts::{Verdict, World};

facts![
    d8_a_body_that_does_not_deserialise_is_an_error_naming_its_id,
    d8_a_broken_document_does_not_hide_the_others,
];

async fn d8_a_body_that_does_not_deserialise_is_an_error_naming_its_id(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("torn", "pool").with_vector("embedding", [1.0, 0.0])])
        .await?;
    for body in ["", "{", "[1, 2]", "\"text\"", "{\"body\": \"pool\""] {
        world.overwrite_body("notes", None, "torn", body).await?;
        let names = ["notes", "torn"];
        refused(docs.load("torn").await, ErrorKind::Body, &names);
        refused(docs.query().await, ErrorKind::Body, &names);
        refused(
            docs.search().nearest_to([1.0, 0.0]).await,
            ErrorKind::Body,
            &names,
        );
        refused(
            docs.search().matching("pool").await,
            ErrorKind::Body,
            &names,
        );
        refused(
            docs.search().hybrid_with("pool", [1.0, 0.0]).await,
            ErrorKind::Body,
            &names,
        );
        assert_eq!(
            docs.query().count().await?,
            1,
            "what reads no body counts it"
        );
    }
    world
        .overwrite_body("notes", None, "torn", "{\"body\": \"pool\"}")
        .await?;
    assert!(docs.load("torn").await?.is_some());
    Ok(())
}

async fn d8_a_broken_document_does_not_hide_the_others(world: World) -> Verdict {
    let docs = world
        .open(notes().tenancy(Tenancy::Conjoined))
        .await?
        .tenant("a")?;
    docs.put([says("good", "pool"), says("torn", "pool")])
        .await?;
    docs.tenant("b")?.put([says("torn", "pool")]).await?;
    world
        .overwrite_body("notes", Some(&TenantId::new("a")?), "torn", "{")
        .await?;
    assert!(docs.load("good").await?.is_some());
    refused(
        docs.search().matching("pool").await,
        ErrorKind::Body,
        &["torn"],
    );
    assert_eq!(
        ids(&docs.search().matching("pool").limit(1).await?),
        ["good"]
    );
    assert_eq!(
        ids(&docs.tenant("b")?.search().matching("pool").await?),
        ["torn"]
    );
    docs.delete("torn").await?;
    assert_eq!(ids(&docs.query().await?), ["good"]);
    Ok(())
}
