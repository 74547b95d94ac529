//! `isobar adding`: layered profiles in, radiances out.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use isobar_adding::Schedule;
use isobar_core::Real;
use isobar_io::netcdf::{NetcdfOutput, Orientation, OutputVariable, Provenance, Sample};
use isobar_io::{AddingInput, AddingOptions, AtomicFile, Error, SurfaceKind, read_adding};
use isobar_launch::adding::{ClearSkyModel, Outputs, Radiances};
use isobar_launch::{Device, Plain};

use super::{DeviceOptions, Failure, Precision};
use crate::plot;

/// Shorter runs show no progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// The options of `isobar adding`.
#[derive(Args, Debug)]
pub(crate) struct Adding {
    /// Profiles, NetCDF: `optical_depth(layer, profile)`, `planck_radiance(layer, profile)` or `temperature` and `wavenumber`,
    /// `surface_planck`, `emissivity(angle, profile)`, `cosine(angle)`
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
    /// The source is linear in optical depth between the levels, of which the file has `planck_radiance_level` or `temperature_level`
    #[arg(long)]
    linear_source: bool,
    /// Who computes what: the radiances do not depend on it
    #[arg(long, value_parser = schedule, default_value = "auto")]
    schedule: Schedule,
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

/// The schedule of a name.
pub(crate) fn schedule(name: &str) -> Result<Schedule, String> {
    let known = std::iter::once(Schedule::Auto).chain(Schedule::ALL);
    let names = known.clone().map(Schedule::name).collect::<Vec<_>>().join(", ");
    known.into_iter().find(|schedule| schedule.name() == name).ok_or(format!("one of {names}"))
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
        Precision::F32 => solve::<f32>(options, &input, devices, output, plot),
        Precision::F64 => solve::<f64>(options, &input, devices, output, plot),
    })
}

fn solve<R: Real + Plain + Sample>(
    options: &Adding,
    input: &AddingInput,
    devices: &[Device],
    output: NetcdfOutput,
    plot: Option<AtomicFile>,
) -> Result<(), Failure> {
    let batch = &input.profiles;
    let outputs = if options.levels { Outputs::Levels } else { Outputs::Ends };
    let bar = if options.quiet { ProgressBar::hidden() } else { ProgressBar::new(batch.profiles() as u64) };
    bar.set_style(ProgressStyle::with_template("{wide_bar} {pos} of {len} profiles, {eta} left").expect("a template"));
    let start = Instant::now();
    let radiances = ClearSkyModel::new(devices).schedule(options.schedule).run::<R>(batch, outputs, &|done| {
        if start.elapsed() > PATIENCE {
            bar.set_position(done as u64);
        }
    });
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let radiances = radiances?;
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
            "{} profiles, {} layers, {} angles on {names} in {}: {seconds:.3} s, {:.0} profiles/s",
            batch.profiles(),
            batch.layers(),
            batch.angles(),
            R::NAME,
            batch.profiles() as f64 / seconds
        );
    }
    Ok(())
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
    output.variable(&surface, &radiances.surface_down)?;
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
