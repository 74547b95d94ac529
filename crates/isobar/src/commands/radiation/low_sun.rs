//! Columns whose Sun stands lower than layers can have it.

use isobar_core::Real;
use isobar_io::RadiationInput;
use isobar_radiation::least_cosine_zenith;

use super::Work;

impl Work<'_> {
    /// How many of the columns that were computed have a Sun above the horizon, below the least cosine of a precision.
    pub(super) fn low_suns<R: Real>(&self, input: &RadiationInput, status: &[u32]) -> usize {
        let suns = &input.columns.cosine_zenith;
        if !self.tables.waves()[1] || suns.is_empty() {
            return 0;
        }
        let low = 0.0..least_cosine_zenith::<R>();
        let is_low = |column: usize| {
            let cosine = R::from_f64(suns[column.min(suns.len() - 1)]).value();
            cosine > 0.0 && low.contains(&cosine)
        };
        (0..status.len()).filter(|&column| status[column] == 0 && is_low(column)).count()
    }
}

/// What is said of so many of some columns.
pub(super) fn in_words<R: Real>([low, columns]: [usize; 2]) -> Option<String> {
    let least = least_cosine_zenith::<R>();
    let text = || {
        format!(
            "{low} of {columns} columns have a Sun whose cosine is above 0 and below {least:.1e}, the least with which \
             a beam goes through layers in {}: its light takes that way, which heats the top too little",
            R::NAME
        )
    };
    (low > 0).then(text)
}
