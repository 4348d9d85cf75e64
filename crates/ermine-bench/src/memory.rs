//! How much memory the process has taken at most.

/// In bytes; the kernel tells on Linux only.
pub(crate) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Prints it.
pub(crate) fn print() {
    match peak() {
        Some(bytes) => println!("memory: {:.0} MB at most so far", bytes as f64 / 1e6),
        None => println!("memory: not known on this system"),
    }
}
