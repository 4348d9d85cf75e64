//! Many events in many streams: rates of appending, projecting and rebuilding, and memory,
//! beside what the database does by itself.

mod raw;
mod stage;

use std::time::Instant;

pub(crate) use self::stage::Stage;
use crate::Result;
use crate::child::Process;
use crate::place::Place;

/// How many events a unit takes, where it takes many.
const BATCH: usize = 1_000;

/// How much more memory ten times as many events may take.
const MORE: f64 = 1.2;

/// Measures a tenth of the events and all of them, and compares the memory.
pub(crate) async fn run(events: usize, streams: usize, store: Option<&str>) -> Result<()> {
    if events < 10 || streams < 10 || streams > events {
        return Err(
            "there are at least ten events and streams, and no more streams than events".into(),
        );
    }
    // Of as many documents: the caches of the database hold what there is of those, up to their size.
    let few = measure(events / 10, streams.min(events / 10), store).await?;
    let many = measure(events, streams, store).await?;
    let mut grown = Vec::new();
    for (stage, (few, many)) in Stage::ALL.into_iter().zip(few.into_iter().zip(many)) {
        let times = many as f64 / few.max(1) as f64;
        println!(
            "{}: {times:.2} times the memory for ten times the events",
            stage.name()
        );
        // What appends is the application, and no daemon.
        if times > MORE && stage != Stage::Append {
            grown.push(stage.name());
        }
    }
    if grown.is_empty() {
        return Ok(());
    }
    Err(format!("the memory grows with the events: {}", grown.join(", ")).into())
}

/// The memory that each stage took at most, in bytes.
async fn measure(events: usize, streams: usize, store: Option<&str>) -> Result<Vec<u64>> {
    let directory = tempfile::tempdir()?;
    let place = Place::fresh(store, directory.path());
    println!("{events} events in {streams} streams");
    let measured = async {
        raw::run(&place, events, streams).await?;
        let mut peaks = Vec::new();
        for stage in Stage::ALL {
            peaks.push(run_stage(stage, &place, events, streams)?);
        }
        Ok(peaks)
    }
    .await;
    place.remove().await?;
    measured
}

fn run_stage(stage: Stage, place: &Place, events: usize, streams: usize) -> Result<u64> {
    let numbers = [events, streams].map(|number| number.to_string());
    let [events, streams] = &numbers;
    let process = Process::start(&["events", stage.name(), &place.to_string(), events, streams])?;
    let output = process.output()?;
    let (told, peak) = output
        .trim_end()
        .rsplit_once('\n')
        .ok_or("a stage said nothing")?;
    let peak: u64 = peak.parse()?;
    println!("{told}, {:.1} MB at most", peak as f64 / 1e6);
    Ok(peak)
}

/// The stream of an event: each gets one in turn.
fn stream(number: usize, streams: usize) -> String {
    format!("stream-{}", number % streams)
}

/// About 100 bytes.
fn data(number: usize) -> String {
    format!(
        "event {number:>10} says something that is about as long as what events say in programs"
    )
}

fn rate(count: usize, begun: Instant) -> f64 {
    count as f64 / begun.elapsed().as_secs_f64()
}
