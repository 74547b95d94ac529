//! `isobar lbl`: a JURASSIC case in, its radiances line by line out.

use std::path::{Path as FilePath, PathBuf};
use std::time::Instant;

use clap::Args;
use isobar::jurassic::{above_warning, case_warnings, profile_warning, read_rays};
use isobar::line_by_line::along_paths::{Absorbers, Seen, radiances};
use isobar::line_by_line::{FilterOnGrid, Source};
use isobar::plot;
use isobar_ega::{Approximation, FieldOfViewError, ForwardError, ForwardSetup, Interpolation, planck};
use isobar_io::netcdf::{DatasetWriter, OutputVariable, Provenance};
use isobar_io::{
    Control, FilesInUse, Observation, Place, ProfileFormat, Shape, is_measured, line_of_row, read_filters,
    read_measurement, read_setup, write_observation_as_asked, write_observations_netcdf,
};
use isobar_launch::Device;
use isobar_raytrace::{Atmosphere, Error, Path, Position, Ray, trace_ray};
use isobar_spectra::launch::Precision;
use isobar_spectra::lists::CollisionInduced;
use rayon::prelude::*;

use super::{counted, print_json};
use crate::inputs::case::{CaseFiles, read_profile};
use crate::inputs::line_lists::SourceOptions;
use crate::inputs::pairs::{PairFiles, warn_of_own_continua};
use crate::inputs::reaching::Lists;
use crate::program::failure::Failure;
use crate::program::options::{DeviceOptions, PrecisionOption, Printing};
use crate::program::output::TextFiles;
use crate::program::progress::Progress;
use crate::program::remarks::warn;

const PRECISION: &str = "Precision of the profiles of lines; \
    distances from lines, sums, paths and transfer are always double";

/// The options of `isobar lbl`.
#[derive(Args, Debug)]
#[command(mut_arg("precision", |precision| precision.help(PRECISION)))]
pub(crate) struct Lbl {
    #[command(flatten)]
    case: CaseFiles,
    #[command(flatten)]
    output: TextFiles,
    #[command(flatten)]
    sources: SourceOptions,
    #[command(flatten)]
    pairs: PairFiles,
    /// Step of the spectra [cm^-1]
    #[arg(long, default_value_t = 0.0005)]
    step: f64,
    /// Also the radiance and transmittance at each wavenumber, NetCDF
    #[arg(long, value_name = "FILE")]
    spectrum: Option<PathBuf>,
    /// Radiances of the same rays, as of isobar forward: say how far they are off
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    print: Printing,
}

/// The case, its paths traced.
struct Job<'a> {
    options: &'a Lbl,
    setup: &'a ForwardSetup,
    atmosphere: &'a Atmosphere,
    paths: Vec<Path>,
    filters: Vec<Shape>,
    pairs: Vec<CollisionInduced>,
}

pub(crate) fn run(options: &Lbl) -> Result<(), Failure> {
    let mut files = options.output.in_use(options.print.json())?;
    if let Some(path) = &options.spectrum {
        files.writes("the spectra", path)?;
    }
    protect(options, &mut files)?;
    options.output.check()?;
    let spectrum = options.spectrum.as_deref().map(DatasetWriter::create).transpose()?;
    let control = options.case.control(files)?;
    control.require_channels()?;
    let atmosphere = read_profile(&options.case.atm, &control)?;
    let observation = read_rays(&options.case.obs, &control, &mut warn)?;
    let against = options.against.as_deref().map(|path| compared(path, &control, &observation.rays)).transpose()?;
    let setup = read_setup(&control)?;
    case_warnings(&setup, &atmosphere, &observation.rays).into_iter().for_each(warn);
    above_warning(&atmosphere, &observation.rays).into_iter().for_each(warn);
    warn_of_idle_keys(&control, &options.case);
    let prepared = setup.prepare(&atmosphere).map_err(|error| match error {
        ForwardError::Atmosphere(error) => Failure::from(error).in_file(options.case.atm.display()),
        other => Failure::from(other),
    })?;
    options.device.with_threads_telling(!options.print.quiet(), |devices| {
        let start = Instant::now();
        let paths = trace(&prepared, &observation.rays, &setup)
            .map_err(|error| Failure::from(error).in_file(options.case.obs.display()))?;
        let (filters, pairs) = (read_filters(&control)?, options.pairs.read()?);
        warn_of_own_continua(&control, &pairs, options.sources.water_continuum.is_some());
        let job = Job { options, setup: &setup, atmosphere: &prepared, paths, filters, pairs };
        let (grids, seen) = match options.device.precision {
            PrecisionOption::F32 => job.all::<f32>(devices),
            PrecisionOption::F64 => job.all::<f64>(devices),
        }?;
        let result = observed(&setup, &observation, &job.paths, &seen)
            .map_err(|error| Failure::new(error.to_string()).in_file(options.case.obs.display()))?;
        let seconds = start.elapsed().as_secs_f64();
        if let Some(file) = spectrum {
            write_spectra(options, file, devices, (&setup, &grids), &seen)?;
        }
        write(options, &control, &result)?;
        if !options.print.quiet() {
            let (rays, channels) = (result.rays.len(), setup.wavenumbers_per_cm.len());
            tell!("{}, {} line by line: {seconds:.3} s", counted(rays, "ray"), counted(channels, "channel"));
        }
        if let Some(other) = &against {
            compare(&setup, &result.radiance, &other.radiance);
        }
        if options.print.json() {
            print_json(("rays", result.rays.len()), 0, devices, seconds, &options.output.out);
        }
        Ok(())
    })
}

