//! How much memory a piece of work may take.
//!
//! Systems promise more memory than there is, and end the process that uses it. So what a piece of work needs is
//! estimated before it begins, and compared with the least of what limits the process.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Memory that the process may still have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Available {
    /// Its bytes.
    pub bytes: u64,
    /// What sets the limit, in words.
    pub limit: Limit,
}

/// What limits a process's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `RLIMIT_AS`: `ulimit -v`.
    AddressSpace,
    /// The process's control group: a container, a batch system.
    ControlGroup,
    /// What the machine has.
    Machine,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AddressSpace => "within the limit of `ulimit -v`",
            Self::ControlGroup => "within the limit of the control group",
            Self::Machine => "free on this machine",
        })
    }
}

/// Work that takes more memory than there is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what} take about {} of memory, and {} are {}; {fits}",
    Bytes(*needed),
    Bytes(available.bytes),
    available.limit
)]
pub struct TooLarge {
    /// The work, in words, plural.
    pub what: String,
    /// The bytes that it needs, about.
    pub needed: u64,
    /// What there is.
    pub available: Available,
    /// What would fit, in words.
    pub fits: String,
}

/// Refuses work that needs more bytes than there are; `fits` says in words what as many as are given hold. Does nothing
/// where it is not known how many there are.
///
/// # Errors
/// [`TooLarge`].
pub fn check(what: &str, needed: u64, fits: impl FnOnce(u64) -> String) -> Result<(), TooLarge> {
    match available() {
        Some(available) if available.bytes < needed => {
            Err(TooLarge { what: what.to_owned(), needed, available, fits: fits(available.bytes) })
        }
        _ => Ok(()),
    }
}

/// Refuses all work where `ulimit -v` leaves hardly more addresses than the program has taken to start: files could not
/// even be opened to see how large they are.
///
/// # Errors
/// [`TooLarge`].
pub fn check_start() -> Result<(), TooLarge> {
    let read = |path: &str| fs::read_to_string(path).ok();
    let left = || addresses_left(&read("/proc/self/limits")?, &read("/proc/self/status")?);
    match left() {
        Some(bytes) if bytes < OF_FILES => Err(TooLarge {
            what: "buffers of files".to_owned(),
            needed: OF_FILES,
            available: Available { bytes, limit: Limit::AddressSpace },
            fits: "the program itself takes the rest".to_owned(),
        }),
        _ => Ok(()),
    }
}

/// The memory that this process may still have: the least of what `ulimit -v`, its control groups and the machine leave
/// it. None where the system does not tell (other systems than Linux).
#[must_use]
pub fn available() -> Option<Available> {
    let read = |path: &str| fs::read_to_string(path).ok();
    let address_space = || address_space(&read("/proc/self/limits")?, &read("/proc/self/status")?);
    let groups = || control_group(&read("/proc/self/cgroup")?, Path::new("/sys/fs/cgroup"));
    let machine = || kilobytes(&read("/proc/meminfo")?, "MemAvailable:");
    let limits = [(address_space(), Limit::AddressSpace), (groups(), Limit::ControlGroup), (machine(), Limit::Machine)];
    let known = limits.into_iter().filter_map(|(bytes, limit)| Some(Available { bytes: bytes?, limit }));
    known.min_by_key(|available| available.bytes)
}

/// Addresses that are left for libraries and small things.
const ASIDE: u64 = 48 << 20;
/// Addresses without which no file is opened.
const OF_FILES: u64 = 16 << 20;
/// Addresses that are left for the stack of a thread.
const OF_A_THREAD: u64 = 4 << 20;

/// Bytes as people read them.
#[derive(Clone, Copy, Debug)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 7] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
        let (mut size, mut unit) = (self.0 as f64, 0);
        while size >= 999.5 && unit + 1 < UNITS.len() {
            size /= 1000.0;
            unit += 1;
        }
        let digits = if unit == 0 || size >= 99.5 { 0 } else { 1 };
        write!(f, "{size:.digits$} {}", UNITS[unit])
    }
}

/// Is there a limit of `ulimit -v`?
#[must_use]
pub fn has_address_limit() -> bool {
    let limits = fs::read_to_string("/proc/self/limits");
    limits.is_ok_and(|limits| address_space(&limits, "VmSize: 0 kB").is_some())
}

