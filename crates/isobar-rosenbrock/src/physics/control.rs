//! What governs the steps, in numbers.

/// What becomes of negative concentrations at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u32)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Negative {
    /// They stay, as in KPP unless `icntrl(16)` is set.
    #[default]
    Keep = 0,
    /// They become 0 when the step is accepted (`icntrl(16) = 1`). That adds mass, far below the absolute tolerance.
    Clip = 1,
    /// A step that leads below minus the tolerance (absolute, and relative to the concentration before) is rejected;
    /// what is between that and 0 becomes 0. Not for mechanisms that consume what need not be there, as CBM-IV does
    /// with PAR (`- PAR` on a right side): their cells would not get on.
    Reject = 2,
}

/// When rate constants are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u32)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Rates {
    /// Before the interval: given, or computed at its start.
    #[default]
    Frozen = 0,
    /// At the start of each step.
    Step = 1,
    /// At each call of the function and the Jacobian, as KPP does by default.
    Stage = 2,
}

/// What governs the steps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Control {
    /// The start of the interval \[s\].
    pub start_s: f64,
    /// Its length \[s\].
    pub length_s: f64,
    /// The smallest step \[s\]: one that is not longer is accepted whatever its error.
    pub min_step_s: f64,
    /// The longest step \[s\].
    pub max_step_s: f64,
    /// The first step of cells that have none of their own \[s\].
    pub first_step_s: f64,
    /// The least factor from step to step.
    pub least_factor: f64,
    /// The largest.
    pub most_factor: f64,
    /// The factor after two rejections in a row.
    pub rejected_factor: f64,
    /// What the best step is multiplied by.
    pub safety: f64,
    /// Of the digital filter, the root of each error: 1/(b k). Where it is 0, there is no filter.
    pub filter_root: f64,
    /// Of the digital filter, the root of the factor before: 1/b.
    pub filter_memory: f64,
    /// How many variable species are not in the mean error; their absolute tolerance is infinite.
    pub passive: f64,
    /// A cell fails when it has attempted more steps.
    pub max_steps: u32,
    /// [`Negative`].
    pub negative: u32,
    /// [`Rates`].
    pub rates: u32,
    /// Not 0: df/dt is taken into account.
    pub non_autonomous: u32,
}
