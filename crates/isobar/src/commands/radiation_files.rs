//! What all commands on radiation have alike: files, gases and devices, and what becomes of results.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use isobar_core::fields::Declared;
use isobar_io::netcdf::{Orientation, Remarks};
use isobar_io::{BadColumn, FilesInUse, names_not_read};
use isobar_launch::Device;
use isobar_optics::gases::{GASES, gas_number};

use super::column_results::{MASKED, from_where, summarize};
use super::compare::compare;
use super::ranks::FileRanks;
use super::{json_summary, with_remarks};
use crate::program::failure::Failure;
use crate::program::options::{BadColumns, DeviceOptions, Printing};
use crate::program::output::ResultFiles;
use crate::program::remarks::warn;

/// Files, gases and devices.
#[derive(Args, Debug)]
pub(super) struct RadiationFiles {
    /// Columns, NetCDF: `level_pressure` (level, column), `temperature`, gases (layer, column); for the long wave
    /// `surface_temperature`, `emissivity` (column); for the short wave `cosine_zenith` or `solar_zenith_angle`,
    /// `surface_albedo` (column), and what else is known; or those of WRF, MPAS, CAM, ICON, ERA5, CMIP6, RFMIP and
    /// ecRad. Several files complete each other, levels in one, the surface in another, or go on in time
    #[arg(required = true)]
    pub(super) columns: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) results: ResultFiles,
    /// Also print how far the results are from those of another output file
    #[arg(long, conflicts_with = "json", value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Constant mixing ratio of a gas in mol/mol, such as co2=420e-6; wins over the file's
    #[arg(long, value_name = "NAME=VALUE", value_parser = gas)]
    pub(super) gas: Vec<(usize, f64)>,
    /// What the file calls something by a name that is not known, such as co2=xco2: our name, as `isobar check` has it,
    /// and the file's
    #[arg(long, value_name = "NAME=VARIABLE", value_parser = name)]
    name: Vec<(String, String)>,
    /// The dimension of layers, where neither its name nor its coordinate says so
    #[arg(long, value_name = "DIMENSION")]
    vertical: Option<String>,
    /// Take gases that are missing for zero
    #[arg(long)]
    pub(super) assume_zero: bool,
    /// Columns of a part of the file, of which up to twelve are in memory: fewer take less of it, and results have the
    /// same bits. Unless it is given, all of a small file, and of a larger one as many as have 131,072 layers
    #[arg(long, value_name = "COLUMNS")]
    at_once: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(super) ranks: FileRanks,
    #[command(flatten)]
    pub(super) bad: BadColumns,
    #[command(flatten)]
    pub(super) device: DeviceOptions,
    #[command(flatten)]
    pub(super) print: Printing,
}

/// `co2=420e-6`: the gas's number in [`GASES`], and the mixing ratio.
pub(super) fn gas(text: &str) -> Result<(usize, f64), String> {
    let (name, value) = text.split_once('=').ok_or("not of the form NAME=VALUE, such as co2=420e-6")?;
    let value = value.parse().ok().filter(|value: &f64| (0.0..=1.0).contains(value));
    let number = gas_number(&name.to_lowercase());
    let number = number.ok_or_else(|| format!("there is no gas {name:?}; known: {}", GASES.join(", ")))?;
    Ok((number, value.ok_or("the value is a mixing ratio in [0, 1] mol/mol")?))
}

/// `co2=xco2`.
pub(super) fn name(text: &str) -> Result<(String, String), String> {
    let (ours, theirs) = text.split_once('=').ok_or("not of the form NAME=VARIABLE, such as co2=xco2")?;
    Ok((ours.to_owned(), theirs.to_owned()))
}

/// Results, and what it took.
pub(super) struct Computed<'a> {
    /// Columns and layers.
    pub(super) size: [usize; 2],
    pub(super) orientation: Orientation,
    /// What the file did not have, and what else there is to say of it.
    pub(super) derived: &'a [String],
    pub(super) remarks: &'a Remarks,
    /// The first of the columns that were left out.
    pub(super) bad: Option<&'a BadColumn>,
    pub(super) counts: Counts,
    pub(super) devices: &'a [Device],
    pub(super) precision: &'static str,
    pub(super) seconds: f64,
}

