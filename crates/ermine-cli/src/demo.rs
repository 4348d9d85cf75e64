//! `ermine demo`.

mod documentation;

use std::io::{Write, stdout};

use ermine::Store;
use ermine_core::Engine;

use crate::address::Address;
use crate::arguments::{Demo, Mode, Style};
use crate::failure::{Failure, Finished};
use crate::import::{Imported, Importer, Progress};
use crate::model::{self, Counted};
use crate::opening::{self, Connected};
use crate::passages::Format;
use crate::schema;
use crate::search::{Marks, Query, Shown};
use documentation::DOCUMENTATION;

/// The demonstration's own: what else is in the store stays as it is.
const COLLECTION: &str = "ermine_demo";

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
        text: "what happens to a document's vector when its text changes",
        filter: None,
        explained: false,
    },
    Stop {
        says: "By words. BM25 over titles, headings and text, with English stemming.",
        mode: Mode::Text,
        text: "soft delete",
        filter: None,
        explained: false,
    },
    Stop {
        says: "By both, among the documents that pass a filter, and explained.",
        mode: Mode::Hybrid,
        text: "can another tenant's data move my scores",
        filter: Some("file starts_with \"docs/\" and heading contains \"search\""),
        explained: true,
    },
];

/// How many matches each search shows.
const SHOWN: usize = 3;

/// Imports the documentation and searches it.
pub(crate) fn run(arguments: &Demo) -> Result<Finished, Failure> {
    let mut out = stdout().lock();
    let marks = Marks::of_stdout();
    let address = arguments.address()?;
    let connected = opening::made(&address)?;
    let options = options(&address, &connected);
    let store = import(connected, &address, &mut out)?;
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
        "ermine import FOLDER       your own Markdown or text, into ermine.db".to_owned(),
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

fn import(
    connected: Connected,
    address: &Address,
    out: &mut dyn Write,
) -> Result<Store<Engine>, Failure> {
    let schema = schema::for_import(&connected.declarations, COLLECTION, None, &[])?;
    let provider = Counted::new(model::bundled());
    let store = connected.for_import(schema, provider.clone())?;
    let mut importer = Importer::new(&store, COLLECTION, Progress::silent())?;
    for (name, text) in DOCUMENTATION {
        importer.add_text(name, text, Format::Markdown)?;
    }
    importer.flush()?;
    let files = importer.files();
    importer.remove_surplus(&Imported::All)?;
    let said = importer.finish().said(COLLECTION, files, provider.texts());
    writeln!(out, "Ermine's documentation is in {address} now.\n{said}")?;
    Ok(store)
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
