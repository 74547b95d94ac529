//! `isobar adding`: layered profiles in, radiances out.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use isobar_adding::Schedule;
use isobar_adding::launch::{ClearSkyModel, Outputs, Precision, Radiances, ScatteringModel, ScatteringSchedule};
use isobar_adding::scattering::batch::MOST_NODES;
use isobar_core::Real;
use isobar_io::netcdf::{NetcdfOutput, Orientation, OutputVariable, Provenance, Sample};
use isobar_io::{AddingInput, AddingOptions, AtomicFile, Error, SurfaceKind, read_adding};
use isobar_launch::Device;

use super::progress::Progress;
use super::{DeviceOptions, Failure, PrecisionOption};
use crate::plot;

/// The options of `isobar adding`.
#[derive(Args, Debug)]
pub(crate) struct Adding {
    /// Profiles, NetCDF: `optical_depth(layer, profile)`, `planck_radiance(layer, profile)` or `temperature` and
    /// `wavenumber`, `surface_planck`, `emissivity(angle, profile)`, `cosine(angle)`; with
    /// `single_scattering_albedo(layer, profile)` and `asymmetry(layer, profile)` or
    /// `phase_moments(layer, moment, profile)` the layers scatter
    profiles: PathBuf,
    /// Radiances, NetCDF
    #[arg(short, long)]
    out: PathBuf,
    /// Also draw the radiances, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write the radiances of all levels, too
    #[arg(long)]
    levels: bool,
    /// Where goes what the surface does not emit
    #[arg(long, value_enum, default_value = "specular")]
    surface: Surface,
    /// The source is linear in optical depth between the levels, of which the file has `planck_radiance_level` or
    /// `temperature_level`
    #[arg(long)]
    linear_source: bool,
    /// Who computes what. In a clear sky (sequential, warp, block, deep) the radiances do not depend on it; where
    /// layers scatter (sequential, tree) two orders of adding differ by roundings
    #[arg(long, value_enum, default_value = "auto")]
    schedule: Order,
    /// Streams of both hemispheres in which light is scattered, 2 to 32
    #[arg(long, value_parser = streams, default_value = "8")]
    streams: usize,
    /// Take the forward peak of the phase functions as scattered, too
    #[arg(long)]
    no_delta_scaling: bool,
    #[command(flatten)]
    device: DeviceOptions,
    /// Print nothing but warnings and errors
    #[arg(long)]
    quiet: bool,
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

/// Schedules of clear layers and of those that scatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    Auto,
    Sequential,
    Warp,
    Block,
    Deep,
    Tree,
}

impl Order {
    fn clear_sky(self) -> Result<Schedule, Failure> {
        match self {
            Self::Auto => Ok(Schedule::Auto),
            Self::Sequential => Ok(Schedule::Sequential),
            Self::Warp => Ok(Schedule::Warp),
            Self::Block => Ok(Schedule::Block),
            Self::Deep => Ok(Schedule::Deep),
            Self::Tree => Err(Failure("--schedule tree is for layers that scatter, and these do not".to_owned())),
        }
    }

    fn scattering(self) -> Result<ScatteringSchedule, Failure> {
        match self {
            Self::Auto => Ok(ScatteringSchedule::Auto),
            Self::Sequential => Ok(ScatteringSchedule::Sequential),
            Self::Tree => Ok(ScatteringSchedule::Tree),
            Self::Warp | Self::Block | Self::Deep => {
                Err(Failure("layers that scatter are added with --schedule sequential or tree".to_owned()))
            }
        }
    }
}

/// An even number from 2 to 32.
fn streams(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|streams| (2..=2 * MOST_NODES).contains(streams) && streams % 2 == 0);
    number.ok_or_else(|| format!("an even number from 2 to {}", 2 * MOST_NODES))
}

pub(crate) fn run(options: &Adding) -> Result<(), Failure> {
    // A folder that cannot be written is refused before the work.
    let output = NetcdfOutput::create(&options.out)?;
    let plot = options.plot.as_deref().map(AtomicFile::create).transpose()?;
    let surface = match options.surface {
        Surface::Black => SurfaceKind::Black,
        Surface::Specular => SurfaceKind::Specular,
        Surface::Lambertian => SurfaceKind::Lambertian,
    };
    let input = read_adding(&options.profiles, &AddingOptions { surface, linear_source: options.linear_source })?;
    options.device.with_threads_telling(!options.quiet, |devices| match options.device.precision {
        PrecisionOption::F32 => solve::<f32>(options, &input, devices, output, plot),
        PrecisionOption::F64 => solve::<f64>(options, &input, devices, output, plot),
    })
}

fn solve<R: Precision + Sample>(
    options: &Adding,
    input: &AddingInput,
    devices: &[Device],
    output: NetcdfOutput,
    plot: Option<AtomicFile>,
) -> Result<(), Failure> {
    let batch = &input.profiles;
    let start = Instant::now();
    let radiances = if input.scattering.is_some() {
        scatter::<R>(options, input, devices)?
    } else {
        let outputs = if options.levels { Outputs::Levels } else { Outputs::Ends };
        let progress = Progress::new(options.quiet, batch.profiles() as u64, "profiles");
        let model = ClearSkyModel::new(devices).schedule(options.schedule.clear_sky()?);
        model.run::<R>(batch, outputs, &|done| progress.reach(done))?
    };
    let seconds = start.elapsed().as_secs_f64();
    if let (Some(mut file), Some(path)) = (plot, &options.plot) {
        let svg = plot::adding::draw(input, &radiances)?;
        let failure = |cause| Error::Io { path: path.clone(), action: "write", cause };
        file.write_all(svg.as_bytes()).and_then(|()| file.flush()).map_err(failure)?;
        write(options, input, devices, &radiances, output)?;
        file.commit()?;
    } else {
        write(options, input, devices, &radiances, output)?;
    }
    if !options.quiet {
        let names = devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        eprintln!(
            "{} profiles, {} layers, {} angles{} on {names} in {}: {seconds:.3} s, {:.0} profiles/s",
            batch.profiles(),
            batch.layers(),
            batch.angles(),
            if input.scattering.is_some() { format!(", {} streams", options.streams) } else { String::new() },
            R::NAME,
            batch.profiles() as f64 / seconds
        );
    }
    Ok(())
}

