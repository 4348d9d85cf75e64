//! D5: conjoined tenancy, and types without tenants.

use ermine_core::{ErrorKind, Filter, Result, Tenancy};

use crate::facts::kit::{doc, failed, ids, notes, refused, says};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    d5_the_tenant_is_part_of_the_key,
    d5_a_session_sees_and_writes_one_tenants_documents,
    d5_deleting_touches_one_tenants_documents,
    d5_a_tenants_name_is_not_empty,
    d5_any_other_name_is_a_tenant_of_its_own,
    d5_a_type_without_tenancy_is_the_same_from_every_session,
    d5_a_conjoined_type_is_refused_without_a_tenant,
];

async fn two(world: &World) -> Result<(Docs, Docs)> {
    let a = world
        .open(notes().tenancy(Tenancy::Conjoined))
        .await?
        .tenant("a")?;
    let b = a.tenant("b")?;
    Ok((a, b))
}

async fn d5_the_tenant_is_part_of_the_key(world: World) -> Verdict {
    let (a, b) = two(&world).await?;
    let mut session = a.session();
    session.insert_in(&a.kind, &says("1", "of a"));
    session.commit().await?;
    let mut session = b.session();
    session.insert_in(&b.kind, &says("1", "of b"));
    session.commit().await?;
    for (docs, body) in [(&a, "of a"), (&b, "of b")] {
        let loaded = docs.load("1").await?.expect("each has its own");
        assert_eq!(loaded.get("body"), Some(&body.into()));
    }
    let mut session = b.session();
    session.update_in(&b.kind, &doc("2"));
    a.put([doc("2")]).await?;
    refused(session.commit().await, ErrorKind::Missing, &["2"]);
    Ok(())
}

async fn d5_a_session_sees_and_writes_one_tenants_documents(world: World) -> Verdict {
    let (a, b) = two(&world).await?;
    a.put([says("1", "pool")
        .with("n", 1)
        .with_vector("embedding", [1.0, 0.0])])
        .await?;
    b.put([says("2", "pool")
        .with("n", 1)
        .with_vector("embedding", [1.0, 0.0])])
        .await?;
    for (docs, own) in [(&a, ["1"]), (&b, ["2"])] {
        assert_eq!(ids(&docs.query().await?), own);
        assert_eq!(ids(&docs.query().including_deleted().await?), own);
        assert_eq!(docs.query().count().await?, 1);
        assert_eq!(docs.passing(crate::facts::kit::n().eq(1)).await?, own);
        assert_eq!(ids(&docs.search().nearest_to([1.0, 0.0]).await?), own);
        assert_eq!(ids(&docs.search().matching("pool").await?), own);
        assert_eq!(
            ids(&docs.search().hybrid_with("pool", [1.0, 0.0]).await?),
            own
        );
    }
    assert!(a.load("2").await?.is_none());
    let found = a.search().nearest_to([1.0, 0.0]).await?;
    assert_eq!(
        found[0].tenant.as_ref().map(|tenant| tenant.as_str()),
        Some("a")
    );
    Ok(())
}

async fn d5_deleting_touches_one_tenants_documents(world: World) -> Verdict {
    let (a, b) = two(&world).await?;
    for docs in [&a, &b] {
        docs.put([says("1", "pool"), says("2", "pool")]).await?;
    }
    a.delete("1").await?;
    assert_eq!(ids(&b.query().await?), ["1", "2"]);
    let mut session = a.session();
    session.delete_where_in(&a.kind, Filter::all());
    session.hard_delete_in(&a.kind, "1");
    session.commit().await?;
    assert!(a.query().await?.is_empty());
    assert_eq!(ids(&b.search().matching("pool").await?), ["1", "2"]);
    Ok(())
}

async fn d5_a_tenants_name_is_not_empty(world: World) -> Verdict {
    let (a, _) = two(&world).await?;
    for name in ["", "a\0b"] {
        let docs = a.tenant(name)?;
        refused(docs.put([doc("1")]).await, ErrorKind::Tenancy, &["tenant"]);
        refused(docs.load("1").await, ErrorKind::Tenancy, &["tenant"]);
        refused(docs.query().await, ErrorKind::Tenancy, &["tenant"]);
        refused(
            docs.search().nearest_to([1.0, 0.0]).await,
            ErrorKind::Tenancy,
            &["tenant"],
        );
        refused(
            docs.search().matching("pool").await,
            ErrorKind::Tenancy,
            &["tenant"],
        );
    }
    let all = a.store.across_tenants().query_in(&a.kind).await?;
    assert!(all.is_empty());
    Ok(())
}

async fn d5_any_other_name_is_a_tenant_of_its_own(world: World) -> Verdict {
    let (a, _) = two(&world).await?;
    let names = ["A", "a ", "ä", "'; --", "%", "a.b", "\u{1F680}", "*"];
    for name in names {
        a.tenant(name)?.put([says("1", name)]).await?;
    }
    for name in names {
        let loaded = a.tenant(name)?.load("1").await?.expect("it has its own");
        assert_eq!(loaded.get("body"), Some(&name.into()));
        assert_eq!(a.tenant(name)?.query().count().await?, 1);
    }
    assert!(a.load("1").await?.is_none());
    Ok(())
}

async fn d5_a_type_without_tenancy_is_the_same_from_every_session(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("1", "pool").with_vector("embedding", [1.0, 0.0])])
        .await?;
    docs.tenant("a")?
        .put([says("2", "pool").with_vector("embedding", [1.0, 0.0])])
        .await?;
    for docs in [&docs, &docs.tenant("a")?, &docs.tenant("b")?] {
        assert_eq!(ids(&docs.query().await?), ["1", "2"]);
        let found = docs.search().hybrid_with("pool", [1.0, 0.0]).await?;
        assert_eq!(ids(&found), ["1", "2"]);
        assert!(found.iter().all(|hit| hit.tenant.is_none()));
    }
    docs.tenant("b")?.delete("1").await?;
    assert_eq!(ids(&docs.search().matching("pool").await?), ["2"]);
    Ok(())
}

async fn d5_a_conjoined_type_is_refused_without_a_tenant(world: World) -> Verdict {
    let docs = world.open(notes().tenancy(Tenancy::Conjoined)).await?;
    let names = ["notes"];
    refused(docs.put([doc("1")]).await, ErrorKind::Tenancy, &names);
    refused(docs.delete("1").await, ErrorKind::Tenancy, &names);
    refused(docs.load("1").await, ErrorKind::Tenancy, &names);
    refused(docs.query().await, ErrorKind::Tenancy, &names);
    refused(docs.query().count().await, ErrorKind::Tenancy, &names);
    refused(
        docs.search().nearest_to([1.0, 0.0]).await,
        ErrorKind::Tenancy,
        &names,
    );
    refused(
        docs.search().matching("pool").await,
        ErrorKind::Tenancy,
        &names,
    );
    let error = failed(docs.search().hybrid_with("pool", [1.0, 0.0]).await);
    assert!(error.is_refusal());
    Ok(())
}
