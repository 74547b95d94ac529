//! What follows from spectra: emissivities and transmittances of bands.

use isobar_core::Real;
use isobar_golden::npy;
use isobar_spectra::{Method, Options};

use super::case::{HAPI, cases};

/// 1e-4 of emissivity or transmittance, by the tree in both precisions.
#[test]
fn emissivities_and_band_transmittances() {
    for case in cases() {
        let options = Options { method: Method::Tree, constants: HAPI, ..Options::default() };
        let spectra = [case.compute::<f64>(&case.fine, options), case.compute::<f32>(&case.fine, options)];
        let (_, columns) = npy(&case.folder.join("u.npy"));
        let (_, emissivities) = npy(&case.folder.join("emissivity.npy"));
        let (_, transmittances) = npy(&case.folder.join("band_transmittance.npy"));
        let nu = case.fine.wavenumbers_per_cm();
        for spectra in &spectra {
            for (state, (air, sigma)) in case.states.iter().zip(spectra).enumerate() {
                for (number, centre) in case.channels.iter().enumerate() {
                    let filter = |x: f64| {
                        let d = (x - centre) / 0.5;
                        if (x - centre).abs() <= 1.0 + 1e-9 { Real::exp(-4.0 * Real::ln(2.0) * d * d) } else { 0.0 }
                    };
                    let weights: Vec<f64> = nu.iter().map(|&x| filter(x)).collect();
                    for (k, &column) in columns.iter().enumerate() {
                        let golden = emissivities[(number * case.states.len() + state) * columns.len() + k];
                        let got = mean(&weights, sigma, |sigma| -Real::exp_m1(-sigma * column));
                        assert!(
                            (got / golden - 1.0).abs() < 1e-4,
                            "{} {air:?} {column:e}: {got} {golden}",
                            case.gas.name()
                        );
                    }
                }
                let planck = |x: f64| x * x * x / Real::exp_m1(1.438_776_877 * x / air.temperature_k);
                for (kind, weights) in [vec![1.0; nu.len()], nu.iter().map(|&x| planck(x)).collect()].iter().enumerate()
                {
                    for (k, &column) in columns.iter().enumerate().step_by(8) {
                        let golden = transmittances[(kind * case.states.len() + state) * columns.len() + k];
                        let got = mean(weights, sigma, |sigma| Real::exp(-sigma * column));
                        assert!((got - golden).abs() < 1e-4, "{} {air:?} {column:e}: {got} {golden}", case.gas.name());
                    }
                }
            }
        }
    }
}

fn mean(weights: &[f64], sigma: &[f64], value: impl Fn(f64) -> f64) -> f64 {
    let pairs = || weights.iter().zip(sigma).filter(|(weight, _)| **weight > 0.0);
    pairs().map(|(weight, sigma)| weight * value(*sigma)).sum::<f64>() / pairs().map(|pair| pair.0).sum::<f64>()
}