/// Says which keys a sum over lines has no use for, where they are not what they are by default.
fn warn_of_idle_keys(control: &Control, case: &CaseFiles) {
    profile_warning(control, &case.atm, &case.obs).into_iter().for_each(warn);
    for (key, is_usual) in [
        ("FORMOD", control.approximation == Approximation::default()),
        ("TBLINTERP", control.interpolation == Interpolation::default()),
    ] {
        if !is_usual {
            let value = control.raw(key).unwrap_or_default();
            warn(format!("{}: {key} = {value} has no effect line by line", control.place(key)));
        }
    }
}

/// Radiances to compare with, which have to be those of the same rays.
fn compared(path: &FilePath, control: &Control, rays: &[Ray]) -> Result<Observation, Failure> {
    let other = read_measurement(path, control)?;
    let (theirs, ours) = (other.rays.len(), rays.len());
    if theirs != ours {
        return Err(Failure::new(format!("--against: it has {theirs} rays, --obs has {ours}")).in_file(path.display()));
    }
    // JURASSIC writes six digits.
    let differ = |a: f64, b: f64| (a - b).abs() > 1e-5 * a.abs().max(b.abs()) + 1e-6;
    for (number, (theirs, ours)) in other.rays.iter().zip(rays).enumerate() {
        let points = [("observer", theirs.observer, ours.observer), ("view point", theirs.view_point, ours.view_point)];
        for (name, theirs, ours) in points {
            // Longitudes count from -180 or from 0.
            let turns = ((theirs.longitude_deg - ours.longitude_deg) / 360.0).round();
            let axes = [
                ("altitude [km]", theirs.height_km, ours.height_km, theirs.height_km),
                ("longitude [deg]", theirs.longitude_deg, ours.longitude_deg, theirs.longitude_deg - 360.0 * turns),
                ("latitude [deg]", theirs.latitude_deg, ours.latitude_deg, theirs.latitude_deg),
            ];
            if let Some((axis, theirs, ours, _)) = axes.into_iter().find(|&(_, _, ours, near)| differ(near, ours)) {
                let why = format!("--against: ray {number} is another: its {name} {axis} is {theirs}, in --obs {ours}");
                return Err(match line_of_row(path, number) {
                    Some(line) => Failure::new(why).in_file(Place::Line(path.to_owned(), line)),
                    None => Failure::new(why).in_file(path.display()),
                });
            }
        }
    }
    Ok(other)
}

fn protect(options: &Lbl, files: &mut FilesInUse) -> Result<(), Failure> {
    options.sources.protect(files)?;
    options.pairs.protect(files)?;
    if let Some(path) = &options.against {
        files.reads("the radiances to compare with", path)?;
    }
    Ok(())
}

fn trace(atmosphere: &Atmosphere, rays: &[Ray], setup: &ForwardSetup) -> Result<Vec<Path>, Error> {
    let one = |(number, ray): (usize, &Ray)| {
        trace_ray(atmosphere, ray, &setup.path).map_err(|error| match error {
            Error::Ray { reason, .. } => Error::Ray { ray: number, reason },
            other => other,
        })
    };
    rays.par_iter().enumerate().map(one).collect()
}

