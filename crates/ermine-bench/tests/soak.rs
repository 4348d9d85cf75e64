//! The soak of processes that share a store, in short.

use std::process::Command;

#[test]
fn a_killed_daemon_is_taken_over_and_every_event_is_applied_once() {
    let soak = Command::new(env!("CARGO_BIN_EXE_ermine-bench"))
        .args(["soak", "daemon", "4", "--lease", "600"])
        .output()
        .unwrap();
    let (told, failed) = (
        String::from_utf8_lossy(&soak.stdout),
        String::from_utf8_lossy(&soak.stderr),
    );
    assert!(soak.status.success(), "{told}{failed}");
    assert!(told.contains("each applied once"), "{told}");
}
