//! Photolysis: closed forms, invariants, publications' numbers, and what is refused.

mod closed_forms;
mod errors;
mod formulas;
mod sphere;

use isobar_photolysis::{Columns, Device, Options, Photolysis, Rates, Tables};

/// One column, on this thread.
pub(crate) fn run(tables: &Tables, columns: &Columns<f64>) -> Rates<f64> {
    let model = Photolysis::new(tables).expect("a reaction").on(&[Device::Thread]);
    model.run(columns, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A column of layers of a scale height of 8 km up to 80 km, under the Sun.
pub(crate) fn column(layers: usize, cosine_of_zenith: f64) -> Columns<f64> {
    use isobar_core::Real;
    let height = |level: usize| 80.0 * level as f64 / layers as f64;
    let above = |z: f64| 2.15e25 * Real::exp(-z / 8.0);
    let ozone = |z: f64| 8e18 * Real::exp(-((z - 22.0) / 6.0) * ((z - 22.0) / 6.0));
    Columns {
        height_km: (0..=layers).map(height).collect(),
        temperature_k: (0..layers).map(|i| 288.0 - 70.0 * (height(i) / 15.0).min(1.0)).collect(),
        air_per_cm2: (0..layers).map(|i| above(height(i)) - above(height(i + 1))).collect(),
        ozone_per_cm2: (0..layers)
            .map(|i| ozone(0.5 * (height(i) + height(i + 1))) * 80.0 / (20.0 * layers as f64))
            .collect(),
        cloud_optical_depth: vec![],
        cosine_of_zenith: vec![cosine_of_zenith],
        albedo: vec![0.0],
        nearness: vec![1.0],
    }
}
