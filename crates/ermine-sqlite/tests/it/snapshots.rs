//! A search sees whole units, in all of its legs, whatever is written meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ermine_core::{DeleteMode, LegKind};

use crate::support::{Folder, Notes, any, note};

#[test]
fn every_leg_of_a_search_sees_the_same_whole_units() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    let another_process = Notes::file(&folder.file());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                let (notes, done) = (&notes, &done);
                scope.spawn(move || {
                    let mut looked = 0;
                    while !done.load(Ordering::Relaxed) || looked == 0 {
                        let answer = notes.hybrid(notes.target(), any(&["pool"]), [1.0, 0.0]);
                        let [text, vector] = answer.outcome.legs.as_slice() else {
                            panic!("{:?}", answer.outcome);
                        };
                        assert_eq!(text.kind, LegKind::Text);
                        assert_eq!(text.returned, vector.returned);
                        assert_eq!(text.returned % 2, 0);
                        looked += 1;
                    }
                })
            })
            .collect();
        for n in 0..60 {
            let writer = if n % 2 == 0 { &notes } else { &another_process };
            let pair = [format!("{}-l", n % 12), format!("{}-r", n % 12)];
            if n % 5 == 4 {
                let mode = if n % 2 == 0 {
                    DeleteMode::Hard
                } else {
                    DeleteMode::Declared
                };
                writer
                    .commit(pair.iter().map(|id| writer.delete(id, mode)).collect())
                    .unwrap();
            } else {
                writer.store(pair.map(|id| note(&id, "pool").vector([1.0, n as f32])));
            }
        }
        done.store(true, Ordering::Relaxed);
        for reader in readers {
            reader.join().unwrap();
        }
    });
}
