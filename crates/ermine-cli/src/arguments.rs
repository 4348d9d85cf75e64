//! What can be said to the program.

mod daemon;
mod events;
mod field_spec;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ermine::text::Language;

pub(crate) use daemon::{
    Daemon, DaemonCommand, DeadLetters, OnError, Rebuild, Run, Status as DaemonStatus, Which,
};
pub(crate) use events::{Append, Events, EventsCommand, Read};
pub(crate) use field_spec::{FieldPath, FieldSpec};

use crate::address::Address;
use crate::failure::Failure;

/// Search your own documents by meaning, by words, or by both at once.
///
/// Ermine keeps documents and their embeddings in one SQLite file, or in a PostgreSQL
/// database with pgvector. Nothing is sent anywhere else: the embedding model is part
/// of this program.
#[derive(Debug, Parser)]
#[command(name = "ermine", version, max_term_width = 100)]
#[command(after_long_help = "\
Examples:
  ermine demo                                      a tour over Ermine's own documentation
  ermine import --git .                            the history of a repository's Markdown
  ermine import notes/                             a folder of Markdown or text
  ermine search \"pool timeouts\"                    the best ten passages
  ermine search \"pool timeouts\" --explain          and why they are
  ermine search timeouts --filter 'file starts_with \"notes/ops/\"'

Exit codes:
  0  done; a search that finds nothing is done, too
  1  done, but files were skipped; each is named
  2  not done: a mistake in the command, or a failure; the message says which
  3  of `daemon status`: a projection is paused, or nobody leads it")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Import(Import),
    Search(Search),
    Events(Events),
    Daemon(Daemon),
    Status(Status),
    Demo(Demo),
}

/// Where the store is.
#[derive(Debug, Args)]
pub(crate) struct StoreArgument {
    /// The store: a file, as notes.db or sqlite:notes.db, or a PostgreSQL database, as
    /// postgres://user@host/name
    #[arg(
        long,
        value_name = "PATH|URL",
        env = "ERMINE_STORE",
        default_value = "ermine.db",
        hide_env_values = true
    )]
    store: String,
}

impl StoreArgument {
    pub(crate) fn address(&self) -> Result<Address, Failure> {
        Address::read(&self.store)
    }
}

/// Import folders of Markdown or text, .jsonl files, and histories
///
/// Files of .md, .markdown and .txt are cut into passages at headings and at about
/// 1,500 characters. A passage has the fields title (the document's), heading (the
/// path of headings it stands under), body, file, line, and place, its number in the
/// file. Its id is FILE#PLACE. A file is called by its path from the folder the store
/// is in, or by its whole path where it is not below that; in a PostgreSQL database
/// always by its whole path. Below a folder, hidden files and folders, target and
/// node_modules are passed over.
///
/// Importing again costs only what changed: passages that are as they were are
/// neither written nor embedded, and passages that are gone (of a file that became
/// shorter, or is no longer below an imported folder) are removed. Files outside the
/// imported paths, and documents of .jsonl files, are left alone.
///
/// A .jsonl file holds one document per line. All lines are checked before the first is
/// stored.
///
/// A history, by --events or --git, is told as events, and comes to one document for each
/// text in the collection history; old words and vectors go as the text changes. What is
/// stored is compared and left, and what is new is appended.
///
/// Documents and events are stored in batches, each whole or not at all. An import that
/// was interrupted is completed by running it again.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine import notes/
  ermine import README.md docs/ --store project.db
  ermine import corpus.jsonl --field year=metadata.year:int --field 'tags:[text]'
  ermine import tickets.jsonl --collection tickets --id key --title subject --text description
  ermine import --events history.jsonl
  ermine import --git . --path docs

A line of a history, and one that follows it:
  {\"stream\":\"a\", \"version\":1, \"type\":\"Recorded\", \"title\":\"Tea\", \"at\":\"2024-05-01T10:00:00Z\"}
  {\"stream\":\"a\", \"version\":2, \"type\":\"Revised\", \"body\":\"Hot.\", \"at\":\"2024-05-02T10:00:00Z\"}")]
pub(crate) struct Import {
    /// Folders, and files of .md, .markdown, .txt and .jsonl
    #[arg(required_unless_present_any = ["events", "git"], value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// A history told as events, into the collection history: a .jsonl file, each line
    /// with stream, version, type, at, and of title, body, tags and file what changes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "git", "collection", "id", "title", "text", "fields"])]
    pub(crate) events: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) git: GitOptions,

    #[command(flatten)]
    pub(crate) store: StoreArgument,

    /// The collection to import into
    #[arg(long, value_name = "NAME", default_value = "documents")]
    pub(crate) collection: String,

    /// How text is analysed: english (stemming and stop words), or none [default: the
    /// collection's; english for a new one]
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<Language>,

    #[command(flatten, next_help_heading = "Options for .jsonl files")]
    pub(crate) lines: LineOptions,
}

