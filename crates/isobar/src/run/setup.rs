//! What a case means: its files read, its numbers checked.

use std::path::PathBuf;

use isobar_column::Initial;
use isobar_column::stages::{GroundKind, LongwaveOptions, Ozone};
use isobar_kpp::Mechanism;
use isobar_longwave::KDistribution;
use toml::Spanned;

use super::air::{air, site};
use super::description::{Description, GroundKind as Kinds};
use super::error::Error;
use super::reader::CaseFile;
use super::satellite::Satellite;
use super::species::{ChemistrySetup, chemistry_of, tracer};

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
    pub(super) k_distribution: KDistribution,
    pub(super) longwave: LongwaveOptions,
    pub(super) longwave_every: u64,
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
        let mut initial = air(file, case, &mut inputs, &mut notes)?;
        site(file, case, &mut initial)?;
        initial.ozone_mol_per_mol.iter_mut().for_each(|ozone| *ozone = ozone.max(case.initial.least_ozone));
        let kdist = file.named(&case.longwave.kdist)?;
        let k_distribution = KDistribution::open(&kdist).map_err(|error| file.refuse(&case.longwave.kdist, error))?;
        if k_distribution.is_demonstration() {
            notes.push(format!("for demonstration only, not for science: {}", kdist.display()));
        }
        let doubt = KDistribution::doubt(&kdist).map_err(|error| file.refuse(&case.longwave.kdist, error))?;
        if let Some(doubt) = doubt {
            warn(doubt);
        }
        inputs.push(kdist);
        let radiation = &case.longwave;
        let mut longwave = LongwaveOptions {
            ozone: Ozone::Field,
            mixed_mol_per_mol: [radiation.co2, radiation.n2o, 0.0, radiation.ch4, 0.209],
            emissivity: radiation.emissivity,
        };
        let chemistry = match &case.chemistry {
            None => None,
            Some(chemistry) => {
                let chemistry = chemistry_of(file, chemistry, &mut initial, &mut inputs)?;
                if let Some(ozone) = tracer(&chemistry.mechanism, "O3") {
                    longwave.ozone = Ozone::Tracer(ozone);
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
            ground: ground(case),
            k_distribution,
            longwave,
            longwave_every: radiation.every,
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

    /// What the user should know, a line each: demonstration data, clouds that are left out.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
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

fn ground(case: &Description) -> GroundKind {
    let ground = &case.ground;
    match ground.kind {
        Kinds::Given => GroundKind::Given { warmest_hour: ground.warmest_hour },
        Kinds::Slab => GroundKind::Slab {
            heat_capacity_j_per_m2_k: ground.heat_capacity_j_per_m2_k,
            transmittance: ground.transmittance,
            albedo: ground.albedo,
            conductance_w_per_m2_k: ground.conductance_w_per_m2_k,
        },
    }
}
