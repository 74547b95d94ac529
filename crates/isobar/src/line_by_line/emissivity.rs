//! The emissivity of a band against the column density of a gas.
//!
//! ```text
//! eps(u) = sum_i f_i (1 - exp(-sigma_i u)) / sum_i f_i
//! ```
//!
//! over the points of a grid within a filter `f`, where those at its ends count for their parts of a step. Points whose
//! cross-sections are alike stand together in classes of ln sigma, each with its share of the filter and the first and
//! second moments of ln sigma about its centre. With `g(x) = 1 - exp(-exp(x))` at `x = ln(sigma u)` of the centre, a
//! class emits
//!
//! ```text
//! M0 g(x) + M1 g'(x) + M2 g''(x)/2
//! ```
//!
//! What is left out is `d^3/6 g'''`, `d` the distance from the centre, and `|g'''| < g` everywhere: with classes 0.03
//! wide 6e-7 of the emissivity at most.

use isobar_core::{Column, Real, bracket, interpolate::linear};
use isobar_io::Shape;
use isobar_spectra::{Grid, SpectraError};

/// The widest class in ln sigma.
pub const WIDEST_CLASS: f64 = 0.03;

/// A filter at the points of a grid.
#[derive(Clone, Debug)]
pub struct FilterOnGrid {
    /// The multiples of a step from the filter's first to its last wavenumber.
    pub grid: Grid,
    /// Which multiple of the step the first one is.
    pub first: u64,
    /// The filter at each point, linear between its own.
    pub filter: Vec<f64>,
    /// The same times the part of a step for which the point stands: sums by these weights are integrals from the
    /// filter's first to its last wavenumber.
    pub weights: Vec<f64>,
}

impl FilterOnGrid {
    /// A filter with a step \[cm^-1\].
    ///
    /// # Errors
    /// A filter that begins at 0, a step that is none; a filter of negative or no transmission, or between two points.
    pub fn new(filter: &Shape, step_per_cm: f64) -> Result<Self, SpectraError> {
        let (first, last) = (filter.x[0], filter.x[filter.x.len() - 1]);
        // It checks the numbers.
        Grid::regular(first, last, step_per_cm)?;
        // A filter's end that is a multiple but for its rounding is one.
        let near = 1e-6;
        let (low, high) = ((first / step_per_cm - near).ceil(), (last / step_per_cm + near).floor());
        if low > high {
            let accepted = format!("one with a multiple from {first} to {last} cm^-1, where a filter is");
            let (what, value) = ("the step [cm^-1]".into(), step_per_cm.to_string());
            return Err(SpectraError::Value { what, value, accepted });
        }
        let grid = Grid::multiples(low as u64, high as u64, step_per_cm)?;
        let at = |&nu: &f64| {
            let nu = nu.clamp(first, last);
            let i = bracket::ascending(Column::from(filter.x.as_slice()), nu);
            linear(filter.x[i], filter.y[i], filter.x[i + 1], filter.y[i + 1], nu)
        };
        let nu = grid.wavenumbers_per_cm();
        let ends = [nu[0] - first, last - nu[nu.len() - 1]].map(|beyond| (beyond / step_per_cm).max(0.0));
        let parts = parts(nu.len(), ends);
        let on_grid: Vec<f64> = nu.iter().map(at).collect();
        let weights: Vec<f64> = on_grid.iter().zip(parts).map(|(f, part)| f * part).collect();
        let sum: f64 = weights.iter().sum();
        if !(sum > 0.0 && sum.is_finite()) {
            let accepted = "a positive number".into();
            let what = format!("the sum of the filter from {first} to {last} cm^-1");
            return Err(SpectraError::Value { what, value: sum.to_string(), accepted });
        }
        Ok(Self { grid, first: low as u64, filter: on_grid, weights })
    }

    /// The mean of a spectrum over the filter.
    #[must_use]
    pub fn mean(&self, spectrum: &[f64]) -> f64 {
        let sum: f64 = self.weights.iter().zip(spectrum).map(|(f, value)| f * value).sum();
        sum / self.weights.iter().sum::<f64>()
    }
}