/// Which history of a repository is imported.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct GitOptions {
    /// The history of a git repository's Markdown files, as events into the collection
    /// history: the commits that led to its present one, first parents only. It is read
    /// by the program git. Running it again appends what is new
    #[arg(long = "git", id = "git", value_name = "REPO", conflicts_with_all = ["paths", "collection", "id", "title", "text", "fields"])]
    pub(crate) repository: Option<PathBuf>,

    /// Only files at or below this path of the repository, as docs
    #[arg(long = "path", id = "below", value_name = "PATH", requires = "git")]
    pub(crate) paths: Vec<String>,

    /// What the documents' ids begin with [default: what the repository's folder is called]
    #[arg(long = "as", id = "as", value_name = "NAME", requires = "git")]
    pub(crate) name: Option<String>,
}

/// Where the parts of a document are in a line of a `.jsonl` file.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct LineOptions {
    /// The member that is the id: text or an integer [default: _id, else id]
    #[arg(long, value_name = "MEMBER")]
    pub(crate) id: Option<FieldPath>,

    /// The member that is the title [default: title]
    #[arg(long, value_name = "MEMBER")]
    pub(crate) title: Option<FieldPath>,

    /// The member that is the text [default: text, else body]
    #[arg(long, value_name = "MEMBER")]
    pub(crate) text: Option<FieldPath>,

    /// A field to filter by, and the member it is read from: year=metadata.year:int, or
    /// tags:[text] where both have one name. Types: bool, int, uint, float, text, uuid,
    /// timestamp, and lists of them in brackets
    #[arg(long = "field", value_name = "NAME[=MEMBER]:TYPE")]
    pub(crate) fields: Vec<FieldSpec>,
}

/// Search a collection
///
/// By text: BM25 over the words, larger scores first. By vector: the distance between
/// the meanings of the query and of each document, smaller first. Hybrid: both, fused
/// by rank. A filter applies before the limit, in every mode.
///
/// Filters compare fields with values: = != < <= > >=, between .. and .., in [..],
/// is null, is not null; on text starts_with and contains; on lists contains, contains
/// any [..] and contains all [..]; joined by and, or, not and parentheses. Text stands
/// in quotes. A field with an odd name stands in backquotes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine search \"connection pool timeouts\"
  ermine search \"why is it slow\" --mode vector --limit 3
  ermine search timeouts --mode text --filter 'year >= 1960 and tags contains \"db\"'
  ermine search 'timeouts -postgres' --style web
  ermine search \"pool timeouts\" --format jsonl | jq .id")]
pub(crate) struct Search {
    /// What to search for
    #[arg(required = true, value_name = "TEXT")]
    pub(crate) text: Vec<String>,

    #[command(flatten)]
    pub(crate) store: StoreArgument,

    /// The collection to search [default: documents, or the only one]
    #[arg(long, value_name = "NAME")]
    pub(crate) collection: Option<String>,

    /// What to search by
    #[arg(long, value_enum, default_value_t)]
    pub(crate) mode: Mode,

    /// Which documents to search among, as 'year >= 1960 and tags contains "db"'
    #[arg(long, value_name = "FILTER")]
    pub(crate) filter: Option<String>,

    /// How many documents to show at most
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,

    /// Say how each was found: ranks, figures and weights, and what each leg read
    #[arg(long)]
    pub(crate) explain: bool,

    /// How to show them
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// How the text is read by the text search
    #[arg(long, value_enum, default_value_t)]
    pub(crate) style: Style,

    /// Whose documents, in a collection that has tenants
    #[arg(long, value_name = "NAME")]
    pub(crate) tenant: Option<String>,
}

/// What a search ranks by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Mode {
    /// By words and by meaning, fused
    #[default]
    Hybrid,
    /// By meaning
    Vector,
    /// By words
    Text,
}

impl Mode {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Vector => "vector",
            Self::Text => "text",
        }
    }
}

/// How matches are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Table,
    /// One JSON object
    Json,
    /// One JSON object per match, a line each; with --explain a last one tells of the legs
    Jsonl,
}

/// How the query's text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Style {
    /// Any word matches, and nothing is an operator
    #[default]
    Plain,
    /// All words match; `or` between alternatives; `-word` excludes
    Web,
}

/// Show what a store holds
///
/// Collections, how many documents they have, how many of those have a vector, the
/// language of their text, the model of their vectors, and the size of a file.
#[derive(Debug, Args)]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) store: StoreArgument,

    /// How to show it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: StatusFormat,
}

/// How a status is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum StatusFormat {
    /// For people
    #[default]
    Table,
    /// One JSON object
    Json,
}

/// Take a tour: replay the history of Ermine's own documentation and search it
///
/// The history is that of the repository's Markdown files, replayed as events into the
/// collection history, and searched by meaning, by words, and by both with a filter,
/// explained. Where the repository or the program git is not at hand, each page that is
/// part of this program is recorded as it is. It can be repeated; delete the file when
/// done.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The store to make the collection in: a file, or a PostgreSQL database, as
    /// postgres://user@host/name
    #[arg(long, value_name = "PATH|URL", default_value = "ermine-demo.db")]
    store: String,
}

impl Demo {
    pub(crate) fn address(&self) -> Result<Address, Failure> {
        Address::read(&self.store)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_teaches_by_examples() {
        let mut command = Arguments::command();
        for name in ["import", "search", "events", "daemon"] {
            let help = command
                .find_subcommand_mut(name)
                .unwrap()
                .render_long_help();
            assert!(help.to_string().contains("Examples:"), "{name}");
        }
    }
}
