//! One fact on one store.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ermine_compliance::{Fact, Fixture, World};

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps what a panic says, and where, for the verdict, instead of printing it.
pub(crate) fn record_panics() {
    std::panic::set_hook(Box::new(|panic| {
        PANIC.with_borrow_mut(|kept| *kept = Some(panic.to_string()));
    }));
}

/// Tests a fact on a new database of a store.
pub(crate) fn verdict(store: &dyn Fixture, fact: &Fact) -> Result<(), String> {
    let run = || {
        runtime().block_on(async {
            let database = store.fresh().await?;
            (fact.run)(World::of(database)).await
        })
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(format!("{error:?}")),
        Err(_) => {
            let said = PANIC.with_borrow_mut(Option::take);
            Err(said.unwrap_or_else(|| "it panicked on another thread".to_owned()))
        }
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder
        .enable_all()
        .build()
        .expect("a runtime of one thread")
}
