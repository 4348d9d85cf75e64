//! P1, P10, P11: whatever call goes wrong, the rows end the same.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use ermine_core::{
    Answer, BatchLimits, BoxFuture, Engine, Error, EventStorage, LeaseOp, Read, Result, ShardState,
    Storage, Timestamp,
};
use ermine_store::{Clock, Daemon, Store};
use futures_util::future::{Either, select};

use super::faulty::{Calls, FAULTS, Fault, Faulty};
use super::folding::{Count, counts};
use super::kit::{Fast, Note, NoteEvent, append, erased, note_vectors, notes, open, written};
use super::model::{Model, Trouble};
use crate::facts::{Verdict, World};

facts![
    p1_a_fault_at_any_call_of_the_store_ends_in_the_same_rows,
    p1_a_fault_at_any_renewal_of_a_lease_ends_in_the_same_rows,
    p11_a_fault_at_any_call_of_a_rebuild_ends_in_the_same_rows,
    p8_a_fault_at_any_call_of_the_provider_ends_in_the_same_rows,
];

fn model() -> Model {
    Model::new().with_limits(BatchLimits {
        texts: 2,
        ..BatchLimits::default()
    })
}

async fn store_of(engine: Engine, model: &Model) -> Result<Store<Engine>> {
    let builder = Store::builder(engine)
        .events::<NoteEvent>()
        .projection(note_vectors())
        .projection(counts());
    builder.embeddings(model.clone()).open().await
}

/// A daemon whose lease is not lost while it lives, however slow the store is.
fn daemon(store: &Store<Engine>, holder: &str) -> Daemon {
    store
        .daemon()
        .clock(Fast)
        .lease(Duration::from_secs(600))
        .polling(Duration::from_millis(20), Duration::from_millis(500))
        .page_size(3)
        .holder(holder)
}

/// Works while the leases of others run out: of whoever died, since no two live at once.
async fn outlive<T>(
    engine: &Engine,
    alive: &str,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let_leases_run_out(engine, alive).await?;
    let work = pin!(work);
    // More than once: what a dead one had sent may still come.
    let time = pin!(async {
        loop {
            Fast.sleep(Duration::from_millis(500)).await;
            if let Err(error) = let_leases_run_out(engine, alive).await {
                return error;
            }
        }
    });
    match select(work, time).await {
        Either::Left((ended, _)) => ended,
        Either::Right((error, _)) => Err(error),
    }
}

/// Takes the leases from all but one.
async fn let_leases_run_out(engine: &Engine, alive: &str) -> Result<()> {
    for answer in engine.read(&[Read::Shards]).await? {
        let Answer::Shards(shards) = answer else {
            continue;
        };
        for ShardState { shard, holder, .. } in shards {
            if let Some(holder) = holder.filter(|holder| !holder.starts_with(alive)) {
                let give_up = LeaseOp::GiveUp { shard, holder };
                engine.lease(&give_up).await?;
            }
        }
    }
    Ok(())
}

/// The process that ends what others began.
const ANOTHER: &str = "another";

/// A clock on which leases are renewed all the time.
#[derive(Debug, Clone, Copy)]
struct Hasty;

impl Clock for Hasty {
    fn now(&self) -> Timestamp {
        Fast.now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        Fast.sleep(time.min(Duration::from_millis(20)))
    }
}

/// What is appended in a round, and what its rows are afterwards.
async fn round(store: &Store<Engine>, round: &str) -> Result<Vec<(String, String)>> {
    let id = |name: &str| format!("{round}{name}");
    let events = [
        written(&id("a"), "first"),
        written(&id("b"), "bb"),
        written(&id("a"), "alpha"),
        written(&id("c"), "ccc"),
        erased(&id("b")),
        written(&id("d"), "dddd"),
    ];
    append(store, round, events).await?;
    append(store, "all", [NoteEvent::Touched { id: "all".into() }]).await?;
    let rows = [("a", "alpha"), ("c", "ccc"), ("d", "dddd")];
    Ok(rows.map(|(name, text)| (id(name), text.to_owned())).into())
}

