//! The closing test: facts × stores.

use std::fmt::Write;

use libtest_mimic::Trial;

use crate::{cell, stores};

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test(
        "matrix::every_store_is_held_to_every_fact",
        || {
            let table = table();
            println!("{}", table.text);
            if table.missing.is_empty() {
                return Ok(());
            }
            Err(format!("cells that do not hold: {}", table.missing.join(", ")).into())
        },
    )]
}

struct Table {
    text: String,
    missing: Vec<String>,
}

fn table() -> Table {
    let stores = stores::all();
    let facts: Vec<_> = ermine_compliance::facts().collect();
    let width = facts.iter().map(|fact| fact.name.len()).max().unwrap_or(0);
    let mut text = format!("{:width$}", "");
    for store in stores {
        let _ = write!(text, "  {}", store.name());
    }
    let mut missing = Vec::new();
    let mut held = vec![0; stores.len()];
    for fact in &facts {
        let _ = write!(text, "\n{:width$}", fact.name);
        for (store, held) in stores.iter().zip(&mut held) {
            let holds = cell::verdict(*store, fact).is_ok();
            let mark = if holds { "holds" } else { "—" };
            let _ = write!(text, "  {mark:<w$}", w = store.name().len());
            if holds {
                *held += 1;
            } else {
                missing.push(format!("{} on {}", fact.name, store.name()));
            }
        }
    }
    let _ = write!(text, "\n{:width$}", "facts held, of all");
    for (store, held) in stores.iter().zip(held) {
        let count = format!("{held}/{}", facts.len());
        let _ = write!(text, "  {count:<w$}", w = store.name().len());
    }
    Table { text, missing }
}
