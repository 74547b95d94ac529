//! What a run starts from, in the host's memory.

use isobar_core::Real;
use isobar_launch::Queue;

use crate::diagnose::{log_thickness, weight_below};
use crate::sounding::{Sounding, exner};
use crate::stages::quantity::{self as q, LOG_THICKNESS, WEIGHT_BELOW};
use crate::{Error, Precision, Quantity, State};

/// Columns of air over their ground, the column the fastest index, from the surface up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Initial {
    /// The number of columns.
    pub columns: usize,
    /// Pressure of the levels, one more than layers \[Pa\], above 0 and falling with height.
    pub interface_pressure: Vec<f64>,
    /// Pressure of the layers \[Pa\], between that of the levels around.
    pub pressure: Vec<f64>,
    /// Temperature of the layers \[K\], 100 to 400.
    pub temperature: Vec<f64>,
    /// Mixing ratio of water vapour \[kg/kg\], -0.001 to 1.
    pub vapour: Vec<f64>,
    /// Mole fraction of ozone \[mol/mol\] where it is no tracer, 0 to 1.
    pub ozone: Vec<f64>,
    /// Eastward wind \[m/s\], up to 1000 either way; it is the geostrophic wind as well.
    pub wind_east: Vec<f64>,
    /// Northward wind \[m/s\], likewise.
    pub wind_north: Vec<f64>,
    /// Latitude of each column \[degrees\].
    pub latitude: Vec<f64>,
    /// Longitude \[degrees\], -180 to 180.
    pub longitude: Vec<f64>,
    /// Roughness length \[m\], 1e-6 to 10.
    pub roughness: Vec<f64>,
    /// 1 for land, 2 for water.
    pub land_or_water: Vec<f64>,
    /// Availability of moisture, 0 to 1.
    pub moisture_availability: Vec<f64>,
    /// Mean temperature of the ground \[K\], 100 to 400.
    pub ground_mean: Vec<f64>,
    /// Half of its range through the day \[K\], 0 to 100.
    pub ground_amplitude: Vec<f64>,
    /// The number of tracers.
    pub tracers: usize,
    /// Their mole fractions, `[(layer * tracers + tracer) * columns + column]` \[mol/mol\], 0 to 1.
    pub tracer_fractions: Vec<f64>,
}

impl Initial {
    /// Columns that all have the profile, over land at the equator with no wind: to be changed before the start.
    #[must_use]
    pub fn from_sounding(sounding: &Sounding, columns: usize) -> Self {
        let spread = |values: &[f64]| values.iter().flat_map(|&value| std::iter::repeat_n(value, columns)).collect();
        let (layers, ground) = (sounding.pressure.len(), sounding.temperature[0]);
        Self {
            columns,
            interface_pressure: spread(&sounding.interface_pressure),
            pressure: spread(&sounding.pressure),
            temperature: spread(&sounding.temperature),
            vapour: spread(&sounding.vapour),
            ozone: spread(&sounding.ozone),
            wind_east: vec![0.0; layers * columns],
            wind_north: vec![0.0; layers * columns],
            latitude: vec![0.0; columns],
            longitude: vec![0.0; columns],
            roughness: vec![0.1; columns],
            land_or_water: vec![1.0; columns],
            moisture_availability: vec![0.3; columns],
            ground_mean: vec![ground; columns],
            ground_amplitude: vec![0.0; columns],
            tracers: 0,
            tracer_fractions: vec![],
        }
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.pressure.len() / self.columns.max(1)
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
        let exner: Vec<f64> = self.pressure.iter().map(|&p| exner(p)).collect();
        let theta: Vec<f64> = self.temperature.iter().zip(&exner).map(|(t, x)| t / x).collect();
        let p = &self.interface_pressure;
        let thickness: Vec<f64> = (0..layers * columns).map(|i| log_thickness(p[i], p[i + columns])).collect();
        let weight = |i: usize| match i / columns {
            0 => 0.0,
            level if level == layers => 1.0,
            _ => weight_below(self.pressure[i - columns], p[i], self.pressure[i]),
        };
        let weights: Vec<f64> = (0..p.len()).map(weight).collect();
        for (quantity, values) in self.given() {
            put(&mut state, quantity, values)?;
        }
        put(&mut state, q::EXNER, &exner)?;
        put(&mut state, q::POTENTIAL_TEMPERATURE, &theta)?;
        put(&mut state, LOG_THICKNESS, &thickness)?;
        put(&mut state, WEIGHT_BELOW, &weights)?;
        put(&mut state, q::GEOSTROPHIC_EAST, &self.wind_east)?;
        put(&mut state, q::GEOSTROPHIC_NORTH, &self.wind_north)?;
        put(&mut state, q::SURFACE_PRESSURE, &p[..columns])?;
        put(&mut state, q::SURFACE_TEMPERATURE, &self.ground_mean)?;
        let zero = [
            q::CLOUD_WATER,
            q::CLOUD_ICE,
            q::CURRENT_EAST,
            q::CURRENT_NORTH,
            q::BOUNDARY_LAYER_HEIGHT,
            q::SENSIBLE_HEAT_FLUX,
            q::MOISTURE_FLUX,
            q::FLUX_UP,
            q::FLUX_DOWN,
            q::HEAT_GAINED,
            q::WATER_GAINED,
            q::CLAMPS,
            q::TRACERS_GAINED,
        ];
        zero.into_iter().try_for_each(|quantity| state.fill(quantity, R::ZERO))?;
        Ok(state)
    }

