//! The emissivity of a band against the column density of a gas.
//!
//! ```text
//! eps(u) = sum_i f_i (1 - exp(-sigma_i u)) / sum_i f_i
//! ```
//!
//! over the points of a grid within a filter `f`. Points whose cross-sections are alike stand together: a hundredth in
//! ln sigma, each class with its mean, so that its error is of second order, 3e-6 at most.

use isobar_core::{Column, Real, bracket, interpolate::linear};
use isobar_ega::Curve;
use isobar_io::Shape;
use isobar_spectra::{Grid, SpectraError};

/// The width of a class in ln sigma.
const CLASS: f64 = 0.01;

/// A filter at the points of a grid.
#[derive(Clone, Debug)]
pub struct FilterOnGrid {
    /// From the filter's first to its last wavenumber.
    pub grid: Grid,
    /// The filter at each point, linear between its own.
    pub weights: Vec<f64>,
}

impl FilterOnGrid {
    /// A filter with a step \[cm^-1\].
    ///
    /// # Errors
    /// A filter that begins at 0, a step that is none; a filter of negative or no transmission.
    pub fn new(filter: &Shape, step_per_cm: f64) -> Result<Self, SpectraError> {
        let (first, last) = (filter.x[0], filter.x[filter.x.len() - 1]);
        let grid = Grid::regular(first, last, step_per_cm)?;
        let at = |&nu: &f64| {
            if nu > last {
                return 0.0;
            }
            let i = bracket::ascending(Column::from(filter.x.as_slice()), nu);
            linear(filter.x[i], filter.y[i], filter.x[i + 1], filter.y[i + 1], nu)
        };
        let weights: Vec<f64> = grid.wavenumbers_per_cm().iter().map(at).collect();
        let sum: f64 = weights.iter().sum();
        if !(sum > 0.0 && sum.is_finite()) {
            let accepted = "a positive number".into();
            let what = format!("the sum of the filter from {first} to {last} cm^-1");
            return Err(SpectraError::Value { what, value: sum.to_string(), accepted });
        }
        Ok(Self { grid, weights })
    }

    /// The mean of a spectrum over the filter.
    #[must_use]
    pub fn mean(&self, spectrum: &[f64]) -> f64 {
        let sum: f64 = self.weights.iter().zip(spectrum).map(|(f, value)| f * value).sum();
        sum / self.weights.iter().sum::<f64>()
    }
}

/// The cross-sections of a band by classes.
#[derive(Clone, Debug)]
pub struct Band {
    /// Share of the filter and mean cross-section \[cm^2/molecule\], ascending.
    classes: Vec<(f64, f64)>,
}

impl Band {
    /// Of a spectrum \[cm^2/molecule\] over the points of a filter. Always the same sums in the same order.
    #[must_use]
    pub fn new(filter: &FilterOnGrid, cross_sections: &[f64]) -> Self {
        let class = |sigma: f64| (Real::ln(sigma) / CLASS).floor() as i64;
        let absorbs = || filter.weights.iter().zip(cross_sections).filter(|&(&f, &sigma)| f != 0.0 && sigma > 0.0);
        let numbers: Vec<i64> = absorbs().map(|(_, &sigma)| class(sigma)).collect();
        let total: f64 = filter.weights.iter().sum();
        let (Some(&low), Some(&high)) = (numbers.iter().min(), numbers.iter().max()) else {
            return Self { classes: Vec::new() };
        };
        let mut sums = vec![(0.0, 0.0); (high - low + 1) as usize];
        for (&number, (&f, &sigma)) in numbers.iter().zip(absorbs()) {
            let (weight, moment) = &mut sums[(number - low) as usize];
            *weight += f;
            *moment += f * sigma;
        }
        let mean = |(weight, moment): (f64, f64)| (weight != 0.0).then(|| (weight / total, moment / weight));
        Self { classes: sums.into_iter().filter_map(mean).collect() }
    }

    /// The emissivity of a column \[molecules/cm^2\].
    #[must_use]
    pub fn emissivity(&self, column_per_cm2: f64) -> f64 {
        self.classes.iter().map(|&(share, sigma)| -share * Real::exp_m1(-sigma * column_per_cm2)).sum()
    }

    /// Emissivities at columns that are whole powers of a factor, where they lie within limits and grow in single
    /// precision, as tables have them; none if the gas does not absorb.
    #[must_use]
    pub fn curve(&self, temperature_k: f64, factor: f64, (least, most): (f64, f64)) -> Option<Curve> {
        let mean: f64 = self.classes.iter().map(|(share, sigma)| share * sigma).sum();
        if !(mean > 0.0 && mean.is_finite()) {
            return None;
        }
        let mut curve = Curve { temperature_k, ..Curve::default() };
        // No column absorbs more than in proportion.
        let begin = (Real::ln(least / mean) / Real::ln(factor)).floor();
        for k in 0.. {
            let column = Real::exp((begin + f64::from(k)) * Real::ln(factor)) as f32;
            if column > MOST_COLUMN_PER_CM2 {
                break;
            }
            let emissivity = self.emissivity(f64::from(column));
            if emissivity > most {
                break;
            }
            let grows = curve.emissivity.last().is_none_or(|&before| emissivity as f32 > before);
            if column > 0.0 && emissivity >= least && grows {
                curve.column_per_cm2.push(column);
                curve.emissivity.push(emissivity as f32);
            }
        }
        (!curve.emissivity.is_empty()).then_some(curve)
    }
}

/// Readers of text drop columns above.
const MOST_COLUMN_PER_CM2: f32 = 1e30;
