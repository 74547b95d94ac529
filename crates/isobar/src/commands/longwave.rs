//! `isobar longwave`: columns of air in, long-wave fluxes and heating rates out, with the scheme that the
//! k-distribution is for.

mod rrtmg;

use std::path::{Path, PathBuf};

use clap::Args;
use isobar_io::netcdf::is_netcdf;

use super::Failure;
use super::radiation::choices::{AllChoices, Choices, LongwaveChoices, SolverOf, TableChoices};
use super::radiation::{Job, Waves, compute};
use super::radiation_files::RadiationFiles;
use crate::data_folder;
use rrtmg::RrtmgChoices;

/// The options of `isobar longwave`.
#[derive(Args, Debug)]
pub(crate) struct Longwave {
    #[command(flatten)]
    files: RadiationFiles,
    /// k-distribution: RRTMGP's or ecCKD's of the long wave, or Isobar's own; or RRTMG_LW's, RRTMG_LW_DATA or
    /// RRTMG_LW_DATA_DBL, whose scheme it takes then. A name without a folder is also looked for where
    /// `isobar data fetch` puts files. Without it ecCKD's of data/radiation, for which the folder `ISOBAR_DATA`, that
    /// of the platform, that of the columns and data/radiation are searched
    #[arg(long, value_name = "FILE")]
    kdist: Option<PathBuf>,
    #[command(flatten)]
    choices: Choices,
    #[command(flatten)]
    of_tables: TableChoices,
    #[command(flatten)]
    longwave: LongwaveChoices,
    #[command(flatten, next_help_heading = "With RRTMG_LW's k-distribution")]
    of_rrtmg: RrtmgChoices,
}

pub(crate) fn run(options: &Longwave) -> Result<(), Failure> {
    let kdist = options.kdist.as_deref().map(data_folder::named);
    match kdist.as_deref().filter(|path| !is_netcdf(path)) {
        Some(path) => {
            let useless = options.of_tables.with_rrtmg().or(options.longwave.with_rrtmg());
            refuse(useless.or(options.choices.with_rrtmg()), path)?;
            rrtmg::run(options, path)
        }
        None => {
            refuse(options.of_rrtmg.with_tables(), kdist.as_deref().unwrap_or(Path::new("data/radiation")))?;
            let Longwave { files, choices: common, of_tables, longwave, .. } = options;
            let choices = AllChoices { common, of_tables, longwave: Some(longwave) };
            compute(Job { files, choices, kdist: kdist.as_slice(), waves: Waves::Long })
        }
    }
}

/// An option that a k-distribution has no use for, and why.
type Useless = Option<(&'static str, &'static str)>;

/// Refuses such an option.
fn refuse(useless: Useless, path: &Path) -> Result<(), Failure> {
    match useless {
        None => Ok(()),
        Some((option, why)) => {
            Err(Failure::usage(format!("{option} is of no use with the k-distribution {}: {why}", path.display())))
        }
    }
}

impl TableChoices {
    /// The first that RRTMG_LW has no use for.
    fn with_rrtmg(&self) -> Useless {
        if !self.clouds.is_empty() {
            return Some(("--clouds", "RRTMG_LW's optics of clouds are --ice and --liquid"));
        }
        if !self.aerosols.is_empty() {
            return Some(("--aerosols", "RRTMG_LW reads the aerosol's optical depth"));
        }
        if self.clear_sky {
            return Some(("--clear-sky", "RRTMG_LW's fluxes without clouds are written in any case"));
        }
        if self.delta_scaling.is_some() {
            return Some(("--delta-scaling", "there is no sunlight"));
        }
        if self.rain_and_snow || self.rain_as_liquid || self.snow_as_ice {
            let option = match (self.rain_and_snow, self.rain_as_liquid) {
                (true, _) => "--rain-and-snow",
                (_, true) => "--rain-as-liquid",
                _ => "--snow-as-ice",
            };
            return Some((option, "RRTMG_LW's clouds are of liquid and ice"));
        }
        self.roughness.map(|_| ("--roughness", "RRTMG_LW's optics of ice are --ice"))
    }
}

impl Choices {
    /// The first that RRTMG_LW has no use for.
    fn with_rrtmg(&self) -> Useless {
        (self.solver() == SolverOf::Tripleclouds).then_some(("--solver tripleclouds", "it is for all others"))
    }
}

impl LongwaveChoices {
    /// The first that RRTMG_LW has no use for.
    fn with_rrtmg(&self) -> Useless {
        if self.longwave_scattering.is_some() {
            return Some(("--longwave-scattering", "RRTMG_LW's clouds only absorb"));
        }
        self.angles.map(|_| ("--angles", "RRTMG_LW's are --slants"))
    }
}