/// Runs until the store's process dies, or until the work is done.
async fn run_or_die(faulty: &Faulty, work: impl Future<Output = Result<()>>) -> Option<Result<()>> {
    let mut work = pin!(work);
    let mut look = Fast.sleep(Duration::from_millis(100));
    poll_fn(|context| {
        if let Poll::Ready(ended) = work.as_mut().poll(context) {
            return Poll::Ready(Some(ended));
        }
        if faulty.is_dead() {
            return Poll::Ready(None);
        }
        while look.as_mut().poll(context).is_ready() {
            look = Fast.sleep(Duration::from_millis(100));
        }
        Poll::Pending
    })
    .await
}

async fn rows(store: &Store<Engine>) -> Result<Vec<(String, String)>> {
    let mut rows = Vec::new();
    for (_, note) in notes(store).await? {
        assert_eq!(note.embedding.vector(), Some(&Model::vector(&note.text)));
        rows.push((note.id, note.text));
    }
    Ok(rows)
}

/// How often each round was counted: once for each of its events.
async fn assert_counted(store: &Store<Engine>, rounds: u64) -> Result<()> {
    let counts = store.reader("a").query::<Count>().limit(1_000).await?;
    for count in counts {
        let expected = match count.id.as_bytes() {
            b"all" => rounds,
            [.., b'a'] => 2,
            _ => 1,
        };
        assert_eq!(count.said, expected, "{count:?} after {rounds} rounds");
    }
    Ok(())
}

async fn keeps_events(world: &World) -> Result<bool> {
    Ok(open(world, |b| b.events::<NoteEvent>()).await?.is_some())
}

async fn p1_a_fault_at_any_call_of_the_store_ends_in_the_same_rows(world: World) -> Verdict {
    if !keeps_events(&world).await? {
        return Ok(());
    }
    let mut rounds = Rounds::begin(&world).await?;
    for fault in FAULTS {
        for at in 0.. {
            let went_wrong = rounds.survive(fault, Calls::All, at, Fast).await?;
            if !went_wrong {
                assert!(at > 8, "only {at} calls were made");
                break;
            }
        }
    }
    Ok(())
}

async fn p1_a_fault_at_any_renewal_of_a_lease_ends_in_the_same_rows(world: World) -> Verdict {
    if !keeps_events(&world).await? {
        return Ok(());
    }
    let mut rounds = Rounds::begin(&world).await?;
    for fault in FAULTS {
        // The first two take the leases, the last two give them up.
        for at in 2..6 {
            rounds.model.meanwhile(Fast.sleep(Duration::from_secs(1)));
            let went_wrong = rounds.survive(fault, Calls::OfLeases, at, Hasty).await?;
            assert!(went_wrong || at > 3, "only {at} leases were asked for");
        }
    }
    Ok(())
}

/// Rounds of events, each met by a process with a fault, and ended by another.
struct Rounds<'w> {
    world: &'w World,
    model: Model,
    /// What the other process has open.
    store: Store<Engine>,
    expected: Vec<(String, String)>,
    count: u64,
}

impl<'w> Rounds<'w> {
    async fn begin(world: &'w World) -> Result<Self> {
        let model = model();
        Ok(Self {
            world,
            store: store_of(world.engine().await?, &model).await?,
            model,
            expected: Vec::new(),
            count: 0,
        })
    }

    /// Whether the fault came; the rows end the same.
    async fn survive(
        &mut self,
        fault: Fault,
        calls: Calls,
        at: usize,
        clock: impl Clock,
    ) -> Result<bool> {
        let engine = self.world.engine().await?;
        let (faulty, faulted) = Faulty::over(engine.clone(), fault, at);
        let store = store_of(faulted, &self.model).await?;
        let name = format!("{fault:?} {at:03} ");
        self.count += 1;
        self.expected.extend(round(&store, &name).await?);
        faulty.arm(calls);
        let first = daemon(&store, &name).clock(clock);
        let work = outlive(&engine, &name, first.run_until_caught_up());
        let ended = run_or_die(&faulty, work).await;
        let went_wrong = faulty.went_wrong();
        match (ended, fault) {
            (None, _) | (Some(Ok(())), _) => {}
            // The first look at the log is before anything runs.
            (Some(Err(error)), Fault::FailsBefore | Fault::FailsAfter) if at == 0 => {
                assert!(error.to_string().contains("on fire"), "{error}");
            }
            (Some(Err(error)), _) => return Err(error),
        }
        let another = daemon(&self.store, ANOTHER);
        outlive(&engine, ANOTHER, another.run_until_caught_up()).await?;
        self.expected.sort();
        assert_eq!(
            rows(&self.store).await?,
            self.expected,
            "{fault:?} at call {at}"
        );
        assert_counted(&self.store, self.count).await?;
        Ok(went_wrong)
    }
}

