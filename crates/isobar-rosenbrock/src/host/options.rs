//! What a user chooses.

use std::ops::Range;

use isobar_core::fields::Error;

use crate::host::reduction::Reduction;
use crate::physics::control::{Control, Negative, Rates};
use crate::physics::method::Method;

/// Tolerances and step control. `Options::default()` is KPP's: Rodas3, steps from 1e-5 s on, factors 0.2, 6, 0.1 and
/// 0.9.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default, deny_unknown_fields))]
pub struct Options {
    /// The method.
    pub method: Method,
    /// Absolute tolerance of each variable species, or one for all \[as concentrations\]. Positive. A huge one takes a
    /// species out of step control, but leaves it among those over which the error is averaged.
    pub absolute_tolerance: Vec<f64>,
    /// Relative tolerance of each variable species, or one for all. Above 10 roundings, below 1.
    pub relative_tolerance: Vec<f64>,
    /// Species with an absolute tolerance of this or more are passive: they react, but are not in the mean error, as in
    /// KPP 3.5 (`PassiveSpc_ATOL_Threshold`). None are where nothing is given.
    pub passive_tolerance: Option<f64>,
    /// What becomes of negative concentrations.
    pub negative: Negative,
    /// Cells may start from any finite concentration of a variable species, however far below zero, as in KPP; else
    /// from none below minus the absolute tolerance.
    pub negative_start: bool,
    /// When rate constants are computed.
    pub rates: Rates,
    /// df/dt is taken into account where rate constants change within the interval.
    pub autonomous: bool,
    /// A cell fails when it has attempted more steps.
    pub max_steps: u32,
    /// The smallest step \[s\]; at least 0.
    pub min_step_s: f64,
    /// The longest step \[s\]; positive. The interval where nothing is given.
    pub max_step_s: Option<f64>,
    /// The first step of cells that have none of their own \[s\]; positive.
    pub first_step_s: f64,
    /// The least factor from step to step; positive, at most 1.
    pub least_factor: f64,
    /// The largest; at least 1.
    pub most_factor: f64,
    /// The factor after two rejections in a row; positive, below 1.
    pub rejected_factor: f64,
    /// What the best step is multiplied by; positive, at most 1.
    pub safety: f64,
    /// b of the digital filter H211b, which then governs steps instead of the four numbers above, but for the factor
    /// after two rejections in a row (Söderlind 2003); positive. KPP's comments name 2, Söderlind 4.
    pub h211b: Option<f64>,
    /// k of that filter, the order that it takes the error for; positive. The order of the method's estimate where
    /// nothing is given.
    pub h211b_order: Option<f64>,
    /// Species that are made and lost slowly are not solved for; all are where nothing is given.
    pub reduction: Option<Reduction>,
    /// Times within the interval at which concentrations are wanted, rising \[s\].
    pub wanted_times_s: Vec<f64>,
    /// Reactions whose extents are wanted ([`Integrated::extent_of_reaction`](crate::Integrated)), by their numbers,
    /// in any order.
    pub counted_reactions: Vec<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::Rodas3,
            absolute_tolerance: vec![1.0],
            relative_tolerance: vec![1e-3],
            passive_tolerance: None,
            negative: Negative::Keep,
            negative_start: false,
            rates: Rates::Frozen,
            autonomous: true,
            max_steps: 200_000,
            min_step_s: 0.0,
            max_step_s: None,
            first_step_s: 1e-5,
            least_factor: 0.2,
            most_factor: 6.0,
            rejected_factor: 0.1,
            safety: 0.9,
            h211b: None,
            h211b_order: None,
            reduction: None,
            wanted_times_s: vec![],
            counted_reactions: vec![],
        }
    }
}

impl Options {
    /// A method with tolerances for all species.
    #[must_use]
    pub fn new(method: Method, relative_tolerance: f64, absolute_tolerance: f64) -> Self {
        Self {
            method,
            relative_tolerance: vec![relative_tolerance],
            absolute_tolerance: vec![absolute_tolerance],
            ..Self::default()
        }
    }