/// How many columns were not computed, how many values lie outside of the tables, and in how many columns the Sun is
/// lower than layers can have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) failed: usize,
    pub(super) masked: usize,
    pub(super) outside: usize,
    pub(super) low_suns: usize,
}

impl Counts {
    pub(super) fn of(status: &[u32], outside: usize, low_suns: usize) -> Self {
        let masked = status.iter().filter(|status| **status == MASKED).count();
        Self { failed: status.iter().filter(|status| **status != 0).count() - masked, masked, outside, low_suns }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.failed += other.failed;
        self.masked += other.masked;
        self.outside += other.outside;
        self.low_suns += other.low_suns;
    }
}

impl RadiationFiles {
    /// Refuses a gas that is given twice.
    fn check_gases(&self) -> Result<(), Failure> {
        let again = |(index, (gas, _)): (usize, &(usize, f64))| {
            self.gas[..index].iter().any(|(other, _)| other == gas).then_some(GASES[*gas])
        };
        match self.gas.iter().enumerate().find_map(again) {
            Some(gas) => Err(Failure::usage(format!("--gas {gas} is given twice"))),
            None => Ok(()),
        }
    }

    /// The files that are written and read so far; none may be two of them.
    pub(super) fn in_use(&self) -> Result<FilesInUse, Failure> {
        self.check_gases()?;
        let mut files = self.results.in_use()?;
        self.columns.iter().try_for_each(|path| files.reads("the columns", path))?;
        if let Some(other) = &self.compare {
            files.reads("what the results are compared with", other)?;
        }
        Ok(files)
    }

    /// Our names, and the file's.
    pub(super) fn names(&self) -> &[(String, String)] {
        &self.name
    }

    /// The dimension of layers, if it was named.
    pub(super) fn vertical(&self) -> Option<&str> {
        self.vertical.as_deref()
    }

    /// Warns of names that nothing was read by.
    pub(super) fn warn_of_names(&self, read: &[(&'static str, String)]) {
        for ((ours, theirs), why) in names_not_read(&self.name, read) {
            warn(format!("--name {ours}={theirs} has no effect: {why}"));
        }
    }

    /// The columns that are read, computed and written at a time, if not all.
    pub(super) fn at_once(&self) -> Option<usize> {
        self.at_once.map(NonZeroUsize::get)
    }

    /// Warns of columns that were not computed.
    pub(super) fn warn_of_bad(&self, computed: &Computed<'_>) {
        let bad = computed.counts.failed;
        if bad > 0 {
            let first = computed.bad.map(|first| format!("; the first: {}", first.text)).unwrap_or_default();
            warn(format!("{bad} of {} columns have a status, and fill values{first}", computed.size[0]));
        }
    }

    /// Says of results that are written how long they took, and compares these fields of them.
    pub(super) fn report(
        &self,
        computed: &Computed<'_>,
        compared: impl Iterator<Item = &'static Declared>,
    ) -> Result<(), Failure> {
        let &Computed { size, orientation, derived, remarks, devices, precision, seconds, .. } = computed;
        let Counts { failed: bad, masked, .. } = computed.counts;
        if !self.print.quiet() {
            summarize(size, from_where(orientation), (devices, precision), (seconds, 1));
        }
        if self.print.json() {
            let summary = json_summary(("columns", size[0]), bad, devices, seconds, &self.results.out);
            let mut summary = with_remarks(summary, derived, remarks);
            summary["masked"] = masked.into();
            crate::program::print::summary(summary);
        }
        if let Some(other) = &self.compare {
            compare([&self.results.out, other], self.vertical(), compared)?;
        }
        Failure::unless_all(bad, size[0] - masked)
    }
}
