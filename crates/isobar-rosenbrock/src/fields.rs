//! What cells start from and what they end with.

use isobar_core::fields::{Dimension, REACTION, SPECIES};

/// Inputs of a mechanism's rate formulas: temperature, sunlight and what else they read.
pub const RATE_INPUT: Dimension = Dimension("input");
/// What is counted of each cell: [`COUNTERS`](crate::COUNTERS).
pub const COUNTER: Dimension = Dimension("counter");
/// Times within the interval at which concentrations are wanted.
pub const WANTED_TIME: Dimension = Dimension("time");
/// The reactions whose extents are wanted: [`Options::counted_reactions`](crate::Options::counted_reactions).
pub const COUNTED_REACTION: Dimension = Dimension("counted reaction");
/// The variable species.
pub const VARIABLE_SPECIES: Dimension = Dimension("variable species");
/// The variable species, where cells may solve for fewer of them: where `Options::reduction` is.
pub const REDUCIBLE_SPECIES: Dimension = Dimension("reducible species");
/// The thresholds of a cell: one where `Options::reduction` is.
pub const THRESHOLD: Dimension = Dimension("threshold");

isobar_core::fields! {
    /// Cells of air.
    inputs Cells, CellViews {
        /// Concentrations, the variable species first, in the unit that the rate constants go with, as molecule/cm^3;
        /// not below minus the absolute tolerance, unless `Options::negative_start` says so.
        concentration: Real [SPECIES] "any unit";
        /// Rate constants; left out where the mechanism's rate program gives them.
        rate_constant: Real [REACTION] "any unit" .optional();
        /// Inputs of the rate program, in the units of the mechanism; not read where rate constants are given.
        rate_input: Real [RATE_INPUT] "any unit" .optional();
        /// The first step; that of the options where it is 0 or left out.
        first_step_s: Real [] "s" .within(0.0, f64::INFINITY) .optional();
        /// The threshold of `Options::reduction`; that of the options where it is 0 or left out.
        reduction_threshold: Real [] "any unit" .within(0.0, f64::INFINITY) .optional();
        /// Which of the targets of `Options::reduction` it has, counted from 0; the first where this is left out.
        reduction_target: Real [] "1" .within(0.0, f64::INFINITY) .optional();
    }
}

isobar_core::fields! {
    /// Cells after an interval.
    outputs Integrated, IntegratedViews {
        /// Concentrations of all species. Those of a cell that failed are of the time that it reached.
        concentration: Real [SPECIES] "any unit";
        /// The first step of the next interval: the end of this one does not shorten it.
        first_step_s: Real [] "s";
        /// The time that was reached.
        time_reached_s: Real [] "s";
        /// The last accepted step.
        last_step_s: Real [] "s";
        /// The step that would follow, as KPP has it.
        next_step_s: Real [] "s";
        /// Concentrations of the variable species at the wanted times.
        wanted_concentration: Real [WANTED_TIME, VARIABLE_SPECIES] "any unit";
        /// Extents of reactions: their rates, integrated over the interval by the method itself.
        extent_of_reaction: Real [COUNTED_REACTION] "any unit";
        /// What is counted: calls of the function and the Jacobian, steps, and so on.
        counters: Word [COUNTER] "1";
        /// 1 for each species that was solved for at the end, 0 for those that a reduction left out.
        kept: Word [REDUCIBLE_SPECIES] "1";
        /// The threshold of the reduction; 0 where the cell attempted no step.
        threshold: Real [THRESHOLD] "any unit";
        /// What became of each cell: 0 if it was computed.
        status: Word [] "1";
    }
}
