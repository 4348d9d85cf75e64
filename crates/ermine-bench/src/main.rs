//! Relevance, import rate, search times and memory of Ermine, through its public interface.
//!
//! ```text
//! cargo xtask eval --data DIR [--postgres]
//! cargo xtask bench GLOSSES [DOCUMENTS]
//! cargo xtask bench appends [SECONDS]
//! cargo xtask bench approximate GLOSSES
//! cargo xtask bench overhead GLOSSES [DOCUMENTS]
//! cargo xtask bench events [EVENTS [STREAMS]] [--store URL]
//! cargo xtask soak history --data DIR [--store URL]
//! cargo xtask soak daemon [SECONDS] [--store URL]
//! ```

mod appends;
mod approximate;
mod beir;
mod bench;
mod child;
mod eval;
mod events;
mod history;
mod memory;
mod mode;
mod options;
mod overhead;
mod passage;
mod place;
mod postgres;
mod random;
mod relevance;
mod shared;
mod timing;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// What a measurement gives back: any error ends it.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "\
eval --data DIR [--postgres] DIR holds corpus.jsonl, queries.jsonl and qrels/test.tsv;
                             with --postgres on both databases, whose rankings have to be the same
bench GLOSSES [DOCUMENTS]    GLOSSES is a text file, a gloss a line; 100000 documents unless given
bench appends [SECONDS]      on PostgreSQL, beside rows inserted by hand; 5 seconds each unless given
bench approximate GLOSSES    on PostgreSQL, beside the planner's own choice; a document a gloss
bench overhead GLOSSES [DOCUMENTS]
                             on PostgreSQL, beside SQL written by hand; a document a gloss, all of them unless
                             a number is given
bench events [EVENTS [STREAMS]] [--store URL]
                             1000000 events in 100000 streams unless given, and a tenth of the events, beside
                             the database by itself; a SQLite file unless a PostgreSQL is named
soak history --data DIR [--model bundled] [--store URL]
                             DIR holds a history: its events, final state and ghost terms
soak daemon [SECONDS] [--daemons COUNT] [--lease MILLISECONDS] [--store URL]
                             processes that append and that run the daemon, some of them killed; 30 seconds
                             and two daemons unless given";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ermine-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if arguments.first() == Some(&"child") {
        return runtime.block_on(child::run(&arguments));
    }
    let store = options::take(&mut arguments, "--store")?;
    match arguments.as_slice() {
        ["soak", rest @ ..] => runtime.block_on(options::soak(rest.to_vec(), store)),
        ["bench", "events", rest @ ..] => {
            let (events, streams) = match rest {
                [] => (1_000_000, 100_000),
                [events] => (events.parse()?, events.parse::<usize>()?.div_ceil(10)),
                [events, streams] => (events.parse()?, streams.parse()?),
                _ => return Err("`bench events` takes two numbers".into()),
            };
            runtime.block_on(events::run(events, streams, store))
        }
        ["eval", "--data", folder] => runtime.block_on(eval::run(&PathBuf::from(folder), None)),
        ["eval", "--data", folder, "--postgres"] => {
            runtime.block_on(eval::run(&PathBuf::from(folder), Some(&postgres::url()?)))
        }
        ["bench", "appends"] => runtime.block_on(appends::run(5)),
        ["bench", "appends", seconds] => runtime.block_on(appends::run(seconds.parse()?)),
        ["bench", "approximate", glosses] => {
            runtime.block_on(approximate::run(&PathBuf::from(glosses)))
        }
        ["bench", "overhead", glosses] => {
            runtime.block_on(overhead::run(&PathBuf::from(glosses), usize::MAX))
        }
        ["bench", "overhead", glosses, documents] => {
            runtime.block_on(overhead::run(&PathBuf::from(glosses), documents.parse()?))
        }
        ["bench", glosses] => runtime.block_on(bench::run(&PathBuf::from(glosses), 100_000)),
        ["bench", glosses, documents] => {
            runtime.block_on(bench::run(&PathBuf::from(glosses), documents.parse()?))
        }
        _ => Err(format!("these are the measurements:\n\n{USAGE}").into()),
    }
}
