//! `ermine events append`.

use std::io::{Write, stdin, stdout};

use ermine::{Engine, EventBuilder, Position, Session};
use serde_json::json;

use crate::arguments::Append;
use crate::failure::{Failure, Finished};
use crate::history::{self, Change, Line, nothing_that_changes, object};
use crate::wait::wait;
use crate::{model, opening};

/// Appends the event of the arguments, or those of standard input, in one transaction.
pub(super) fn run(arguments: &Append) -> Result<Finished, Failure> {
    let address = arguments.store.address()?;
    let lines = match &arguments.kind {
        Some(kind) => vec![said(kind, arguments)?],
        None => read()?,
    };
    if lines.is_empty() {
        return Err(Failure::new(
            "there is no event to append: name one with --type, or give some to standard input",
        ));
    }
    let store = history::open(opening::made(&address)?, None, model::bundled())?;
    let mut session = store.session_without_tenant();
    let stream = arguments.stream.as_str();
    let count = lines.len();
    let events = lines.into_iter().map(builder);
    match arguments.expected_version {
        Some(version) => session.append_expecting(stream, version, events),
        None => session.append(stream, events),
    }
    let token = wait(session.commit())?;
    // The commit stands, whatever becomes of what is told about it.
    let version = match arguments.expected_version {
        Some(before) => Some(before + count as u64),
        None => token.position().and_then(|last| version_at(&session, last)),
    };
    let told = json!({
        "stream": stream,
        "version": version,
        "position": token.position(),
        "events": count,
    });
    writeln!(stdout().lock(), "{told}")?;
    Ok(Finished::Whole)
}

/// The version of the event at a position; `None` where it cannot be read now, as when
/// another writer's transaction holds readers back.
fn version_at(session: &Session<Engine>, position: Position) -> Option<u64> {
    let before = Position::at(position.get().saturating_sub(1));
    let page = wait(session.events().after(before).limit(1)).ok()?;
    let event = page.events.into_iter().next();
    event
        .filter(|event| event.position == position)
        .map(|event| event.version)
}

fn said(kind: &str, arguments: &Append) -> Result<Line, Failure> {
    let mut change = Change::of(
        kind.parse()
            .map_err(|problem: String| Failure::new(problem))?,
    );
    if let Some(data) = &arguments.data {
        let refuse = |problem: String| Failure::new(format!("--data: {problem}"));
        let mut members = object(data).map_err(refuse)?;
        change = change.taken_from(&mut members).map_err(refuse)?;
        if let Some(other) = members.keys().next() {
            return Err(refuse(nothing_that_changes(other)));
        }
    }
    Ok(Line {
        change,
        at: arguments.at,
        headers: arguments.headers.iter().cloned().collect(),
    })
}

fn read() -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    for (line, number) in stdin().lines().zip(1..) {
        let refuse = |problem| Failure::new(format!("standard input, line {number}: {problem}"));
        let line = line.map_err(|error| refuse(error.to_string()))?;
        if !line.trim().is_empty() {
            lines.push(object(&line).and_then(Line::of).map_err(refuse)?);
        }
    }
    Ok(lines)
}

fn builder(line: Line) -> EventBuilder<Change> {
    let mut event = EventBuilder::of(line.change);
    if let Some(at) = line.at {
        event = event.at(at);
    }
    for (name, value) in line.headers {
        event = event.header(name, value);
    }
    event
}
