//! `isobar raytrace`: a JURASSIC case in, the points of its rays' paths out. Needs no tables and no channels.

use std::time::Instant;

use clap::Args;
use isobar::jurassic::{profile_warning, read_atmosphere_below, read_rays};
use isobar::plot::raytrace::Drawing;
use isobar_raytrace::{Atmosphere, Error, Path, PathOptions, Ray, trace_ray};
use rayon::prelude::*;
use serde_json::json;

use super::path_table::PathTable;
use crate::inputs::case::CaseFiles;
use crate::program::failure::Failure;
use crate::program::options::Printing;
use crate::program::output::TextFiles;
use crate::program::progress::Progress;
use crate::program::remarks::warn;

/// Rays whose paths are in memory at a time.
const CHUNK: usize = 256;

/// The options of `isobar raytrace`.
#[derive(Args, Debug)]
pub(crate) struct Raytrace {
    #[command(flatten)]
    case: CaseFiles,
    #[command(flatten)]
    output: TextFiles,
    #[command(flatten)]
    print: Printing,
}

pub(crate) fn run(options: &Raytrace) -> Result<(), Failure> {
    let mut control = options.case.control(options.output.in_use(options.print.json())?)?;
    // What was measured along the rays does not matter here.
    control.wavenumbers_per_cm.clear();
    profile_warning(&control, &options.case.atm, &options.case.obs).into_iter().for_each(warn);
    let rays = read_rays(&options.case.obs, &control, &mut warn)?.rays;
    let mut atmosphere = read_atmosphere_below(&options.case.atm, &control, &rays, &mut warn)?;
    if let Some(reference_km) = control.hydrostatic_reference_km {
        hydrostatic(&mut atmosphere, reference_km, &control.emitters)
            .map_err(|error| error.in_file(options.case.atm.display()))?;
    }
    atmosphere.check_surface().map_err(|error| Failure::from(error).in_file(options.case.atm.display()))?;
    let steps = control.path_options();

    let table = PathTable { gases: &control.emitters, windows: atmosphere.extinction_per_km.len() };
    let mut drawing = Drawing::of(rays.len());
    let start = Instant::now();
    let mut points = 0;
    let mut output = options.output.create()?;
    output.write(|out| table.header(out))?;
    let progress = Progress::new(options.print.quiet(), rays.len() as u64, "rays");
    for first in (0..rays.len()).step_by(CHUNK) {
        let chunk = first..rays.len().min(first + CHUNK);
        let paths: Vec<Path> = chunk
            .clone()
            .into_par_iter()
            .map(|ray| trace(&atmosphere, ray, &rays[ray], &steps))
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::from(error).in_file(options.case.obs.display()))?;
        for (ray, path) in chunk.zip(&paths) {
            output.write(|out| table.ray(out, ray, &rays[ray], path))?;
            drawing.add(ray, path);
            points += path.points.len();
        }
        progress.reach(rays.len().min(first + CHUNK));
    }
    drop(progress);
    output.commit(|| drawing.svg(&atmosphere))?;
    let seconds = start.elapsed().as_secs_f64();
    if !options.print.quiet() {
        tell!("{} rays, {points} points: {seconds:.3} s", rays.len());
    }
    if options.print.json() {
        let out = options.output.out.to_string_lossy();
        crate::program::print::summary(
            json!({ "rays": rays.len(), "path_points": points, "seconds": seconds, "out": out }),
        );
    }
    Ok(())
}

/// Makes the pressure hydrostatic, and says which level's stays.
pub(super) fn hydrostatic(atmosphere: &mut Atmosphere, reference_km: f64, gases: &[String]) -> Result<(), Failure> {
    atmosphere.reference_levels(reference_km)?;
    atmosphere.reference_remark(reference_km).into_iter().for_each(warn);
    let water = gases.iter().position(|gas| gas.eq_ignore_ascii_case("H2O"));
    atmosphere.make_hydrostatic(reference_km, water);
    Ok(())
}

/// One path; an error names its ray.
fn trace(atmosphere: &Atmosphere, number: usize, ray: &Ray, steps: &PathOptions) -> Result<Path, Error> {
    trace_ray(atmosphere, ray, steps).map_err(|error| match error {
        Error::Ray { reason, .. } => Error::Ray { ray: number, reason },
        other => other,
    })
}
