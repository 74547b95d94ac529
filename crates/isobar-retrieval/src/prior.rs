//! What is known before the measurement: values and their covariance.

use isobar_core::Real;
use isobar_io::{NumberControl, Place, ProfileControl, RetrievalControl};
use isobar_raytrace::geodesy::{norm, to_cartesian};
use nalgebra::{Cholesky, DMatrix, DVector};

use crate::{Error, Quantity, StateVector};

/// A priori values and their covariance.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Prior {
    /// The values.
    pub values: DVector<f64>,
    /// Their covariance.
    pub covariance: DMatrix<f64>,
    /// Its inverse.
    pub inverse: DMatrix<f64>,
}

/// Error and correlation lengths of an element.
struct Knowledge<'a> {
    deviation: f64,
    lengths_km: Option<(f64, f64)>,
    place: Option<&'a Place>,
}

fn profile(of: &ProfileControl, unit: f64) -> Knowledge<'_> {
    Knowledge { deviation: of.error * unit, lengths_km: of.vertical_km.zip(of.horizontal_km), place: of.place.as_ref() }
}

fn number(of: &NumberControl, node: usize) -> Knowledge<'_> {
    Knowledge { deviation: of.error[node], lengths_km: None, place: of.place.as_ref() }
}

fn knowledge<'a>(control: &'a RetrievalControl, quantity: Quantity, value: f64) -> Knowledge<'a> {
    match quantity {
        Quantity::Pressure => profile(&control.pressure, value / 100.0),
        Quantity::Temperature => profile(&control.temperature, 1.0),
        Quantity::Gas(gas) => profile(&control.gases[gas], value / 100.0),
        Quantity::Extinction(window) => profile(&control.windows[window], 1.0),
        Quantity::CloudHeight => number(&control.cloud_height, 0),
        Quantity::CloudDepth => number(&control.cloud_depth, 0),
        Quantity::CloudExtinction(node) => number(&control.cloud_extinction, node),
        Quantity::SurfaceHeight => number(&control.surface_height, 0),
        Quantity::SurfacePressure => number(&control.surface_pressure, 0),
        Quantity::SurfaceTemperature => number(&control.surface_temperature, 0),
        Quantity::SurfaceEmissivity(node) => number(&control.surface_emissivity, node),
    }
}

impl Prior {
    /// The covariance of a state: within a quantity with both correlation lengths, elements a height `dz` and a
    /// distance `d` apart are correlated by `exp(-d / CH - dz / CZ)`, with `d` the chord between their places at the
    /// surface.
    ///
    /// # Errors
    /// A covariance that is singular, with the element that makes it so.
    pub fn new(state: &StateVector, values: &[f64], control: &RetrievalControl) -> Result<Self, Error> {
        let known: Vec<Knowledge<'_>> = state
            .elements
            .iter()
            .zip(values)
            .map(|(element, &value)| knowledge(control, element.quantity, value))
            .collect();
        let singular = |i: usize, problem: String| {
            let label = &state.elements[i].label;
            let (quantity, height_km) = (label.name.clone(), label.height_km);
            Error::SingularPrior { place: known[i].place.cloned(), quantity, height_km, problem }
        };
        if let Some(i) = known.iter().position(|known| known.deviation.is_nan() || known.deviation <= 0.0) {
            let problem = format!("its standard deviation is {}, which must be above 0", known[i].deviation);
            return Err(singular(i, problem));
        }
        let correlation = |i: usize, j: usize| {
            let (a, b) = (&state.elements[i], &state.elements[j]);
            if i == j {
                return 1.0;
            }
            match known[i].lengths_km {
                Some((vertical_km, horizontal_km)) if a.quantity == b.quantity => {
                    let place = |label: &isobar_io::Label| to_cartesian(0.0, label.longitude_deg, label.latitude_deg);
                    let distance_km = norm(place(&a.label) - place(&b.label));
                    let rise_km = (a.label.height_km - b.label.height_km).abs();
                    Real::exp(-distance_km / horizontal_km - rise_km / vertical_km)
                }
                _ => 0.0,
            }
        };
        let element = |i: usize, j: usize| known[i].deviation * known[j].deviation * correlation(i, j);
        let covariance = DMatrix::from_fn(state.len(), state.len(), element);
        let Some(factors) = Cholesky::new(covariance.clone()) else {
            // The first element that follows from those before it.
            let leading = |n: usize| Cholesky::new(covariance.view((0, 0), (n, n)).into_owned()).is_none();
            let i = (1..=state.len()).find(|&n| leading(n)).unwrap_or(state.len()) - 1;
            return Err(singular(i, "it follows from the elements before it; shorten the correlation lengths".into()));
        };
        Ok(Self { values: DVector::from_column_slice(values), covariance, inverse: factors.inverse() })
    }
}
