//! Telling others of events.

use std::future::poll_fn;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use ermine_core::{Backend, Engine, EventFilter, EventStorage, Expected, Position, Storage, Unit};
use tokio_postgres::{AsyncMessage, NoTls};

use super::{append, events, stream};
use crate::support::{Place, block_on, url};

const LONG: Duration = Duration::from_secs(60);

fn commit(engine: &Engine) -> Position {
    let ops = vec![append(stream(1), Expected::Any, events(1))];
    let committed = block_on(engine.commit(&Unit { ops })).unwrap();
    committed.token.position().unwrap()
}

#[test]
fn a_commit_is_told_to_whoever_listens() {
    let place = Place::new();
    let engine = block_on(place.postgres().connect()).unwrap();
    let name = place
        .plain()
        .column("SELECT 'ermine_events_' || to_hex(hashtext(coalesce(current_schema(), '')))");
    let (told, heard) = mpsc::channel();
    let listening = async move {
        let (client, mut connection) = tokio_postgres::connect(&url(), NoTls).await.unwrap();
        let listen = format!("LISTEN {}", name[0]);
        let listen = client.batch_execute(&listen);
        let hears = async {
            while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(notification) = message.unwrap()
                    && told.send(notification.channel().to_owned()).is_err()
                {
                    return;
                }
            }
        };
        let listens = async {
            listen.await.unwrap();
            told.send("listens".to_owned()).unwrap();
        };
        futures_util::future::join(hears, listens).await;
    };
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(listening);
    });
    assert_eq!(heard.recv_timeout(LONG).unwrap(), "listens");
    commit(&engine);
    assert!(
        heard
            .recv_timeout(LONG)
            .unwrap()
            .starts_with("ermine_events_")
    );
}

#[test]
fn who_waits_is_woken_by_the_commit_of_another_process() {
    let place = Place::new();
    let reading = block_on(place.postgres().connect()).unwrap();
    let writing = block_on(place.postgres().connect()).unwrap();
    let mut after = Position::START;
    let mut times = Vec::new();
    for _ in 0..5 {
        let reading = &reading;
        std::thread::scope(|scope| {
            let waiting = scope.spawn(move || {
                block_on(reading.wait(after, LONG)).unwrap();
                Instant::now()
            });
            // Long enough for looks to have become rare.
            std::thread::sleep(Duration::from_millis(400));
            after = commit(&writing);
            let committed = Instant::now();
            times.push(waiting.join().unwrap().saturating_duration_since(committed));
        });
        let page = block_on(reading.events(Position::START, &EventFilter::default(), 99)).unwrap();
        assert!(page.ceiling >= after);
    }
    times.sort();
    println!(
        "soak: woken by another after {:?} in the middle, {:?} at most",
        times[2], times[4]
    );
}
