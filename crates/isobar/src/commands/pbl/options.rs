//! What is computed, and how.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use isobar_ysu::{Options, Version};

use crate::program::options::{BadColumns, DeviceOptions, Printing};
use crate::program::output::ResultFiles;

/// The options of `isobar pbl`.
#[derive(Args, Debug)]
pub(crate) struct Pbl {
    /// Columns, NetCDF: WRF's `wrfinput` or `wrfout`; or `u`, `v`, `t`, `qv`, `p` (layer, column), `p_int` (level,
    /// column), `znt`, `xland`, `hfx`, `qfx` (column) and what else is known
    pub(super) columns: PathBuf,
    #[command(flatten)]
    pub(super) results: ResultFiles,
    /// Time step in seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) dt: f64,
    /// Apply the scheme N times, with the state changed by its tendencies, and write the last state, too; the results
    /// are those of the last time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) steps: Option<u32>,
    /// Whose version of the scheme
    #[arg(long, value_enum, default_value = "wrf4")]
    pub(super) version: VersionOption,
    /// Mix downward from cloud tops that cool, too; needs `rthraten` (layer, column)
    #[arg(long)]
    pub(super) top_down: bool,
    /// Drag over unresolved orography; needs `ctopo` and `ctopo2` (column)
    #[arg(long)]
    pub(super) topographic: bool,
    #[command(flatten)]
    pub(super) bad: BadColumns,
    #[command(flatten)]
    pub(super) device: DeviceOptions,
    #[command(flatten)]
    pub(super) print: Printing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum VersionOption {
    /// WRF 4
    Wrf4,
    /// WRF 3.6.1
    Wrf361,
}

/// A positive number.
fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds < f64::INFINITY);
    number.ok_or_else(|| "a number of seconds in (0, inf)".to_owned())
}

impl Pbl {
    pub(super) fn scheme(&self) -> Options {
        let version = match self.version {
            VersionOption::Wrf4 => Version::Wrf4,
            VersionOption::Wrf361 => Version::Wrf361,
        };
        Options { version, top_down: self.top_down, topographic: self.topographic, ..Options::new(self.dt) }
    }

    /// How often the scheme is applied.
    pub(super) fn times(&self) -> u32 {
        self.steps.unwrap_or(1)
    }
}