async fn p11_a_fault_at_any_call_of_a_rebuild_ends_in_the_same_rows(world: World) -> Verdict {
    if !keeps_events(&world).await? {
        return Ok(());
    }
    let model = model();
    let engine = world.engine().await?;
    let store = store_of(engine.clone(), &model).await?;
    let mut expected = round(&store, "r").await?;
    expected.sort();
    daemon(&store, "first").run_until_caught_up().await?;
    model.calls();
    let mut touched = 0;
    for projection in ["note-vectors", "counts"] {
        for fault in [Fault::DiesBefore, Fault::DiesAfter] {
            for at in 0.. {
                let (faulty, faulted) = Faulty::over(world.engine().await?, fault, at);
                let broken = store_of(faulted, &model).await?;
                faulty.arm(Calls::All);
                let rebuilding = daemon(&broken, "rebuilding");
                let work = outlive(&engine, "rebuilding", rebuilding.rebuild(projection));
                let ended = run_or_die(&faulty, work).await;
                if let Some(ended) = ended {
                    ended?;
                }
                // Where it died before it began, it is only paused.
                let another = daemon(&store, ANOTHER);
                another.resume(projection).await?;
                outlive(&engine, ANOTHER, another.run_until_caught_up()).await?;
                assert_eq!(rows(&store).await?, expected, "{fault:?} at call {at}");
                for status in another.status().await? {
                    assert!(status.is_caught_up(), "{status:?}");
                }
                if !faulty.went_wrong() {
                    assert!(at > 8, "only {at} calls were made");
                    break;
                }
            }
            // It goes on from where it was rebuilt to. Not after each fault: a log that
            // grows has a call more to fail each time.
            touched += 1;
            append(&store, "t", [NoteEvent::Touched { id: "t".into() }]).await?;
            daemon(&store, ANOTHER).run_until_caught_up().await?;
            let count = store.reader("a").load::<Count>("t").await?;
            assert_eq!(count.map(|count| count.said), Some(touched));
        }
    }
    assert!(model.calls().is_empty());
    let all = store.reader("a").load::<Count>("all").await?;
    assert_eq!(all.map(|count| count.said), Some(1));
    assert!(store.reader("a").load::<Note>("rb").await?.is_none());
    Ok(())
}

async fn p8_a_fault_at_any_call_of_the_provider_ends_in_the_same_rows(world: World) -> Verdict {
    if !keeps_events(&world).await? {
        return Ok(());
    }
    let model = model();
    let store = store_of(world.engine().await?, &model).await?;
    let mut expected = Vec::new();
    let troubles = [
        Trouble::Fails,
        Trouble::RetryAfter(Duration::from_millis(10)),
        Trouble::TooFew,
        Trouble::WrongLength,
        Trouble::Nan,
        Trouble::Panics,
    ];
    for trouble in troubles {
        for at in 0..3 {
            let name = format!("{trouble:?} {at} ");
            expected.extend(round(&store, &name).await?);
            model.script((0..at).map(|_| Trouble::None));
            model.script([trouble.clone()]);
            daemon(&store, "one").run_until_caught_up().await?;
            expected.sort();
            assert_eq!(rows(&store).await?, expected, "{name}");
            model.unscript();
        }
    }
    let daemon = store.daemon();
    let parked = daemon.parked("note-vectors", Default::default(), 9);
    assert!(parked.await?.is_empty());
    Ok::<(), Error>(())
}
