//! Two gases whose lines overlap at random.

use isobar_core::Real;

/// The quantiles at `g` of the sum of two independent distributions, each given by values of weights that sum to one.
pub(super) fn sum(first: &[f64], second: &[f64], weights: &[f64], g: &[f64]) -> Vec<f64> {
    let mut all: Vec<(f64, f64)> = Vec::with_capacity(first.len() * second.len());
    for (a, wa) in first.iter().zip(weights) {
        all.extend(second.iter().zip(weights).map(|(b, wb)| (a + b, wa * wb)));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut below = 0.0;
    // Each value stands in the middle of its share.
    let places: Vec<f64> = all.iter().map(|&(_, weight)| (below, below += weight).0 + 0.5 * weight).collect();
    let at = |share: &f64| {
        let above = places.partition_point(|place| place < share).clamp(1, all.len() - 1);
        let (low, high) = (all[above - 1].0, all[above].0);
        let part = ((share - places[above - 1]) / (places[above] - places[above - 1])).clamp(0.0, 1.0);
        if low > 0.0 { low * Real::exp(part * Real::ln(high / low)) } else { part * high }
    };
    g.iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gas_that_does_not_absorb_changes_nothing() {
        let (values, weights) = ([1.0, 2.0, 4.0, 8.0], [0.25; 4]);
        assert_eq!(sum(&values, &[0.0; 4], &weights, &[0.2, 0.6]), [1.0, 4.0]);
    }

    #[test]
    fn transmittances_of_independent_gases_multiply() {
        let fine = 40;
        let g: Vec<f64> = (0..fine).map(|i| (f64::from(i) + 0.5) / f64::from(fine)).collect();
        let weights = vec![1.0 / f64::from(fine); fine as usize];
        let (a, b): (Vec<f64>, Vec<f64>) = g.iter().map(|g| (3.0 * g * g, Real::exp(4.0 * g) - 1.0)).unzip();
        let mean = |k: &[f64]| k.iter().map(|k| Real::exp(-0.3 * k)).sum::<f64>() / f64::from(fine);
        let both = sum(&a, &b, &weights, &g);
        assert!((mean(&both) - mean(&a) * mean(&b)).abs() < 1e-3, "{} {}", mean(&both), mean(&a) * mean(&b));
    }
}
