//! `isobar forward`: a JURASSIC case in, its radiances out.

use std::path::Path;
use std::time::Instant;

use clap::{Args, ValueEnum};
use isobar::jurassic::above_warning;
use isobar::plot;
use isobar_ega::ForwardError;
use isobar_ega::launch::{Infrared, InfraredError, Precision, Radiances};
use isobar_io::{Observation, ProfileFormat, write_observation, write_observation_binary, write_observations_netcdf};
use isobar_launch::Device;
use serde_json::json;

use crate::inputs::case::{Case, CaseFiles, read_case};
use crate::program::failure::Failure;
use crate::program::memory::need_for_text;
use crate::program::options::{Arithmetic, DeviceOptions, PrecisionOption, Printing};
use crate::program::output::TextFiles;
use crate::program::progress::{Progress, patiently};
use crate::program::remarks::warn;

/// The options of `isobar forward`.
#[derive(Args, Debug)]
#[command(mut_arg("precision", |precision| {
    precision.help("Precision of the radiances; paths are always traced in double")
}))]
pub(crate) struct Forward {
    #[command(flatten)]
    case: CaseFiles,
    #[command(flatten)]
    output: TextFiles,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    arithmetic: Arithmetic,
    /// What to do where a path leaves the pressures or temperatures of the tables
    #[arg(long, value_enum, default_value = "extrapolate")]
    outside: OutsidePolicy,
    #[command(flatten)]
    print: Printing,
}

/// Where a path leaves the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutsidePolicy {
    /// Extrapolate as JURASSIC does, and say so
    Extrapolate,
    /// Stop
    Error,
}

pub(crate) fn run(options: &Forward) -> Result<(), Failure> {
    if options.arithmetic.jurassic_exact && options.device.precision == PrecisionOption::F32 {
        let problem = "--jurassic-exact repeats double precision arithmetic: it cannot go with --precision f32";
        return Err(Failure::usage(problem));
    }
    let written = options.output.in_use(options.print.json())?;
    options.output.check()?;
    options.device.with_threads_telling(!options.print.quiet(), |devices| {
        need_for_text(!options.print.quiet(), &options.case.obs)?;
        let case = patiently(options.print.quiet(), "reading the case", || {
            read_case(&options.case, written, options.arithmetic.jurassic_exact)
        })?;
        let start = Instant::now();
        let result = match options.device.precision {
            PrecisionOption::F32 => compute::<f32>(&case, devices, options.print.quiet()),
            PrecisionOption::F64 => compute::<f64>(&case, devices, options.print.quiet()),
        };
        let result = result.map_err(|error| match error {
            InfraredError::Forward(ForwardError::Atmosphere(_)) => {
                Failure::from(error).in_file(options.case.atm.display())
            }
            InfraredError::FieldOfView(_) => Failure::from(error).in_file(options.case.obs.display()),
            other => other.into(),
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let obs = options.case.obs.display();
        result.check().map_err(|error| Failure::from(error).in_file(obs))?;
        let outside = outside(&case, &result);
        match options.outside {
            OutsidePolicy::Error if !outside.is_empty() => return Err(Failure::new(outside.join("; "))),
            _ => outside.iter().for_each(|line| warn(format!("{line}; extrapolated"))),
        }
        above_warning(&case.atmosphere, &case.observation.rays).into_iter().for_each(warn);
        result.early_ends().into_iter().for_each(warn);
        let is_computed = |ray: usize| result.statuses[ray].is_ok();
        case.setup.without_temperature(&result.radiance, is_computed).into_iter().for_each(warn);
        let summary = Summary { options, case: &case, devices, result: &result, seconds };
        let observation = observed(&case, &result);
        let mut output = options.output.create()?;
        let draw = || plot::forward::draw(&observation, &case.control);
        if case.control.observation_format == ProfileFormat::Netcdf {
            let write = |path: &Path| write_observations_netcdf(path, &case.control, &[Some(&observation)]);
            output.replace(draw, write)?;
        } else {
            let binary = case.control.observation_format == ProfileFormat::Binary;
            output.write(|out| match binary {
                true => write_observation_binary(out, &observation, &case.control),
                false => write_observation(out, &observation, &case.control),
            })?;
            output.commit(draw)?;
        }
        summary.print();
        Ok(())
    })
}

/// Radiances, with a progress bar where the user waits for long at a terminal.
fn compute<R: Precision>(case: &Case, devices: &[Device], quiet: bool) -> Result<Radiances, InfraredError> {
    let rays = &case.observation.rays;
    let progress = Progress::new(quiet, rays.len() as u64, "rays");
    let progress = move |done| progress.reach(done);
    let model = Infrared::<R>::new(&case.setup, case.tables.clone())?.on(devices).progress(progress);
    model.run(&case.atmosphere, rays)
}

/// For each gas whose tables some paths leave, where; and what lies outside the table of source functions.
fn outside(case: &Case, result: &Radiances) -> Vec<String> {
    let of_tables = result.outside_tables(&case.setup.gases);
    of_tables.into_iter().chain(case.setup.outside_sources(&case.atmosphere)).collect()
}

/// The observation with the results in it; what was masked stays masked.
fn observed(case: &Case, result: &Radiances) -> Observation {
    let masked = |(&measured, &radiance): (&f64, &f64)| if measured.is_finite() { radiance } else { f64::NAN };
    Observation {
        rays: case.observation.rays.clone(),
        tangent_points: result.tangent_points.clone(),
        radiance: case.observation.radiance.iter().zip(&result.radiance).map(masked).collect(),
        transmittance: result.transmittance.clone(),
    }
}

/// What was done, for people and for programs.
struct Summary<'a> {
    options: &'a Forward,
    case: &'a Case,
    devices: &'a [Device],
    result: &'a Radiances,
    seconds: f64,
}

impl Summary<'_> {
    fn print(&self) {
        let (rays, setup) = (self.case.observation.rays.len(), &self.case.setup);
        let (channels, gases) = (setup.wavenumbers_per_cm.len(), &setup.gases);
        let devices: Vec<String> = self.devices.iter().map(ToString::to_string).collect();
        let precision = match self.options.device.precision {
            PrecisionOption::F32 => "f32",
            PrecisionOption::F64 => "f64",
        };
        let rate = rays as f64 / self.seconds;
        if !self.options.print.quiet() {
            tell!(
                "{rays} rays, {channels} channels, {} gases on {} in {precision}: {:.3} s, {rate:.0} rays/s",
                gases.len(),
                devices.join(", "),
                self.seconds
            );
        }
        if self.options.print.json() {
            let outside = gases.iter().zip(&self.result.outside).map(|(gas, outside)| {
                json!({
                    "gas": gas,
                    "points": outside.points,
                    "first_pressure_hpa": (outside.points > 0).then_some(outside.pressure_hpa),
                    "first_temperature_k": (outside.points > 0).then_some(outside.temperature_k),
                })
            });
            let summary = json!({
                "rays": rays,
                "channels": channels,
                "gases": gases,
                "devices": devices,
                "precision": precision,
                "jurassic_exact": setup.jurassic_exact,
                "path_points": self.result.points.iter().map(|&points| u64::from(points)).sum::<u64>(),
                "outside_tables": outside.collect::<Vec<_>>(),
                "seconds": self.seconds,
                "rays_per_second": rate,
                "out": self.options.output.out.to_string_lossy(),
            });
            crate::program::print::summary(summary);
        }
    }
}
