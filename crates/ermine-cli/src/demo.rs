//! `ermine demo`.

mod documentation;
mod source;

use std::io::{Write, stdout};

use crate::address::Address;
use crate::arguments::{Demo, Mode, Style};
use crate::failure::{Failure, Finished};
use crate::history::COLLECTION;
use crate::opening::{self, Connected};
use crate::search::{Marks, Query, Shown};
use source::Source;

/// A search of the tour, and what is said before it.
struct Stop {
    says: &'static str,
    mode: Mode,
    text: &'static str,
    filter: Option<&'static str>,
    explained: bool,
}

const TOUR: [Stop; 3] = [
    Stop {
        says: "By meaning. The words need not be those of the document.",
        mode: Mode::Vector,
        text: "which commands does the shell tool have",
        filter: None,
        explained: false,
    },
    Stop {
        says: "By words. BM25 over titles and text, with English stemming.",
        mode: Mode::Text,
        text: "soft delete",
        filter: None,
        explained: false,
    },
    Stop {
        says: "By both, among the documents that pass a filter, and explained.",
        mode: Mode::Hybrid,
        text: "can another tenant's data move my scores",
        filter: Some("file starts_with \"docs/\""),
        explained: true,
    },
];

/// How many matches each search shows.
const SHOWN: usize = 3;

/// Replays the documentation's history and searches it.
pub(crate) fn run(arguments: &Demo) -> Result<Finished, Failure> {
    let mut out = stdout().lock();
    let marks = Marks::of_stdout();
    let address = arguments.address()?;
    let connected = opening::made(&address)?;
    let options = options(&address, &connected);
    let (replayed, what) = Source::find().import(connected)?;
    writeln!(out, "{what} is in {address} now.\n{}", replayed.said())?;
    let store = replayed.store;
    let collection = store.dynamic(COLLECTION)?;
    for stop in &TOUR {
        let query = stop.query();
        writeln!(out, "\n{}", marks.strong(stop.says))?;
        writeln!(out, "$ {}{options}\n", stop.command())?;
        let filter = query.filter(collection.schema())?;
        let found = query.run(&store, &collection, filter)?;
        let shown = Shown {
            query: &query,
            collection: &collection,
            found: &found,
        };
        shown.as_table(&mut out, marks, stop.explained)?;
    }
    writeln!(out, "\n{}", marks.strong("Go on with"))?;
    for command in [
        format!("ermine status --store {}", quoted(&address)),
        format!("ermine search \"your own words\"{options}"),
        format!("ermine events read --limit 3 --store {}", quoted(&address)),
        "ermine import FOLDER       your own Markdown or text, into ermine.db".to_owned(),
        "ermine import --git REPO   the history of your own".to_owned(),
        "ermine search \"your own words\" --explain".to_owned(),
        "ermine search --help".to_owned(),
    ] {
        writeln!(out, "  {command}")?;
    }
    Ok(Finished::Whole)
}

/// The options by which a command finds the collection.
fn options(address: &Address, connected: &Connected) -> String {
    let mut others = connected.declarations.iter().map(|d| d.schema.name());
    let collection = match others.any(|name| name != COLLECTION) {
        true => format!(" --collection {COLLECTION}"),
        false => String::new(),
    };
    format!("{collection} --store {}", quoted(address))
}

/// An address as a shell takes it.
fn quoted(address: &Address) -> String {
    let address = address.to_string();
    let plain = |c: char| c.is_alphanumeric() || "/:@%._-".contains(c);
    match address.chars().all(plain) {
        true => address,
        false => format!("'{}'", address.replace('\'', r"'\''")),
    }
}

impl Stop {
    fn query(&self) -> Query {
        Query {
            text: self.text.to_owned(),
            mode: self.mode,
            filter: self.filter.map(str::to_owned),
            limit: SHOWN,
            style: Style::Plain,
            tenant: None,
        }
    }

    /// The command that does the same, but for where.
    fn command(&self) -> String {
        let mut command = format!("ermine search \"{}\"", self.text);
        if self.mode != Mode::default() {
            command.push_str(&format!(" --mode {}", self.mode.name()));
        }
        if let Some(filter) = self.filter {
            command.push_str(&format!(" --filter '{filter}'"));
        }
        if self.explained {
            command.push_str(" --explain");
        }
        command.push_str(&format!(" --limit {SHOWN}"));
        command
    }
}
