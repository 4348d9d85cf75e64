//! Calling code of the application's.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ermine_core::{Error, ErrorKind, Result};

/// Calls a closure of the application's, and makes an error of a panic (rule P3).
pub(super) fn guarded<R>(call: impl FnOnce() -> Result<R>) -> Result<R> {
    // What a panic leaves half done is thrown away with the page.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(Error::new(
            ErrorKind::Panicked,
            format!("it panicked: {}", text.unwrap_or("without a message")),
        ))
    })
}