/// The parts of a step for which points stand: trapezoids, and at either end what is left of a step up to the end of
/// the interval, on the line through the last two points. Integrals of constants and lines are exact.
fn parts(points: usize, [before, behind]: [f64; 2]) -> Vec<f64> {
    let mut parts = vec![1.0; points];
    if points == 1 {
        return parts;
    }
    for (end, next, beyond) in [(0, 1, before), (points - 1, points - 2, behind)] {
        parts[end] += beyond - 0.5 + 0.5 * beyond * beyond;
        parts[next] -= 0.5 * beyond * beyond;
    }
    parts
}

/// The cross-sections of a band by classes.
#[derive(Clone, Debug)]
pub struct Band {
    /// The width of a class in ln sigma.
    pub(super) width: f64,
    /// The number of the first class: class `n` is from `n width` to `(n + 1) width`.
    pub(super) first: i64,
    /// The moments of each class, in shares of the filter: of ln sigma about the class's centre, the zeroth, first and
    /// second.
    pub(super) moments: [Vec<f64>; 3],
    /// The filter's mean of the cross-sections \[cm^2/molecule\].
    pub(super) mean: f64,
}

impl Band {
    /// The sums of a spectrum \[cm^2/molecule\] over the points of a filter, always in one order.
    #[must_use]
    pub fn new(filter: &FilterOnGrid, cross_sections: &[f64]) -> Self {
        Self::by_classes(&filter.weights, cross_sections, WIDEST_CLASS)
    }

    /// With classes of a width in ln sigma, and the filter at the points of the spectrum.
    #[must_use]
    pub fn by_classes(weights: &[f64], cross_sections: &[f64], width: f64) -> Self {
        let total: f64 = weights.iter().sum();
        let pairs = weights.iter().zip(cross_sections).filter(|&(&f, &sigma)| f != 0.0 && sigma > 0.0);
        let place = |(&f, &sigma): (&f64, &f64)| {
            let place = Real::ln(sigma) / width;
            let class = place.floor();
            (class as i64, (place - class - 0.5) * width, f / total, sigma)
        };
        let points: Vec<(i64, f64, f64, f64)> = pairs.map(place).collect();
        let ends = points.iter().fold((i64::MAX, i64::MIN), |(low, high), point| (low.min(point.0), high.max(point.0)));
        let classes = if points.is_empty() { 0 } else { (ends.1 - ends.0 + 1) as usize };
        let mut moments = [const { Vec::new() }; 3].map(|_: Vec<f64>| vec![0.0; classes]);
        let mut mean = 0.0;
        for (class, beyond, share, sigma) in points {
            let class = (class - ends.0) as usize;
            moments[0][class] += share;
            moments[1][class] += share * beyond;
            moments[2][class] += share * beyond * beyond;
            mean += share * sigma;
        }
        Self { width, first: if classes == 0 { 0 } else { ends.0 }, moments, mean }
    }

    /// The emissivity of a column \[molecules/cm^2\].
    #[must_use]
    pub fn emissivity(&self, column_per_cm2: f64) -> f64 {
        let ln_column = Real::ln(column_per_cm2);
        let of = |class: usize| {
            let x = ((self.first + class as i64) as f64 + 0.5) * self.width + ln_column;
            let growth = growth(x);
            (0..3).map(|order| self.moments[order][class] * growth[order]).sum::<f64>()
        };
        (0..self.moments[0].len()).filter(|&class| self.moments[0][class] != 0.0).map(of).sum()
    }
}