impl Job<'_> {
    /// The grid of each channel, and what each ray sees in it.
    fn all<R: Precision>(&self, devices: &[Device]) -> Result<(Vec<FilterOnGrid>, Vec<Vec<Seen>>), Failure> {
        let (rays, channels) = (self.paths.len(), self.filters.len());
        let progress = Progress::new(self.options.print.quiet(), (rays * channels) as u64, "rays and channels");
        let points = || self.paths.iter().flat_map(|path| &path.points);
        let temperatures: Vec<f64> = points().map(|point| point.temperature_k).collect();
        let coldest = temperatures.iter().copied().fold(f64::INFINITY, f64::min);
        let (sources, wanted) = (&self.options.sources, Some(&self.setup.gases[..]));
        let mut lists = if self.pairs.is_empty() { sources.open(wanted) } else { sources.open_beside(wanted) }?;
        let (mut grids, mut seen) = (Vec::new(), Vec::new());
        for (channel, filter) in self.filters.iter().enumerate() {
            let grid = FilterOnGrid::new(filter, self.options.step)?;
            let gases = self.sources(&mut lists, channel, &grid, coldest)?;
            lists.beyond.note(gases.iter().flatten(), grid.grid.ends_per_cm(), &temperatures);
            lists.beyond.note_gaps(gases.iter().flatten(), grid.grid.ends_per_cm());
            lists.beyond.note_pairs(&self.pairs, grid.grid.ends_per_cm(), &temperatures);
            let absorbers = Absorbers { gases: &gases, pairs: &self.pairs };
            let progress = |done: usize| progress.reach(channel * rays + done);
            let case = (self.atmosphere, self.paths.as_slice());
            let mut found = radiances::<R>(self.setup, case, (channel, &grid), absorbers, devices, &progress)?;
            if self.options.spectrum.is_none() {
                // Long, and nobody asks for it.
                found.iter_mut().for_each(|seen| seen.spectrum = Vec::new());
            }
            grids.push(grid);
            seen.push(found);
        }
        lists.finish();
        Ok((grids, seen))
    }

    /// What absorbs in a channel, in the order of the gases.
    fn sources(
        &self,
        lists: &mut Lists<'_>,
        channel: usize,
        grid: &FilterOnGrid,
        coldest: f64,
    ) -> Result<Vec<Option<Source>>, Failure> {
        let gases = &self.setup.gases;
        let mut found = lists.reaching(grid.grid.ends_per_cm())?;
        lists.tell_empty(grid.grid.ends_per_cm());
        if coldest.is_finite() {
            lists.coarse.warn(&found, &grid.grid, coldest);
        }
        let mut take = |gas: &String| {
            let place = found.iter().position(|source| source.name.eq_ignore_ascii_case(gas));
            if place.is_none() {
                let nu = self.setup.wavenumbers_per_cm[channel];
                warn(format!("{gas} counts as transparent at {nu} cm^-1, for which no file has it"));
            }
            place.map(|place| found.swap_remove(place))
        };
        Ok(gases.iter().map(&mut take).collect())
    }
}

/// Radiances as an observation has them: through the field of view, as brightness temperatures where the control file
/// asks for them; what was masked stays masked.
fn observed(
    setup: &ForwardSetup,
    before: &Observation,
    paths: &[Path],
    seen: &[Vec<Seen>],
) -> Result<Observation, FieldOfViewError> {
    let channels = seen.len();
    let values = |part: fn(&Seen) -> f64| -> Vec<f64> {
        (0..paths.len() * channels).map(|i| part(&seen[i % channels][i / channels])).collect()
    };
    let (mut radiance, mut transmittance) = (values(|seen| seen.radiance), values(|seen| seen.transmittance));
    if let Some(view) = &setup.field_of_view {
        for values in [&mut radiance, &mut transmittance] {
            view.convolve(&before.rays, channels, values)?;
        }
    }
    if setup.brightness_temperature {
        for (i, value) in radiance.iter_mut().enumerate() {
            *value = planck::brightness_temperature(*value, setup.wavenumbers_per_cm[i % channels]);
        }
        setup.without_temperature(&radiance, |_| true).into_iter().for_each(warn);
    }
    let masked = |(&measured, radiance): (&f64, f64)| if measured.is_finite() { radiance } else { f64::NAN };
    let tangent = |path: &Path| Position {
        height_km: path.summary.tangent_height_km,
        longitude_deg: path.summary.tangent_longitude_deg,
        latitude_deg: path.summary.tangent_latitude_deg,
    };
    Ok(Observation {
        rays: before.rays.clone(),
        tangent_points: paths.iter().map(tangent).collect(),
        radiance: before.radiance.iter().zip(radiance).map(masked).collect(),
        transmittance,
    })
}

