//! The state and the stages of some of a run's columns.

use std::ops::Range;

use isobar_column::stages::{
    Advance, Chemistry, ChemistryOptions, Condensation, Diagnose, Forcing, Ground, GroundKind, OfScheme,
    PhotolysisOptions, Radiation, RevisedSurface, Soil, SoilStep, Sun, SurfaceFlux,
};
use isobar_column::{Clouds, Initial, Pipeline, Precision, State};
use isobar_launch::Device;
use isobar_rosenbrock::{COUNTERS, Method, Options};
use isobar_ysu::Ysu;

use super::error::Error;
use super::reader::{CaseFile, closest};
use super::setup::Setup;
use super::species::ChemistrySetup;
use super::spectra;
use super::team::share::cut;

/// The stages in their usual order.
const ORDER: [&str; 13] = [
    "sun",
    "ground",
    "soil",
    "diagnose",
    "longwave",
    "shortwave",
    "surface_flux",
    "ysu",
    "forcing",
    "advance",
    "soil_step",
    "condensation",
    "chemistry",
];
/// The stages in their order over a slab, which takes what radiation leaves.
const SLAB_ORDER: [&str; 13] = [
    "sun",
    "diagnose",
    "longwave",
    "shortwave",
    "ground",
    "soil",
    "surface_flux",
    "ysu",
    "forcing",
    "advance",
    "soil_step",
    "condensation",
    "chemistry",
];

/// What columns are made from, on a device.
pub(super) struct Model<'a, R: Precision> {
    file: &'a CaseFile,
    pub(super) setup: &'a Setup,
    pub(super) device: Device,
    longwave: Option<isobar_radiation::Radiation<R>>,
    shortwave: Option<isobar_radiation::Radiation<R>>,
}

/// Why columns are not there.
pub(super) enum NoStart {
    /// Fewer of them may fit.
    OutOfMemory(Error),
    Other(Error),
}

impl From<Error> for NoStart {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

impl From<isobar_column::Error> for NoStart {
    fn from(error: isobar_column::Error) -> Self {
        match error {
            isobar_column::Error::Device(isobar_launch::Error::OutOfMemory { .. }) => Self::OutOfMemory(error.into()),
            other => Self::Other(other.into()),
        }
    }
}

impl From<isobar_launch::Error> for NoStart {
    fn from(error: isobar_launch::Error) -> Self {
        isobar_column::Error::from(error).into()
    }
}

impl From<NoStart> for Error {
    fn from(why: NoStart) -> Self {
        match why {
            NoStart::OutOfMemory(error) | NoStart::Other(error) => error,
        }
    }
}

impl<'a, R: Precision> Model<'a, R> {
    pub(super) fn new(file: &'a CaseFile, setup: &'a Setup, device: Device) -> Self {
        let longwave = setup.longwave.as_ref().map(|(longwave, _)| match longwave {
            spectra::Longwave::Rrtmg(k) => {
                isobar_radiation::Radiation::new().with_rrtmg(k).expect("it is the only k-distribution")
            }
            spectra::Longwave::Spectrum(spectrum) => spectrum.radiation(),
        });
        let shortwave = setup.shortwave.as_ref().map(|(spectrum, _)| spectrum.radiation());
        Self { file, setup, device, longwave, shortwave }
    }

    /// The most columns that a device can have at a time, whatever its memory: places in a field have 31 bits.
    pub(super) fn most_columns(&self) -> usize {
        let (layers, tracers) = (self.setup.layers(), self.setup.initial.tracers);
        let of_state = i32::MAX as usize / ((layers + 1) * tracers.max(1));
        let of_cells = self.setup.chemistry.as_ref().map_or(usize::MAX, |chemistry| {
            let mechanism = &chemistry.mechanism;
            let rows = [mechanism.species().len(), mechanism.inputs().len(), COUNTERS.len()].into_iter().max();
            i32::MAX as usize / rows.expect("three numbers") / layers
        });
        of_state.min(of_cells).max(1)
    }

