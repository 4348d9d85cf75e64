//! The tables of events in a database that has none yet.

use ermine_core::{Backend, Expected, Position, Storage, Unit};

use super::{append, events, stream};
use crate::support::{Place, block_on};

#[test]
fn a_database_from_before_there_were_events_gets_their_tables() {
    let place = Place::new();
    drop(block_on(place.postgres().connect()).unwrap());
    place.plain().run(
        "DROP TABLE ermine_parked, ermine_shards, ermine_events, ermine_streams; DROP SEQUENCE ermine_positions",
    );
    let engine = block_on(place.postgres().connect()).unwrap();
    let ops = vec![append(stream(1), Expected::Missing, events(1))];
    let committed = block_on(engine.commit(&Unit { ops })).unwrap();
    assert_eq!(committed.token.position(), Some(Position::at(1)));
}
