//! Wrong stores: each must be caught by a fact of the rule it breaks.
//!
//! A mutant is the reference store behind a wrapper that changes what it is
//! asked, what it is told, or what it answers. One that no fact catches shows a
//! clause that nobody tests.

mod asked;
mod composed;
mod events;
mod expressions;
mod ghosts;
mod mutation;
mod searches;
mod written;

use std::sync::Arc;

use ermine_compliance::{Database, Fixture, Overwriting, Place, Reference};
use ermine_core::{Backend, BoxFuture, Engine, Result};
use libtest_mimic::Trial;

use crate::cell;
use events::Archived;
use ghosts::Ghosts;
pub(crate) use mutation::{ANSWERED_WRONGLY, LOGGED_WRONGLY, Mutation};

use mutation::MUTATIONS;

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |(mutation, rules): &'static (Mutation, &'static [&'static str])| {
        Trial::test(format!("mutant::{mutation:?}"), move || {
            Ok(caught(*mutation, rules)?)
        })
    };
    let mut trials: Vec<Trial> = MUTATIONS.iter().map(trial).collect();
    trials.push(Trial::test(
        "mutant::without_a_mutation_every_fact_holds",
        || Ok(the_wrapper_is_right()?),
    ));
    trials
}

/// The wrapper alone breaks nothing, so what a mutant breaks is its mutation's doing.
fn the_wrapper_is_right() -> Result<(), String> {
    let control = MutantFixture::of(Mutation::Nothing);
    for fact in ermine_compliance::facts() {
        let verdict = cell::verdict(&control, fact);
        verdict.map_err(|problem| format!("{}: {problem}", fact.name))?;
    }
    Ok(())
}

/// Fails unless, of each of the rules, a fact fails on the mutant.
fn caught(mutation: Mutation, rules: &[&str]) -> Result<(), String> {
    for rule in rules {
        let mut facts = ermine_compliance::facts().filter(|fact| fact.rule() == *rule);
        let fixture = MutantFixture::of(mutation);
        match facts.find(|fact| cell::verdict(&fixture, fact).is_err()) {
            Some(fact) => println!("{mutation:?} is caught by {}", fact.name),
            None => return Err(format!("no fact of {rule} catches {mutation:?}")),
        }
    }
    Ok(())
}

pub(crate) struct MutantFixture {
    mutation: Mutation,
}

impl MutantFixture {
    pub(crate) fn of(mutation: Mutation) -> Self {
        Self { mutation }
    }
}

struct MutantDatabase {
    reference: Reference,
    mutation: Mutation,
}

/// The reference store, wrong in one way.
struct MutantStore {
    inner: Engine,
    mutation: Mutation,
    ghosts: Ghosts,
    archived: Archived,
}

impl Fixture for MutantFixture {
    fn name(&self) -> &'static str {
        "mutant"
    }

    fn fresh(&self) -> BoxFuture<'_, Result<Box<dyn Database>>> {
        let database = MutantDatabase {
            reference: Reference::new(),
            mutation: self.mutation,
        };
        Box::pin(async { Ok(Box::new(database) as Box<dyn Database>) })
    }
}

impl Database for MutantDatabase {
    fn connect(&self) -> BoxFuture<'_, Result<Engine>> {
        Box::pin(async {
            let reference = match self.mutation {
                Mutation::NothingIsKept => Reference::new(),
                _ => self.reference.clone(),
            };
            let inner = reference.connect().await?;
            let store = Arc::new(MutantStore {
                inner,
                mutation: self.mutation,
                ghosts: Ghosts::default(),
                archived: Archived::default(),
            });
            Ok(Engine::searching(Arc::clone(&store)).with_events(store))
        })
    }

    fn overwrite_vector<'a>(
        &'a self,
        document: Place<'a>,
        field: &'a str,
        bytes: &'a [u8],
    ) -> BoxFuture<'a, Result<Overwriting>> {
        Database::overwrite_vector(&self.reference, document, field, bytes)
    }

    fn overwrite_body<'a>(
        &'a self,
        document: Place<'a>,
        body: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        Database::overwrite_body(&self.reference, document, body)
    }
}
