//! A store that is not told of its indexes fails every search, and skips none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ermine_compliance::{Database, Fact, Fixture, Overwriting, Place, Reference, facts};
use ermine_core::{
    Answer, Backend, BoxFuture, Capabilities, Committed, Declaration, Engine, Read, Result, Schema,
    SchemaMode, SchemaReport, Storage, Unit,
};
use libtest_mimic::Trial;

use crate::cell;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test(
            "facts::a_skipped_declaration_fails_every_search_fact",
            || Ok(every_search_fact_fails()?),
        ),
        Trial::test("facts::every_rule_of_the_list_has_facts", || {
            Ok(every_rule_has_facts()?)
        }),
    ]
}

/// What these search facts state holds without a store.
const WITHOUT_A_STORE: [&str; 3] = [
    "t3_fusion_is_a_function_without_a_store",
    "t3_a_key_repeated_in_a_leg_counts_once",
    "t4_fused_ties_are_by_best_rank_then_id",
];

fn every_search_fact_fails() -> Result<(), String> {
    let (mut passed, mut opened_nothing) = (Vec::new(), Vec::new());
    for fact in facts().filter(|fact| fact.searches()) {
        let forgetful = ForgetfulFixture::default();
        let verdict = cell::verdict(&forgetful, fact);
        match (verdict.is_ok(), forgetful.opened.load(Ordering::Relaxed)) {
            (true, true) => passed.push(fact.name),
            (true, false) => opened_nothing.push(fact.name),
            (false, _) => {}
        }
    }
    if !passed.is_empty() {
        return Err(format!(
            "these passed on a store without indexes: {passed:?}"
        ));
    }
    if opened_nothing != WITHOUT_A_STORE {
        return Err(format!("these opened no store: {opened_nothing:?}"));
    }
    Ok(())
}

/// The rules that stores are held to so far.
const RULES: [&str; 59] = [
    "V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V12", "V14", "V15", "T1",
    "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "T12", "F1", "F2", "F3", "F4",
    "F5", "D1", "D2", "D4", "D5", "D7", "D8", "D9", "D11", "D12", "E1", "E2", "E3", "E4", "E5",
    "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P13", "P14", "P15",
];

fn every_rule_has_facts() -> Result<(), String> {
    let of_rule = |rule: &str| facts().filter(|fact| fact.rule() == rule).count();
    if let Some(rule) = RULES.iter().find(|rule| of_rule(rule) == 0) {
        return Err(format!("no fact is of rule {rule}"));
    }
    let stray = facts().find(|fact: &&Fact| !RULES.contains(&fact.rule().as_str()));
    match stray {
        Some(fact) => Err(format!(
            "{} is of a rule that is not in the list",
            fact.name
        )),
        None => Ok(()),
    }
}

#[derive(Default)]
struct ForgetfulFixture {
    opened: Arc<AtomicBool>,
}

struct ForgetfulDatabase {
    reference: Reference,
    opened: Arc<AtomicBool>,
}

/// Declares every type without its text and vector fields.
struct ForgetfulStore {
    inner: Engine,
}

impl Fixture for ForgetfulFixture {
    fn name(&self) -> &'static str {
        "forgetful"
    }

    fn fresh(&self) -> BoxFuture<'_, Result<Box<dyn Database>>> {
        let database = ForgetfulDatabase {
            reference: Reference::new(),
            opened: self.opened.clone(),
        };
        Box::pin(async { Ok(Box::new(database) as Box<dyn Database>) })
    }
}

impl Database for ForgetfulDatabase {
    fn connect(&self) -> BoxFuture<'_, Result<Engine>> {
        Box::pin(async {
            self.opened.store(true, Ordering::Relaxed);
            let inner = self.reference.clone().connect().await?;
            let searches = inner.clone();
            Ok(Engine::new(Arc::new(ForgetfulStore { inner }))
                .with_vector_search(Arc::new(searches.clone()))
                .with_text_search(Arc::new(searches.clone()))
                .with_hybrid_search(Arc::new(searches)))
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

impl Storage for ForgetfulStore {
    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    async fn ensure(&self, declared: &Declaration, mode: SchemaMode) -> Result<SchemaReport> {
        let whole = &declared.schema;
        let mut schema = Schema::builder(whole.name(), whole.id_name(), whole.id_type())
            .tenancy(whole.tenancy())
            .deletion(whole.deletion())
            .language(whole.language());
        for column in whole.columns() {
            schema = schema.column(column.name(), column.column_type());
        }
        let forgetful = Declaration {
            schema: Arc::new(schema.build()?),
            models: Vec::new(),
            ..declared.clone()
        };
        self.inner.ensure(&forgetful, mode).await
    }

    async fn declarations(&self) -> Result<Vec<Declaration>> {
        self.inner.declarations().await
    }

    async fn read(&self, reads: &[Read]) -> Result<Vec<Answer>> {
        self.inner.read(reads).await
    }

    async fn commit(&self, unit: &Unit) -> Result<Committed> {
        self.inner.commit(unit).await
    }
}
