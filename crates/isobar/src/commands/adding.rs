//! `isobar adding`: layered profiles in, radiances out.

mod deep;
mod directions;
mod idle;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::{Args, ValueEnum};
use isobar::plot;
use isobar_adding::clear_sky::{Options, Output, RadianceViews, Radiances, Schedule};
use isobar_adding::{ClearSky, Precision, Scattering, azimuth, scattering};
use isobar_core::Real;
use isobar_core::fields::{ANGLE, LAYER, LEVEL, OwnedInputs};
use isobar_io::netcdf::{DatasetWriter, Orientation, OutputVariable, Provenance, Sample};
use isobar_io::{AddingInput, AddingOptions, SurfaceKind, has_directions, read_adding};
use isobar_launch::{Device, Scheme};

use super::{json_summary, say_remarks, with_remarks};
use crate::program::failure::Failure;
use crate::program::memory::{WRITTEN, need_for, need_for_file};
use crate::program::options::{DeviceOptions, PrecisionOption, Printing};
use crate::program::progress::{Progress, patiently};
use crate::program::remarks::warn;

use crate::program::output::{ResultFiles, ResultOutput};

/// The options of `isobar adding`.
#[derive(Args, Debug)]
pub(crate) struct Adding {
    /// Profiles, NetCDF: `optical_depth(layer, profile)`, `planck_radiance(layer, profile)` or `temperature` and
    /// `wavenumber`, `surface_planck`, `emissivity(angle, profile)`, `cosine(angle)`; with
    /// `single_scattering_albedo(layer, profile)` and `asymmetry(layer, profile)` or
    /// `phase_moments(layer, moment, profile)` the layers scatter. With `surface_albedo` or the parameters of another
    /// surface (`rpv_rho_0`, `hapke_b_0`, `ross_li_f_iso`, `wind_speed`, ...) in the place of `emissivity` they are
    /// seen from any direction: `relative_azimuth_angle(azimuth)`, `solar_zenith_angle(sun)`, `sun_irradiance(sun)`,
    /// species mixed, `phase_function` as a table, fluxes
    profiles: PathBuf,
    #[command(flatten)]
    results: ResultFiles,
    /// Write the radiances of all levels, too
    #[arg(long)]
    levels: bool,
    /// Where goes what the surface does not emit [default: specular]; the file says it where it is seen from any
    /// direction
    #[arg(long, value_enum)]
    surface: Option<Surface>,
    /// The source is linear in optical depth between the levels, of which the file has `planck_radiance_level` or
    /// `temperature_level`
    #[arg(long)]
    linear_source: bool,
    /// Who computes what on a GPU in a clear sky; the radiances do not depend on it
    #[arg(long, value_enum, default_value = "auto")]
    schedule: Order,
    /// Streams of both hemispheres in which light is scattered, 2 to 64 [default: 8; seen from any direction 16]
    #[arg(long, value_parser = streams)]
    streams: Option<usize>,
    /// Take the forward peak of the phase functions as scattered, too
    #[arg(long)]
    no_delta_scaling: bool,
    /// Seen from any direction: no corrections of Nakajima and Tanaka to sunlight that is scattered once or twice
    #[arg(long)]
    no_corrections: bool,
    /// Seen from any direction: components in azimuth, at most [default: all that are not 0]
    #[arg(long, value_name = "N", value_parser = components)]
    components: Option<usize>,
    /// Seen from any direction: leave out the last components in azimuth as long as they cannot change a radiance by
    /// more than this share of a white ground's under the same Sun
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with = "components")]
    accuracy: Option<f64>,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    print: Printing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Surface {
    /// Nowhere
    Black,
    /// Each angle into itself
    Specular,
    /// Into all angles alike; needs `weight(angle)`
    Lambertian,
}

/// The streams if the command line does not say.
const STREAMS: usize = 8;

/// Schedules of clear layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    Auto,
    Sequential,
    Warp,
    Block,
    Deep,
}

