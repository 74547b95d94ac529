//! Random lines of one gas in one band, as a k-distribution.
//!
//! Malkmus' model (`isobar_ega::band_model`) has a known one: the absorption coefficients of a band are distributed as
//! an inverse Gaussian with the mean strength as its mean (Domoto, 1974, J. Quant. Spectrosc. Radiat. Transfer 14,
//! 935).

use isobar_core::Real;
use isobar_ega::band_model::Band;

/// Steps in which the distribution is summed up, in the logarithm of the coefficient.
const STEP: f64 = 0.06;
/// Exponents beyond this add nothing.
const FAR: f64 = 45.0;

/// The absorption coefficient below which each of the shares `g` of the band lies, in the unit of the band's strength;
/// `g` ascends.
pub(super) fn quantiles(band: &Band, pressure_hpa: f64, temperature_k: f64, g: &[f64]) -> Vec<f64> {
    let (strength, width) = band.state(pressure_hpa, temperature_k);
    inverse_gaussian(0.5 * core::f64::consts::PI * width, g).into_iter().map(|x| strength * x).collect()
}

/// Quantiles of the inverse Gaussian distribution of mean 1 and shape `shape`.
fn inverse_gaussian(shape: f64, g: &[f64]) -> Vec<f64> {
    // Where the exponent shape (x - 1)^2 / (2 x) reaches FAR.
    let far = Real::ln(1.0 + FAR / shape + ((1.0 + FAR / shape) * (1.0 + FAR / shape) - 1.0).sqrt());
    let count = (2.0 * far / STEP) as usize + 2;
    let density = |i: usize| {
        let x = Real::exp(-far + STEP * i as f64);
        Real::exp(-shape * (x - 1.0) * (x - 1.0) / (2.0 * x)) / x.sqrt()
    };
    let mut sums = vec![0.0];
    let mut before = density(0);
    for i in 1..count {
        let this = density(i);
        sums.push(sums[i - 1] + 0.5 * (before + this));
        before = this;
    }
    let total = sums[count - 1];
    let place = |share: &f64| {
        let target = share * total;
        let above = sums.partition_point(|sum| *sum < target).clamp(1, count - 1);
        let part = (target - sums[above - 1]) / (sums[above] - sums[above - 1]);
        Real::exp(-far + STEP * ((above - 1) as f64 + part))
    };
    g.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean of exp(-k u) over the distribution is the model's transmittance.
    #[test]
    fn the_distribution_transmits_what_the_band_does() {
        let g: Vec<f64> = (0..4000).map(|i| (f64::from(i) + 0.5) / 4000.0).collect();
        let band = Band { strength: 2.0, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };
        for (pressure, temperature) in [(1000.0, 290.0), (100.0, 220.0), (5.0, 240.0)] {
            let k = quantiles(&band, pressure, temperature, &g);
            assert!(k.windows(2).all(|pair| pair[0] < pair[1]));
            for column in [0.03, 0.3, 3.0, 30.0] {
                let mean = k.iter().map(|k| Real::exp(-k * column)).sum::<f64>() / 4000.0;
                let expected = 1.0 - band.emissivity(pressure, temperature, column);
                assert!((mean - expected).abs() < 1e-3, "{pressure} hPa, {column}: {mean} {expected}");
            }
        }
    }
}
