//! What a case means: its files read, its numbers checked.

use std::path::PathBuf;

use isobar_column::Initial;
use isobar_column::stages::{Above, GroundKind, LongwaveOptions, Ozone, RadiationOptions, Sunlight};
use isobar_kpp::Mechanism;
use isobar_radiation::{LongwaveScattering, Overlap};
use toml::Spanned;

use super::air::{Start, air, site};
use super::clouds;
use super::description::{Description, GroundKind as Kinds};
use super::error::Error;
use super::processes::{AboveKind, CloudOverlap, Scattering};
use super::reader::CaseFile;
use super::satellite::Satellite;
use super::species::{ChemistrySetup, chemistry_of, tracer};
use super::spectra::{self, Asked, Longwave, Spectrum};

/// A case whose files are read and whose numbers are checked: a run, ready to be built on a device.
pub struct Setup {
    pub(super) title: String,
    pub(super) initial: Initial,
    pub(super) step_s: f64,
    pub(super) start_s: f64,
    pub(super) day_of_year: f64,
    pub(super) steps: u64,
    pub(super) output_every: u64,
    pub(super) restart_every: Option<u64>,
    pub(super) ground: GroundKind,
    pub(super) longwave: Longwave,
    pub(super) longwave_every: u64,
    /// The short wave, and every so many steps.
    pub(super) shortwave: Option<(Spectrum, u64)>,
    /// Of both spectra.
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
        if !(1.0..367.0).contains(&case.day_of_year) {
            return Err(file.at("day_of_year", format!("{} is not in [1, 367)", case.day_of_year)));
        }
        let Start { mut initial, clouds, notes: of_start } = air(file, case, &mut inputs)?;
        notes.extend(of_start);
        site(file, case, &mut initial)?;
        initial.ozone_mol_per_mol.iter_mut().for_each(|ozone| *ozone = ozone.max(case.initial.least_ozone));
        let section = &case.longwave;
        let asked = Asked {
            kdist: section.kdist.as_ref(),
            clouds: section.clouds.as_ref(),
            section: "longwave",
            longwave: true,
        };
        let longwave = spectra::longwave(file, asked, &mut inputs, warn)?;
        if section.scattering != Scattering::None && matches!(longwave, Longwave::Rrtmg(_)) {
            return Err(file.at("scattering", "RRTMG's long wave does not scatter"));
        }
        let shortwave = case.shortwave.as_ref().map(|section| {
            let (kdist, clouds) = (section.kdist.as_ref(), section.clouds.as_ref());
            let asked = Asked { kdist, clouds, section: "shortwave", longwave: false };
            Ok::<_, Error>((spectra::spectrum(file, asked, &mut inputs)?, section.every))
        });
        let shortwave = shortwave.transpose()?;
        let mut radiation = radiation(file, case)?;
        initial.clouds = clouds::clouds(file, case, &initial, clouds, (&longwave, shortwave.as_ref()), &mut notes)?;
        spectra::check(file, case, &initial, (&longwave, shortwave.as_ref()))?;
        let chemistry = match &case.chemistry {
            None => None,
            Some(chemistry) => {
                let chemistry = chemistry_of(file, chemistry, &mut initial, &mut inputs)?;
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
        let satellite = case.satellite.as_ref().map(|section| {
            let columns = (&initial, chemistry.as_ref());
            Satellite::new(file, case, section, columns, (steps, output_every), (&mut inputs, warn))
        });
        let satellite = satellite.transpose()?;
        Ok(Self {
            title: case.title.clone(),
            initial,
            step_s,
            start_s: 3600.0 * case.start_hour,
            day_of_year: case.day_of_year,
            steps,
            output_every,
            restart_every: restart_every.transpose()?,
            ground: ground(file, case)?,
            longwave,
            longwave_every: section.every,
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
            GroundKind::Given { .. } => None,
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

/// What radiation needs besides the columns.
fn radiation(file: &CaseFile, case: &Description) -> Result<RadiationOptions, Error> {
    let section = &case.longwave;
    let gases = LongwaveOptions {
        ozone: Ozone::Field,
        mixed_mol_per_mol: [section.co2, section.n2o, 0.0, section.ch4, 0.209],
        emissivity: section.emissivity,
    };
    let irradiance = case.shortwave.as_ref().map(|section| &section.total_solar_irradiance_w_per_m2);
    let irradiance = irradiance.map(|value| file.check(value, (0.0, 9000.0))).transpose()?;
    let overlap = case.clouds.as_ref().map_or(CloudOverlap::default(), |section| section.get_ref().overlap);
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
        above: if case.above.temperature == AboveKind::Us76 { Above::Standard } else { Above::Constant },
        day_of_year: case.day_of_year,
        ..RadiationOptions::default()
    };
    if options.layers_above > 1000 {
        let problem = format!("{} layers above the top are not in [0, 1000]", options.layers_above);
        return Err(file.refuse(&case.above.layers, problem));
    }
    Ok(match irradiance {
        Some(total_solar_irradiance_w_per_m2) => RadiationOptions { total_solar_irradiance_w_per_m2, ..options },
        None => options,
    })
}

fn ground(file: &CaseFile, case: &Description) -> Result<GroundKind, Error> {
    let ground = &case.ground;
    let slab = ground.kind == Kinds::Slab;
    let own_sun = slab && case.shortwave.is_none();
    let given = [&ground.transmittance, &ground.albedo].into_iter().flatten().next();
    if let Some(value) = given.filter(|_| slab && !own_sun) {
        return Err(file.refuse(value, "a slab under [shortwave] takes its sunlight, and has the albedo given there"));
    }
    let part = |value: &Option<Spanned<f64>>, default| {
        value.as_ref().map_or(Ok(default), |value| file.check(value, (0.0, 1.0)))
    };
    let (transmittance, albedo) = (part(&ground.transmittance, 0.7)?, part(&ground.albedo, 0.2)?);
    Ok(match ground.kind {
        Kinds::Given => GroundKind::Given { warmest_hour: ground.warmest_hour },
        Kinds::Slab => GroundKind::Slab {
            heat_capacity_j_per_m2_k: ground.heat_capacity_j_per_m2_k,
            conductance_w_per_m2_k: ground.conductance_w_per_m2_k,
            sunlight: if own_sun { Sunlight::Part { transmittance, albedo } } else { Sunlight::Shortwave },
        },
    })
}