    /// Fields that are given as they are.
    fn given(&self) -> [(Quantity, &[f64]); 15] {
        [
            (q::INTERFACE_PRESSURE, &self.interface_pressure),
            (q::PRESSURE, &self.pressure),
            (q::TEMPERATURE, &self.temperature),
            (q::VAPOUR, &self.vapour),
            (q::OZONE, &self.ozone),
            (q::WIND_EAST, &self.wind_east),
            (q::WIND_NORTH, &self.wind_north),
            (q::LATITUDE, &self.latitude),
            (q::LONGITUDE, &self.longitude),
            (q::ROUGHNESS, &self.roughness),
            (q::LAND_OR_WATER, &self.land_or_water),
            (q::MOISTURE_AVAILABILITY, &self.moisture_availability),
            (q::GROUND_MEAN, &self.ground_mean),
            (q::GROUND_AMPLITUDE, &self.ground_amplitude),
            (q::TRACERS, &self.tracer_fractions),
        ]
    }

    fn check(&self) -> Result<(), Error> {
        let (columns, layers) = (self.columns, self.layers());
        let refuse = |problem: String| Err(Error::Stage { stage: "initial state".into(), problem });
        let ranges = [
            (1e-6, 1e7),
            (1e-6, 1e7),
            (100.0, 400.0),
            (-0.001, 1.0),
            (0.0, 1.0),
            (-1000.0, 1000.0),
            (-1000.0, 1000.0),
            (-90.0, 90.0),
            (-180.0, 180.0),
            (1e-6, 10.0),
            (1.0, 2.0),
            (0.0, 1.0),
            (100.0, 400.0),
            (0.0, 100.0),
            (0.0, 1.0),
        ];
        for ((quantity, values), (low, high)) in self.given().into_iter().zip(ranges) {
            let expected = quantity.shape.per_column(layers, self.tracers) * columns;
            if values.len() != expected {
                return Err(Error::Size { quantity, got: values.len(), expected });
            }
            if let Some(i) = values.iter().position(|value| !(low..=high).contains(value)) {
                let (column, level) = (i % columns, i / columns);
                let value = values[i];
                return refuse(format!(
                    "{quantity} at column {column}, level {level} is {value}, which is not in [{low}, {high}]"
                ));
            }
        }
        for i in 0..layers * columns {
            let (below, middle, above) =
                (self.interface_pressure[i], self.pressure[i], self.interface_pressure[i + columns]);
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
    let values: Vec<R> = values.iter().map(|&value| <R as Real>::from_f64(value)).collect();
    state.insert(quantity, &values)
}