impl From<Order> for Schedule {
    fn from(order: Order) -> Self {
        match order {
            Order::Auto => Self::Auto,
            Order::Sequential => Self::Sequential,
            Order::Warp => Self::Warp,
            Order::Block => Self::Block,
            Order::Deep => Self::Deep,
        }
    }
}

impl Adding {
    fn streams(&self) -> usize {
        self.streams.unwrap_or(STREAMS)
    }

    /// Fails with the first option that is for profiles seen from any direction, if one is given.
    fn means(&self) -> Result<(), Failure> {
        let given = [
            ("--no-corrections", self.no_corrections),
            ("--components", self.components.is_some()),
            ("--accuracy", self.accuracy.is_some()),
        ];
        if let Some((option, _)) = given.iter().find(|(_, given)| *given) {
            let file = self.profiles.display();
            return Err(Failure::usage(format!("{option} is for profiles seen from any direction: {file} has none")));
        }
        Ok(())
    }

    /// Fails if an option is for a clear sky.
    fn scatters(&self) -> Result<(), Failure> {
        if self.schedule == Order::Auto {
            return Ok(());
        }
        Err(Failure::usage("--schedule is for layers that do not scatter, and these do".to_owned()))
    }

    /// Fails with the first option that is for layers that scatter, if one is given.
    fn clear_sky(&self) -> Result<(), Failure> {
        let given = [("--streams", self.streams.is_some()), ("--no-delta-scaling", self.no_delta_scaling)];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Failure::usage(format!("{option} is for layers that scatter, and these do not"))),
            None => Ok(()),
        }
    }
}

/// An even number from 2 to 64.
fn streams(text: &str) -> Result<usize, String> {
    let most = 2 * azimuth::MOST_NODES;
    let number = text.parse().ok().filter(|streams| (2..=most).contains(streams) && streams % 2 == 0);
    number.ok_or_else(|| format!("an even number from 2 to {most}"))
}

/// 1 or more.
fn components(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "a number of components, 1 or more".to_owned())
}

/// 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "a share, 0 to 1".to_owned())
}

pub(crate) fn run(options: &Adding) -> Result<(), Failure> {
    let mut files = options.results.in_use()?;
    files.reads("the profiles", &options.profiles)?;
    // A folder that cannot be written is refused before the work.
    let output = options.results.create()?;
    if has_directions(&options.profiles)? {
        return directions::run(options, output);
    }
    options.means()?;
    let surface = match options.surface.unwrap_or(Surface::Specular) {
        Surface::Black => SurfaceKind::Black,
        Surface::Specular => SurfaceKind::Specular,
        Surface::Lambertian => SurfaceKind::Lambertian,
    };
    // Inputs in two precisions, and the file's own; results are estimated when their sizes are known.
    need_for_file(!options.print.quiet(), &options.profiles, 10)?;
    let read = || read_adding(&options.profiles, &AddingOptions { surface, linear_source: options.linear_source });
    let input = patiently(options.print.quiet(), "reading the profiles", read)?;
    say_remarks(options.print.quiet(), &options.profiles, &input.derived, &input.remarks);
    options.device.with_threads_telling(!options.print.quiet(), |devices| match options.device.precision {
        PrecisionOption::F32 => solve::<f32>(options, &input, devices, output),
        PrecisionOption::F64 => solve::<f64>(options, &input, devices, output),
    })
}

