//! `isobar pbl`: columns of air in, boundary-layer tendencies out.

mod options;
mod steps;
mod surface;
mod surface_option;
mod write;

use std::time::Instant;

use isobar::plot;
use isobar_io::netcdf::Sample;
use isobar_io::{BoundaryLayerInput, read_boundary_layer_files};
use isobar_launch::Device;
use isobar_ysu::{Launched, Precision};

use super::column_results::summarize;
use super::{json_summary, say_remarks, with_remarks};
use crate::program::failure::Failure;
use crate::program::memory::need_for_files;
use crate::program::options::PrecisionOption;
use crate::program::output::ResultOutput;
use crate::program::progress::{Progress, patiently};
use crate::program::remarks::{note, warn};
pub(crate) use options::Pbl;
use options::SchemeOption;
pub(crate) use options::value;
use steps::Run;
pub(crate) use surface_option::SurfaceOption;

pub(crate) fn run(options: &Pbl) -> Result<(), Failure> {
    options.check()?;
    match options.scheme {
        SchemeOption::Ysu => with(options, &options.ysu()),
        SchemeOption::ShinHong => with(options, &options.shin_hong()),
    }
}

fn with(options: &Pbl, scheme: &impl Launched) -> Result<(), Failure> {
    let mut files = options.results.in_use()?;
    options.columns.iter().try_for_each(|path| files.reads("the columns", path))?;
    let output = options.results.create()?;
    // Inputs, the state and its copies, results, the file; after several steps the last state, too.
    let fields = if options.steps.is_some() { 90 } else { 66 };
    let (quiet, path) = (options.print.quiet(), &options.columns[0]);
    need_for_files(quiet, &options.columns, fields)?;
    let read = || read_boundary_layer_files(&options.columns, scheme, &options.request());
    let mut input = patiently(quiet, "reading the columns", read)?;
    let air = &mut input.air;
    if options.scheme == SchemeOption::ShinHong && air.columns.grid_distance_m.is_empty() {
        let Some(distance) = options.grid_distance else {
            let path = path.display();
            return Err(Failure::new(format!("{path}: grid_distance is missing: --grid-distance gives it, in metres")));
        };
        air.columns.grid_distance_m = vec![distance; air.columns.columns()];
    }
    options.warn_of_useless(&air.names, &air.columns.land_or_water);
    let notes = air.notes.iter().cloned().chain(air.masked_in_words());
    notes.for_each(|text| note(quiet, format!("{}: {text}", path.display())));
    say_remarks(quiet, path, &air.derived, &air.remarks);
    if let Some(made_up) = &input.made_up {
        warn(format!(
            "{}: without a surface layer this is made up, and boundary-layer heights with it: {made_up}; with the \
             surface's temperature --surface revised-mm5 computes one",
            path.display()
        ));
    }
    options.device.with_threads_telling(!options.print.quiet(), |devices| match options.device.precision {
        PrecisionOption::F32 => solve::<f32>(options, scheme, &input, devices, output),
        PrecisionOption::F64 => solve::<f64>(options, scheme, &input, devices, output),
    })
}

fn solve<R: Precision + isobar_surface::Precision + Sample>(
    options: &Pbl,
    scheme: &impl Launched,
    input: &BoundaryLayerInput,
    devices: &[Device],
    output: ResultOutput,
) -> Result<(), Failure> {
    let air = &input.air;
    let (columns, layers) = (air.columns.columns(), air.columns.layers());
    let start = Instant::now();
    let progress = Progress::new(options.print.quiet(), columns as u64 * u64::from(options.times()), "columns");
    let run = Run::<R>::new(options, scheme, input, devices, move |done| progress.reach(done))?;
    let seconds = start.elapsed().as_secs_f64();
    let draw = || plot::pbl::draw((&air.columns, &run.state), &run.outputs, &run.status);
    output.write(options.print.quiet(), draw, |file| write::write(options, input, devices, &run, file))?;
    if let Some((_, first)) = run.left_out.first() {
        warn(format!("{} of {columns} columns left out; the first: {first}", run.left_out.len()));
    }
    if !options.print.quiet() {
        let times = options.times();
        let steps = if times == 1 { String::new() } else { format!(", {times} steps") };
        summarize([columns, layers], &steps, (devices, R::NAME), (seconds, times));
    }
    if options.print.json() {
        let summary = json_summary(("columns", columns), run.left_out.len(), devices, seconds, &options.results.out);
        let mut summary = with_remarks(summary, &air.derived, &air.remarks);
        summary["masked"] = air.masked.len().into();
        summary["made_up"] = input.made_up.as_deref().into();
        crate::program::print::summary(summary);
    }
    Failure::unless_all(run.left_out.len(), columns - air.masked.len())
}
