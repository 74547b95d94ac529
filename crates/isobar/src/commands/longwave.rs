//! `isobar longwave`: columns of air in, long-wave fluxes and heating rates out.

use std::path::PathBuf;

use clap::Args;

use super::radiation::all_choices::AllChoices;
use super::radiation::choices::{Choices, LongwaveChoices, TableChoices};
use super::radiation::rrtmg::RrtmgChoices;
use super::radiation::{Job, compute};
use super::radiation_files::RadiationFiles;
use crate::inputs::k_distributions::Waves;
use crate::program::failure::Failure;

/// The options of `isobar longwave`.
#[derive(Args, Debug)]
pub(crate) struct Longwave {
    #[command(flatten)]
    files: RadiationFiles,
    /// k-distribution: RRTMGP's or ecCKD's of the long wave, or Isobar's own; or RRTMG_LW's, RRTMG_LW_DATA or
    /// RRTMG_LW_DATA_DBL. A name without a folder is also looked for where `isobar data fetch` puts files. Without it
    /// ecCKD's of data/radiation, for which the folder `ISOBAR_DATA`, that of the platform, that of the columns and
    /// data/radiation are searched
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
    let Longwave { files, kdist, choices: common, of_tables, longwave, of_rrtmg } = options;
    let choices = AllChoices {
        common,
        of_tables,
        longwave: Some(longwave),
        gradient: None,
        samples: None,
        of_rrtmg: Some(of_rrtmg),
    };
    compute(Job { files, choices, kdist: kdist.as_slice(), waves: Waves::Long })
}
