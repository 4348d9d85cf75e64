//! `ermine daemon run`.

use std::thread;

use ermine::ErrorPolicy;

use super::catch_up::tell_until_caught_up;
use super::{Telling, catch_up, open};
use crate::arguments::{OnError, Run};
use crate::failure::{Failure, Finished};
use crate::wait::wait;

/// Runs the projections until they have caught up, or until the process is told to stop.
pub(super) fn run(arguments: &Run) -> Result<Finished, Failure> {
    let store = open(&arguments.store)?;
    let daemon = store.daemon().on_error(match arguments.on_error {
        OnError::Stop => ErrorPolicy::Stop,
        OnError::Park => ErrorPolicy::Park,
    });
    if arguments.once {
        catch_up(&daemon, Telling::Shown)?;
        return Ok(Finished::Whole);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("signals cannot be waited for: {error}")))?;
    let running = daemon.spawn()?;
    eprintln!("ermine: the daemon runs; Ctrl-C ends it");
    // It ends with the process, at the latest.
    thread::spawn(move || tell_until_caught_up(&daemon));
    runtime
        .block_on(told_to_stop())
        .map_err(|error| Failure::new(format!("signals cannot be waited for: {error}")))?;
    wait(running.stop());
    eprintln!("ermine: the daemon has stopped");
    Ok(Finished::Whole)
}

#[cfg(unix)]
async fn told_to_stop() -> std::io::Result<()> {
    use std::task::Poll;
    use tokio::signal::unix::{SignalKind, signal};
    let mut signals = [
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
    ];
    let told = std::future::poll_fn(|context| {
        let told = signals.iter_mut().any(|s| s.poll_recv(context).is_ready());
        if told { Poll::Ready(()) } else { Poll::Pending }
    });
    told.await;
    Ok(())
}

#[cfg(not(unix))]
async fn told_to_stop() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
