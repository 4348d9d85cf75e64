//! Waiting for a future on this thread.

use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// The future's output. A store works on threads of its own, and this one has
/// nothing else to do, so it needs no runtime.
pub(crate) fn wait<F: IntoFuture>(future: F) -> F::Output {
    let mut future = pin!(future.into_future());
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            // Waking before parking is not lost: the next park returns at once.
            Poll::Pending => thread::park(),
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_future_that_is_woken_by_another_thread_ends() {
        let mut waited = false;
        let answer = wait(std::future::poll_fn(|context| {
            if std::mem::replace(&mut waited, true) {
                return Poll::Ready(7);
            }
            let waker = context.waker().clone();
            thread::spawn(move || waker.wake());
            Poll::Pending
        }));
        assert_eq!(answer, 7);
    }
}
