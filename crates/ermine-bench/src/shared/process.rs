//! What each of the processes does.

use std::time::{Duration, Instant};

use super::told::{Told, open};
use crate::Result;
use crate::place::Place;
use crate::random::Random;

const STREAMS: u64 = 50;

/// Runs the daemon until it is killed.
pub(crate) async fn lead(place: &Place, lease: &str) -> Result<()> {
    let store = open(place).await?;
    let mut daemon = store.daemon();
    if !lease.is_empty() {
        daemon = daemon.lease(Duration::from_millis(lease.parse()?));
    }
    daemon.run().await;
    Ok(())
}

/// Appends for so many seconds, and prints how many events were acknowledged.
pub(crate) async fn append(place: &Place, seconds: &str, seed: &str) -> Result<()> {
    let store = open(place).await?;
    let until = Instant::now() + Duration::from_secs(seconds.parse()?);
    let mut random = Random::new(seed.parse()?);
    let streams: Vec<String> = (0..STREAMS).map(|number| format!("s{number}")).collect();
    let mut session = store.session_without_tenant();
    let (mut number, mut acknowledged) = (0, 0);
    while Instant::now() < until {
        let sizes = [1_u64, 1, 2, 3, 8];
        for _ in 0..random.of(&sizes).copied().unwrap_or(1) {
            number += 1;
            if let Some(stream) = random.of(&streams) {
                session.append(stream, [Told { number }]);
            }
        }
        let pending = session.pending() as u64;
        session.commit().await?;
        acknowledged += pending;
    }
    println!("{acknowledged}");
    Ok(())
}