/// The radiances where layers scatter: for one angle after the other, which is a stream of its own.
fn scatter<R: Precision>(options: &Adding, input: &AddingInput, devices: &[Device]) -> Result<Radiances<R>, Failure> {
    let (profiles, angles) = (input.profiles.profiles(), input.profiles.angles());
    let rows = if options.levels { input.profiles.layers() + 1 } else { 0 };
    let room = |rows: usize| vec![R::ZERO; rows * angles * profiles];
    let mut all = Radiances {
        top: room(1),
        surface_down: if options.levels { room(1) } else { Vec::new() },
        level_up: room(rows),
        level_down: room(rows),
    };
    let (nodes, model) = (options.streams / 2, ScatteringModel::new(devices).schedule(options.schedule.scattering()?));
    let progress = Progress::new(options.quiet, (profiles * angles) as u64, "profiles");
    for angle in 0..angles {
        let batch = input.scattering_profiles(angle, nodes, !options.no_delta_scaling).expect("the layers scatter");
        let one = model.run::<R>(&batch, options.levels, &|done| progress.reach(angle * profiles + done))?;
        // The angle is the last of the streams.
        let of_angle = |level: usize| (level * (nodes + 1) + nodes) * profiles..;
        let place = |level: usize| (level * angles + angle) * profiles..;
        let copy = |to: &mut [R], from: &[R]| to[..profiles].copy_from_slice(&from[..profiles]);
        copy(&mut all.top[place(0)], &one.top[of_angle(0)]);
        for level in 0..rows {
            copy(&mut all.level_up[place(level)], &one.level_up[of_angle(level)]);
            copy(&mut all.level_down[place(level)], &one.level_down[of_angle(level)]);
        }
        if let Some(surface) = rows.checked_sub(1) {
            copy(&mut all.surface_down[place(0)], &one.level_down[of_angle(surface)]);
        }
    }
    Ok(all)
}

/// Writes the radiances with the input's orientation.
fn write<R: Real + Sample>(
    options: &Adding,
    input: &AddingInput,
    devices: &[Device],
    radiances: &Radiances<R>,
    mut output: NetcdfOutput,
) -> Result<(), Failure> {
    let batch = &input.profiles;
    output.provenance(&Provenance {
        title: "Radiances by the adding method".into(),
        device: devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        precision: R::NAME.into(),
        // Without the folder of the program, which says nothing about the result.
        history: std::iter::once("isobar".into()).chain(std::env::args().skip(1)).collect::<Vec<_>>().join(" "),
        inputs: vec![options.profiles.clone()],
    })?;
    let (top_first, orientation) = match input.orientation {
        Orientation::TopFirst => (true, "top_first"),
        Orientation::BottomFirst => (false, "bottom_first"),
    };
    output.attribute("orientation", orientation)?;
    if input.scattering.is_some() {
        let delta = if options.no_delta_scaling { "without delta scaling" } else { "delta-scaled" };
        output.attribute("scattering", &format!("{} streams, {delta}", options.streams))?;
    }
    output.dimension("angle", batch.angles())?;
    output.dimension("profile", batch.profiles())?;
    let per_wavenumber = input.radiance_unit.ends_with(" cm");
    let named = |name: &'static str| per_wavenumber.then_some(name);
    let radiance = |name, dimensions, long_name, standard_name, reference_name| OutputVariable {
        name,
        dimensions,
        units: input.radiance_unit,
        long_name,
        standard_name,
        reference_name: Some(reference_name),
    };
    let cosine = OutputVariable {
        name: "cosine",
        dimensions: &["angle"],
        units: "1",
        long_name: "cosine of the angle against the vertical",
        standard_name: None,
        reference_name: Some("mu"),
    };
    output.variable(&cosine, &batch.cosine)?;
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
    let ends: &[&str] = &["angle", "profile"];
    let up = named("toa_outgoing_radiance_per_unit_wavenumber");
    output
        .variable(&radiance("top_radiance", ends, "upward radiance at the top", up, "level_up[0]"), &radiances.top)?;
    let down = named("surface_downwelling_radiance_per_unit_wavenumber");
    let surface =
        radiance("surface_downward_radiance", ends, "downward radiance at the surface", down, "level_down[L]");
    if !radiances.surface_down.is_empty() {
        output.variable(&surface, &radiances.surface_down)?;
    }
    if options.levels {
        output.dimension("level", batch.layers() + 1)?;
        let levels: &[&str] = &["level", "angle", "profile"];
        let up = named("upwelling_radiance_per_unit_wavenumber_in_air");
        let down = named("downwelling_radiance_per_unit_wavenumber_in_air");
        for (name, long_name, standard_name, reference, values) in [
            ("upward_radiance", "upward radiance", up, "level_up", &radiances.level_up),
            ("downward_radiance", "downward radiance", down, "level_down", &radiances.level_down),
        ] {
            let row = batch.angles() * batch.profiles();
            let flipped: Vec<R>;
            let values = if top_first {
                values
            } else {
                flipped = values.chunks(row).rev().flatten().copied().collect();
                &flipped
            };
            output.variable(&radiance(name, levels, long_name, standard_name, reference), values)?;
        }
    }
    output.commit()?;
    Ok(())
}