/// `g(x)`, `g'(x)` and `g''(x)/2` of `g(x) = 1 - exp(-exp(x))`.
pub(super) fn growth(x: f64) -> [f64; 3] {
    let depth = Real::exp(x);
    let slope = depth * Real::exp(-depth);
    // Beyond all numbers a column is opaque.
    let slope = if slope.is_nan() { 0.0 } else { slope };
    [-Real::exp_m1(-depth), slope, if slope == 0.0 { 0.0 } else { 0.5 * slope * (1.0 - depth) }]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cross-sections over eleven decades against the plain sum, at columns from transparent to opaque.
    #[test]
    fn classes_cost_less_than_stated() {
        let sigma: Vec<f64> = (0..5000).map(|i| 1e-28 * Real::exp(25.0 * f64::from(i * 617 % 5000) / 5000.0)).collect();
        let weights: Vec<f64> = (0..5000).map(|i| 1.0 + f64::from(i % 7)).collect();
        let band = Band::by_classes(&weights, &sigma, WIDEST_CLASS);
        for exponent in 5..32 {
            let column = Real::powi(10.0, exponent);
            let each = sigma.iter().zip(&weights).map(|(sigma, weight)| -weight * Real::exp_m1(-sigma * column));
            let plain = each.sum::<f64>() / weights.iter().sum::<f64>();
            assert!((band.emissivity(column) / plain - 1.0).abs() < 6e-7, "{column:e}");
        }
        // One point at the end of its class: nothing cancels.
        for sigma in [1.0, 1.000_001, 0.999_999] {
            let band = Band::by_classes(&[1.0], &[sigma], WIDEST_CLASS);
            for column in [1e-9, 0.1, 1.0, 3.0, 30.0, 1e9] {
                let plain = -Real::exp_m1(-sigma * column);
                assert!((band.emissivity(column) / plain - 1.0).abs() < 6e-7, "{sigma} {column}");
            }
        }
    }

    #[test]
    fn what_does_not_absorb_emits_nothing() {
        assert_eq!(Band::by_classes(&[1.0, 1.0], &[0.0, -1e-25], WIDEST_CLASS).emissivity(1e30), 0.0);
        let half = Band::by_classes(&[1.0, 1.0], &[0.0, 1e-20], WIDEST_CLASS);
        assert!((half.emissivity(1e30) - 0.5).abs() < 1e-15);
    }

    /// The mean of a line over a boxcar is its value in the middle, wherever the ends lie between multiples of the
    /// step; the mean of a triangle's own shape is 2/3.
    #[test]
    fn means_of_lines_are_exact() {
        for (low, high) in [(999.5, 1000.5), (999.503, 1000.4996), (999.9, 1000.013), (1000.0, 1000.01)] {
            let filter = FilterOnGrid::new(&Shape { x: vec![low, high], y: vec![1.0, 1.0] }, 0.01).unwrap();
            let nu = filter.grid.wavenumbers_per_cm();
            let width = filter.weights.iter().sum::<f64>() * 0.01;
            assert!((width - (high - low)).abs() < 1e-9, "{low} {high}: {width}");
            let mean = filter.mean(&nu.iter().map(|nu| 3.0 - 2.0 * nu).collect::<Vec<_>>());
            assert!((mean - (3.0 - (low + high))).abs() < 1e-9, "{low} {high}: {mean}");
        }
        let triangle = Shape { x: vec![999.5, 1000.0, 1000.5], y: vec![0.0, 1.0, 0.0] };
        let filter = FilterOnGrid::new(&triangle, 0.01).unwrap();
        assert!((filter.mean(&filter.weights) - 2.0 / 3.0).abs() < 1e-3);
    }

    /// Filters whose ends are multiples of the step but for rounding have both.
    #[test]
    fn a_filter_has_the_multiples_of_the_step() {
        for (low, high, points, first) in
            [(790.6, 791.6, 1001, 790_600), (790.600_3, 791.600_3, 1000, 790_601), (790.6, 790.6004, 1, 790_600)]
        {
            let filter = FilterOnGrid::new(&Shape { x: vec![low, high], y: vec![1.0, 1.0] }, 0.001).unwrap();
            assert_eq!((filter.weights.len(), filter.first), (points, first));
            assert_eq!(filter.grid.wavenumbers_per_cm()[0], first as f64 / 1000.0);
        }
        let between = Shape { x: vec![790.6001, 790.6005], y: vec![1.0, 1.0] };
        let error = FilterOnGrid::new(&between, 0.001).unwrap_err().to_string();
        assert!(error.contains("the step [cm^-1] is 0.001; accepted is one with a multiple from 790.6001"), "{error}");
    }
}
