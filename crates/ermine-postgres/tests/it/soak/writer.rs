//! What a writer does, in a process that may be killed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ermine_core::{Compare, DeleteMode, ErrorKind, Expr, Op, PutMode, Value, VectorWrite};
use ermine_postgres::Postgres;

use crate::support::{Dice, Notes, note, tenant};

pub(super) const URL: &str = "ERMINE_SOAK_URL";
pub(super) const SCHEMA: &str = "ERMINE_SOAK_SCHEMA";
pub(super) const FIRST: &str = "ERMINE_SOAK_FIRST";
pub(super) const UNTIL: &str = "ERMINE_SOAK_UNTIL";

/// What a line begins with that tells of a unit written.
pub(super) const ACKNOWLEDGED: &str = "acknowledged ";

/// What a writer did.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    /// Of the last unit acknowledged.
    pub(super) number: u64,
    pub(super) units: u64,
    pub(super) documents: u64,
    pub(super) unknown: u64,
    pub(super) refused: u64,
}

/// The documents that nobody but this writer touches.
pub(super) fn pair_of(writer: usize) -> [String; 2] {
    ["a", "b"].map(|half| format!("of writer {}{half}", char::from(b'A' + writer as u8)))
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap()
}

#[test]
#[ignore = "a process of the soak, which starts it"]
fn writes_until_it_is_time() {
    let told = |name: &str| {
        std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: the soak starts this"))
    };
    let number = |name: &str| told(name).parse::<u64>().unwrap();
    let until = Duration::from_millis(number(UNTIL));
    let first = usize::try_from(number(FIRST)).unwrap();
    std::thread::scope(|scope| {
        for writer in [first, first + 1] {
            let postgres = Postgres::url(told(URL)).schema(told(SCHEMA));
            let postgres = postgres.connections(3);
            scope.spawn(move || {
                // A connection may be terminated as the store is opened, which is told.
                while now() < until {
                    match Notes::try_to_open(postgres.clone()) {
                        Ok(notes) => return write(&notes, writer, until),
                        Err(error) if error.kind() == ErrorKind::Storage => {}
                        Err(error) => panic!("writer {writer}: {error:?}"),
                    }
                }
            });
        }
    });
}

fn write(notes: &Notes, writer: usize, until: Duration) {
    let mut dice = Dice::new(now().as_micros() as u64 + writer as u64);
    let mut unheard = Tally::default();
    while now() < until {
        let number = now().as_micros() as u64;
        let ops = unit(notes, writer, number, &mut dice);
        let documents = ops.len() as u64;
        match notes.commit(ops) {
            Ok(_) => {
                println!(
                    "{ACKNOWLEDGED}{writer} {number} {documents} {} {}",
                    unheard.unknown, unheard.refused
                );
                unheard = Tally::default();
            }
            Err(error) => match error.kind() {
                // The connection was terminated as it committed.
                ErrorKind::OutcomeUnknown => unheard.unknown += 1,
                // An insertion of what is there, an update of what is not.
                ErrorKind::AlreadyExists | ErrorKind::Missing => unheard.refused += 1,
                _ => panic!("writer {writer}: {error:?}"),
            },
        }
    }
}

/// A few operations on documents that all writers share, among the writer's own two.
fn unit(notes: &Notes, writer: usize, number: u64, dice: &mut Dice) -> Vec<Op> {
    let [a, b] = pair_of(writer).map(|id| notes.put(note(&id, &format!("pool unit {number}"))));
    let mut ops = vec![a];
    if dice.roll(25) == 0 {
        // Enough to be locked and written as many are.
        let from = dice.roll(8) * 150;
        ops.extend((from..from + 300).map(|at| shared(notes, &format!("{at:04}"), dice)));
    } else {
        for _ in 0..1 + dice.roll(12) {
            let id = format!("{:04}", dice.roll(1_500));
            ops.push(match dice.roll(24) {
                0 | 1 => notes.delete(&id, DeleteMode::Hard),
                2 | 3 => notes.delete(&id, DeleteMode::Declared),
                4 => Op::DeleteWhere {
                    schema: notes.schema.clone(),
                    tenant: tenant("acme"),
                    filter: Expr::Compare {
                        field: "year".into(),
                        op: Compare::Eq,
                        value: Value::I64(dice.roll(400) as i64),
                    },
                    mode: [DeleteMode::Hard, DeleteMode::Declared][dice.roll(2) as usize],
                },
                5 => moded(notes, &id, PutMode::Insert),
                6 => moded(notes, &id, PutMode::Update),
                _ => shared(notes, &id, dice),
            });
        }
    }
    ops.push(b);
    ops
}

fn moded(notes: &Notes, id: &str, mode: PutMode) -> Op {
    let note = note(id, "pool of a moded writer");
    notes.put(note.vector([0.5, 1.0]).mode(mode))
}

fn shared(notes: &Notes, id: &str, dice: &mut Dice) -> Op {
    let body = match dice.roll(4) {
        // What is there already, often.
        0 => "pool timeout".to_owned(),
        _ => format!("pool timeout word{} word{}", dice.roll(30), dice.roll(300)),
    };
    let mut note = note(id, &body);
    note.year = Some(dice.roll(400) as i64);
    if dice.roll(8) == 0 {
        note.vector = VectorWrite::Clear { hash: None };
    } else {
        note = note.vector([1.0, dice.roll(50) as f32]);
    }
    notes.put(note)
}