    /// Takes over KPP's integer options: 1 autonomous, 3 the method, 4 the most steps, 12 to 14 autoreduction, 15 what
    /// is updated within the interval, 16 clipping. 0 leaves the default, and so do positions that are not there. (2,
    /// scalar tolerances, is how many tolerances are given.)
    ///
    /// # Errors
    /// A method that is none of [`Method`], or a negative number of steps (KPP's codes -2 and -1) or of a species.
    pub fn with_icntrl(mut self, icntrl: &[i32]) -> Result<Self, Error> {
        let at = |number: usize| icntrl.get(number - 1).copied().unwrap_or(0);
        self.autonomous = at(1) != 0;
        self.method = Method::of_icntrl3(at(3))
            .ok_or_else(|| Error::Setup(format!("icntrl(3) is {}, which is none of 0 to 7", at(3))))?;
        if at(4) < 0 {
            return Err(Error::Setup(format!("icntrl(4), the most steps, is {}", at(4))));
        }
        if at(4) > 0 {
            self.max_steps = at(4) as u32;
        }
        self.rates = if at(15) == -1 { Rates::Frozen } else { Rates::Stage };
        self.reduction = if at(12) == 1 { Some(Reduction::of_icntrl(at(13), at(14))?) } else { None };
        self.negative = if at(16) == 1 { Negative::Clip } else { Negative::Keep };
        Ok(self)
    }

    /// Takes over KPP's real options: the smallest, the longest and the first step, the least and the largest factor,
    /// the factor after rejections, the safety factor; 15 and 16, where both are there, b and k of H211b; 12 and 14,
    /// where there is a reduction, its threshold and the ratio of its targets. What is not positive or not there leaves
    /// the default.
    #[must_use]
    pub fn with_rcntrl(mut self, rcntrl: &[f64]) -> Self {
        let given = |number: usize| rcntrl.get(number - 1).copied().filter(|&x| x > 0.0);
        self.min_step_s = given(1).unwrap_or(self.min_step_s);
        self.max_step_s = given(2).or(self.max_step_s);
        self.first_step_s = given(3).unwrap_or(self.first_step_s);
        self.least_factor = given(4).unwrap_or(self.least_factor);
        self.most_factor = given(5).unwrap_or(self.most_factor);
        self.rejected_factor = given(6).unwrap_or(self.rejected_factor);
        self.safety = given(7).unwrap_or(self.safety);
        if let (Some(b), Some(k)) = (given(15), given(16)) {
            (self.h211b, self.h211b_order) = (Some(b), Some(k));
        }
        if let Some(reduction) = &mut self.reduction {
            reduction.threshold = given(12).unwrap_or(reduction.threshold);
            reduction.targets.iter_mut().for_each(|target| target.ratio = given(14).unwrap_or(target.ratio));
        }
        self
    }

    /// The options for an interval of time \[s\].
    #[must_use]
    pub fn over(&self, interval_s: Range<f64>) -> Interval {
        Interval { options: self.clone(), start_s: interval_s.start, end_s: interval_s.end, length_s: None }
    }

    /// The options for an interval of a length from a time on \[s\]: the same as [`Options::over`], but for a start so
    /// late that start and end round.
    #[must_use]
    pub fn lasting(&self, start_s: f64, length_s: f64) -> Interval {
        Interval { options: self.clone(), start_s, end_s: start_s + length_s, length_s: Some(length_s) }
    }

    /// May rate constants change within an interval?
    #[must_use]
    pub fn rates_change(&self) -> bool {
        self.rates != Rates::Frozen || !self.autonomous
    }

    /// Is more asked for than the fastest kernels have: rate constants that change, or extents of reactions?
    pub(crate) fn needs_more(&self) -> bool {
        self.rates_change() || !self.counted_reactions.is_empty()
    }
}

