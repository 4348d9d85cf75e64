//! How far an import has come, on standard error.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use crate::daemon::Telling;

/// Where there is no terminal, a line is written for every part of so many percent.
const STEP: u64 = 5;

/// How often a terminal's line is written again.
const REFRESH: Duration = Duration::from_millis(100);

/// Measures by bytes, since nobody knows the number of documents before the end.
pub(crate) struct Progress {
    total: u64,
    done: u64,
    noun: &'static str,
    began: Instant,
    shown: Shown,
}

/// What was shown last.
enum Shown {
    /// On a terminal: when.
    At(Option<Instant>),
    /// Elsewhere: how many percent.
    Percent(u64),
    /// Nothing is shown.
    Never,
}

impl Progress {
    /// Progress over `total` bytes.
    pub(crate) fn over(total: u64) -> Self {
        Self::of(total, "documents")
    }

    /// Progress over `total` bytes of what `noun` calls.
    pub(crate) fn of(total: u64, noun: &'static str) -> Self {
        Self {
            total,
            noun,
            done: 0,
            began: Instant::now(),
            shown: if stderr().is_terminal() {
                Shown::At(None)
            } else {
                Shown::Percent(0)
            },
        }
    }

    /// Progress that is shown or not.
    pub(crate) fn telling(telling: Telling, total: u64, noun: &'static str) -> Self {
        let mut progress = Self::of(total, noun);
        if telling == Telling::Silent {
            progress.shown = Shown::Never;
        }
        progress
    }

    /// Progress that is not shown.
    pub(crate) fn silent() -> Self {
        Self::telling(Telling::Silent, 0, "documents")
    }

    /// Whether it is shown.
    pub(crate) fn told(&self) -> Telling {
        match self.shown {
            Shown::Never => Telling::Silent,
            Shown::At(_) | Shown::Percent(_) => Telling::Shown,
        }
    }

    /// Notes that `bytes` more are written, which makes `documents` in all. Where there is
    /// nothing to do, nothing is shown.
    pub(crate) fn advance(&mut self, bytes: u64, documents: usize) {
        self.done += bytes;
        if self.total == 0 {
            return;
        }
        let percent = (self.done * 100).checked_div(self.total).unwrap_or(100);
        // What goes wrong with standard error cannot be said anywhere.
        match &mut self.shown {
            Shown::At(last) if last.is_none_or(|last| last.elapsed() >= REFRESH) => {
                *last = Some(Instant::now());
                let line = self.line(percent, documents);
                let _ = write!(stderr(), "\r\x1b[K{line}");
            }
            Shown::Percent(last) if percent / STEP > *last / STEP => {
                *last = percent;
                let line = self.line(percent, documents);
                let _ = writeln!(stderr(), "{line}");
            }
            Shown::At(_) | Shown::Percent(_) | Shown::Never => {}
        }
    }

    fn line(&self, percent: u64, documents: usize) -> String {
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = documents as f64 / seconds.max(1e-3);
        let share = self.done as f64 / self.total as f64;
        let left = seconds / share.max(1e-9) - seconds;
        format!(
            "{percent:3} %  {documents} {}, {rate:.0}/s, {left:.0} s left",
            self.noun
        )
    }

    /// Clears a terminal's line, and tells how long it took.
    pub(crate) fn finish(self) -> Duration {
        if let Shown::At(Some(_)) = self.shown {
            let _ = write!(stderr(), "\r\x1b[K");
        }
        self.began.elapsed()
    }
}
