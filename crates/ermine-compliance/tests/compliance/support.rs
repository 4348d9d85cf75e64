//! The page that says what stores support, as it follows from their enrolment.

use std::collections::BTreeSet;
use std::fmt::{Display, Write};
use std::path::Path;

use ermine_core::{Capabilities, Feature, Metric, Storage};
use libtest_mimic::Trial;

use crate::{cell, stores};

/// Set, it makes the page what it should be.
const UPDATE: &str = "ERMINE_UPDATE";

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/stores/support.md");

const INTRODUCTION: &str = "\
# What stores support

Generated from the stores that are enrolled in the compliance suite: what each says it can do, and the
[rules](../semantics.md) it is held to. Every fact of a rule is a test of its own on each of these stores, and the tests
fail where one does not hold, and when this page is stale; `ERMINE_UPDATE=1 cargo xtask test` writes it. *Refuses* is
said of a rule about something the store does not do: it refuses that by name, and the facts hold it to the refusal.
";

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test(
        "support::the_page_is_what_the_enrolment_says",
        || Ok(check()?),
    )]
}

fn check() -> Result<(), String> {
    let page = page()?;
    if std::env::var_os(UPDATE).is_some() {
        return std::fs::write(PAGE, page).map_err(|error| format!("{PAGE}: {error}"));
    }
    // Git may have changed the ends of the lines.
    let stored = std::fs::read_to_string(PAGE).unwrap_or_default();
    if stored.lines().eq(page.lines()) {
        return Ok(());
    }
    let path = Path::new(PAGE).file_name().unwrap_or_default();
    Err(format!(
        "{path:?} in docs/stores is not what the enrolment says; run the tests with {UPDATE}=1, and commit it"
    ))
}

fn page() -> Result<String, String> {
    let capabilities = capabilities()?;
    let mut page = INTRODUCTION.to_owned();
    let rows = capability_rows(&capabilities).into_iter();
    let rows: Vec<_> = rows
        .map(|(what, on)| (what, on.iter().map(yes_or_no).collect()))
        .collect();
    table(&mut page, "", &rows);
    let rows: Vec<_> = rules()?
        .into_iter()
        .map(|(family, number)| {
            let cell = |store: &Capabilities| match family {
                'E' | 'P' if !store.features.contains(&Feature::Events) => "refuses",
                _ => "yes",
            };
            let cells = capabilities.iter().map(cell).collect();
            (format!("{family}{number}"), cells)
        })
        .collect();
    table(&mut page, "rule", &rows);
    Ok(page)
}

/// The rules that have facts, as a reader counts them.
fn rules() -> Result<BTreeSet<(char, u32)>, String> {
    let parsed = ermine_compliance::facts().map(|fact| {
        let rule = fact.rule();
        let mut rest = rule.chars();
        let family = rest.next().unwrap_or_default();
        let number = rest.as_str().parse();
        Ok((family, number.map_err(|_| format!("{rule} is no rule"))?))
    });
    parsed.collect()
}

fn capabilities() -> Result<Vec<Capabilities>, String> {
    cell::runtime().block_on(async {
        let mut all = Vec::new();
        for store in stores::all() {
            let of = async {
                let database = store.fresh().await?;
                let engine = database.connect().await?;
                Ok::<_, ermine_core::Error>(engine.capabilities().clone())
            };
            all.push(
                of.await
                    .map_err(|error| format!("{}: {error}", store.name()))?,
            );
        }
        Ok(all)
    })
}

/// What any store can do, and which of them can.
fn capability_rows(stores: &[Capabilities]) -> Vec<(String, Vec<bool>)> {
    let mut rows: Vec<(String, Vec<bool>)> = Vec::new();
    let mut add = |what: String, at: usize| match rows.iter_mut().find(|(row, _)| *row == what) {
        Some((_, on)) => on[at] = true,
        None => {
            let mut on = vec![false; stores.len()];
            on[at] = true;
            rows.push((what, on));
        }
    };
    for (at, store) in stores.iter().enumerate() {
        store.features.iter().for_each(|f| add(f.to_string(), at));
    }
    for (at, store) in stores.iter().enumerate() {
        let metric = |m: &Metric| add(format!("the metric {m}"), at);
        store.metrics.iter().for_each(metric);
    }
    for (at, store) in stores.iter().enumerate() {
        let elements = store.elements.iter();
        elements.for_each(|e| add(format!("vectors of {e:?}").to_lowercase(), at));
    }
    for (at, store) in stores.iter().enumerate() {
        let types = store.column_types.iter();
        types.for_each(|t| add(format!("fields of {t}, and lists of them"), at));
    }
    rows
}

fn yes_or_no(on: &bool) -> &'static str {
    if *on { "yes" } else { "no" }
}

fn table(page: &mut String, corner: impl Display, rows: &[(String, Vec<&str>)]) {
    let _ = write!(page, "\n| {corner} |");
    for store in stores::all() {
        let _ = write!(page, " {} |", store.name());
    }
    let _ = write!(page, "\n|---|{}", "---|".repeat(stores::all().len()));
    for (what, on) in rows {
        let _ = write!(page, "\n| {what} |");
        for on in on {
            let _ = write!(page, " {on} |");
        }
    }
    page.push('\n');
}
