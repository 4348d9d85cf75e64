//! Measures a scan against the time it takes to read the same bytes.
//!
//! ```text
//! cargo run --release -p ermine-scan --example floor -- [ROWS] [DIMENSIONS]
//! ```
//!
//! Prints, for each metric and for filters of several widths, nanoseconds per row
//! and their ratio to the floor: adding up an array of as many bytes. Each
//! figure is the least of seven runs.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ermine_core::Metric;
use ermine_scan::{Allowed, Blocks, DocSet, Nearest, Row, RowState, scan};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rows: usize = arguments.next().map_or(Ok(100_000), |n| n.parse())?;
    let dimensions: usize = arguments.next().map_or(Ok(256), |n| n.parse())?;

    let mut random = Random(1);
    let begun = Instant::now();
    let mut edit = Blocks::new(dimensions).edit();
    let mut vector = vec![0.0_f32; dimensions];
    for slot in (1_i64..).take(rows) {
        vector.fill_with(|| random.element());
        edit.put(Row {
            slot,
            doc: slot,
            tenant: 0,
            state: RowState::Live,
            vector: &vector,
        });
    }
    let blocks = edit.finish();
    println!(
        "{rows} rows of {dimensions} elements: {:.1} MB, built at {:.2} M rows/s",
        blocks.bytes() as f64 / 1e6,
        rows as f64 / begun.elapsed().as_secs_f64() / 1e6,
    );

    let same_bytes = vec![1_u64; rows * dimensions / 2];
    let floor = least(|| {
        black_box(same_bytes.iter().fold(0_u64, |sum, word| sum ^ word));
    });
    let per_row = |time: Duration| time.as_nanos() as f64 / rows as f64;
    let gigabytes = (4 * rows * dimensions) as f64 / floor.as_nanos() as f64;
    println!(
        "{:<34} {:>8.1} ns/row  ({gigabytes:.1} GB/s)",
        "floor: reading the same bytes",
        per_row(floor)
    );
    drop(same_bytes);

    let query: Vec<f32> = (0..dimensions).map(|_| random.element()).collect();
    let nearest = Nearest {
        k: 10,
        max_distance: None,
    };
    let report = |name: String, metric: Metric, allowed: Allowed<'_>| {
        let time = least(|| {
            black_box(scan(&blocks, &query, metric, &allowed, nearest));
        });
        println!(
            "{name:<34} {:>8.1} ns/row  {:>5.2} of the floor",
            per_row(time),
            time.as_secs_f64() / floor.as_secs_f64()
        );
    };
    for metric in Metric::ALL {
        report(metric.to_string(), metric, Allowed::default());
    }
    for every in [2, 10, 100, 1_000] {
        let docs = DocSet::from_iter((1_i64..).take(rows).step_by(every));
        let allowed = Allowed {
            docs: Some(&docs),
            ..Allowed::default()
        };
        report(
            format!("cosine, filtered to 1 in {every}"),
            Metric::Cosine,
            allowed,
        );
    }
    let nobody = Allowed {
        tenant: Some(1),
        ..Allowed::default()
    };
    report(
        "cosine, a tenant without rows".to_owned(),
        Metric::Cosine,
        nobody,
    );

    let begun = Instant::now();
    let mut edit = blocks.clone().edit();
    edit.put(Row {
        slot: 1,
        doc: 1,
        tenant: 0,
        state: RowState::SoftDeleted,
        vector: &vector,
    });
    black_box(edit.finish());
    println!("editing one row of shared blocks: {:?}", begun.elapsed());
    Ok(())
}

fn least(mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let begun = Instant::now();
        run();
        begun.elapsed()
    };
    (0..7).map(time).min().unwrap_or_default()
}

/// xorshift64*: the same rows on every machine.
struct Random(u64);

impl Random {
    /// From −1 to 1.
    fn element(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40;
        bits as f32 / (1 << 23) as f32 - 1.0
    }
}
