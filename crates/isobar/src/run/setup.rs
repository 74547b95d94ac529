//! What a case means: its files read, its numbers checked.

use std::path::PathBuf;

use isobar_column::stages::{
    Above, Forced, GroundKind, LongwaveOptions, Ozone, PrescribedFlux, RadiationOptions, SolarTime,
};
use isobar_column::sun::hour_angle;
use isobar_column::{Initial, Table};
use isobar_core::Real;
use isobar_kpp::Mechanism;
use isobar_radiation::{LongwaveScattering, Overlap};
use toml::Spanned;

use super::air::{air, site};
use super::clouds;
use super::description::{self, Description};
use super::error::Error;
use super::forcing::{forcing, ground, surface_flux};
use super::idle::{OzoneSeen, idle};
use super::prescribed::Reading;
use super::processes::{AboveKind, CloudOverlap, Longwave as LongwaveSection, Scattering};
use super::reader::CaseFile;
use super::satellite::Satellite;
use super::soil::{Soil, soil};
use super::solar_time::solar_time;
use super::species::{ChemistrySetup, chemistry_of, tracer};
use super::spectra::{self, Asked, Longwave, Spectrum};
use super::start_file::{Start, midnight, when};
use super::surface_layer::revised;

/// A case whose files are read and whose numbers are checked: a run, ready to be built on a device.
pub struct Setup {
    pub(super) title: String,
    pub(super) initial: Initial,
    /// The columns without values, in order.
    pub(super) masked: Vec<usize>,
    pub(super) step_s: f64,
    pub(super) start_s: f64,
    pub(super) day_of_year: f64,
    /// The midnight from which the run's times count \[s since 2000\], where a date is known.
    pub(super) midnight: Option<f64>,
    pub(super) solar_time: SolarTime,
    pub(super) steps: u64,
    pub(super) output_every: u64,
    pub(super) restart_every: Option<u64>,
    pub(super) ground: GroundKind,
    /// Layers of soil below a slab.
    pub(super) soil: Option<Soil>,
    pub(super) surface_flux: Option<PrescribedFlux>,
    /// The revised MM5 surface layer, in place of the similarity.
    pub(super) revised_surface: Option<isobar_surface::Options>,
    /// Large-scale condensation, and whether what falls evaporates.
    pub(super) condensation: Option<bool>,
    /// What else is prescribed.
    pub(super) forcing: Vec<(Forced, Table)>,
    /// The long wave, and the steps from one call to the next.
    pub(super) longwave: Option<(Longwave, u64)>,
    /// The short wave, and the steps from one call to the next.
    pub(super) shortwave: Option<(Spectrum, u64)>,
    /// The options of both spectra.
    pub(super) radiation: RadiationOptions,
    pub(super) chemistry: Option<ChemistrySetup>,
    pub(super) satellite: Option<Satellite>,
    pub(super) stages: Option<Spanned<Vec<String>>>,
    /// The files that were read, the case first.
    pub(super) inputs: Vec<PathBuf>,
    /// What the user should know.
    pub(super) notes: Vec<String>,
    /// What the caller has changed in the case, in words.
    pub(super) changes: String,
}