    /// Some of the columns at the start.
    pub(super) fn initial(&self, columns: &Range<usize>) -> Initial {
        let whole = &self.setup.initial;
        let part = |values: &[f64]| cut(values, whole.columns, columns);
        let clouds = whole.clouds.as_ref().map(|clouds| Clouds {
            fraction: part(&clouds.fraction),
            liquid_path_g_per_m2: part(&clouds.liquid_path_g_per_m2),
            ice_path_g_per_m2: part(&clouds.ice_path_g_per_m2),
            liquid_radius_um: part(&clouds.liquid_radius_um),
            ice_size_um: part(&clouds.ice_size_um),
        });
        Initial {
            columns: columns.len(),
            interface_pressure_pa: part(&whole.interface_pressure_pa),
            pressure_pa: part(&whole.pressure_pa),
            temperature_k: part(&whole.temperature_k),
            vapour_kg_per_kg: part(&whole.vapour_kg_per_kg),
            ozone_mol_per_mol: part(&whole.ozone_mol_per_mol),
            wind_east_m_per_s: part(&whole.wind_east_m_per_s),
            wind_north_m_per_s: part(&whole.wind_north_m_per_s),
            latitude_deg: part(&whole.latitude_deg),
            longitude_deg: part(&whole.longitude_deg),
            clouds,
            surface_albedo: part(&whole.surface_albedo),
            roughness_m: part(&whole.roughness_m),
            roughness_heat_m: part(&whole.roughness_heat_m),
            land_or_water: part(&whole.land_or_water),
            moisture_availability: part(&whole.moisture_availability),
            water_depth_m: part(&whole.water_depth_m),
            orography_deviation_m: part(&whole.orography_deviation_m),
            ground_mean_k: part(&whole.ground_mean_k),
            ground_amplitude_k: part(&whole.ground_amplitude_k),
            tracers: whole.tracers,
            tracers_mol_per_mol: part(&whole.tracers_mol_per_mol),
        }
    }

