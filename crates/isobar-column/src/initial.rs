//! What a run starts from, in the host's memory.

use isobar_core::Real;
use isobar_launch::Queue;
use rayon::prelude::*;

use crate::diagnose::{log_thickness, weight_between, weight_beyond};
use crate::limits::{TEMPERATURE_K, VAPOUR_KG_PER_KG, WIND_M_PER_S};
use crate::sounding::{Sounding, exner};
use crate::stages::quantity::{self as q, LOG_THICKNESS, WEIGHT_BELOW};
use crate::{Error, Precision, Quantity, State};

/// Clouds of columns for radiation and photolysis, the column the fastest index, from the surface up: they stay as they
/// are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clouds {
    /// The cloudy part of each layer, 0 to 1.
    pub fraction: Vec<f64>,
    /// Liquid water of the cloudy part \[g/m^2\], 0 to 1e5.
    pub liquid_path_g_per_m2: Vec<f64>,
    /// Ice of the cloudy part \[g/m^2\], 0 to 1e5.
    pub ice_path_g_per_m2: Vec<f64>,
    /// Effective radius of droplets \[um\], in the range of the tables of clouds where there is liquid.
    pub liquid_radius_um: Vec<f64>,
    /// Effective size of ice as the tables mean it \[um\], in their range where there is ice.
    pub ice_size_um: Vec<f64>,
}

/// Columns of air over their ground, the column the fastest index, from the surface up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Initial {
    /// The number of columns.
    pub columns: usize,
    /// Pressure of the levels, one more than layers \[Pa\], above 0 and falling with height.
    pub interface_pressure_pa: Vec<f64>,
    /// Pressure of the layers \[Pa\], between that of the levels around.
    pub pressure_pa: Vec<f64>,
    /// Temperature of the layers \[K\], 100 to 400.
    pub temperature_k: Vec<f64>,
    /// Mixing ratio of water vapour \[kg/kg\], -0.001 to 1.
    pub vapour_kg_per_kg: Vec<f64>,
    /// Mole fraction of ozone \[mol/mol\] where it is no tracer, 0 to 1.
    pub ozone_mol_per_mol: Vec<f64>,
    /// Eastward wind \[m/s\], up to 1000 either way; it is the geostrophic wind as well, unless that is
    /// prescribed.
    pub wind_east_m_per_s: Vec<f64>,
    /// Northward wind \[m/s\], likewise.
    pub wind_north_m_per_s: Vec<f64>,
    /// Latitude of each column \[degrees\].
    pub latitude_deg: Vec<f64>,
    /// Longitude \[degrees\], -180 to 180.
    pub longitude_deg: Vec<f64>,
    /// Clouds, if there are any.
    pub clouds: Option<Clouds>,
    /// Albedo of the ground, 0 to 1.
    pub surface_albedo: Vec<f64>,
    /// Roughness length of momentum \[m\], 1e-6 to 10.
    pub roughness_m: Vec<f64>,
    /// Roughness length of heat and moisture \[m\], 1e-10 to 10.
    pub roughness_heat_m: Vec<f64>,
    /// 1 for land, 2 for water.
    pub land_or_water: Vec<f64>,
    /// Availability of moisture, 0 to 1.
    pub moisture_availability: Vec<f64>,
    /// Depth of water \[m\], 0 to 20 km: for shallow water of the revised MM5 surface layer; elsewhere none.
    pub water_depth_m: Vec<f64>,
    /// Standard deviation of heights within what a column stands for \[m\], 0 to 10 km: for its form drag; elsewhere
    /// none.
    pub orography_deviation_m: Vec<f64>,
    /// Mean temperature of the ground \[K\], 100 to 400.
    pub ground_mean_k: Vec<f64>,
    /// Half of its range through the day \[K\], 0 to 100.
    pub ground_amplitude_k: Vec<f64>,
    /// The number of tracers.
    pub tracers: usize,
    /// Their mole fractions, `[(layer * tracers + tracer) * columns + column]` \[mol/mol\], 0 to 1.
    pub tracers_mol_per_mol: Vec<f64>,
}

/// A field, its values, and their range.
type Given<'a> = (Quantity, &'a [f64], (f64, f64));