impl Setup {
    /// Tells `warn` what the satellite's files leave out, and of a k-distribution that is not known.
    pub(super) fn new(file: &CaseFile, case: &Description, warn: &mut dyn FnMut(String)) -> Result<Self, Error> {
        let mut inputs = vec![file.path.clone()];
        let mut notes = Vec::new();
        if let Some(day) = case.day_of_year.filter(|day| !(1.0..=366.0).contains(day) || day.fract() != 0.0) {
            let problem = format!("{day} is no whole day of [1, 366]: `start_hour` says when on it");
            return Err(file.at("day_of_year", problem));
        }
        let mut start = air(file, case, &mut inputs)?;
        site(file, case, &mut start)?;
        let Start { mut initial, whereabouts, clouds, notes: of_start, masked } = start;
        notes.extend(of_start);
        let whereabouts = whereabouts.as_ref().map(|(_, whereabouts)| whereabouts);
        let (day_of_year, start_hour) = when(case, whereabouts);
        let midnight = midnight(case, whereabouts);
        let (solar_time, of_sun) = solar_time(file, case, whereabouts);
        notes.extend(of_sun);
        initial.ozone_mol_per_mol.iter_mut().for_each(|ozone| *ozone = ozone.max(case.initial.least_ozone));
        let longwave = case.longwave.as_ref().map(|section| {
            let (kdist, clouds) = (section.kdist.as_ref(), section.clouds.as_ref());
            let asked = Asked { kdist, clouds, section: "longwave", longwave: true };
            let longwave = spectra::longwave(file, asked, &mut inputs, warn)?;
            if section.scattering != Scattering::None && matches!(longwave, Longwave::Rrtmg(_)) {
                return Err(file.at("scattering", "RRTMG's long wave does not scatter"));
            }
            Ok::<_, Error>((longwave, section.every))
        });
        let longwave = longwave.transpose()?;
        let shortwave = case.shortwave.as_ref().map(|section| {
            let (kdist, clouds) = (section.kdist.as_ref(), section.clouds.as_ref());
            let asked = Asked { kdist, clouds, section: "shortwave", longwave: false };
            Ok::<_, Error>((spectra::spectrum(file, asked, &mut inputs)?, section.every))
        });
        let shortwave = shortwave.transpose()?;
        let mut radiation = radiation(file, case, (day_of_year, solar_time))?;
        let spectra = (longwave.as_ref().map(|(longwave, _)| longwave), shortwave.as_ref());
        initial.clouds = clouds::clouds(file, case, &initial, clouds, spectra, &mut notes)?;
        spectra::check(file, case, &initial, spectra)?;
        let chemistry = match &case.chemistry {
            None => None,
            Some(chemistry) => {
                let chemistry = chemistry_of(file, chemistry, &mut initial, &mut inputs, &mut notes)?;
                if let Some(ozone) = tracer(&chemistry.mechanism, "O3") {
                    radiation.gases.ozone = Ozone::Tracer(ozone);
                }
                Some(chemistry)
            }
        };
        let step_s = case.step_s;
        if step_s > 3600.0 {
            return Err(file.at("step_s", format!("{step_s} is not in (0, 3600]")));
        }
        let multiple = |seconds: f64| {
            let steps = seconds / step_s;
            let whole = steps.round();
            ((steps - whole).abs() < 1e-9 * whole && (1.0..1e12).contains(&whole)).then_some(whole as u64)
        };
        let no_multiple = |what: &str| format!("{what} is no multiple of the step of {step_s} s");
        let steps =
            multiple(3600.0 * case.hours).ok_or_else(|| file.at("hours", no_multiple("the length of the run")))?;
        let minutes = &case.output.minutes;
        let output_every = multiple(60.0 * minutes.get_ref())
            .ok_or_else(|| file.refuse(minutes, no_multiple("the time between results")))?;
        let restart_every = case.output.restart_hours.as_ref().map(|hours| {
            let refuse = || file.refuse(hours, no_multiple("the time between restart files"));
            multiple(3600.0 * hours.get_ref()).ok_or_else(refuse)
        });
        let restart_every = restart_every.transpose()?;
        let satellite = case.satellite.as_ref().map(|section| {
            let columns = (&initial, chemistry.as_ref());
            Satellite::new(file, case, section, columns, (steps, output_every), (&mut inputs, warn))
        });
        let satellite = satellite.transpose()?;
        let mut reading = Reading::new(file, &initial, steps as f64 * step_s);
        let ground = ground(file, case, &mut reading)?;
        let below = (case.ground.kind == description::GroundKind::Slab, case.ground.conductance());
        let soil = case.ground.soil.as_ref().map(|section| soil(file, section, below)).transpose()?;
        let surface_flux = surface_flux(file, case, &mut reading)?;
        let revised_surface = revised(file, case, &initial)?;
        let forcing = forcing(file, case, &mut reading)?;
        notes.append(&mut reading.notes);
        if let Some(at_start) = ground.at_start {
            initial.ground_mean_k.fill(at_start);
        }
        let has_ground = whereabouts.is_some_and(|whereabouts| !whereabouts.surface_temperature_k.is_empty());
        if let GroundKind::Given { warmest_hour } = ground.kind
            && has_ground
        {
            begin_with(&mut initial, start_hour - warmest_hour);
        }
        let of_ozone = OzoneSeen {
            as_tracer: matches!(radiation.gases.ozone, Ozone::Tracer(_)),
            by_satellite: satellite.as_ref().is_some_and(Satellite::sees_ozone_of_columns),
        };
        notes.extend(idle(file, case, &initial, (steps, restart_every), of_ozone));
        if surface_flux.is_some() && longwave.is_none() {
            let idle = "the ground's temperature has no effect: the fluxes are given, and there is no long wave";
            notes.push(format!("{}: {idle}", file.path.display()));
        }
        if longwave.is_none() {
            let none = if shortwave.is_none() { "radiation" } else { "long wave" };
            notes.push(format!("{}: without [longwave] there is no {none}", file.path.display()));
        }
        Ok(Self {
            title: case.title.clone(),
            initial,
            masked,
            step_s,
            start_s: 3600.0 * start_hour,
            day_of_year,
            midnight,
            solar_time,
            steps,
            output_every,
            restart_every,
            ground: ground.kind,
            soil,
            surface_flux,
            revised_surface,
            condensation: case.condensation.map(|section| section.evaporation),
            forcing,
            longwave,
            shortwave,
            radiation,
            chemistry,
            satellite,
            stages: case.stages.clone(),
            inputs,
            notes,
            changes: file.changes.iter().map(|(key, value)| format!(" {key}={value}")).collect(),
        })
    }