/// What `RLIMIT_AS` leaves of the process's addresses, but for those of threads and libraries to come.
fn address_space(limits: &str, status: &str) -> Option<u64> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    Some(addresses_left(limits, status)?.saturating_sub(ASIDE + threads * OF_A_THREAD))
}

/// What `RLIMIT_AS` leaves of the process's addresses.
fn addresses_left(limits: &str, status: &str) -> Option<u64> {
    let line = limits.lines().find(|line| line.starts_with("Max address space"))?;
    let most: u64 = line.split_whitespace().nth(3)?.parse().ok()?;
    Some(most.saturating_sub(kilobytes(status, "VmSize:")?))
}

/// The bytes of a line such as `MemAvailable:   22740900 kB`.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(key))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|size| size.saturating_mul(1024))
}

/// What the control groups of a process leave it, by `/proc/self/cgroup` and the folder of all groups.
fn control_group(groups: &str, root: &Path) -> Option<u64> {
    let group = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?.trim_start_matches('/'));
        if controllers.is_empty() {
            // Version 2, alone or beside version 1.
            let root = if root.join("unified").is_dir() { root.join("unified") } else { root.to_owned() };
            least(&root, path, ["memory.max", "memory.current"], "inactive_file ")
        } else if controllers.split(',').any(|controller| controller == "memory") {
            let files = ["memory.limit_in_bytes", "memory.usage_in_bytes"];
            least(&root.join("memory"), path, files, "total_inactive_file ")
        } else {
            None
        }
    };
    groups.lines().filter_map(group).min()
}

/// The least that a group and the groups around it leave: the limit, less what is used, but for what the system gives
/// back of its cache of files. A container sees its own group as the root.
fn least(root: &Path, path: &str, [limit, usage]: [&str; 2], cache: &str) -> Option<u64> {
    let number = |path: PathBuf| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let left = |folder: &Path| {
        let most = number(folder.join(limit))?;
        let used = number(folder.join(usage)).unwrap_or(0);
        let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let cache = stat.lines().find_map(|line| line.strip_prefix(cache)?.trim().parse::<u64>().ok()).unwrap_or(0);
        Some(most.saturating_sub(used.saturating_sub(cache)))
    };
    let own = root.join(path);
    own.ancestors().take_while(|folder| folder.starts_with(root)).filter_map(left).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_the_system_writes_them() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max cpu time              unlimited            unlimited            seconds   \n\
                      Max address space         2048000000           unlimited            bytes     \n";
        let left = address_space(limits, "Name:\tisobar\nVmSize:\t 1000000 kB\n").unwrap();
        assert!((500_000_000..1_024_000_000).contains(&left) || left == 0, "{left}");
        assert_eq!(address_space(&limits.replace("2048000000", "unlimited"), "VmSize:\t 1 kB\n"), None);
        assert_eq!(address_space(limits, "VmSize:\t 9000000 kB\n"), Some(0));
    }

    #[test]
    fn the_least_of_all_groups_counts() {
        let folder = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put("a/b/memory.max", "max\n");
        put("a/memory.max", "1000\n");
        put("a/memory.current", "700\n");
        put("a/memory.stat", "anon 300\ninactive_file 250\n");
        assert_eq!(control_group("0::/a/b\n", folder.path()), Some(550));
        // In a container the path is not there, and the root is the group.
        put("memory.max", "400\n");
        assert_eq!(control_group("0::/elsewhere\n", folder.path()), Some(400));
        put("memory/job/memory.limit_in_bytes", "5000\n");
        put("memory/job/memory.usage_in_bytes", "1000\n");
        assert_eq!(control_group("5:cpu:/job\n4:cpuset,memory:/job\n", folder.path()), Some(4000));
        assert_eq!(control_group("5:cpu:/job\n", folder.path()), None);
    }

    #[test]
    fn too_large_is_one_line_that_says_what_fits() {
        let error = check("seven columns", u64::MAX, |bytes| format!("{} do", u64::from(bytes > 0))).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("seven columns take about 18.4 EB of memory, and ") && text.ends_with("; 1 do"),
            "{text}"
        );
        assert!(check("nothing", 0, |_| unreachable!()).is_ok());
        let words = [999, 1000, 99_449, 99_500, 999_499, 999_500].map(|bytes| Bytes(bytes).to_string());
        assert_eq!(words, ["999 B", "1.0 kB", "99.4 kB", "100 kB", "999 kB", "1.0 MB"]);
    }
}