fn solve<R: Precision + Sample>(
    options: &Adding,
    input: &AddingInput,
    devices: &[Device],
    output: ResultOutput,
) -> Result<(), Failure> {
    let profiles = input.extents.items();
    let rows = if options.levels { 2 * input.extents.size(LEVEL) + 2 } else { 2 } * input.extents.size(ANGLE);
    need_for(!options.print.quiet(), profiles, "profiles", WRITTEN * (rows * size_of::<R>()) as u64)?;
    let start = Instant::now();
    let radiances = if input.scattering.is_some() {
        options.scatters()?;
        scatter::<R>(options, input, devices)?
    } else {
        options.clear_sky()?;
        if options.schedule != Order::Auto && devices.iter().all(|device| device.is_cpu()) && !options.print.quiet() {
            tell!("--schedule has no effect: it is for GPUs");
        }
        let chosen = Options {
            output: if options.levels { Output::Levels } else { Output::Ends },
            schedule: options.schedule.into(),
            ..input.options.clone()
        };
        let progress = Progress::new(options.print.quiet(), profiles as u64, "profiles");
        let model = ClearSky::<R>::on(devices).progress(move |done| progress.reach(done));
        model.run(&input.profiles.rounded::<R>(), &chosen)?
    };
    let seconds = start.elapsed().as_secs_f64();
    let draw = || plot::adding::draw(input, &radiances);
    output.write(options.print.quiet(), draw, |file| write(options, input, devices, &radiances, file))?;
    if !options.print.quiet() {
        let names = devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        tell!(
            "{profiles} profiles, {} layers, {} angles{} on {names} in {}: {seconds:.3} s, {:.0} profiles/s",
            input.extents.size(LAYER),
            input.extents.size(ANGLE),
            if input.scattering.is_some() { format!(", {} streams", options.streams()) } else { String::new() },
            R::NAME,
            profiles as f64 / seconds
        );
    }
    if options.print.json() {
        let summary = json_summary(("profiles", profiles), 0, devices, seconds, &options.results.out);
        crate::program::print::summary(with_remarks(summary, &input.derived, &input.remarks));
    }
    Ok(())
}

/// Warns of what is doubtful in layers that scatter, the same along every angle.
fn say_doubts(
    options: &Adding,
    batch: &scattering::Profiles<f64>,
    chosen: &scattering::Options,
) -> Result<(), Failure> {
    let views = scattering::ProfileViews::try_from(batch).map_err(|problem| Failure::usage(problem.to_string()))?;
    for doubt in Scattering::<f64>::on(&[Device::Thread]).scheme().doubts(&views, chosen) {
        warn(format!("{}: {doubt}", options.profiles.display()));
    }
    Ok(())
}

/// The radiances where layers scatter: for one angle after the other, which is a stream of its own.
fn scatter<R: Precision>(options: &Adding, input: &AddingInput, devices: &[Device]) -> Result<Radiances<R>, Failure> {
    let (profiles, angles) = (input.extents.items(), input.extents.size(ANGLE));
    let rows = if options.levels { input.extents.size(LEVEL) } else { 0 };
    let room = |rows: usize| vec![R::ZERO; rows * angles * profiles];
    let mut all = Radiances {
        top_radiance: room(1),
        surface_downward_radiance: if options.levels { room(1) } else { Vec::new() },
        upward_radiance: room(rows),
        downward_radiance: room(rows),
        status: vec![0; profiles],
    };
    let nodes = options.streams() / 2;
    let chosen = scattering::Options {
        delta_scaling: !options.no_delta_scaling,
        levels: options.levels,
        ..scattering::Options::new(nodes)
    };
    let before = Arc::new(AtomicUsize::new(0));
    let (done_before, progress) =
        (before.clone(), Progress::new(options.print.quiet(), (profiles * angles) as u64, "profiles"));
    let model =
        Scattering::<R>::on(devices).progress(move |done| progress.reach(done_before.load(Ordering::Relaxed) + done));
    for angle in 0..angles {
        let (batch, chosen) = input.scattering_profiles(angle, &chosen).expect("the layers scatter");
        if angle == 0 {
            let scattered = &batch.single_scattering_albedo;
            deep::refuse::<R>(&options.profiles, &batch.optical_depth, scattered, profiles)?;
            say_doubts(options, &batch, &chosen)?;
        }
        let one = model.run(&batch.rounded::<R>(), &chosen)?;
        // The angle is the last of the streams.
        let of_angle = |level: usize| (level * (nodes + 1) + nodes) * profiles..;
        let place = |level: usize| (level * angles + angle) * profiles..;
        let copy = |to: &mut [R], from: &[R]| to[..profiles].copy_from_slice(&from[..profiles]);
        copy(&mut all.top_radiance[place(0)], &one.top_radiance[of_angle(0)]);
        for level in 0..rows {
            copy(&mut all.upward_radiance[place(level)], &one.upward_radiance[of_angle(level)]);
            copy(&mut all.downward_radiance[place(level)], &one.downward_radiance[of_angle(level)]);
        }
        if let Some(surface) = rows.checked_sub(1) {
            copy(&mut all.surface_downward_radiance[place(0)], &one.downward_radiance[of_angle(surface)]);
        }
        before.fetch_add(profiles, Ordering::Relaxed);
    }
    Ok(all)
}

