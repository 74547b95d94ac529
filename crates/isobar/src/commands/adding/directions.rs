//! Profiles that are seen from any direction.

use std::time::Instant;

use isobar::plot;
use isobar_adding::azimuth::{AZIMUTH, Options, ProfileViews, Radiances, SUN, VIEW, components_needed};
use isobar_adding::{Adding as Model, Precision};
use isobar_core::Real;
use isobar_core::fields::{Dimension, Extents, LAYER, OwnedInputs, OwnedOutputs};
use isobar_io::DirectionsInput;
use isobar_io::adding::directions::{Angles, surface};
use isobar_io::netcdf::{DatasetWriter, Orientation, OutputVariable, Provenance, Sample};
use isobar_io::read_directions;
use isobar_launch::{Device, Scheme};

use super::{Adding, Order, deep, idle};
use crate::commands::{history, json_summary, say_remarks, with_remarks};
use crate::program::failure::Failure;
use crate::program::memory::{WRITTEN, need_for, need_for_file};
use crate::program::options::PrecisionOption;
use crate::program::output::ResultOutput;
use crate::program::progress::{Progress, patiently};
use crate::program::remarks::warn;

/// The streams if the command line does not say.
const STREAMS: usize = 16;

/// What is computed, and of what.
struct Batch<'a> {
    command: &'a Adding,
    input: &'a DirectionsInput,
    options: Options,
    extents: Extents,
    devices: &'a [Device],
}

pub(super) fn run(command: &Adding, output: ResultOutput) -> Result<(), Failure> {
    let quiet = command.print.quiet();
    let unfit = [
        (command.surface.is_some(), "--surface: the file says how the ground reflects"),
        (command.schedule != Order::Auto, "--schedule is for layers that do not scatter, and these do"),
    ];
    if let Some((_, why)) = unfit.iter().find(|(unfit, _)| *unfit) {
        return Err(Failure::usage((*why).to_owned()));
    }
    need_for_file(!quiet, &command.profiles, 10)?;
    let read = || read_directions(&command.profiles, command.linear_source);
    let input = patiently(quiet, "reading the profiles", read)?;
    say_remarks(quiet, &command.profiles, &input.derived, &input.remarks);
    command.device.with_threads_telling(!quiet, |devices| match command.device.precision {
        PrecisionOption::F32 => solve::<f32>(command, &input, devices, output),
        PrecisionOption::F64 => solve::<f64>(command, &input, devices, output),
    })
}

