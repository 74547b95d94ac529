//! `isobar pbl`: columns of air in, boundary-layer tendencies out.

mod steps;
mod write;

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use isobar::plot;
use isobar_io::netcdf::Sample;
use isobar_io::{BoundaryLayerInput, read_boundary_layer};
use isobar_launch::Device;
use isobar_ysu::{Options, Precision, Version};

use super::column_results::{ColumnOutput, summarize};
use super::memory::need_for_file;
use super::progress::{Progress, patiently};
use super::{DeviceOptions, Failure, PrecisionOption, Printing, json_summary, say_remarks, with_remarks};
use crate::case::warn;
use crate::output::files_in_use;
use steps::Run;

/// The options of `isobar pbl`.
#[derive(Args, Debug)]
pub(crate) struct Pbl {
    /// Columns, NetCDF: WRF's `wrfinput` or `wrfout`; or `u`, `v`, `t`, `qv`, `p` (layer, column), `p_int` (level,
    /// column), `znt`, `xland`, `hfx`, `qfx` (column) and what else is known
    columns: PathBuf,
    /// Tendencies, NetCDF
    #[arg(short, long)]
    out: PathBuf,
    /// Also draw profiles before and after, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Time step in seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    dt: f64,
    /// Apply the scheme so many times, with the state changed by its tendencies, and write the last state, too; the
    /// results are those of the last time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    steps: Option<u32>,
    /// Whose version of the scheme
    #[arg(long, value_enum, default_value = "wrf4")]
    version: Of,
    /// Mix downward from cloud tops that cool, too; needs `rthraten` (layer, column)
    #[arg(long)]
    top_down: bool,
    /// Drag over unresolved orography; needs `ctopo` and `ctopo2` (column)
    #[arg(long)]
    topographic: bool,
    /// Leave out columns with values that are missing or out of range, instead of stopping: they get a status and fill
    /// values
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    print: Printing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Of {
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
    fn scheme(&self) -> Options {
        let version = match self.version {
            Of::Wrf4 => Version::Wrf4,
            Of::Wrf361 => Version::Wrf361,
        };
        Options { version, top_down: self.top_down, topographic: self.topographic, ..Options::new(self.dt) }
    }

    /// How often the scheme is applied.
    fn times(&self) -> u32 {
        self.steps.unwrap_or(1)
    }
}

pub(crate) fn run(options: &Pbl) -> Result<(), Failure> {
    if options.top_down && options.version == Of::Wrf361 {
        return Err(Failure::usage("WRF 3.6.1 has no top-down mixing: --top-down is for --version wrf4".to_owned()));
    }
    let mut files = files_in_use(&options.out, options.plot.as_deref())?;
    files.reads("the columns", &options.columns)?;
    let output = ColumnOutput::create(&options.out, options.plot.as_deref())?;
    // Inputs, the state and its copies, results, the file; after several steps the last state, too.
    let fields = if options.steps.is_some() { 90 } else { 66 };
    need_for_file(!options.print.quiet, &options.columns, fields)?;
    let read = || read_boundary_layer(&options.columns, &options.scheme(), options.keep_going);
    let input = patiently(options.print.quiet, "reading the columns", read)?;
    say_remarks(options.print.quiet, &options.columns, &input.derived, &input.remarks);
    if let Some(made_up) = &input.made_up {
        warn(format!(
            "{}: without a surface layer this is made up, and boundary-layer heights with it: {made_up}",
            options.columns.display()
        ));
    }
    options.device.with_threads_telling(!options.print.quiet, |devices| match options.device.precision {
        PrecisionOption::F32 => solve::<f32>(options, &input, devices, output),
        PrecisionOption::F64 => solve::<f64>(options, &input, devices, output),
    })
}

fn solve<R: Precision + Sample>(
    options: &Pbl,
    input: &BoundaryLayerInput,
    devices: &[Device],
    output: ColumnOutput<'_>,
) -> Result<(), Failure> {
    let (columns, layers) = (input.columns.columns(), input.columns.layers());
    let start = Instant::now();
    let progress = Progress::new(options.print.quiet, columns as u64 * u64::from(options.times()), "columns");
    let run = Run::<R>::new(options, input, devices, move |done| progress.reach(done))?;
    let seconds = start.elapsed().as_secs_f64();
    let draw = || plot::pbl::draw((&input.columns, &run.state), &run.outputs, &run.status);
    output.write(options.print.quiet, draw, |file| write::write(options, input, devices, &run, file))?;
    if let Some((_, first)) = run.left_out.first() {
        warn(format!("{} of {columns} columns left out; the first: {first}", run.left_out.len()));
    }
    if !options.print.quiet {
        let times = options.times();
        let steps = if times == 1 { String::new() } else { format!(", {times} steps") };
        summarize([columns, layers], &steps, (devices, R::NAME), (seconds, times));
    }
    if options.print.json {
        let summary = json_summary(("columns", columns), run.left_out.len(), devices, seconds, &options.out);
        let mut summary = with_remarks(summary, &input.derived, &input.remarks);
        summary["made_up"] = input.made_up.as_deref().into();
        crate::print::summary(summary);
    }
    Failure::unless_all(run.left_out.len(), columns)
}
