//! The runtime against the reference store: what it plans, refuses, embeds and returns.

// Helpers of a test fail it by panicking; clippy's exception covers test functions only.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod commits;
mod documents;
mod dropped_commits;
mod fusions;
mod opening;
mod queries;
mod searches;
mod spy;
mod tenants;
mod vectors;

use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// Runs a future, or a query, on this thread: the runtime needs no other executor.
fn wait<T>(future: impl IntoFuture<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future.into_future());
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

/// The message of a refusal, after its kind was compared.
#[track_caller]
fn refused<T: std::fmt::Debug>(
    result: ermine_core::Result<T>,
    kind: ermine_core::ErrorKind,
) -> String {
    let error = result.expect_err("it should have been refused");
    assert_eq!(error.kind(), kind, "{error}");
    error.to_string()
}