    /// What the output calls itself.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.initial.columns
    }

    /// The columns that the file of the start has no values of, in order: they have no results.
    #[must_use]
    pub fn masked(&self) -> &[usize] {
        &self.masked
    }

    /// Layers of each column.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.initial.layers()
    }

    /// The files that were read, the case first.
    #[must_use]
    pub fn inputs(&self) -> &[PathBuf] {
        &self.inputs
    }

    /// Steps of the whole run.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What the user should know, a line each: clouds that are left out.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The heat capacity of a slab of ground \[J/(m^2 K)\].
    pub(super) fn ground_heat_capacity(&self) -> Option<f64> {
        match self.ground {
            GroundKind::Slab { heat_capacity_j_per_m2_k, .. } => Some(heat_capacity_j_per_m2_k),
            GroundKind::Given { .. } | GroundKind::Prescribed { .. } => None,
        }
    }

    /// The mechanism of the chemistry; none without chemistry.
    #[must_use]
    pub fn mechanism(&self) -> Option<&Mechanism> {
        self.chemistry.as_ref().map(|chemistry| &chemistry.mechanism)
    }

    /// What a satellite looks at, if anything.
    #[must_use]
    pub fn satellite(&self) -> Option<&Satellite> {
        self.satellite.as_ref()
    }

    /// The names of the tracers: the mechanism's variable species, in the order of `tracers` among the records.
    #[must_use]
    pub fn tracers(&self) -> Vec<&str> {
        let Some(mechanism) = self.mechanism() else { return Vec::new() };
        mechanism.species()[..mechanism.variable()].iter().map(|species| species.name.as_str()).collect()
    }
}

/// What the ground has as its mean becomes its temperature at the start, some hours after the warmest one.
fn begin_with(initial: &mut Initial, hours: f64) {
    let phase = Real::cos(hour_angle(3600.0 * hours) - hour_angle(0.0));
    let ranges = initial.ground_amplitude_k.iter();
    initial.ground_mean_k.iter_mut().zip(ranges).for_each(|(mean, range)| *mean -= range * phase);
}

/// What radiation needs besides the columns.
fn radiation(
    file: &CaseFile,
    case: &Description,
    (day_of_year, solar_time): (f64, SolarTime),
) -> Result<RadiationOptions, Error> {
    let default = LongwaveSection::default();
    let section = case.longwave.as_ref().unwrap_or(&default);
    let gases = LongwaveOptions {
        ozone: Ozone::Field,
        mixed_mol_per_mol: [section.co2, section.n2o, 0.0, section.ch4, 0.209],
        emissivity: section.emissivity,
    };
    let irradiance = case.shortwave.as_ref().map(|section| &section.total_solar_irradiance_w_per_m2);
    let irradiance = irradiance.map(|value| file.check(value, (0.0, 9000.0))).transpose()?;
    let overlap = case.clouds.as_ref().and_then(|section| section.get_ref().overlap).unwrap_or_default();
    let options = RadiationOptions {
        gases,
        longwave_scattering: match section.scattering {
            Scattering::None => LongwaveScattering::None,
            Scattering::Rescaled => LongwaveScattering::Rescaled,
            Scattering::TwoStream => LongwaveScattering::TwoStream,
        },
        overlap: match overlap {
            CloudOverlap::Random => Overlap::Random,
            CloudOverlap::MaximumRandom => Overlap::MaximumRandom,
            CloudOverlap::Maximum => Overlap::Maximum,
        },
        layers_above: *case.above.layers.get_ref(),
        above: match case.above.temperature {
            None | Some(AboveKind::Us76) => Above::Standard,
            Some(AboveKind::Constant) => Above::Constant,
        },
        day_of_year,
        solar_time,
        ..RadiationOptions::default()
    };
    if case.longwave.is_none() && case.shortwave.is_none() && !case.above.layers.span().is_empty() {
        return Err(file.refuse(&case.above.layers, "layers above the top are of radiation, and there is none"));
    }
    if options.layers_above > 1000 {
        let problem = format!("{} layers above the top are not in [0, 1000]", options.layers_above);
        return Err(file.refuse(&case.above.layers, problem));
    }
    Ok(match irradiance {
        Some(total_solar_irradiance_w_per_m2) => RadiationOptions { total_solar_irradiance_w_per_m2, ..options },
        None => options,
    })
}
