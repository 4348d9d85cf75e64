//! `ermine daemon dead-letters`.

use std::io::{Write, stdout};

use ermine::Daemon;
use ermine_core::Position;
use serde_json::json;

use super::each;
use crate::arguments::DeadLetters;
use crate::failure::{Failure, Finished};
use crate::wait::wait;

/// How many are read at once.
const PAGE: usize = 500;

/// Lists what was set aside, or tries it again.
pub(super) fn run(arguments: &DeadLetters) -> Result<Finished, Failure> {
    let mut failed = 0;
    let finished = each(&arguments.which, |daemon, projection| {
        if !arguments.replay {
            list(daemon, projection)?;
            return Ok(String::new());
        }
        let report = wait(daemon.replay_parked(projection))?;
        failed += report.failed;
        Ok(format!(
            "`{projection}`: {} applied, {} gone, {} failed again",
            report.applied, report.gone, report.failed
        ))
    })?;
    Ok(match failed {
        0 => finished,
        _ => Finished::InPart,
    })
}

fn list(daemon: &Daemon, projection: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let mut after = Position::START;
    loop {
        let page = wait(daemon.parked(projection, after, PAGE))?;
        let Some(last) = page.last() else {
            return Ok(out.flush()?);
        };
        after = last.key.position;
        for parked in page {
            let line = json!({
                "projection": projection,
                "position": parked.key.position,
                "at": parked.at.to_string(),
                "reason": parked.reason,
                "tenant": parked.tenant.map(|tenant| tenant.to_string()),
            });
            writeln!(out, "{line}")?;
        }
    }
}
