//! The energy that processors take, as Linux shows the counters of Intel's and AMD's (RAPL, under
//! `/sys/class/powercap`): files of microjoules.

use std::fmt;
use std::path::{Path, PathBuf};

/// A processor with its cores and caches.
pub(crate) struct Package {
    zone: PathBuf,
    /// The counter begins anew after so many microjoules.
    range: u64,
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.zone.file_name().unwrap_or_default().to_string_lossy())
    }
}

impl Package {
    /// Microjoules since some time.
    pub(crate) fn read(&self) -> Result<u64, String> {
        number(&self.zone.join("energy_uj"))
    }

    /// Microjoules between two readings.
    pub(crate) fn between(&self, before: u64, after: u64) -> u64 {
        if after < before { self.range - before + after } else { after - before }
    }
}

fn number(file: &Path) -> Result<u64, String> {
    let bad = |why: String| format!("{}: {why}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| bad(error.to_string()))?;
    text.trim().parse().map_err(|_| bad(format!("'{}' is no number", text.trim())))
}

/// The packages below a folder, none where there is no such folder; not their parts, which they include.
///
/// # Errors
/// A counter that cannot be read.
pub(crate) fn packages(folder: &Path) -> Result<Vec<Package>, String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut zones: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    zones.retain(|zone| std::fs::read_to_string(zone.join("name")).is_ok_and(|name| name.starts_with("package")));
    zones.sort();
    let package = |zone: PathBuf| {
        let package = Package { range: number(&zone.join("max_energy_range_uj"))?, zone };
        package.read()?;
        Ok(package)
    };
    zones.into_iter().map(package).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A zone as Linux shows it.
    fn zone(folder: &Path, name: &str, kind: &str, energy: &str, range: &str) {
        let zone = folder.join(name);
        std::fs::create_dir(&zone).unwrap();
        for (file, text) in [("name", kind), ("energy_uj", energy), ("max_energy_range_uj", range)] {
            std::fs::write(zone.join(file), format!("{text}\n")).unwrap();
        }
    }

    #[test]
    fn packages_count_and_their_parts_do_not() {
        let folder = tempfile::tempdir().unwrap();
        zone(folder.path(), "intel-rapl:1", "package-1", "70", "1000");
        zone(folder.path(), "intel-rapl:0", "package-0", "950", "1000");
        zone(folder.path(), "intel-rapl:0:0", "core", "12", "1000");
        let found = packages(folder.path()).unwrap();
        let read: Vec<u64> = found.iter().map(|counter| counter.read().unwrap()).collect();
        assert_eq!(read, [950, 70]);
        assert_eq!(found[0].to_string(), "intel-rapl:0");
        assert_eq!(found[0].between(950, 990), 40);
        // Begun anew.
        assert_eq!(found[0].between(950, 20), 70);
    }

    #[test]
    fn a_counter_that_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        zone(folder.path(), "intel-rapl:0", "package-0", "much", "1000");
        let Err(text) = packages(folder.path()) else { panic!("'much' is no number") };
        assert!(text.ends_with("energy_uj: 'much' is no number"), "{text}");
        assert!(packages(&folder.path().join("nowhere")).unwrap().is_empty());
    }
}
