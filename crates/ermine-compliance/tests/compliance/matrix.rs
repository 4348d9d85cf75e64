//! The closing test: facts × stores.

use std::fmt::Write;

use libtest_mimic::Trial;

use crate::{cell, stores, support};

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test(
        "matrix::every_store_is_held_to_every_fact",
        || {
            let table = table();
            println!("{}", table.text);
            if !table.missing.is_empty() {
                let missing = table.missing.join(", ");
                return Err(format!("cells that do not hold: {missing}").into());
            }
            Ok(support::check(&table.held)?)
        },
    )]
}

struct Table {
    text: String,
    missing: Vec<String>,
    held: support::Held<'static>,
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
    let mut held = Vec::new();
    for fact in facts {
        let _ = write!(text, "\n{:width$}", fact.name);
        let mut on = Vec::new();
        for store in stores {
            let holds = cell::verdict(store, fact).is_ok();
            let mark = if holds { "holds" } else { "—" };
            let _ = write!(text, "  {mark:<w$}", w = store.name().len());
            on.push(holds);
            if !holds {
                missing.push(format!("{} on {}", fact.name, store.name()));
            }
        }
        held.push((fact, on));
    }
    let _ = write!(text, "\n{:width$}", "facts held, of all");
    for (at, store) in stores.iter().enumerate() {
        let count = held.iter().filter(|(_, on)| on[at]).count();
        let count = format!("{count}/{}", held.len());
        let _ = write!(text, "  {count:<w$}", w = store.name().len());
    }
    Table {
        text,
        missing,
        held,
    }
}
