//! The points of a spectrum.

use std::ops::Range;

use crate::SpectraError;
use crate::limits::{MOST_POINTS, ROUNDING_STEPS, WHOLE_STEPS};

/// Wavenumbers, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    wavenumbers_per_cm: Vec<f64>,
    step_per_cm: Option<f64>,
    /// The whole grid, if this is a part.
    whole: Option<Whole>,
}

/// Where a part lies in a whole grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Whole {
    /// The part's first point has this number in the whole grid.
    pub(crate) before: usize,
    /// The points of the whole grid.
    pub(crate) points: usize,
    /// The whole grid's ends \[cm^-1\].
    pub(crate) ends_per_cm: (f64, f64),
}

/// The wavenumber of `i` steps; where a centimetre has a whole number of them, the number nearest to the decimal one
/// that is meant.
fn multiple(i: f64, step_per_cm: f64) -> f64 {
    let per_cm = 1.0 / step_per_cm;
    let whole = (per_cm - per_cm.round()).abs() < WHOLE_STEPS * per_cm;
    if whole { i / per_cm.round() } else { i * step_per_cm }
}

impl Grid {
    /// From `first` up to `last`, which is included if it is a whole number of steps away, with one step. Where a
    /// centimetre has a whole number of steps, the points are `first + i / steps_per_cm`, so that 0.001 gives the
    /// decimal numbers that are meant.
    ///
    /// # Errors
    /// Bounds or a step that are no positive finite numbers, ends out of order, more than 1e9 points.
    pub fn regular(first_per_cm: f64, last_per_cm: f64, step_per_cm: f64) -> Result<Self, SpectraError> {
        let positive = |what: &str, value: f64| {
            let ok = value.is_finite() && value > 0.0;
            if ok { Ok(()) } else { Err(SpectraError::value(format!("{what} [cm^-1]"), value, "a positive number")) }
        };
        positive("the first wavenumber", first_per_cm)?;
        positive("the last wavenumber", last_per_cm)?;
        positive("the step", step_per_cm)?;
        if last_per_cm < first_per_cm {
            let accepted = format!("{first_per_cm}, the first, or more");
            return Err(SpectraError::value("the last wavenumber [cm^-1]", last_per_cm, accepted));
        }
        let steps = (last_per_cm - first_per_cm) / step_per_cm;
        let steps = if (steps - steps.round()).abs() < ROUNDING_STEPS { steps.round() } else { steps.floor() };
        if steps >= MOST_POINTS {
            let accepted = format!("one that gives less than {MOST_POINTS:e} points");
            return Err(SpectraError::value("the step [cm^-1]", step_per_cm, accepted));
        }
        let at = |i: usize| first_per_cm + multiple(i as f64, step_per_cm);
        let wavenumbers_per_cm = (0..=steps as usize).map(at).collect();
        Ok(Self { wavenumbers_per_cm, step_per_cm: Some(step_per_cm), whole: None })
    }

    /// The multiples of a step from number `first` to number `last`, both included: grids of one step share points.
    ///
    /// # Errors
    /// As [`Grid::regular`].
    pub fn multiples(first: u64, last: u64, step_per_cm: f64) -> Result<Self, SpectraError> {
        let at = |i: u64| multiple(i as f64, step_per_cm);
        // It checks them.
        Self::regular(at(first), at(last), step_per_cm)?;
        Ok(Self { wavenumbers_per_cm: (first..=last).map(at).collect(), step_per_cm: Some(step_per_cm), whole: None })
    }

    /// Any points.
    ///
    /// # Errors
    /// None, or points that do not ascend, are not finite, or not positive.
    pub fn of(wavenumbers_per_cm: Vec<f64>) -> Result<Self, SpectraError> {
        if wavenumbers_per_cm.is_empty() {
            return Err(SpectraError::value("the number of wavenumbers", 0, "1 or more"));
        }
        let mut before = 0.0;
        for (i, &value) in wavenumbers_per_cm.iter().enumerate() {
            if !(value > before && value.is_finite()) {
                let what = format!("wavenumber {} [cm^-1]", i + 1);
                return Err(SpectraError::value(what, value, format!("a finite number above {before}")));
            }
            before = value;
        }
        Ok(Self { wavenumbers_per_cm, step_per_cm: None, whole: None })
    }

    /// Some of the points. Spectra over parts, at whose beginnings no cell of the tree is cut
    /// ([`crate::launch::parts`]), have the bits of those over the whole grid.
    ///
    /// # Panics
    /// A range that is empty or ends beyond the grid.
    #[must_use]
    pub fn part(&self, points: Range<usize>) -> Self {
        assert!(!points.is_empty(), "a grid has points");
        let whole = self.whole();
        let whole = Some(Whole { before: whole.before + points.start, ..whole });
        Self { wavenumbers_per_cm: self.wavenumbers_per_cm[points].to_vec(), step_per_cm: self.step_per_cm, whole }
    }

    /// The whole grid of which this is a part, or all.
    pub(crate) fn whole(&self) -> Whole {
        let all = || Whole { before: 0, points: self.wavenumbers_per_cm.len(), ends_per_cm: self.ends_per_cm() };
        self.whole.unwrap_or_else(all)
    }

    /// The points \[cm^-1\].
    #[must_use]
    pub fn wavenumbers_per_cm(&self) -> &[f64] {
        &self.wavenumbers_per_cm
    }

    /// The step, if there is one \[cm^-1\].
    #[must_use]
    pub fn step_per_cm(&self) -> Option<f64> {
        self.step_per_cm
    }

    /// First and last point \[cm^-1\].
    #[must_use]
    pub fn ends_per_cm(&self) -> (f64, f64) {
        (self.wavenumbers_per_cm[0], self.wavenumbers_per_cm[self.wavenumbers_per_cm.len() - 1])
    }

    /// The largest distance of neighbouring points \[cm^-1\]; 0 of a single point.
    #[must_use]
    pub fn largest_step_per_cm(&self) -> f64 {
        self.wavenumbers_per_cm.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
    }
}
