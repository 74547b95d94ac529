//! The numbers that an active cell needs, and where they are.

use crate::physics::method::MOST_STAGES;
use crate::physics::sizes::Sizes;

/// The places of a cell's numbers, as entries of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Layout {
    /// Concentrations: variable, fixed, and 1.
    pub state: u32,
    /// Concentrations of a stage: variable, fixed, and 1.
    pub stage_state: u32,
    /// Rate constants, and values of their derivatives.
    pub rate_constants: u32,
    /// Rates of reactions.
    pub rates: u32,
    /// Their derivatives: in the place of the rates, which come later, but where reactions are counted.
    pub derivatives: u32,
    /// L and U; the diagonal is that of U, inverted.
    pub factors: u32,
    /// dc/dt.
    pub function: u32,
    /// What the stages give, one after the other. Sums of a stage go where the next one begins, which comes later.
    pub stages: u32,
    /// d/dt of dc/dt; none where the system is autonomous.
    pub slope: u32,
    /// Registers of the rate program; none where rate constants do not change.
    pub registers: u32,
    /// Concentrations and dc/dt at the start of the last step; none without dense output.
    pub before: u32,
    /// Where some species are left out: whether a cell solves for each, how many cells do; production, and frequency
    /// of loss at the start; the threshold.
    pub reduction: u32,
    /// Extents of counted reactions, over the accepted steps.
    pub extents: u32,
    /// What a step adds to them.
    pub gains: u32,
    /// d/dt of their rates; none where the system is autonomous.
    pub rate_slopes: u32,
    /// How many reactions are counted.
    pub counted: u32,
    /// The number of entries.
    pub entries: u32,
}

impl Layout {
    /// The layout for a mechanism and a method of `stages` stages, of whose reactions `counted` are counted.
    #[must_use]
    pub fn new(
        sizes: Sizes,
        stages: u32,
        non_autonomous: bool,
        registers: u32,
        dense: bool,
        counted: u32,
        reduces: bool,
    ) -> Self {
        debug_assert!(stages as usize <= MOST_STAGES);
        let mut entries = 0;
        let mut part = |count: u32| {
            let place = entries;
            entries += count;
            place
        };
        let species = sizes.variable + sizes.fixed + 1;
        let (state, stage_state, rate_constants) = (part(species), part(species), part(sizes.constants));
        let apart = counted > 0;
        let rates = part(if apart { sizes.reactions } else { sizes.reactions.max(sizes.derivatives) });
        let slopes = if non_autonomous { counted } else { 0 };
        Self {
            state,
            stage_state,
            rate_constants,
            rates,
            derivatives: if apart { part(sizes.derivatives) } else { rates },
            factors: part(sizes.entries),
            function: part(sizes.variable),
            stages: part(stages * sizes.variable + sizes.sums),
            slope: part(if non_autonomous { sizes.variable } else { 0 }),
            registers: part(registers),
            before: part(if dense { 2 * sizes.variable } else { 0 }),
            reduction: part(if reduces { 4 * sizes.variable + 1 } else { 0 }),
            extents: part(counted),
            gains: part(counted),
            rate_slopes: part(slopes),
            counted,
            entries: part(0),
        }
    }

    /// The layout in shared memory. Rate constants are elsewhere. Derivatives are used up before rates, the state of a
    /// stage and dc/dt come, so they have one place. Idle workers read the first entry.
    #[must_use]
    pub fn shared(sizes: Sizes, stages: u32) -> Self {
        let species = sizes.variable + sizes.fixed + 1;
        let rates = 1 + species;
        let stage_state = rates + sizes.reactions;
        let function = stage_state + species;
        let factors = (function + sizes.variable).max(rates + sizes.derivatives);
        let stages_start = factors + sizes.entries;
        let entries = stages_start + stages * sizes.variable;
        Self {
            state: 1,
            stage_state,
            rates,
            derivatives: rates,
            factors,
            function,
            stages: stages_start,
            entries,
            ..Self::default()
        }
    }

    /// The bytes of an active cell, in double precision.
    #[must_use]
    pub fn bytes_per_cell(&self) -> usize {
        self.entries as usize * size_of::<f64>()
    }
}
