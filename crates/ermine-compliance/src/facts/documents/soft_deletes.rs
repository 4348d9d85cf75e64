//! D4: soft delete.

use ermine_core::{Deletion, ErrorKind, Filter, Result};

use crate::facts::kit::{ids, notes, refused, says};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    d4_a_soft_deleted_document_is_hidden_everywhere,
    d4_deleted_documents_can_be_looked_at,
    d4_storing_it_again_undeletes,
    d4_deleting_twice_is_deleting_once,
    d4_a_soft_deleted_document_is_missing_to_update_and_existing_to_insert,
    d4_delete_where_hides_too,
    d4_hard_delete_makes_a_document_unreachable,
];

/// Documents `gone`, soft-deleted, and `here`.
async fn two(world: &World) -> Result<Docs> {
    let docs = world.open(notes().deletion(Deletion::Soft)).await?;
    let document = |id| {
        says(id, "pool")
            .with("n", 1)
            .with_vector("embedding", [1.0, 0.0])
    };
    docs.put([document("gone"), document("here")]).await?;
    docs.delete("gone").await?;
    Ok(docs)
}

async fn d4_a_soft_deleted_document_is_hidden_everywhere(world: World) -> Verdict {
    let docs = two(&world).await?;
    assert!(docs.load("gone").await?.is_none());
    assert_eq!(ids(&docs.query().await?), ["here"]);
    assert_eq!(docs.query().count().await?, 1);
    assert_eq!(docs.passing(!Filter::none()).await?, ["here"]);
    assert_eq!(ids(&docs.search().nearest_to([1.0, 0.0]).await?), ["here"]);
    assert_eq!(ids(&docs.search().matching("pool").await?), ["here"]);
    let hybrid = docs.search().hybrid_with("pool", [1.0, 0.0]).await?;
    assert_eq!(ids(&hybrid), ["here"]);
    assert!(
        hybrid[0].legs.iter().all(|leg| leg.rank == 1),
        "it takes no rank either"
    );
    docs.delete("here").await?;
    assert!(!docs.query().exists().await?);
    Ok(())
}

async fn d4_deleted_documents_can_be_looked_at(world: World) -> Verdict {
    let docs = two(&world).await?;
    let (gone, both) = (["gone"], ["gone", "here"]);
    assert_eq!(ids(&docs.query().deleted().await?), gone);
    assert_eq!(ids(&docs.query().including_deleted().await?), both);
    assert_eq!(docs.query().deleted().count().await?, 1);
    let nearest = || docs.search().nearest_to([1.0, 0.0]);
    assert_eq!(ids(&nearest().deleted().await?), gone);
    assert_eq!(ids(&nearest().including_deleted().await?), both);
    let matching = || docs.search().matching("pool");
    assert_eq!(ids(&matching().deleted().await?), gone);
    assert_eq!(ids(&matching().including_deleted().await?), both);
    let hybrid = || docs.search().hybrid_with("pool", [1.0, 0.0]);
    assert_eq!(ids(&hybrid().deleted().await?), gone);
    assert_eq!(ids(&hybrid().including_deleted().await?), both);
    let whole = docs.query().deleted().with_vectors().await?;
    assert!(whole[0].embeddings["embedding"].vector().is_some());
    Ok(())
}

async fn d4_storing_it_again_undeletes(world: World) -> Verdict {
    let docs = two(&world).await?;
    docs.put([says("gone", "sea")]).await?;
    assert_eq!(ids(&docs.query().await?), ["gone", "here"]);
    assert!(docs.query().deleted().await?.is_empty());
    assert_eq!(ids(&docs.search().matching("sea").await?), ["gone"]);
    assert_eq!(ids(&docs.search().matching("pool").await?), ["here"]);
    // Its vector was not given, so it keeps the one it had.
    assert_eq!(
        ids(&docs.search().nearest_to([1.0, 0.0]).await?),
        ["gone", "here"]
    );
    Ok(())
}

async fn d4_deleting_twice_is_deleting_once(world: World) -> Verdict {
    let docs = two(&world).await?;
    docs.delete("gone").await?;
    let mut session = docs.session();
    session.delete_in(&docs.kind, "here");
    session.delete_in(&docs.kind, "here");
    session.commit().await?;
    assert_eq!(ids(&docs.query().deleted().await?), ["gone", "here"]);
    docs.put([says("gone", "pool")]).await?;
    assert_eq!(ids(&docs.query().await?), ["gone"]);
    Ok(())
}

async fn d4_a_soft_deleted_document_is_missing_to_update_and_existing_to_insert(
    world: World,
) -> Verdict {
    let docs = two(&world).await?;
    let mut session = docs.session();
    session.update_in(&docs.kind, &says("gone", "sea"));
    refused(session.commit().await, ErrorKind::Missing, &["gone"]);
    session.insert_in(&docs.kind, &says("gone", "sea"));
    refused(session.commit().await, ErrorKind::AlreadyExists, &["gone"]);
    assert_eq!(ids(&docs.query().await?), ["here"]);
    Ok(())
}

async fn d4_delete_where_hides_too(world: World) -> Verdict {
    let docs = two(&world).await?;
    let mut session = docs.session();
    session.delete_where_in(&docs.kind, crate::facts::kit::n().eq(1));
    session.commit().await?;
    assert!(docs.query().await?.is_empty());
    assert_eq!(ids(&docs.query().deleted().await?), ["gone", "here"]);
    Ok(())
}

async fn d4_hard_delete_makes_a_document_unreachable(world: World) -> Verdict {
    let docs = two(&world).await?;
    let mut session = docs.session();
    session.hard_delete_in(&docs.kind, "gone");
    session.hard_delete_in(&docs.kind, "here");
    session.commit().await?;
    assert!(docs.query().including_deleted().await?.is_empty());
    assert!(
        docs.search()
            .nearest_to([1.0, 0.0])
            .including_deleted()
            .await?
            .is_empty()
    );
    assert!(
        docs.search()
            .matching("pool")
            .including_deleted()
            .await?
            .is_empty()
    );
    let hybrid = docs
        .search()
        .hybrid_with("pool", [1.0, 0.0])
        .including_deleted()
        .await?;
    assert!(hybrid.is_empty());
    docs.put([says("gone", "sea")]).await?;
    let again = docs.load("gone").await?.expect("it is stored");
    assert!(
        again.embeddings["embedding"].vector().is_none(),
        "the old vector is not its own"
    );
    Ok(())
}