fn write(options: &Lbl, control: &Control, observation: &Observation) -> Result<(), Failure> {
    let mut output = options.output.create()?;
    let draw = || plot::forward::draw(observation, control);
    if control.observation_format == ProfileFormat::Netcdf {
        return output.replace(draw, |path: &FilePath| write_observations_netcdf(path, control, &[Some(observation)]));
    }
    output.write(|out| write_observation_as_asked(out, observation, control))?;
    output.commit(draw)
}

fn write_spectra(
    options: &Lbl,
    mut file: DatasetWriter,
    devices: &[Device],
    (setup, grids): (&ForwardSetup, &[FilterOnGrid]),
    seen: &[Vec<Seen>],
) -> Result<(), Failure> {
    let mut inputs = options.sources.paths()?;
    inputs.extend([options.case.atm.clone(), options.case.obs.clone()]);
    inputs.extend(options.pairs.cia.clone());
    file.provenance(&Provenance {
        title: "monochromatic radiances of pencil beams".into(),
        device: devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        precision: if options.device.precision == PrecisionOption::F32 { "f32" } else { "f64" }.into(),
        history: super::history(),
        inputs,
    })?;
    file.dimension("ray", seen.first().map_or(0, Vec::len))?;
    for ((nu, grid), seen) in setup.wavenumbers_per_cm.iter().zip(grids).zip(seen) {
        let name = |what: &str| format!("{what}_{nu:.4}").replace('.', "_");
        let along = name("wavenumber");
        file.dimension(&along, grid.weights.len())?;
        let mut put = |what: &str, dimensions: &[&str], units: &str, long_name: &str, values: &[f64]| {
            let variable = OutputVariable {
                name: &name(what),
                dimensions,
                units,
                long_name,
                standard_name: None,
                reference_name: None,
            };
            file.variable(&variable, values)
        };
        put("wavenumber", &[&along], "cm-1", "wavenumber", grid.grid.wavenumbers_per_cm())?;
        put("filter", &[&along], "1", "filter of the channel", &grid.filter)?;
        let values = |part: fn(&(f64, f64)) -> f64| -> Vec<f64> {
            seen.iter().flat_map(|seen| seen.spectrum.iter().map(part)).collect()
        };
        put("radiance", &["ray", &along], "W m-2 sr-1 cm", "radiance", &values(|pair| pair.0))?;
        put("transmittance", &["ray", &along], "1", "transmittance of the path", &values(|pair| pair.1))?;
    }
    file.commit()?;
    Ok(())
}

/// How far other radiances lie from those line by line: of each channel the largest difference of a ray and the root of
/// the mean of their squares against the channel's largest radiance, and against each ray's own.
fn compare(setup: &ForwardSetup, own: &[f64], other: &[f64]) {
    let channels = setup.wavenumbers_per_cm.len();
    let missing = other.iter().filter(|value| !is_measured(**value)).count();
    if missing > 0 {
        warn(format!("--against: {missing} values are missing (NaN, -999, -9999) and not compared"));
    }
    print_line!("{:>12} {:>20} {:>16} {:>20}", "cm^-1", "of the largest [%]", "root mean sq.", "of each ray's [%]");
    for (channel, nu) in setup.wavenumbers_per_cm.iter().enumerate() {
        let both = |pair: &(&f64, &f64)| pair.0.is_finite() && is_measured(*pair.1);
        let pairs = || own.iter().zip(other).skip(channel).step_by(channels).filter(both);
        let most = pairs().map(|pair| pair.0.abs()).fold(0.0, f64::max);
        let share = |(own, other): (&f64, &f64)| 100.0 * (other - own) / most;
        let larger = |x: f64, y: f64| if y.abs() > x.abs() { y } else { x };
        let largest = pairs().map(share).fold(0.0, larger);
        let each = pairs().map(|(own, other)| 100.0 * (other / own - 1.0)).filter(|x| x.is_finite()).fold(0.0, larger);
        let mean = pairs().map(share).map(|x| x * x).sum::<f64>() / pairs().count().max(1) as f64;
        print_line!("{nu:>12.4} {largest:>20.4} {:>16.4} {each:>20.4}", mean.sqrt());
    }
}