fn solve<R: Precision + Sample>(
    command: &Adding,
    input: &DirectionsInput,
    devices: &[Device],
    output: ResultOutput,
) -> Result<(), Failure> {
    let (quiet, profiles) = (command.print.quiet(), input.count);
    let mut options = Options {
        delta_scaling: !command.no_delta_scaling,
        corrections: !command.no_corrections,
        surface: input.surface,
        levels: command.levels,
        fluxes: true,
        ..Options::new(command.streams.unwrap_or(STREAMS) / 2)
    };
    let wrong = |problem: isobar_core::fields::Error| {
        Failure::from(isobar_io::Error::Invalid {
            place: isobar_io::Place::File(command.profiles.clone()),
            problem: problem.to_string(),
        })
    };
    let views = ProfileViews::try_from(&input.profiles).map_err(wrong)?;
    let extents = options.extents(&views).map_err(wrong)?;
    if input.mean && (command.components.is_some() || command.accuracy.is_some()) {
        let text = "--components and --accuracy are for azimuths, and the file has no relative_azimuth_angle";
        return Err(Failure::usage(text.to_owned()));
    }
    options.components = match command.components {
        Some(number) => number,
        None => components_needed(&views, &options, command.accuracy.unwrap_or(0.0)),
    };
    let scattered = &input.profiles.single_scattering_albedo;
    deep::refuse::<R>(&command.profiles, &input.profiles.optical_depth, scattered, profiles)?;
    idle::warn_of(command, input, &options);
    let batch = Batch { command, input, options, extents, devices };
    let rows = batch.rows();
    need_for(!quiet, profiles, "profiles", WRITTEN * (rows * size_of::<R>()) as u64)?;
    let progress = Progress::new(quiet, profiles as u64, "profiles");
    let model = Model::<R>::on(devices).progress(move |done| progress.reach(done));
    for doubt in Model::<f64>::on(devices).scheme().doubts(&views, &batch.options) {
        warn(format!("{}: {doubt}", command.profiles.display()));
    }
    let start = Instant::now();
    let mut radiances = model.run(&input.profiles.rounded::<R>(), &batch.options)?;
    let seconds = start.elapsed().as_secs_f64();
    for doubt in model.scheme().result_doubts(&radiances.views(profiles)) {
        warn(format!("{}: {doubt}", command.profiles.display()));
    }
    let seen = batch.reflectance(&radiances);
    let draw = || plot::directions::draw(input, &batch.extents, &radiances, seen.as_deref());
    output.write(quiet, draw, |file| batch.write(&radiances, seen.as_deref(), file))?;
    if !quiet {
        let names = devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        tell!(
            "{profiles} profiles, {} layers, {} directions, {} streams, {} components on {names} in {}: \
             {seconds:.3} s, {:.0} profiles/s",
            batch.extents.size(LAYER),
            batch.directions(),
            2 * batch.options.nodes,
            batch.components(),
            R::NAME,
            profiles as f64 / seconds
        );
    }
    if command.print.json() {
        let mut summary = json_summary(("profiles", profiles), 0, devices, seconds, &command.results.out);
        summary["components"] = batch.components().into();
        crate::program::print::summary(with_remarks(summary, &input.derived, &input.remarks));
    }
    Ok(())
}