    /// The stages in their order, for the columns of a state.
    pub(super) fn pipeline(&self, state: &mut State<R>) -> Result<Pipeline<R>, NoStart> {
        let setup = self.setup;
        // Results are of one time. Whose turn it is follows from a step's number: a restart file changes nothing.
        let mut pipeline = Pipeline::new().together_every(setup.output_every, setup.steps);
        let soil = || setup.soil.as_ref().expect("there is soil");
        let own = setup.stages.as_ref().map(|stages| stages.get_ref());
        let order = own.cloned().unwrap_or_else(|| {
            let usual = if setup.ground_heat_capacity().is_some() { SLAB_ORDER } else { ORDER };
            usual.map(str::to_owned).to_vec()
        });
        for (place, name) in order.iter().enumerate() {
            if let (true, Some(stages)) = (order[..place].contains(name), &setup.stages) {
                return Err(self.file.refuse(stages, format!("the stage `{name}` is there twice")).into());
            }
            pipeline = match (name.as_str(), &setup.chemistry) {
                ("sun", _) => pipeline.stage(Sun { day_of_year: setup.day_of_year, solar_time: setup.solar_time }),
                ("ground", _) => pipeline.stage(Ground(setup.ground.clone())),
                ("soil" | "soil_step", _) if setup.soil.is_none() => pipeline,
                ("soil", _) => pipeline.stage(Soil::new(state, &soil().layers)?),
                ("soil_step", _) => pipeline.stage(SoilStep::new(state, &soil().layers)?),
                ("diagnose", _) => pipeline.stage(Diagnose),
                ("surface_flux", _) => match (&setup.surface_flux, setup.revised_surface) {
                    (Some(prescribed), _) => pipeline.stage(prescribed.clone()),
                    (None, Some(options)) => pipeline.stage(RevisedSurface::new(state, options)?),
                    (None, None) => pipeline.stage(SurfaceFlux),
                },
                ("condensation", _) => match setup.condensation {
                    Some(evaporates) => pipeline.stage(Condensation::new(state, evaporates)?),
                    None => pipeline,
                },
                ("forcing", _) if setup.forcing.is_empty() => pipeline,
                ("forcing", _) => pipeline.stage(Forcing::new(state, &setup.forcing)?),
                ("longwave", _) => match (&self.longwave, &setup.longwave) {
                    (Some(scheme), Some((_, every))) => {
                        pipeline.stage_every(*every, Radiation::new(state, scheme, &setup.radiation)?)
                    }
                    _ => pipeline,
                },
                ("shortwave", _) => match (&self.shortwave, &setup.shortwave) {
                    (Some(scheme), Some((_, every))) => {
                        pipeline.stage_every(*every, Radiation::new(state, scheme, &setup.radiation)?)
                    }
                    _ => pipeline,
                },
                ("ysu", _) => {
                    let options = isobar_ysu::Options::new(setup.step_s);
                    pipeline.stage(OfScheme::new("ysu", state, Ysu::scheme(), options)?)
                }
                ("advance", chemistry) => {
                    let emission = chemistry.as_ref().map_or(&[][..], |chemistry| &chemistry.emission);
                    pipeline.stage(Advance::new(state, emission)?)
                }
                ("chemistry", Some(chemistry)) => {
                    let mechanism = &chemistry.mechanism;
                    let options = ChemistryOptions {
                        integration: integration(chemistry),
                        fixed_mol_per_mol: chemistry.fixed.clone(),
                        vapour: chemistry.vapour,
                        part_of_air: mechanism.part_of_air(),
                        inputs: mechanism.inputs().iter().map(|input| (input.name.as_str(), input.default)).collect(),
                        photolysis: chemistry.photolysis.as_ref().map(|light| PhotolysisOptions {
                            tables: &light.tables,
                            albedo: light.albedo,
                            day_of_year: setup.day_of_year,
                            ozone: setup.radiation.gases.ozone,
                            rates: light.rates.clone(),
                        }),
                    };
                    let stage = Chemistry::<R>::new(state, mechanism.compiled(), mechanism.program(), &options)?;
                    pipeline.stage_every(chemistry.every, stage)
                }
                ("chemistry", None) => pipeline,
                (unknown, _) => {
                    let near = closest(unknown, ORDER.into_iter()).map(|near| format!("; did you mean `{near}`?"));
                    let near = near.unwrap_or_else(|| format!("; there are {}", ORDER.join(", ")));
                    let stages = setup.stages.as_ref().expect("ours are known");
                    return Err(self.file.refuse(stages, format!("unknown stage `{unknown}`{near}")).into());
                }
            };
        }
        pipeline.prepare(state).map_err(|error| match (&setup.stages, error) {
            (_, error @ isobar_column::Error::Device(_)) | (None, error) => NoStart::from(error),
            (Some(stages), error) => self.file.refuse(stages, error).into(),
        })?;
        let varies = setup.initial.ground_amplitude_k.iter().any(|&range| range > 0.0);
        // A section whose stage is left out would have no effect.
        let sections = [
            ("longwave", setup.longwave.is_some()),
            ("shortwave", setup.shortwave.is_some()),
            ("forcing", !setup.forcing.is_empty()),
            ("condensation", setup.condensation.is_some()),
            ("chemistry", setup.chemistry.is_some()),
            ("surface_flux", setup.surface_flux.is_some()),
            ("ground", !matches!(setup.ground, GroundKind::Given { .. }) || varies),
        ];
        let lacks = |name: &str| !order.iter().any(|other| other == name);
        if let (Some((name, _)), Some(stages)) =
            (sections.into_iter().find(|(name, given)| *given && lacks(name)), &setup.stages)
        {
            let problem = if name == "ground" {
                "the ground's temperature is to change, and there is no stage `ground`".to_owned()
            } else {
                format!("there is a [{name}] and no stage `{name}`")
            };
            return Err(self.file.refuse(stages, problem).into());
        }
        if let Some(stages) = &setup.stages {
            let refuse = |problem: String| Err(NoStart::from(self.file.refuse(stages, problem)));
            let has = |name: &str| !lacks(name);
            let optional = [
                ("longwave", setup.longwave.is_some(), "longwave"),
                ("shortwave", setup.shortwave.is_some(), "shortwave"),
                ("forcing", !setup.forcing.is_empty(), "forcing"),
                ("condensation", setup.condensation.is_some(), "condensation"),
                ("chemistry", setup.chemistry.is_some(), "chemistry"),
                ("soil", setup.soil.is_some(), "ground.soil"),
                ("soil_step", setup.soil.is_some(), "ground.soil"),
            ];
            if let Some((name, _, section)) = optional.into_iter().find(|(name, given, _)| !given && has(name)) {
                return refuse(format!("there is a stage `{name}` and no [{section}]"));
            }
            let emits = setup.chemistry.as_ref().is_some_and(|chemistry| chemistry.emission.iter().any(|&x| x != 0.0));
            if lacks("advance") {
                if let Some(name) = ["surface_flux", "ysu", "forcing"].into_iter().find(|name| has(name)) {
                    return refuse(format!("the stage `{name}` has no effect without `advance`"));
                }
                if emits {
                    return refuse("emissions have no effect without the stage `advance`".to_owned());
                }
                if lacks("chemistry") && lacks("condensation") {
                    return refuse("nothing changes without the stage `advance`".to_owned());
                }
            }
        }
        let place = |name: &str| order.iter().position(|other| other == name);
        if let (Some(_), Some(stages)) = (&setup.soil, &setup.stages) {
            let places = ["ground", "soil", "advance", "soil_step"].map(place);
            if places.contains(&None) || !places.is_sorted() {
                let problem =
                    "[ground.soil] needs the stages `ground`, `soil`, `advance` and `soil_step` in this order";
                return Err(self.file.refuse(stages, problem).into());
            }
        }
        if let (Some(ground), Some(advance), Some(stages)) = (place("ground"), place("advance"), &setup.stages)
            && ground > advance
            && matches!(setup.ground, GroundKind::Slab { .. })
        {
            let problem = "the stage `ground` comes before `advance`, which ends the step that a slab is balanced for";
            return Err(self.file.refuse(stages, problem).into());
        }
        if let (Some(forcing), Some(advance), Some(stages)) = (place("forcing"), place("advance"), &setup.stages)
            && forcing > advance
            && !setup.forcing.is_empty()
        {
            return Err(self.file.refuse(stages, "the stage `forcing` comes before `advance`, which takes it").into());
        }
        Ok(pipeline)
    }
}

fn integration(chemistry: &ChemistrySetup) -> Options {
    let [relative, absolute] = chemistry.tolerances;
    Options::new(Method::Rodas3, relative, absolute)
}
