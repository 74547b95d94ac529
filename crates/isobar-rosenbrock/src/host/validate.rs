//! Which options are accepted.

use crate::host::error::Error;
use crate::host::options::Options;

impl Options {
    /// Checks the options for a mechanism of so many variable species.
    ///
    /// # Errors
    /// The first that does not fit. KPP's codes for them are -1 (steps), -3 (step sizes), -4 (factors), -5
    /// (tolerances).
    pub fn validate(&self, variable: usize) -> Result<(), Error> {
        let fails = |what: String| Err(Error::Setup(what));
        for (name, values) in
            [("absolute tolerance", &self.absolute_tolerance), ("relative tolerance", &self.relative_tolerance)]
        {
            if values.len() != 1 && values.len() != variable {
                return fails(format!("{} values of the {name} for {variable} variable species", values.len()));
            }
        }
        if let Some((i, x)) = self.absolute_tolerance.iter().enumerate().find(|&(_, &x)| !(x > 0.0 && x.is_finite())) {
            return fails(format!(
                "the absolute tolerance of species {i} is {x}, which is not a positive finite number"
            ));
        }
        let least = 10.0 * f64::EPSILON;
        if let Some((i, x)) = self.relative_tolerance.iter().enumerate().find(|&(_, &x)| !(x > least && x < 1.0)) {
            return fails(format!("the relative tolerance of species {i} is {x}, which is not in ({least:.1e}, 1)"));
        }
        if self.max_steps == 0 {
            return fails("no step is allowed".to_owned());
        }
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let longest = self.max_step.unwrap_or(1.0);
        let checks = [
            ("smallest step", self.min_step, self.min_step >= 0.0 && self.min_step.is_finite(), "at least 0"),
            ("longest step", longest, positive(longest), "positive"),
            ("first step", self.first_step, positive(self.first_step), "positive"),
            ("least factor", self.least_factor, positive(self.least_factor) && self.least_factor <= 1.0, "in (0, 1]"),
            ("largest factor", self.most_factor, self.most_factor >= 1.0 && self.most_factor.is_finite(), "at least 1"),
            (
                "factor after rejections",
                self.rejected_factor,
                positive(self.rejected_factor) && self.rejected_factor < 1.0,
                "in (0, 1)",
            ),
            ("safety factor", self.safety, positive(self.safety) && self.safety <= 1.0, "in (0, 1]"),
        ];
        if let Some((name, value, _, range)) = checks.into_iter().find(|&(_, _, fits, _)| !fits) {
            return fails(format!("the {name} is {value}, which is not {range}"));
        }
        if let Some(pair) =
            self.dense_times.windows(2).find(|pair| pair[0].partial_cmp(&pair[1]) != Some(std::cmp::Ordering::Less))
        {
            return fails(format!("the wanted times do not rise: {} s, then {} s", pair[0], pair[1]));
        }
        Ok(())
    }

    /// Checks an interval \[s\] and the wanted times within it.
    ///
    /// # Errors
    /// An interval that runs backward or is not finite, or a wanted time outside of it.
    pub fn validate_interval(&self, start: f64, end: f64) -> Result<(), Error> {
        if !(start.is_finite() && end.is_finite() && start <= end) {
            return Err(Error::Setup(format!("the interval runs from {start} s to {end} s")));
        }
        match self.dense_times.iter().find(|&&time| !(start..=end).contains(&time)) {
            Some(time) => Err(Error::Setup(format!("the wanted time {time} s is not in [{start}, {end}] s"))),
            None => Ok(()),
        }
    }
}
