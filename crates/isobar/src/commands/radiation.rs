//! `isobar radiation`: columns of air in, fluxes and heating rates of long-wave and short-wave radiation out.

mod choices;
mod tables;
mod write;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use isobar::plot;
use isobar_core::fields::{Declared, Kind, OwnedInputs};
use isobar_io::netcdf::Sample;
use isobar_io::{RadiationInput, RadiationRequest, read_radiation};
use isobar_launch::Device;
use isobar_optics::gases::{GASES, gas_number};
use isobar_radiation::{FluxViews, Options, Precision};

use super::column_results::{ColumnOutput, from_where, outside_in_words, summarize};
use super::compare::compare;
use super::memory::need_for_file;
use super::progress::{Progress, Waiting};
use super::{DeviceOptions, Failure, PrecisionOption, print_json};
use crate::case::warn;
use crate::output::files_in_use;
use choices::Choices;
pub(crate) use tables::Tables;

/// The options of `isobar radiation`.
#[derive(Args, Debug)]
pub(crate) struct Radiation {
    /// Columns, NetCDF: `level_pressure` (level, column), `temperature`, gases (layer, column); for the long wave
    /// `surface_temperature`, `emissivity` (column); for the short wave `cosine_zenith`, `surface_albedo` (column), and
    /// what else is known; RFMIP's; or WRF's `wrfinput` or `wrfout`
    columns: PathBuf,
    /// Fluxes and heating rates, NetCDF
    #[arg(short, long)]
    out: PathBuf,
    /// k-distribution of RRTMGP, ecCKD or Isobar's own, once for each spectrum that is to be computed; without it those
    /// of both that are in data/radiation, for which the folder `ISOBAR_DATA`, that of the platform, that of the columns
    /// and data/radiation are searched
    #[arg(long, value_name = "FILE")]
    kdist: Vec<PathBuf>,
    /// Tables of cloud optics, once for each k-distribution; without k-distributions and these, those of data/radiation
    #[arg(long, value_name = "FILE")]
    clouds: Vec<PathBuf>,
    /// Also draw fluxes and heating rates, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Also print how far the results are from those of another output file
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Constant mixing ratio of a gas in mol/mol, such as co2=420e-6; wins over the file's
    #[arg(long, value_name = "NAME=VALUE", value_parser = gas)]
    gas: Vec<(usize, f64)>,
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

impl Radiation {
    /// How many values lie outside of the tables, and what becomes of them.
    fn outside_in_words(&self, input: &RadiationInput) -> Option<String> {
        outside_in_words(input, self.choices.outside(), ["tables", "left as they are"])
    }
}

/// `co2=420e-6`.
fn gas(text: &str) -> Result<(usize, f64), String> {
    let (name, value) = text.split_once('=').ok_or("not of the form NAME=VALUE, such as co2=420e-6")?;
    let value = value.parse().ok().filter(|value: &f64| (0.0..=1.0).contains(value));
    let number = gas_number(&name.to_lowercase());
    let number = number.ok_or_else(|| format!("there is no gas {name:?}; known: {}", GASES.join(", ")))?;
    Ok((number, value.ok_or("the value is a mixing ratio in [0, 1] mol/mol")?))
}

pub(crate) fn run(options: &Radiation) -> Result<(), Failure> {
    let mut files = files_in_use(&options.out, options.plot.as_deref())?;
    files.reads("the columns", &options.columns)?;
    if let Some(other) = &options.compare {
        files.reads("what the results are compared with", other)?;
    }
    let output = ColumnOutput::create(&options.out, options.plot.as_deref())?;
    let tables = Tables::find(&options.kdist, &options.clouds, options.choices.roughness(), &options.columns)?;
    for path in tables.paths() {
        files.reads("a table", path)?;
    }
    let scheme = options.choices.scheme();
    // Inputs in two precisions, what follows from them, results, the file.
    need_for_file(!options.quiet, &options.columns, 90)?;
    let reading = Waiting::new(options.quiet, "reading the columns");
    let mut input = read_radiation(
        &options.columns,
        &RadiationRequest {
            spectra: tables.radiation()?.spectra(),
            options: &scheme,
            constants: &options.gas,
            assume_zero: options.assume_zero,
            clouds: options.choices.clouds(),
            outside: options.choices.outside(),
        },
    )?;
    drop(reading);
    input.columns.subcolumn_seed = vec![options.choices.seed; input.horizontal.iter().map(|&(_, size)| size).product()];
    if !options.quiet {
        eprintln!("k-distributions: {}", tables.description());
        if let Some(text) = options.outside_in_words(&input) {
            eprintln!("{text}");
        }
    }
    options.device.with_threads_telling(!options.quiet, |devices| match options.device.precision {
        PrecisionOption::F32 => solve::<f32>(options, &scheme, &tables, &input, devices, output),
        PrecisionOption::F64 => solve::<f64>(options, &scheme, &tables, &input, devices, output),
    })
}

fn solve<R: Precision + Sample>(
    options: &Radiation,
    scheme: &Options,
    tables: &Tables,
    input: &RadiationInput,
    devices: &[Device],
    output: ColumnOutput<'_>,
) -> Result<(), Failure> {
    let columns: usize = input.horizontal.iter().map(|&(_, size)| size).product();
    let layers = input.columns.temperature_k.len() / columns;
    let start = Instant::now();
    let progress = Progress::new(options.quiet, columns as u64, "columns");
    let model = tables.radiation::<R>()?.on(devices).progress(move |done| progress.reach(done));
    let fluxes = model.run(&input.columns.rounded(), scheme)?;
    drop(model);
    let seconds = start.elapsed().as_secs_f64();
    let bad = fluxes.status.iter().filter(|status| **status != 0).count();
    if bad > 0 {
        warn(format!("{bad} of {columns} columns have a status, and fill values"));
    }
    let draw = || plot::radiation::draw(&input.columns, &fluxes);
    output.write(options.quiet, draw, |file| write::write(options, tables, devices, (input, &fluxes), file))?;
    if !options.quiet {
        summarize([columns, layers], from_where(input.orientation), (devices, R::NAME), (seconds, 1));
    }
    if options.json {
        print_json(("columns", columns), bad, devices, seconds, &options.out);
    }
    if let Some(other) = &options.compare {
        let spectra = tables.radiation::<f64>()?;
        let compared = |declared: &&Declared| declared.kind == Kind::Real && spectra.spectra().wants(declared, scheme);
        compare(&options.out, other, FluxViews::<f64>::DECLARED.iter().filter(compared))?;
    }
    Failure::unless_all(bad, columns)
}
