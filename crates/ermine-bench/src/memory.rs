//! How much memory the process has taken at most.

/// Prints it; the kernel tells on Linux only.
pub(crate) fn print() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|value| value.split_whitespace().next())
        .and_then(|kibibytes| kibibytes.parse::<f64>().ok());
    match peak {
        Some(kibibytes) => println!("memory: {:.0} MB at most so far", kibibytes * 1024.0 / 1e6),
        None => println!("memory: not known on this system"),
    }
}
