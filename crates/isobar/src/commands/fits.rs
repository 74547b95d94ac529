//! What is said of retrievals: how well they fit, and where their paths lead.

use isobar::jurassic::estimate_warnings;
use isobar_core::Real;
use isobar_ega::launch::InfraredModel;
use isobar_io::Label;
use isobar_retrieval::Estimate;
use rayon::prelude::*;

use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// The standard deviations that are far: of as many retrievals as there are, chance gives none.
const FAR: f64 = 6.0;

/// How well measurements were fitted, in all.
pub(super) struct Fits<'a> {
    /// Values that were not measured, and the first retrieval that lacks some.
    pub(super) missing: (usize, Option<&'a str>),
    /// Retrievals whose chi-squared is far above its expectation, and the one where it is farthest.
    pub(super) too_large: (usize, Option<(&'a str, &'a Estimate)>),
    /// Those where it is far below.
    pub(super) too_small: usize,
    /// Elements of the states at the end, those of them at their limits, and the first of these with its retrieval.
    pub(super) at_limits: (usize, usize, Option<(&'a str, &'a Label)>),
    all: usize,
}

impl<'a> Fits<'a> {
    pub(super) fn of(names: &'a [String], results: &'a [Result<Estimate, Failure>]) -> Self {
        let mut fits = Self { missing: (0, None), too_large: (0, None), too_small: 0, at_limits: (0, 0, None), all: 0 };
        for (name, estimate) in
            names.iter().zip(results).filter_map(|(name, result)| Some((name, result.as_ref().ok()?)))
        {
            fits.all += 1;
            let missing = estimate.observation.radiance.len() - estimate.measurement.len();
            if missing > 0 {
                fits.missing = (fits.missing.0 + missing, fits.missing.1.or(Some(name)));
            }
            let deviations = estimate.chi_squared_deviations();
            if deviations > FAR {
                let farthest = fits.too_large.1.filter(|(_, other)| other.chi_squared_deviations() >= deviations);
                fits.too_large = (fits.too_large.0 + 1, farthest.or(Some((name, estimate))));
            }
            fits.too_small += usize::from(deviations < -FAR);
            let at_limits = estimate.state.at_limits(&estimate.atmosphere);
            let first = at_limits.first().map(|element| (name.as_str(), &element.label));
            let (elements, count, before) = fits.at_limits;
            fits.at_limits = (elements + estimate.state.len(), count + at_limits.len(), before.or(first));
        }
        fits
    }

    pub(super) fn sentences(&self) -> Vec<String> {
        let mut all = Vec::new();
        if let (count, Some(first)) = self.missing {
            all.push(format!("{count} measured values are missing (NaN, -999, -9999) and left out, first of {first}"));
        }
        let of_all = |count: usize| if self.all == 1 { String::new() } else { format!(" of {count} of {}", self.all) };
        if let (count, Some((name, estimate))) = self.too_large {
            let (chi_squared, values) = (estimate.chi_squared(), estimate.measurement.len());
            all.push(format!(
                "{name}: chi-squared{} is {chi_squared:.4e}, far above the {values} +- {:.1} of its expectation: \
                 measurement, errors and model do not fit together",
                if count > 1 { format!(", the farthest{},", of_all(count)) } else { String::new() },
                Real::sqrt(2.0 * values as f64)
            ));
        }
        if let (elements, count, Some((name, label))) = self.at_limits {
            all.push(format!(
                "{count} of {elements} elements are at their limits at the end, first {} at {} km of {name}: errors, \
                 gains and averaging kernels do not know of limits",
                label.name, label.height_km
            ));
        }
        if self.too_small > 0 {
            all.push(format!(
                "chi-squared{} is far below its expectation: the fit is better than errors allow, as without noise",
                of_all(self.too_small)
            ));
        }
        all
    }
}

/// Says where paths of retrievals leave the emissivity tables, and which rays see nothing: of the first retrieval with
/// such, and how many there are.
pub(super) fn tell_of_paths(model: &InfraredModel<f64>, names: &[String], results: &[Result<Estimate, Failure>]) {
    let of_one = |(name, result): (&'_ String, &Result<Estimate, Failure>)| {
        let found = estimate_warnings(model, result.as_ref().ok()?);
        let lines = found.unwrap_or_else(|error| vec![format!("where paths lead is not known: {error}")]);
        (!lines.is_empty()).then(|| (name.clone(), lines))
    };
    let all: Vec<(String, Vec<String>)> = names.par_iter().zip(results).filter_map(of_one).collect();
    let Some((first, lines)) = all.first() else { return };
    lines.iter().for_each(|line| warn(format!("{first}: {line}")));
    if all.len() > 1 {
        warn(format!("{} of {} retrievals have such paths, {first} is the first", all.len(), results.len()));
    }
}
