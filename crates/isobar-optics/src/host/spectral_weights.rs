//! What the wavenumbers of a spectrum of particles count at the g-points of a k-distribution, as ecRad has it
//! (`calc_mapping` of its `radiation_spectral_definition.F90`).

use super::ecckd::Ecckd;
use super::gas_optics::{CoefficientError, refuse};

/// Where the wavenumber before lies in another interval, ecRad takes `h / 2` for the mean over a trapezium from `h` to
/// 1, which is `(1 + h) / 2`. So do we, for its numbers; as weights are divided by their sum, a wavenumber counts less
/// in its own interval than it should. That is 0.1 % of most averages and 8 % of a few, up to 0.02 W/m^2 in three of
/// ecRad's columns.
const LACKING: f64 = 0.5;

/// Weights `[g-point][wavenumber]`, 1 in all of a g-point's, for properties that are linear between wavenumbers
/// \[cm^-1\], which rise.
pub(crate) fn spectral_weights(model: &Ecckd, wavenumbers: &[f64]) -> Result<Vec<f64>, CoefficientError> {
    let Some(spectrum) = &model.spectrum else {
        return refuse("the k-distribution does not say where in the spectrum its g-points are".to_owned());
    };
    let (intervals, count) = (spectrum.intervals.len(), wavenumbers.len());
    if spectrum.fraction.len() != model.points * intervals {
        let found = spectrum.fraction.len();
        return refuse(format!("{found} parts of {} g-points in {intervals} intervals", model.points));
    }
    let power = spectrum.power(model.planck.is_some());
    let mut weights = vec![0.0; model.points * count];
    for index in 0..count {
        let Some(shares) = shares(&spectrum.intervals, wavenumbers, index) else { continue };
        for (fractions, weights) in spectrum.fraction.chunks_exact(intervals).zip(weights.chunks_exact_mut(count)) {
            let terms = shares.iter().zip(&power).zip(fractions);
            weights[index] = terms.map(|((share, power), fraction)| share * power * fraction).sum();
        }
    }
    for (point, weights) in weights.chunks_exact_mut(count).enumerate() {
        let total: f64 = weights.iter().sum();
        if !(total > 0.0 && total.is_finite()) {
            return refuse(format!("no wavenumber of the particles lies where g-point {point} is"));
        }
        weights.iter_mut().for_each(|weight| *weight /= total);
    }
    Ok(weights)
}

/// How much of the mean over each interval a wavenumber makes up: it counts 1 where it is, and less and less up to its
/// neighbours, but beyond the outermost ones 1. Nothing where it lies outside the intervals.
fn shares(intervals: &[[f64; 2]], wavenumbers: &[f64], index: usize) -> Option<Vec<f64>> {
    let middle = wavenumbers[index];
    let own = place(intervals, middle)?;
    let [low, high] = intervals[own];
    let mut shares = vec![0.0; intervals.len()];
    let mean = |interval: usize, zero: f64| slope(&intervals[interval], zero, middle);
    match index.checked_sub(1).map(|before| wavenumbers[before]) {
        Some(before) => {
            for interval in 0..=own {
                shares[interval] += mean(interval, before).0;
            }
            if place(intervals, before) != Some(own) {
                shares[own] -= LACKING * mean(own, before).1;
            }
        }
        None => {
            shares[..own].fill(1.0);
            shares[own] += (middle - low) / (high - low);
        }
    }
    match wavenumbers.get(index + 1) {
        Some(&after) => {
            // As ecRad has it: towards a neighbour beyond the last interval, in its own interval alone.
            let last = place(intervals, after).unwrap_or(own);
            for interval in own..=last {
                shares[interval] += mean(interval, after).0;
            }
        }
        None => {
            shares[own + 1..].fill(1.0);
            shares[own] += (high - middle) / (high - low);
        }
    }
    Some(shares)
}

/// The mean over an interval of what rises from 0 at one wavenumber to 1 at another and is 0 elsewhere, and the part of
/// the interval that lies between the two.
fn slope(&[low, high]: &[f64; 2], zero: f64, one: f64) -> (f64, f64) {
    let (begin, end) = (low.max(zero.min(one)), high.min(zero.max(one)));
    let part = (end - begin).max(0.0) / (high - low);
    (part * (0.5 * (begin + end) - zero) / (one - zero), part)
}

/// The interval of a wavenumber; a limit belongs to the one below it.
fn place(intervals: &[[f64; 2]], wavenumber: f64) -> Option<usize> {
    let first = intervals.first()?[0];
    if wavenumber < first { None } else { intervals.iter().position(|limits| wavenumber <= limits[1]) }
}