impl Batch<'_> {
    /// Suns, views and azimuths of each profile.
    fn directions(&self) -> usize {
        [SUN, VIEW, AZIMUTH].into_iter().map(|dimension| self.extents.size(dimension)).product()
    }

    fn levels(&self) -> usize {
        self.extents.size(LAYER) + 1
    }

    fn components(&self) -> usize {
        self.options.computed_components(!self.input.profiles.relative_azimuth.is_empty())
    }

    /// Values of a profile among the results.
    fn rows(&self) -> usize {
        let radiances = if self.options.levels { 2 * self.levels() + 3 } else { 3 } * self.directions();
        radiances + 4 * self.levels() * self.extents.size(SUN)
    }

    /// `pi I/(mu_0 F)` of the light upward at the top, where all of it is sunlight; the mark of a missing value at
    /// night.
    fn reflectance<R: Real + Sample>(&self, radiances: &Radiances<R>) -> Option<Vec<R>> {
        let Self { input: DirectionsInput { profiles: batch, count, .. }, extents, .. } = self;
        let dark = |values: &[f64]| values.iter().all(|&value| value == 0.0);
        let emits = !batch.planck_radiance.is_empty() || !batch.planck_radiance_level.is_empty();
        if batch.sun_cosine.is_empty()
            || emits
            || !dark(&batch.surface_planck_radiance)
            || !dark(&batch.cosmic_background)
        {
            return None;
        }
        let a_sun = extents.size(VIEW) * extents.size(AZIMUTH) * count;
        let of = |(i, radiance): (usize, &R)| {
            let sun = i / a_sun * count + i % count;
            let horizontal = batch.sun_cosine[sun] * batch.sun_irradiance[sun];
            if horizontal > 0.0 { R::from_f64(std::f64::consts::PI / horizontal) * *radiance } else { R::FILL }
        };
        Some(radiances.top_radiance.iter().enumerate().map(of).collect())
    }

    /// The dimensions of a result: those of directions that the file has, or that are more than 1.
    fn dimensions(&self, wanted: &[(&'static str, Dimension)]) -> Vec<&'static str> {
        let [sun, angle, azimuth] = self.input.dimensions;
        let there = |dimension| match dimension {
            SUN => sun,
            VIEW => angle,
            AZIMUTH => azimuth,
            _ => true,
        };
        let wanted = wanted.iter().filter(|(_, dimension)| there(*dimension) || self.extents.size(*dimension) > 1);
        wanted.map(|(name, _)| *name).chain(["profile"]).collect()
    }

    /// Writes the results with the input's orientation.
    fn write<R: Real + Sample>(
        &self,
        radiances: &Radiances<R>,
        reflectance: Option<&[R]>,
        mut output: DatasetWriter,
    ) -> Result<(), Failure> {
        let (input, extents) = (self.input, &self.extents);
        self.attributes::<R>(&mut output)?;
        for (name, dimension) in DIRECTIONS {
            if self.dimensions(&[(name, dimension)]).len() > 1 {
                output.dimension(name, extents.size(dimension))?;
            }
        }
        output.dimension("level", self.levels())?;
        output.items("profile", input.count, &input.grid, |_| false)?;
        self.write_angles(&mut output)?;
        let named = |name| Named::of(input.radiance_unit, name);
        let (radiance, flux) = (input.radiance_unit, input.irradiance_unit);
        let fields = [
            ("top_radiance", "upward radiance at the top", radiance, &radiances.top_radiance),
            (
                "surface_downward_radiance",
                "diffuse downward radiance at the surface",
                radiance,
                &radiances.surface_downward_radiance,
            ),
            ("upward_radiance", "upward radiance", radiance, &radiances.upward_radiance),
            ("downward_radiance", "diffuse downward radiance", radiance, &radiances.downward_radiance),
            ("upward_flux", "upward flux", flux, &radiances.upward_flux),
            ("downward_flux", "diffuse downward flux, without the direct beam", flux, &radiances.downward_flux),
            ("direct_flux", "flux of the direct beam on a horizontal surface", flux, &radiances.direct_flux),
            ("actinic_flux", "actinic flux, diffuse light and beam", flux, &radiances.actinic_flux),
        ];
        for (name, long_name, units, values) in fields {
            if values.is_empty() {
                continue;
            }
            let at_levels = units == flux || name == "upward_radiance" || name == "downward_radiance";
            let directions: &[_] = if name.ends_with("flux") { &DIRECTIONS[..1] } else { &DIRECTIONS };
            let mut dimensions = if at_levels { vec!["level"] } else { Vec::new() };
            dimensions.extend(self.dimensions(directions));
            let Named { standard_name, reference_name } = named(name);
            let variable =
                OutputVariable { name, dimensions: &dimensions, units, long_name, standard_name, reference_name };
            if at_levels && input.orientation == Orientation::BottomFirst {
                let flipped: Vec<R> = values.chunks(values.len() / self.levels()).rev().flatten().copied().collect();
                output.variable(&variable, &flipped)?;
            } else {
                output.variable(&variable, values)?;
            }
        }
        if let Some(values) = reflectance {
            let variable = OutputVariable {
                name: "toa_bidirectional_reflectance",
                dimensions: &self.dimensions(&DIRECTIONS),
                units: "1",
                long_name: "reflectance at the top, pi times the radiance over the horizontal irradiance",
                standard_name: Some("toa_bidirectional_reflectance"),
                reference_name: None,
            };
            output.variable(&variable, values)?;
        }
        output.commit()?;
        Ok(())
    }

    fn attributes<R: Real>(&self, output: &mut DatasetWriter) -> Result<(), Failure> {
        output.provenance(&Provenance {
            title: "Radiances and fluxes by the adding method".into(),
            device: self.devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            precision: R::NAME.into(),
            history: history(),
            inputs: vec![self.command.profiles.clone()],
        })?;
        let orientation = match self.input.orientation {
            Orientation::TopFirst => "top_first",
            Orientation::BottomFirst => "bottom_first",
        };
        output.attribute("orientation", orientation)?;
        let Options { nodes, delta_scaling, corrections, surface, .. } = self.options;
        let delta = if delta_scaling { "delta-scaled" } else { "without delta scaling" };
        let seen = !self.input.profiles.relative_azimuth.is_empty();
        let corrected = if corrections && delta_scaling && seen { ", sunlight corrected (TMS, IMS)" } else { "" };
        let text = format!("{} streams, {} components in azimuth, {delta}{corrected}", 2 * nodes, self.components());
        output.attribute("scattering", &text)?;
        output.attribute("surface", surface::name(surface))?;
        Ok(())
    }

    /// The angles of views, suns and azimuths.
    fn write_angles(&self, output: &mut DatasetWriter) -> Result<(), Failure> {
        let input = self.input;
        let all = [
            (&input.views, DIRECTIONS[1], "zenith_angle", "zenith angle of the view", Some("sensor_zenith_angle")),
            (&input.suns, DIRECTIONS[0], "solar_zenith_angle", "zenith angle of the Sun", Some("solar_zenith_angle")),
            (
                &input.azimuths,
                DIRECTIONS[2],
                "relative_azimuth_angle",
                "azimuth between the directions in which sunbeam and light travel, 0 is forward",
                None,
            ),
        ];
        for (angles, dimension, name, long_name, standard_name) in all {
            let Angles { degrees, by_profile } = angles;
            if degrees.is_empty() {
                continue;
            }
            let mut dimensions = self.dimensions(&[dimension]);
            if !by_profile && input.count > 1 {
                dimensions.pop();
            }
            let reference_name = None;
            let units = "degree";
            let variable =
                OutputVariable { name, dimensions: &dimensions, units, long_name, standard_name, reference_name };
            output.variable(&variable, degrees)?;
        }
        Ok(())
    }
}

/// What directions are called in files, in the order of results.
const DIRECTIONS: [(&str, Dimension); 3] = [("sun", SUN), ("angle", VIEW), ("azimuth", AZIMUTH)];

/// What a result is called elsewhere.
struct Named {
    standard_name: Option<&'static str>,
    reference_name: Option<&'static str>,
}

impl Named {
    /// CF's name where the unit is that of a spectral density which has one, and DISORT's.
    fn of(radiance_unit: &str, name: &str) -> Self {
        let per = match radiance_unit {
            "mW m-2 sr-1 cm" => Some(0),
            "W m-2 sr-1 um-1" => Some(1),
            _ => None,
        };
        let (standard, reference_name): (Option<[&str; 2]>, _) = match name {
            "top_radiance" => (
                Some(["toa_outgoing_radiance_per_unit_wavenumber", "toa_outgoing_radiance_per_unit_wavelength"]),
                Some("UU"),
            ),
            "upward_radiance" => (
                Some([
                    "upwelling_radiance_per_unit_wavenumber_in_air",
                    "upwelling_radiance_per_unit_wavelength_in_air",
                ]),
                Some("UU"),
            ),
            "downward_radiance" => (
                Some([
                    "downwelling_radiance_per_unit_wavenumber_in_air",
                    "downwelling_radiance_per_unit_wavelength_in_air",
                ]),
                Some("UU"),
            ),
            "surface_downward_radiance" => (
                Some([
                    "surface_downwelling_radiance_per_unit_wavenumber",
                    "surface_downwelling_radiance_per_unit_wavelength_in_air",
                ]),
                Some("UU"),
            ),
            "upward_flux" => (None, Some("FLUP")),
            "downward_flux" => (None, Some("RFLDN")),
            "direct_flux" => (None, Some("RFLDIR")),
            _ => (None, None),
        };
        let standard_name = per.and_then(|per: usize| standard.map(|names| names[per]));
        Self { standard_name, reference_name }
    }
}