impl Options {
    /// Checks the options for a mechanism of `variable` variable species.
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
        if self.passive() == self.absolute_tolerance.len() {
            let threshold = self.passive_tolerance.unwrap_or_default();
            return fails(format!("all species have an absolute tolerance of {threshold:e} or more: all are passive"));
        }
        if self.max_steps == 0 {
            return fails("no step is allowed".to_owned());
        }
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let longest = self.max_step_s.unwrap_or(1.0);
        let checks = [
            ("smallest step", self.min_step_s, self.min_step_s >= 0.0 && self.min_step_s.is_finite(), "at least 0"),
            ("longest step", longest, positive(longest), "positive"),
            ("first step", self.first_step_s, positive(self.first_step_s), "positive"),
            ("least factor", self.least_factor, positive(self.least_factor) && self.least_factor <= 1.0, "in (0, 1]"),
            ("largest factor", self.most_factor, self.most_factor >= 1.0 && self.most_factor.is_finite(), "at least 1"),
            (
                "factor after rejections",
                self.rejected_factor,
                positive(self.rejected_factor) && self.rejected_factor < 1.0,
                "in (0, 1)",
            ),
            ("safety factor", self.safety, positive(self.safety) && self.safety <= 1.0, "in (0, 1]"),
            ("b of H211b", self.h211b.unwrap_or(1.0), positive(self.h211b.unwrap_or(1.0)), "positive"),
            ("order of H211b", self.h211b_order.unwrap_or(1.0), positive(self.h211b_order.unwrap_or(1.0)), "positive"),
        ];
        if let Some((name, value, _, range)) = checks.into_iter().find(|&(_, _, fits, _)| !fits) {
            return fails(format!("the {name} is {value}, which is not {range}"));
        }
        if let Some(reduction) = &self.reduction {
            reduction.validate(variable)?;
            if !self.counted_reactions.is_empty() {
                return fails(
                    "reactions are counted, but species that a reduction leaves out relax by none".to_owned(),
                );
            }
            if !self.wanted_times_s.is_empty() {
                return fails(
                    "times are wanted, at which species that a reduction leaves out are not known".to_owned(),
                );
            }
        }
        if let Some(pair) =
            self.wanted_times_s.windows(2).find(|pair| pair[0].partial_cmp(&pair[1]) != Some(std::cmp::Ordering::Less))
        {
            return fails(format!("the wanted times do not rise: {} s, then {} s", pair[0], pair[1]));
        }
        Ok(())
    }

    /// Absolute and relative tolerance of each of `variable` variable species; the absolute one of a passive species is
    /// infinite.
    #[must_use]
    pub fn tolerances(&self, variable: usize) -> [Vec<f64>; 2] {
        let all = |values: &[f64]| if values.len() == 1 { vec![values[0]; variable] } else { values.to_vec() };
        let absolute = all(&self.absolute_tolerance).into_iter();
        let absolute = absolute.map(|tolerance| if self.is_passive(tolerance) { f64::INFINITY } else { tolerance });
        [absolute.collect(), all(&self.relative_tolerance)]
    }

    /// Is a species of this absolute tolerance passive?
    fn is_passive(&self, tolerance: f64) -> bool {
        self.passive_tolerance.is_some_and(|threshold| tolerance >= threshold)
    }

    /// How many of the absolute tolerances are those of passive species.
    fn passive(&self) -> usize {
        self.absolute_tolerance.iter().filter(|&&tolerance| self.is_passive(tolerance)).count()
    }
}

/// What cells are integrated with, and over which time: [`Options::over`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Interval {
    /// Method, tolerances, step control.
    pub options: Options,
    /// The start \[s\].
    pub start_s: f64,
    /// The end \[s\].
    pub end_s: f64,
    /// The length, where start and end round \[s\].
    #[cfg_attr(feature = "serde", serde(skip))]
    length_s: Option<f64>,
}

impl Interval {
    /// Checks the options for a mechanism of `variable` variable species, the interval, and the wanted times within it.
    ///
    /// # Errors
    /// As [`Options::validate`]; an interval that runs backward or is not finite, or a wanted time outside of it.
    pub fn validate(&self, variable: usize) -> Result<(), Error> {
        let Self { options, start_s: start, end_s: end, .. } = self;
        options.validate(variable)?;
        if !(start.is_finite() && end.is_finite() && start <= end && self.length_s() >= 0.0) {
            return Err(Error::Setup(format!("the interval runs from {start} s to {end} s")));
        }
        match options.wanted_times_s.iter().find(|&time| !(start..=end).contains(&time)) {
            Some(time) => Err(Error::Setup(format!("the wanted time {time} s is not in [{start}, {end}] s"))),
            None => Ok(()),
        }
    }

    /// The length \[s\].
    #[must_use]
    pub fn length_s(&self) -> f64 {
        let rounds = |length: &f64| self.start_s + length == self.end_s;
        self.length_s.filter(rounds).unwrap_or(self.end_s - self.start_s)
    }

    /// The numbers that the kernel takes.
    #[must_use]
    pub fn control(&self) -> Control {
        let (options, length) = (&self.options, self.length_s());
        let order = options.h211b_order.unwrap_or(options.method.tableau().order);
        Control {
            start_s: self.start_s,
            length_s: length,
            min_step_s: options.min_step_s,
            max_step_s: options.max_step_s.map_or(length, |longest| longest.min(length)),
            first_step_s: options.first_step_s,
            least_factor: options.least_factor,
            most_factor: options.most_factor,
            rejected_factor: options.rejected_factor,
            safety: options.safety,
            filter_root: options.h211b.map_or(0.0, |b| 1.0 / (b * order)),
            filter_memory: options.h211b.map_or(0.0, |b| 1.0 / b),
            max_steps: options.max_steps,
            negative: options.negative as u32,
            // With one tolerance for all, none: `validate`.
            passive: options.passive() as f64,
            rates: options.rates as u32,
            non_autonomous: u32::from(!options.autonomous),
        }
    }
}
