//! D12: commits that nobody waits for.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};

use ermine_core::{Engine, ErrorKind};
use ermine_store::Session;

use crate::facts::kit::{doc, ids, passages, refused};
use crate::facts::{Verdict, World};

facts![
    d12_a_dropped_commit_is_written_once_and_so_is_what_follows,
    d12_a_dropped_commit_that_fails_is_reported,
];

/// Begins to commit, and gives up at once: before the store has the unit, while it
/// writes it, or after it has.
fn drop_a_commit(session: &mut Session<Engine>) {
    let mut context = Context::from_waker(Waker::noop());
    let _ = pin!(session.commit()).poll(&mut context);
}

async fn d12_a_dropped_commit_is_written_once_and_so_is_what_follows(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let mut expected = Vec::new();
    for n in 100..140 {
        let mut session = docs.session();
        for part in ["a", "b", "c"] {
            let id = format!("{n}{part}");
            session.insert_in(&docs.kind, &doc(&id));
            expected.push(id);
            if part != "c" {
                drop_a_commit(&mut session);
            }
        }
        // An insert written twice would be refused.
        session.commit().await?;
        assert_eq!(session.pending(), 0);
    }
    assert_eq!(ids(&docs.query().limit(1_000).await?), expected);
    Ok(())
}

async fn d12_a_dropped_commit_that_fails_is_reported(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([doc("here")]).await?;
    for n in 0..20 {
        let mut session = docs.session();
        session.insert_in(&docs.kind, &doc("here"));
        {
            let mut context = Context::from_waker(Waker::noop());
            let begun = pin!(session.commit()).poll(&mut context);
            if begun.is_ready() {
                continue;
            }
        }
        let since = format!("since {n}");
        session.store_in(&docs.kind, &doc(&since));
        refused(session.commit().await, ErrorKind::AlreadyExists, &["here"]);
        // Withdrawn, it was committed with what followed; taken, it failed alone.
        let kept = session.pending() == 1;
        session.commit().await?;
        assert_eq!(docs.load(since).await?.is_some(), kept);
    }
    Ok(())
}
