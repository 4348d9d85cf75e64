//! A process of writers, and what it says of its work.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::writer::{ACKNOWLEDGED, FIRST, SCHEMA, Tally, UNTIL, URL, pair_of};
use crate::support::{Notes, Place};

/// A running process.
pub(super) struct Process {
    child: Child,
    reader: JoinHandle<()>,
}

impl Process {
    pub(super) fn start(place: &Place, at: usize, until: Instant, told: &Told) -> Self {
        let left = until.saturating_duration_since(Instant::now());
        let until = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + left;
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["soak::writer::writes_until_it_is_time", "--exact"])
            .args(["--ignored", "--nocapture"])
            .env(URL, place.named_url())
            .env(SCHEMA, &place.schema)
            .env(FIRST, (2 * at).to_string())
            .env(UNTIL, until.as_millis().to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let told = told.clone();
        let reader = std::thread::spawn(move || {
            for line in lines {
                told.hear(&line.unwrap());
            }
        });
        Self { child, reader }
    }

    /// Kills it where it stands, by a signal that it cannot catch.
    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(super) fn ended_well(mut self) {
        let status = self.child.wait().unwrap();
        self.reader.join().unwrap();
        assert!(status.success(), "a writer failed: {status}");
    }
}

/// What all processes said.
#[derive(Clone, Default)]
pub(super) struct Told(Arc<Mutex<BTreeMap<usize, Tally>>>);

impl Told {
    /// A line such as `acknowledged WRITER NUMBER DOCUMENTS UNKNOWN REFUSED`, maybe
    /// behind what the test's harness says.
    fn hear(&self, line: &str) {
        let Some((_, figures)) = line.split_once(ACKNOWLEDGED) else {
            return;
        };
        let figures: Vec<u64> = figures
            .split_whitespace()
            .map(|figure| figure.parse().unwrap())
            .collect();
        let writer = usize::try_from(figures[0]).unwrap();
        let mut tallies = self.0.lock().unwrap();
        let tally = tallies.entry(writer).or_default();
        tally.number = figures[1];
        tally.units += 1;
        tally.documents += figures[2];
        tally.unknown += figures[3];
        tally.refused += figures[4];
    }

    pub(super) fn sum(&self) -> Sum {
        let mut sum = Tally::default();
        for tally in self.0.lock().unwrap().values() {
            sum.units += tally.units;
            sum.documents += tally.documents;
            sum.unknown += tally.unknown;
            sum.refused += tally.refused;
        }
        Sum(sum)
    }

    /// Each writer keeps a pair of documents, written with every unit: they hold the
    /// number of the same unit, and none that is older than the last one acknowledged.
    pub(super) fn assert_stored(&self, notes: &Notes) {
        let tallies = self.0.lock().unwrap();
        assert_eq!(tallies.len(), 2 * super::PROCESSES, "every writer wrote");
        for (writer, tally) in tallies.iter() {
            let [a, b] = pair_of(*writer).map(|id| {
                let body = notes.load(&id, Default::default()).unwrap().unwrap().body;
                let digits: String = body.chars().filter(char::is_ascii_digit).collect();
                digits.parse::<u64>().unwrap()
            });
            assert_eq!(a, b, "writer {writer}: half of a unit is stored");
            assert!(a >= tally.number, "writer {writer}: {a}, told {tally:?}");
        }
    }
}

/// What all did together.
pub(super) struct Sum(Tally);

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            units,
            documents,
            unknown,
            refused,
            ..
        } = self.0;
        write!(
            f,
            "{units} units of {documents} operations acknowledged, {unknown} of unknown outcome, {refused} refused by their mode"
        )
    }
}
