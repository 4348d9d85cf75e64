//! `docs/semantics.md` and the table of facts name the same facts, each under its rule.

use std::collections::{BTreeMap, BTreeSet};

use libtest_mimic::Trial;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("document::it_names_every_fact_under_its_rule", || {
            Ok(it_names_every_fact()?)
        }),
        Trial::test("document::facts_have_names_of_their_own", || {
            Ok(names_are_distinct()?)
        }),
    ]
}

/// For each fact that the document names, the rule it stands under.
fn named() -> Result<BTreeMap<String, String>, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/semantics.md");
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut rule = String::new();
    let mut named = BTreeMap::new();
    for line in text.lines() {
        let heading = line
            .strip_prefix("**")
            .and_then(|rest| rest.split_once('.'));
        if let Some((number, _)) = heading {
            number.clone_into(&mut rule);
        }
        let name = line
            .strip_prefix("- `")
            .and_then(|rest| rest.strip_suffix('`'));
        let Some(name) = name else { continue };
        if named.insert(name.to_owned(), rule.clone()).is_some() {
            return Err(format!("{name} is named twice"));
        }
    }
    Ok(named)
}

fn it_names_every_fact() -> Result<(), String> {
    let named = named()?;
    let facts: BTreeMap<String, String> = ermine_compliance::facts()
        .map(|fact| (fact.name.to_owned(), fact.rule()))
        .collect();
    let unnamed: Vec<_> = facts
        .keys()
        .filter(|name| !named.contains_key(*name))
        .collect();
    let unknown: Vec<_> = named
        .keys()
        .filter(|name| !facts.contains_key(*name))
        .collect();
    if !unnamed.is_empty() || !unknown.is_empty() {
        return Err(format!(
            "facts the document does not name: {unnamed:?}; names that are no facts: {unknown:?}"
        ));
    }
    match facts
        .iter()
        .find(|(name, rule)| named.get(*name) != Some(rule))
    {
        Some((name, rule)) => Err(format!("{name} stands under another rule than {rule}")),
        None => Ok(()),
    }
}

fn names_are_distinct() -> Result<(), String> {
    let mut seen = BTreeSet::new();
    match ermine_compliance::facts().find(|fact| !seen.insert(fact.name)) {
        Some(fact) => Err(format!("two facts are named {}", fact.name)),
        None if seen.is_empty() => Err("there are no facts".to_owned()),
        None => Ok(()),
    }
}
