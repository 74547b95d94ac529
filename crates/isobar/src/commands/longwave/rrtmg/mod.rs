//! The long wave as RRTMG_LW computes it, with its coefficients.

mod choices;
mod compute;
mod k_set;
mod write;

use std::path::Path;
use std::time::Instant;

use isobar::plot;
use isobar_core::fields::{Declared, Kind};
use isobar_io::longwave::Absorber;
use isobar_io::netcdf::Sample;
use isobar_io::{LongwaveInput, LongwaveRequest, read_longwave};
use isobar_launch::Device;
use isobar_longwave::{FluxViews, Fluxes, KDistribution, Options, Precision};
use isobar_optics::gases::GASES;

use super::Longwave;
use crate::case::{note, warn};
use crate::commands::column_results::{ColumnOutput, outside_in_words};
use crate::commands::memory::need_for_file;
use crate::commands::progress::{Progress, Waiting};
use crate::commands::radiation::no_effect::refuse;
use crate::commands::radiation_files::Computed;
use crate::commands::{Failure, PrecisionOption, say_remarks};
pub(super) use choices::RrtmgChoices;
use k_set::KSet;

/// What was computed.
struct Run<'a, R> {
    input: &'a LongwaveInput,
    fluxes: Fluxes<R>,
}

pub(super) fn run(options: &Longwave, kdist: &Path) -> Result<(), Failure> {
    let files = &options.files;
    refuse(options.choices.on_command_line())?;
    let mut in_use = files.in_use()?;
    let output = ColumnOutput::create(&files.out, files.plot.as_deref())?;
    let k = KSet::open(kdist)?;
    in_use.reads("the k-distribution", &k.path)?;
    let scheme = options.scheme();
    // Inputs in two precisions, what follows from them, results, the file; two fluxes of each band, and copies of them.
    let bands = if scheme.band_fluxes { 10 * k.coefficients.bands.len() as u64 } else { 0 };
    let more = if options.of_rrtmg.top_layer { 12 } else { 0 } + if scheme.derivative { 6 } else { 0 };
    need_for_file(!files.print.quiet, &files.columns, 54 + bands + more)?;
    let constants = files.gas.iter().map(|&(gas, value)| Ok((absorber(GASES[gas])?, value)));
    let reading = Waiting::new(files.print.quiet, "reading the columns");
    let input = read_longwave(
        &files.columns,
        &LongwaveRequest {
            options: &scheme,
            spectrum: (k.coefficients.bands.len(), k.coefficients.points()),
            gases: &k.coefficients.gases(),
            halocarbons: &k.coefficients.halocarbons(),
            constants: &constants.collect::<Result<Vec<_>, Failure>>()?,
            assume_zero: files.assume_zero,
            clouds: options.choices.clouds(),
            cloud_fraction: options.choices.cloud_fraction(),
            outside: options.choices.outside(),
            keep_going: files.keep_going,
        },
    )?;
    drop(reading);
    if !files.print.quiet {
        tell!("k-distribution: {}", k.description());
    }
    if let Some(doubt) = KDistribution::doubt(&k.path).map_err(|error| Failure::new(error.to_string()))? {
        warn(doubt);
    }
    options.warn_of_useless(&input);
    for text in input.notes.iter().cloned().chain(options.outside_in_words(&input)) {
        note(files.print.quiet, text);
    }
    say_remarks(files.print.quiet, &files.columns, &input.derived, &input.remarks);
    files.device.with_threads_telling(!files.print.quiet, |devices| match files.device.precision {
        PrecisionOption::F32 => solve::<f32>(options, &scheme, &k, &input, devices, output),
        PrecisionOption::F64 => solve::<f64>(options, &scheme, &k, &input, devices, output),
    })
}

/// A gas that RRTMG_LW knows.
fn absorber(name: &str) -> Result<Absorber, Failure> {
    name.parse().map_err(|problem| Failure::usage(format!("--gas {name}: RRTMG_LW: {problem}")))
}

impl Longwave {
    /// How many values lie outside of the tables, and what becomes of them.
    fn outside_in_words(&self, input: &LongwaveInput) -> Option<String> {
        outside_in_words(
            input,
            self.choices.outside(),
            ["pressures and temperatures", "absorption tables", "extrapolated"],
        )
    }
}

fn solve<R: Precision + Sample>(
    options: &Longwave,
    scheme: &Options,
    k: &KSet,
    input: &LongwaveInput,
    devices: &[Device],
    output: ColumnOutput<'_>,
) -> Result<(), Failure> {
    let size = [input.columns.columns(), input.columns.layers()];
    let start = Instant::now();
    let progress = Progress::new(options.files.print.quiet, size[0] as u64, "columns");
    let mut fluxes = compute::compute::<R>(k, input, (scheme, options.of_rrtmg.top_layer), devices, progress)?;
    let seconds = start.elapsed().as_secs_f64();
    input.bad.iter().for_each(|bad| fluxes.status[bad.column] = bad.status.0);
    let run = Run { input, fluxes };
    let computed = Computed {
        size,
        orientation: input.orientation,
        derived: &input.derived,
        remarks: &input.remarks,
        bad: &input.bad,
        status: &run.fluxes.status,
        devices,
        precision: R::NAME,
        seconds,
    };
    let compared = |declared: &&Declared| declared.kind == Kind::Real && Options::default().wants(declared, true);
    options.files.finish(
        &computed,
        output,
        || plot::longwave::draw(&run.input.columns, &run.fluxes),
        |file| write::write(options, scheme, k, devices, &run, file),
        FluxViews::<f64>::DECLARED.iter().filter(compared),
    )
}
