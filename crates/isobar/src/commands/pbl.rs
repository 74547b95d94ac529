//! `isobar pbl`: columns of air in, boundary-layer tendencies out.

mod coriolis;
mod in_parts;
mod options;
mod report;
mod steps;
mod surface;
mod surface_option;
mod write;

use std::path::Path;
use std::time::Instant;

use isobar::plot;
use isobar_io::netcdf::{Part, Sample};
use isobar_io::{BoundaryLayerInput, BoundaryLayerRequest, Parts, read_boundary_layer_files};
use isobar_launch::Device;
use isobar_ysu::{Launched, Precision};

use super::say_remarks;
use crate::program::failure::Failure;
use crate::program::memory::need_for_files;
use crate::program::options::PrecisionOption;
use crate::program::output::ResultOutput;
use crate::program::progress::{Progress, patiently};
use crate::program::remarks::{note, warn};
pub(crate) use options::Pbl;
use options::SchemeOption;
pub(crate) use options::value;
use report::Done;
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
    if let Some(parts) = Parts::of(&options.columns, options.vertical.as_deref(), options.at_once.map(usize::from))? {
        return in_parts::solve_any(options, scheme, &parts, output);
    }
    // Inputs, the state and its copies, results, the file; after several steps the last state, too.
    let fields = if options.steps.is_some() { 90 } else { 66 };
    let (quiet, path) = (options.print.quiet(), &options.columns[0]);
    need_for_files(quiet, &options.columns, fields)?;
    let input = patiently(quiet, "reading the columns", || read(options, scheme, None))?;
    let air = &input.air;
    options.warn_of_useless(&air.names);
    options.warn_of_useless_surface(&air.columns.land_or_water);
    coriolis::warn([coriolis::negative(options, air), air.columns.columns()], path);
    let notes = air.notes.iter().cloned().chain(air.masked_in_words());
    let notes = notes.chain(input.contradictions.iter().map(|one| one.in_words(air.columns.columns())));
    notes.for_each(|text| note(quiet, format!("{}: {text}", path.display())));
    say_remarks(quiet, path, &air.derived, &air.remarks);
    warn_of_made_up(path, input.made_up.as_deref());
    options.device.with_threads_telling(!options.print.quiet(), |devices| match options.device.precision {
        PrecisionOption::F32 => solve::<f32>(options, scheme, &input, devices, output),
        PrecisionOption::F64 => solve::<f64>(options, scheme, &input, devices, output),
    })
}

/// Reads the columns, or those of a part of the file.
fn read(options: &Pbl, scheme: &impl Launched, part: Option<&Part>) -> Result<BoundaryLayerInput, Failure> {
    let request = BoundaryLayerRequest { part, ..options.request() };
    let mut input = read_boundary_layer_files(&options.columns, scheme, &request)?;
    let columns = &mut input.air.columns;
    if options.scheme == SchemeOption::ShinHong && columns.grid_distance_m.is_empty() {
        let Some(distance) = options.grid_distance else {
            let path = options.columns[0].display();
            return Err(Failure::new(format!("{path}: grid_distance is missing: --grid-distance gives it, in metres")));
        };
        columns.grid_distance_m = vec![distance; columns.columns()];
    }
    coriolis::take(options, columns);
    Ok(input)
}

/// Says what of the surface layer was made up.
fn warn_of_made_up(path: &Path, made_up: Option<&str>) {
    let Some(made_up) = made_up else { return };
    warn(format!(
        "{}: without a surface layer this is made up, and boundary-layer heights with it: {made_up}; with the \
         surface's temperature --surface revised-mm5 computes one",
        path.display()
    ));
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
    let reach = move |done| progress.reach(done);
    let run = Run::<R>::new(options, scheme, input, devices, (&|column| column, reach))?;
    let seconds = start.elapsed().as_secs_f64();
    let draw = || plot::pbl::draw((&air.columns, &run.state), &run.outputs, &run.status);
    output.write(options.print.quiet(), draw, |mut file| {
        write::write(options, input, devices, &run, &mut file)?;
        Ok(file.commit()?)
    })?;
    let left_out = run.left_out.first().map(|(_, first)| first.as_str());
    let done = Done {
        size: [columns, layers],
        left_out: (run.left_out.len(), left_out),
        masked: air.masked.len(),
        derived: &air.derived,
        remarks: &air.remarks,
        made_up: input.made_up.as_deref(),
        devices,
        precision: R::NAME,
        seconds,
    };
    done.report(options)
}
