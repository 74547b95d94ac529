//! The targets by name, and the files with which each begins: `cargo xtask fuzz` takes this file, too.

/// A target.
#[derive(Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// The longest input in bytes.
    pub longest: usize,
    /// Files of `data` that are inputs to begin with, besides those in `fuzz/corpus/NAME`.
    pub seeds: &'static [&'static str],
}

/// All targets.
#[rustfmt::skip]
pub const TARGETS: [Target; 16] = [
    Target { name: "adding", longest: 1 << 15, seeds: &["adding/profiles.nc", "adding/ocean.nc"] },
    Target { name: "atmosphere", longest: 1 << 13, seeds: &["limb/atm.tab"] },
    Target { name: "boundary_layer", longest: 1 << 15, seeds: &["pbl/columns.nc"] },
    Target { name: "case", longest: 1 << 12, seeds: &["column/case.toml", "column/gabls1.toml", "column/gabls3.toml"] },
    Target { name: "cell_file", longest: 1 << 12, seeds: &[] },
    Target { name: "chemistry", longest: 1 << 15, seeds: &["chemistry/cells.nc"] },
    Target { name: "control", longest: 1 << 13, seeds: &["limb/limb.ctl", "nadir/nadir.ctl"] },
    Target { name: "k_distribution", longest: 1 << 10, seeds: &[] },
    Target { name: "kpp", longest: 1 << 13, seeds: &["mechanisms/chapman_nox.kpp", "column/ozone_nox.kpp"] },
    Target { name: "longwave", longest: 1 << 15, seeds: &["radiation/columns.nc"] },
    Target { name: "netcdf", longest: 1 << 8, seeds: &[] },
    Target { name: "observation", longest: 1 << 13, seeds: &["limb/obs.tab", "limb/rad.tab"] },
    Target { name: "restart", longest: 1 << 7, seeds: &[] },
    Target { name: "shape", longest: 1 << 12, seeds: &["tables/demo_792.0000.filt"] },
    Target { name: "table_ascii", longest: 1 << 13, seeds: &[] },
    Target { name: "table_binary", longest: 1 << 17, seeds: &["tables/demo_792.0000_CO2.bin"] },
];

/// The files with which a target begins, below the root of the repository.
///
/// # Errors
/// A folder that cannot be read.
pub fn seeds(target: &Target, root: &std::path::Path) -> std::io::Result<Vec<std::path::PathBuf>> {
    let mut files: Vec<_> = target.seeds.iter().map(|file| root.join("data").join(file)).collect();
    let own = root.join("fuzz/corpus").join(target.name);
    // Not every target has more.
    if own.is_dir() {
        for entry in std::fs::read_dir(own)? {
            files.push(entry?.path());
        }
    }
    files.sort();
    Ok(files)
}