impl Initial {
    /// Columns that all have the profile, over land at the equator with no wind: to be changed before the start.
    #[must_use]
    pub fn from_sounding(sounding: &Sounding, columns: usize) -> Self {
        let spread = |values: &[f64]| values.iter().flat_map(|&value| std::iter::repeat_n(value, columns)).collect();
        let (layers, ground) = (sounding.pressure_pa.len(), sounding.temperature_k[0]);
        Self {
            columns,
            interface_pressure_pa: spread(&sounding.interface_pressure_pa),
            pressure_pa: spread(&sounding.pressure_pa),
            temperature_k: spread(&sounding.temperature_k),
            vapour_kg_per_kg: spread(&sounding.vapour_kg_per_kg),
            ozone_mol_per_mol: spread(&sounding.ozone_mol_per_mol),
            wind_east_m_per_s: vec![0.0; layers * columns],
            wind_north_m_per_s: vec![0.0; layers * columns],
            latitude_deg: vec![0.0; columns],
            longitude_deg: vec![0.0; columns],
            clouds: None,
            surface_albedo: vec![0.2; columns],
            roughness_m: vec![0.1; columns],
            roughness_heat_m: vec![0.1; columns],
            land_or_water: vec![1.0; columns],
            moisture_availability: vec![0.3; columns],
            water_depth_m: vec![],
            orography_deviation_m: vec![],
            ground_mean_k: vec![ground; columns],
            ground_amplitude_k: vec![0.0; columns],
            tracers: 0,
            tracers_mol_per_mol: vec![],
        }
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.pressure_pa.len() / self.columns.max(1)
    }

    /// The state on a device: what the stages of this crate read that no stage provides before. The ground has its mean
    /// temperature.
    ///
    /// # Errors
    /// Sizes or values that do not fit, or what the device answers.
    pub fn state<R: Precision>(&self, queue: Queue) -> Result<State<R>, Error> {
        self.check()?;
        let (columns, layers) = (self.columns, self.layers());
        let mut state = State::new(queue, [columns, layers, self.tracers])?;
        let exner: Vec<f64> = self.pressure_pa.par_iter().map(|&p| exner(p)).collect();
        let theta: Vec<f64> = self.temperature_k.par_iter().zip(&exner).map(|(t, x)| t / x).collect();
        let p = &self.interface_pressure_pa;
        let thickness: Vec<f64> =
            (0..layers * columns).into_par_iter().map(|i| log_thickness(p[i], p[i + columns])).collect();
        // Of a single layer both are the same, whatever their weights.
        let weight = |i: usize| {
            let (level, column) = (i / columns, i % columns);
            let upper = level.clamp(1, (layers - 1).max(1));
            let [lower, upper] = [upper - 1, upper.min(layers - 1)].map(|k| self.pressure_pa[k * columns + column]);
            match level {
                _ if layers == 1 => 1.0,
                level if level == 0 || level == layers => weight_beyond(lower, p[i], upper),
                _ => weight_between(lower, p[i], upper),
            }
        };
        let weights: Vec<f64> = (0..p.len()).into_par_iter().map(weight).collect();
        for (quantity, values, _) in self.given() {
            put(&mut state, quantity, values)?;
        }
        put(&mut state, q::EXNER, &exner)?;
        put(&mut state, q::POTENTIAL_TEMPERATURE, &theta)?;
        put(&mut state, LOG_THICKNESS, &thickness)?;
        put(&mut state, WEIGHT_BELOW, &weights)?;
        put(&mut state, q::GEOSTROPHIC_EAST, &self.wind_east_m_per_s)?;
        put(&mut state, q::GEOSTROPHIC_NORTH, &self.wind_north_m_per_s)?;
        put(&mut state, q::SURFACE_PRESSURE, &p[..columns])?;
        put(&mut state, q::SURFACE_TEMPERATURE, &self.ground_mean_k)?;
        let zero = [
            q::CLOUD_WATER,
            q::CLOUD_ICE,
            q::CURRENT_EAST,
            q::CURRENT_NORTH,
            q::BOUNDARY_LAYER_HEIGHT,
            q::SENSIBLE_HEAT_FLUX,
            q::POTENTIAL_HEAT_FLUX,
            q::MOISTURE_FLUX,
            q::FLUX_UP,
            q::FLUX_DOWN,
            q::SHORTWAVE_UP,
            q::SHORTWAVE_DOWN,
            q::HEATING,
            q::SHORTWAVE_HEATING,
            q::HEATING_DERIVATIVE,
            q::EMISSION_DERIVATIVE,
            q::EMISSION_TEMPERATURE,
            q::EXCHANGE_HEAT,
            q::EXCHANGE_MOISTURE,
            q::DIFFUSIVITY_HEAT,
            q::COLUMN_HEATING,
            q::COLUMN_MOISTENING,
            q::GROUND_FORCING,
            q::GROUND_SLOPE,
            q::GROUND_RESPONSE,
            q::GROUND_CONDUCTED,
            q::GROUND_CONDUCTANCE,
            q::GROUND_HEAT_GAINED,
            q::HEAT_GAINED,
            q::WATER_GAINED,
            q::CLAMPS,
            q::TRACERS_GAINED,
        ];
        zero.into_iter().try_for_each(|quantity| state.fill(quantity, R::ZERO))?;
        Ok(state)
    }

