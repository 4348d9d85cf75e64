//! `ermine events`.

use clap::{Args, Subcommand};
use ermine_core::Timestamp;

use super::StoreArgument;

/// Append events, and read them
///
/// What can be appended are the events of texts: Recorded, Revised, Renamed, Tagged and
/// Forgotten, which feed the collection history. What can be read are those of any
/// store, an application's too.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine events append pool --type Recorded --data '{\"title\": \"Pools\", \"body\": \"Opened early.\"}'
  ermine events append pool --type Revised --data '{\"body\": \"Opened late.\"}' --expected-version 1
  ermine events read pool
  ermine events read --after 1000 --limit 100 | jq .type
  ermine events read > events.jsonl")]
pub(crate) struct Events {
    #[command(subcommand)]
    pub(crate) command: EventsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EventsCommand {
    Append(Append),
    Read(Read),
}

/// Append one event to a stream, or those of standard input
///
/// Without --type, standard input has an event in each line: an object with type, and of
/// at, title, body, tags, file and headers what there is to say. All of them are
/// appended, or none.
///
/// The text changes in the same transaction and is searched by words at once. Its vector
/// follows when the daemon runs: `ermine daemon run --once`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine events append pool --type Recorded --data '{\"title\": \"Pools\", \"body\": \"Opened early.\"}'
  ermine events append pool --type Forgotten --expected-version 3
  printf '%s\\n' '{\"type\": \"Renamed\", \"title\": \"Pool\"}' '{\"type\": \"Tagged\", \"tags\": [\"db\"]}' | ermine events append pool")]
pub(crate) struct Append {
    /// The stream, whose name is the document's id
    #[arg(value_name = "STREAM")]
    pub(crate) stream: String,

    /// The event's type: Recorded, Revised, Renamed, Tagged or Forgotten
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: Option<String>,

    /// What it changes: an object with title, body, tags or file
    #[arg(long, value_name = "JSON", requires = "kind")]
    pub(crate) data: Option<String>,

    /// When it happened, as 2024-05-01T10:00:00Z [default: now]
    #[arg(long, value_name = "TIME", requires = "kind")]
    pub(crate) at: Option<Timestamp>,

    /// Something else to say about it; can be repeated
    #[arg(long = "header", value_name = "NAME=VALUE", requires = "kind", value_parser = header)]
    pub(crate) headers: Vec<(String, String)>,

    /// Append only where the stream is at this version; 0 is a stream that is not there
    #[arg(long, value_name = "N")]
    pub(crate) expected_version: Option<u64>,

    #[command(flatten)]
    pub(crate) store: StoreArgument,
}

fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("say it as NAME=VALUE".to_owned()),
    }
}

/// Read the events of a stream, or of all, a line of JSON each
///
/// Of one stream: by version, archived ones included. Of all streams: in their order,
/// from a position on. A line has position, stream, version, type, at and data, and of
/// headers, correlation, causation and tenant what there is.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine events read pool
  ermine events read pool --from-version 3 --to-version 5
  ermine events read pool --until 2024-05-03T00:00:00Z
  ermine events read --after 1000 --limit 100")]
pub(crate) struct Read {
    /// The stream [default: all]
    #[arg(value_name = "STREAM")]
    pub(crate) stream: Option<String>,

    /// From this version of the stream on
    #[arg(long, value_name = "N", requires = "stream")]
    pub(crate) from_version: Option<u64>,

    /// Up to this version of the stream, itself included
    #[arg(long, value_name = "N", requires = "stream")]
    pub(crate) to_version: Option<u64>,

    /// Only the beginning of the stream that happened at or before this time
    #[arg(long, value_name = "TIME", requires = "stream")]
    pub(crate) until: Option<Timestamp>,

    /// Of all streams, only what is after this position
    #[arg(long, value_name = "POSITION", conflicts_with = "stream")]
    pub(crate) after: Option<u64>,

    /// How many events at most [default: all there are]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// Whose streams [default: those of no tenant; without STREAM, everybody's]
    #[arg(long, value_name = "NAME")]
    pub(crate) tenant: Option<String>,

    #[command(flatten)]
    pub(crate) store: StoreArgument,
}