/// Whether something that is written beside coordinates goes by a name.
fn is_result(name: &str) -> bool {
    ["cosine", "wavenumber"].contains(&name) || RadianceViews::<f64>::DECLARED.iter().any(|one| one.file_name == name)
}

/// Writes the radiances with the input's orientation.
fn write<R: Real + Sample>(
    options: &Adding,
    input: &AddingInput,
    devices: &[Device],
    radiances: &Radiances<R>,
    mut output: DatasetWriter,
) -> Result<(), Failure> {
    output.provenance(&Provenance {
        title: "Radiances by the adding method".into(),
        device: devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        precision: R::NAME.into(),
        // Without the folder of the program, which says nothing about the result.
        history: super::history(),
        inputs: vec![options.profiles.clone()],
    })?;
    let (top_first, orientation) = match input.orientation {
        Orientation::TopFirst => (true, "top_first"),
        Orientation::BottomFirst => (false, "bottom_first"),
    };
    output.attribute("orientation", orientation)?;
    if input.scattering.is_some() {
        let delta = if options.no_delta_scaling { "without delta scaling" } else { "delta-scaled" };
        output.attribute("scattering", &format!("{} streams, {delta}", options.streams()))?;
    }
    output.dimension("angle", input.extents.size(ANGLE))?;
    output.items("profile", input.extents.items(), &input.grid, is_result)?;
    let per_wavenumber = input.radiance_unit.ends_with(" cm");
    let cosine = OutputVariable {
        name: "cosine",
        dimensions: &["angle"],
        units: "1",
        long_name: "cosine of the angle against the vertical",
        standard_name: None,
        reference_name: Some("mu"),
    };
    output.variable(&cosine, &input.options.cosine)?;
    if let Some(wavenumber) = input.wavenumber_per_cm {
        let variable = OutputVariable {
            name: "wavenumber",
            dimensions: &[],
            units: "cm-1",
            long_name: "wavenumber",
            standard_name: Some("radiation_wavenumber"),
            reference_name: None,
        };
        output.variable(&variable, &[wavenumber])?;
    }
    if options.levels {
        output.dimension("level", input.extents.size(LEVEL))?;
    }
    let fields = [
        ("upward radiance at the top", "level_up[0]", &radiances.top_radiance),
        ("downward radiance at the surface", "level_down[L]", &radiances.surface_downward_radiance),
        ("upward radiance", "level_up", &radiances.upward_radiance),
        ("downward radiance", "level_down", &radiances.downward_radiance),
    ];
    for (declared, (long_name, reference_name, values)) in RadianceViews::<R>::DECLARED.iter().zip(fields) {
        if values.is_empty() {
            continue;
        }
        let at_levels = declared.shape.contains(&LEVEL);
        let variable = OutputVariable {
            name: declared.file_name,
            dimensions: if at_levels { &["level", "angle", "profile"] } else { &["angle", "profile"] },
            units: input.radiance_unit,
            long_name,
            standard_name: declared.standard_names.first().copied().filter(|_| per_wavenumber),
            reference_name: Some(reference_name),
        };
        if at_levels && !top_first {
            let row = input.extents.size(ANGLE) * input.extents.items();
            let flipped: Vec<R> = values.chunks(row).rev().flatten().copied().collect();
            output.variable(&variable, &flipped)?;
        } else {
            output.variable(&variable, values)?;
        }
    }
    output.commit()?;
    Ok(())
}