    /// Fields that are given as they are.
    fn given(&self) -> Vec<Given<'_>> {
        let clouds = self.clouds.as_ref().map(|clouds| {
            [
                (q::CLOUD_FRACTION, &clouds.fraction[..], (0.0, 1.0)),
                (q::LIQUID_PATH, &clouds.liquid_path_g_per_m2, (0.0, 1e5)),
                (q::ICE_PATH, &clouds.ice_path_g_per_m2, (0.0, 1e5)),
                (q::LIQUID_RADIUS, &clouds.liquid_radius_um, (0.0, 1e4)),
                (q::ICE_SIZE, &clouds.ice_size_um, (0.0, 1e4)),
            ]
        });
        let columns: [Given<'_>; 17] = [
            (q::INTERFACE_PRESSURE, &self.interface_pressure_pa[..], (1e-6, 1e7)),
            (q::PRESSURE, &self.pressure_pa, (1e-6, 1e7)),
            (q::TEMPERATURE, &self.temperature_k, TEMPERATURE_K),
            (q::VAPOUR, &self.vapour_kg_per_kg, VAPOUR_KG_PER_KG),
            (q::OZONE, &self.ozone_mol_per_mol, (0.0, 1.0)),
            (q::WIND_EAST, &self.wind_east_m_per_s, WIND_M_PER_S),
            (q::WIND_NORTH, &self.wind_north_m_per_s, WIND_M_PER_S),
            (q::LATITUDE, &self.latitude_deg, (-90.0, 90.0)),
            (q::LONGITUDE, &self.longitude_deg, (-180.0, 180.0)),
            (q::ROUGHNESS, &self.roughness_m, (1e-6, 10.0)),
            (q::ROUGHNESS_HEAT, &self.roughness_heat_m, (1e-10, 10.0)),
            (q::LAND_OR_WATER, &self.land_or_water, (1.0, 2.0)),
            (q::MOISTURE_AVAILABILITY, &self.moisture_availability, (0.0, 1.0)),
            (q::GROUND_MEAN, &self.ground_mean_k, TEMPERATURE_K),
            (q::GROUND_AMPLITUDE, &self.ground_amplitude_k, (0.0, 100.0)),
            (q::SURFACE_ALBEDO, &self.surface_albedo, (0.0, 1.0)),
            (q::TRACERS, &self.tracers_mol_per_mol, (0.0, 1.0)),
        ];
        let surface = [
            (q::WATER_DEPTH, &self.water_depth_m[..], (0.0, 2e4)),
            (q::OROGRAPHY_DEVIATION, &self.orography_deviation_m, (0.0, 1e4)),
        ];
        let surface = surface.into_iter().filter(|(_, values, _)| !values.is_empty());
        columns.into_iter().chain(clouds.into_iter().flatten()).chain(surface).collect()
    }

    fn check(&self) -> Result<(), Error> {
        let (columns, layers) = (self.columns, self.layers());
        let refuse = |problem: String| Err(Error::Stage { stage: "initial state".into(), problem });
        for (quantity, values, (low, high)) in self.given() {
            let expected = quantity.shape.per_column(layers, self.tracers) * columns;
            if values.len() != expected {
                return Err(Error::Size { quantity, got: values.len(), expected });
            }
            // The first one, whatever the threads.
            if let Some(i) = values.par_iter().position_first(|value| !(low..=high).contains(value)) {
                let (column, level) = (i % columns, i / columns);
                let value = values[i];
                return refuse(format!(
                    "{quantity} at column {column}, level {level} is {value}, which is not in [{low}, {high}]"
                ));
            }
        }
        for (column, (mean, amplitude)) in self.ground_mean_k.iter().zip(&self.ground_amplitude_k).enumerate() {
            let (low, high) = TEMPERATURE_K;
            if mean - amplitude < low || mean + amplitude > high {
                return refuse(format!(
                    "the ground's temperature at column {column} goes from {} to {} K, which is not in [{low}, {high}]",
                    mean - amplitude,
                    mean + amplitude
                ));
            }
        }
        for i in 0..layers * columns {
            let (below, middle, above) =
                (self.interface_pressure_pa[i], self.pressure_pa[i], self.interface_pressure_pa[i + columns]);
            if !(above < middle && middle < below) {
                let (column, layer) = (i % columns, i / columns);
                return refuse(format!(
                    "{} at column {column}, level {layer} is {middle}, which is not between the {below} Pa below and \
                        the {above} Pa above",
                    q::PRESSURE
                ));
            }
        }
        Ok(())
    }
}

fn put<R: Precision>(state: &mut State<R>, quantity: Quantity, values: &[f64]) -> Result<(), Error> {
    let values: Vec<R> = values.par_iter().map(|&value| <R as Real>::from_f64(value)).collect();
    state.insert(quantity, &values)
}
