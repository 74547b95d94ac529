//! What a user chooses.

use crate::host::error::Error;
use crate::physics::control::{Control, Negative, Rates};
use crate::physics::method::Method;

/// Tolerances and step control. `Options::default()` is KPP's: Rodas3, steps from 1e-5 s on, factors 0.2, 6, 0.1 and
/// 0.9.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The method.
    pub method: Method,
    /// Absolute tolerance of each variable species, or one for all \[as concentrations\]. Positive. A huge one takes a
    /// species out of step control.
    pub absolute_tolerance: Vec<f64>,
    /// Relative tolerance of each variable species, or one for all. Above 10 roundings, below 1.
    pub relative_tolerance: Vec<f64>,
    /// What becomes of negative concentrations.
    pub negative: Negative,
    /// When rate constants are computed.
    pub rates: Rates,
    /// df/dt is taken into account where rate constants change within the interval.
    pub autonomous: bool,
    /// A cell fails when it has attempted more steps.
    pub max_steps: u32,
    /// The smallest step \[s\]; at least 0.
    pub min_step: f64,
    /// The longest step \[s\]; positive. The interval where nothing is given.
    pub max_step: Option<f64>,
    /// The first step of cells that have none of their own \[s\]; positive.
    pub first_step: f64,
    /// The least factor from step to step; positive, at most 1.
    pub least_factor: f64,
    /// The largest; at least 1.
    pub most_factor: f64,
    /// The factor after two rejections in a row; positive, below 1.
    pub rejected_factor: f64,
    /// What the best step is multiplied by; positive, at most 1.
    pub safety: f64,
    /// Times within the interval at which concentrations are wanted, rising \[s\].
    pub dense_times: Vec<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::Rodas3,
            absolute_tolerance: vec![1.0],
            relative_tolerance: vec![1e-3],
            negative: Negative::Keep,
            rates: Rates::Frozen,
            autonomous: true,
            max_steps: 200_000,
            min_step: 0.0,
            max_step: None,
            first_step: 1e-5,
            least_factor: 0.2,
            most_factor: 6.0,
            rejected_factor: 0.1,
            safety: 0.9,
            dense_times: vec![],
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

    /// Takes over KPP's integer options: 1 autonomous, 3 the method, 4 the most steps, 15 what is updated within the
    /// interval, 16 clipping. 0 leaves the default, and so do positions that are not there. (2, scalar tolerances, is
    /// how many tolerances are given.)
    ///
    /// # Errors
    /// A method that is not one of the five, or a negative number of steps (KPP's codes -2 and -1).
    pub fn with_icntrl(mut self, icntrl: &[i32]) -> Result<Self, Error> {
        let at = |number: usize| icntrl.get(number - 1).copied().unwrap_or(0);
        self.autonomous = at(1) != 0;
        self.method = Method::of_icntrl3(at(3))
            .ok_or_else(|| Error::Setup(format!("icntrl(3) is {}, which is none of 0 to 5", at(3))))?;
        if at(4) < 0 {
            return Err(Error::Setup(format!("icntrl(4), the most steps, is {}", at(4))));
        }
        if at(4) > 0 {
            self.max_steps = at(4) as u32;
        }
        self.rates = if at(15) == -1 { Rates::Frozen } else { Rates::Stage };
        self.negative = if at(16) == 1 { Negative::Clip } else { Negative::Keep };
        Ok(self)
    }

    /// Takes over KPP's real options: the smallest, the longest and the first step, the least and the largest factor,
    /// the factor after rejections, the safety factor. What is not positive or not there leaves the default.
    #[must_use]
    pub fn with_rcntrl(mut self, rcntrl: &[f64]) -> Self {
        let given = |number: usize| rcntrl.get(number - 1).copied().filter(|&x| x > 0.0);
        self.min_step = given(1).unwrap_or(self.min_step);
        self.max_step = given(2).or(self.max_step);
        self.first_step = given(3).unwrap_or(self.first_step);
        self.least_factor = given(4).unwrap_or(self.least_factor);
        self.most_factor = given(5).unwrap_or(self.most_factor);
        self.rejected_factor = given(6).unwrap_or(self.rejected_factor);
        self.safety = given(7).unwrap_or(self.safety);
        self
    }

    /// The numbers that the kernel takes, for an interval \[s\].
    #[must_use]
    pub fn control(&self, start: f64, end: f64) -> Control {
        let length = (end - start).abs();
        Control {
            start,
            end,
            min_step: self.min_step,
            max_step: self.max_step.map_or(length, |longest| longest.min(length)),
            first_step: self.first_step,
            least_factor: self.least_factor,
            most_factor: self.most_factor,
            rejected_factor: self.rejected_factor,
            safety: self.safety,
            max_steps: self.max_steps,
            negative: self.negative as u32,
            rates: self.rates as u32,
            non_autonomous: u32::from(!self.autonomous),
        }
    }

    /// May rate constants change within an interval?
    #[must_use]
    pub fn rates_change(&self) -> bool {
        self.rates != Rates::Frozen || !self.autonomous
    }
}
