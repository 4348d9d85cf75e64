//! Many documents of about 1 kB: import rate, search times, memory.

use std::path::Path;
use std::time::Instant;

use ermine::Sqlite;

use crate::mode::Mode;
use crate::passage::{Passage, import, open};
use crate::random::Random;
use crate::timing::Times;
use crate::{Result, memory};

const BYTES: usize = 1_000;
const QUERIES: usize = 200;
const WORDS: usize = 5;

pub(crate) async fn run(glosses: &Path, documents: usize) -> Result<()> {
    let text = std::fs::read_to_string(glosses)
        .map_err(|error| format!("{}: {error}", glosses.display()))?;
    let glosses: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let mut random = Random::new(1);
    let queries: Vec<String> = (0..QUERIES)
        .filter_map(|_| random.of(&glosses))
        .map(|gloss| {
            gloss
                .split_whitespace()
                .take(WORDS)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    if queries.is_empty() {
        return Err("the file of glosses has no lines".into());
    }

    let directory = tempfile::tempdir()?;
    let file = directory.path().join("bench.db");
    let store = open(Sqlite::file(&file)).await?;
    let passages = (0..documents).map(|number| {
        let mut text = String::new();
        while text.len() < BYTES {
            text.push_str(random.of(&glosses).copied().unwrap_or_default());
            text.push('\n');
        }
        let title = text
            .split_whitespace()
            .take(WORDS)
            .collect::<Vec<_>>()
            .join(" ");
        Passage::new(number.to_string(), title, text)
    });
    import(&store, passages).await?;
    println!(
        "file: {:.0} MB",
        std::fs::metadata(&file)?.len() as f64 / 1e6
    );
    memory::print();

    let reader = store.reader_without_tenant();
    for mode in Mode::ALL {
        let begun = Instant::now();
        let first = queries.first().map_or("", String::as_str);
        mode.search(&reader, first, 10).await?;
        let first = begun.elapsed();
        let mut times = Times::default();
        for query in &queries {
            let begun = Instant::now();
            mode.search(&reader, query, 10).await?;
            times.add(begun.elapsed());
        }
        println!(
            "{:<7} first {:.1} ms, then {times}",
            mode.name(),
            first.as_secs_f64() * 1e3
        );
    }
    memory::print();
    Ok(())
}
