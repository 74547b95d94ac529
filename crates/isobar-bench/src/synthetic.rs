//! Synthetic retrievals: atmospheres that look random, and what would be measured of them.

use isobar::core::Real;
use isobar::ega::jacobian::Geometry;
use isobar::ega::launch::InfraredModel;
use isobar::io::{Control, Observation, RetrievalControl};
use isobar::raytrace::{Atmosphere, Ray};
use isobar::retrieval::{Error, Prior, StateVector};
use nalgebra::{Cholesky, DVector};

use crate::random::Random;

/// Retrievals whose truth is known: what is known before is different in each, the truth is drawn from its covariance,
/// and the noise from that of the measurement.
pub(crate) fn retrievals(
    model: &InfraredModel<f64>,
    control: &Control,
    options: &RetrievalControl,
    (atmosphere, rays): (&Atmosphere, &[Ray]),
    count: usize,
) -> Result<Vec<(Atmosphere, Observation)>, Error> {
    let mut random = Random::new(0x5eed);
    let mut truths = Vec::new();
    let mut befores = Vec::new();
    for _ in 0..count {
        let before = varied(atmosphere, &mut random);
        let state = StateVector::new(control, options, &before)?;
        let prior = Prior::new(&state, &state.values(&before), options)?;
        let factor = Cholesky::new(prior.covariance).expect("a covariance that was inverted").unpack();
        let away = factor * DVector::from_fn(state.len(), |_, _| normal(&mut random));
        truths.push(state.put(&before, (prior.values + away).as_slice()));
        befores.push(before);
    }
    let cases: Vec<(&Atmosphere, &[Ray])> = truths.iter().map(|truth| (truth, rays)).collect();
    let found = model.jacobians(&cases, Geometry::Frozen, &|_| {})?.cases;
    let channels = control.wavenumbers_per_cm.len();
    let measure = |(before, found): (Atmosphere, Result<isobar::ega::launch::Jacobian, _>)| {
        let found = found?;
        let noisy = |(i, radiance): (usize, &f64)| radiance + options.noise[i % channels] * normal(&mut random);
        let radiance = found.radiance.iter().enumerate().map(noisy).collect();
        let (tangent_points, transmittance) = (found.tangent_points, found.transmittance);
        Ok((before, Observation { rays: rays.to_vec(), tangent_points, radiance, transmittance }))
    };
    befores.into_iter().zip(found).map(measure).collect()
}

/// Another atmosphere: warmer and colder by some kelvin in layers, with some per cent more or less of each gas.
fn varied(atmosphere: &Atmosphere, random: &mut Random) -> Atmosphere {
    let mut varied = atmosphere.clone();
    let (amplitude_k, phase) = (4.0 * random.unit(), 6.0 * random.unit());
    for (temperature_k, z) in varied.temperature_k.iter_mut().zip(&atmosphere.height_km) {
        *temperature_k += amplitude_k * Real::sin(z / 6.0 + phase);
    }
    for gas in &mut varied.mixing_ratio {
        let factor = 0.95 + 0.1 * random.unit();
        gas.iter_mut().for_each(|q| *q *= factor);
    }
    varied
}

/// A number of the normal distribution (Box and Muller).
fn normal(random: &mut Random) -> f64 {
    let (radius, angle) = (1.0 - random.unit(), random.unit());
    Real::sqrt(-2.0 * Real::ln(radius)) * Real::cos(2.0 * core::f64::consts::PI * angle)
}
