//! `isobar longwave`: columns of air in, long-wave fluxes and heating rates out.

mod choices;
mod compute;
mod k_set;
mod write;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use isobar::plot;
use isobar_core::fields::{Declared, Kind};
use isobar_io::longwave::Absorber;
use isobar_io::netcdf::Sample;
use isobar_io::{LongwaveInput, LongwaveRequest, read_longwave};
use isobar_launch::Device;
use isobar_longwave::{FluxViews, Fluxes, KDistribution, Options, Precision};

use super::column_results::{ColumnOutput, from_where, outside_in_words, summarize};
use super::compare::compare;
use super::memory::need_for_file;
use super::progress::{Progress, Waiting};
use super::{DeviceOptions, Failure, PrecisionOption, print_json};
use crate::case::warn;
use crate::output::files_in_use;
use choices::Choices;
use k_set::KSet;

/// The options of `isobar longwave`.
#[derive(Args, Debug)]
pub(crate) struct Longwave {
    /// Columns, NetCDF: `level_pressure`, `level_temperature` (level, column), `temperature`, gases (layer, column),
    /// `surface_temperature`, `emissivity` (column) and what else is known; RFMIP's; or WRF's `wrfinput` or `wrfout`
    columns: PathBuf,
    /// Fluxes and heating rates, NetCDF
    #[arg(short, long)]
    out: PathBuf,
    /// k-distribution: RRTMG_LW_DATA, RRTMG_LW_DATA_DBL, or Isobar's own file; without it the folder ISOBAR_DATA, that
    /// of `isobar data fetch`, and demonstration.kd beside the columns are searched
    #[arg(long, value_name = "FILE")]
    kdist: Option<PathBuf>,
    /// Also draw fluxes and heating rates, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Also print how far the results are from those of another output file
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Constant mixing ratio of a gas in mol/mol, such as co2=420e-6; wins over the file's
    #[arg(long, value_name = "NAME=VALUE", value_parser = gas)]
    gas: Vec<(Absorber, f64)>,
    /// Take gases that are missing for zero
    #[arg(long)]
    assume_zero: bool,
    #[command(flatten)]
    choices: Choices,
    #[command(flatten)]
    device: DeviceOptions,
    /// Print nothing but warnings and errors
    #[arg(long)]
    quiet: bool,
    /// Print a summary as JSON on standard output
    #[arg(long, conflicts_with = "compare")]
    json: bool,
}

impl Longwave {
    /// How many values lie outside of the tables, and what becomes of them.
    fn outside_in_words(&self, input: &LongwaveInput) -> Option<String> {
        outside_in_words(input, self.choices.outside(), ["absorption tables", "extrapolated"])
    }
}

/// `co2=420e-6`.
fn gas(text: &str) -> Result<(Absorber, f64), String> {
    let (name, value) = text.split_once('=').ok_or("not of the form NAME=VALUE, such as co2=420e-6")?;
    let value = value.parse().ok().filter(|value: &f64| (0.0..=1.0).contains(value));
    Ok((name.parse()?, value.ok_or("the value is a mixing ratio in [0, 1] mol/mol")?))
}

/// What was computed.
pub(crate) struct Run<'a, R> {
    pub(crate) input: &'a LongwaveInput,
    pub(crate) fluxes: Fluxes<R>,
}

pub(crate) fn run(options: &Longwave) -> Result<(), Failure> {
    let mut files = files_in_use(&options.out, options.plot.as_deref())?;
    files.reads("the columns", &options.columns)?;
    if let Some(other) = &options.compare {
        files.reads("what the results are compared with", other)?;
    }
    let output = ColumnOutput::create(&options.out, options.plot.as_deref())?;
    let k = KSet::find(options.kdist.as_deref(), &options.columns)?;
    files.reads("the k-distribution", &k.path)?;
    let scheme = options.choices.scheme();
    // Inputs in two precisions, what follows from them, results, the file; two fluxes of each band, and copies of them.
    let bands = if scheme.band_fluxes { 10 * k.coefficients.bands.len() as u64 } else { 0 };
    let more = if options.choices.top_layer { 12 } else { 0 } + if scheme.derivative { 6 } else { 0 };
    need_for_file(!options.quiet, &options.columns, 54 + bands + more)?;
    let reading = Waiting::new(options.quiet, "reading the columns");
    let input = read_longwave(
        &options.columns,
        &LongwaveRequest {
            options: &scheme,
            spectrum: (k.coefficients.bands.len(), k.coefficients.points()),
            gases: &k.coefficients.gases(),
            halocarbons: &k.coefficients.halocarbons(),
            constants: &options.gas,
            assume_zero: options.assume_zero,
            clouds: options.choices.clouds(),
            outside: options.choices.outside(),
        },
    )?;
    drop(reading);
    if k.coefficients.is_demonstration() {
        warn(format!("k-distribution for demonstration only, not for science: {}", k.path.display()));
    } else if !options.quiet {
        eprintln!("k-distribution: {}", k.description());
    }
    if let Some(doubt) = KDistribution::doubt(&k.path).map_err(|error| Failure::new(error.to_string()))? {
        warn(doubt);
    }
    if let Some(text) = options.outside_in_words(&input)
        && !options.quiet
    {
        eprintln!("{text}");
    }
    options.device.with_threads_telling(!options.quiet, |devices| match options.device.precision {
        PrecisionOption::F32 => solve::<f32>(options, &scheme, &k, &input, devices, output),
        PrecisionOption::F64 => solve::<f64>(options, &scheme, &k, &input, devices, output),
    })
}

fn solve<R: Precision + Sample>(
    options: &Longwave,
    scheme: &Options,
    k: &KSet,
    input: &LongwaveInput,
    devices: &[Device],
    output: ColumnOutput<'_>,
) -> Result<(), Failure> {
    let (columns, layers) = (input.columns.columns(), input.columns.layers());
    let start = Instant::now();
    let progress = Progress::new(options.quiet, columns as u64, "columns");
    let fluxes = compute::compute::<R>(k, input, (scheme, options.choices.top_layer), devices, progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let run = Run { input, fluxes };
    let bad = run.fluxes.status.iter().filter(|status| **status != 0).count();
    if bad > 0 {
        warn(format!("{bad} of {columns} columns have a status, and fill values"));
    }
    let draw = || plot::longwave::draw(&run.input.columns, &run.fluxes);
    output.write(options.quiet, draw, |file| write::write(options, scheme, k, devices, &run, file))?;
    if !options.quiet {
        summarize([columns, layers], from_where(input.orientation), (devices, R::NAME), (seconds, 1));
    }
    if options.json {
        print_json(("columns", columns), bad, devices, seconds, &options.out);
    }
    if let Some(other) = &options.compare {
        let compared = |declared: &&Declared| declared.kind == Kind::Real && Options::default().wants(declared, true);
        compare(&options.out, other, FluxViews::<f64>::DECLARED.iter().filter(compared))?;
    }
    Failure::unless_all(bad, columns)
}
