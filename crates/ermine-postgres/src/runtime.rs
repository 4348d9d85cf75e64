//! The store's own threads.
//!
//! The driver needs a runtime of its kind to be running, and the caller's may be
//! another or none. So every call is handed to one that the store owns, and only the
//! answer crosses over.

use std::future::Future;

use ermine_core::{Error, ErrorKind, Result};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::{JoinError, JoinHandle};

/// Threads that run calls. Dropping it ends them without waiting.
pub(crate) struct Threads(Option<Runtime>);

impl Threads {
    pub(crate) fn start() -> Result<Self> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let runtime = Builder::new_multi_thread()
            .worker_threads(cores.clamp(1, 4))
            .thread_name("ermine-postgres")
            .enable_io()
            .enable_time()
            .build()
            .map_err(|e| {
                Error::new(ErrorKind::Storage, "the store's threads cannot be started")
                    .with_source(e)
            })?;
        Ok(Self(Some(runtime)))
    }

    pub(crate) fn handle(&self) -> Result<&Handle> {
        self.0.as_ref().map(Runtime::handle).ok_or_else(closed)
    }

    /// Runs a call. Dropping the future ends it where it stands.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        call: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let mut task = Abandoned(self.handle()?.spawn(call));
        (&mut task.0).await.unwrap_or_else(|e| Err(ended(e)))
    }

    /// Runs a call that goes on to its end though the future is dropped.
    pub(crate) async fn run_to_the_end<T: Send + 'static>(
        &self,
        call: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let task = self.handle()?.spawn(call);
        task.await.unwrap_or_else(|e| Err(ended(e)))
    }

    /// Begins a call that nobody waits for.
    pub(crate) fn go_on(&self, call: impl Future<Output = ()> + Send + 'static) -> Result<()> {
        self.handle()?.spawn(call);
        Ok(())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // Waiting is not allowed where an async caller drops the store.
            runtime.shutdown_background();
        }
    }
}

/// A task that ends with the one who waits for it.
struct Abandoned<T>(JoinHandle<T>);

impl<T> Drop for Abandoned<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn ended(error: JoinError) -> Error {
    if error.is_cancelled() {
        return closed();
    }
    let panic = error.into_panic();
    let said = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    Error::new(
        ErrorKind::Storage,
        format!("the store panicked ({said}); nothing of the call was kept, please report this"),
    )
}

fn closed() -> Error {
    Error::new(
        ErrorKind::Closed,
        "the store has been closed; open it again",
    )
}
