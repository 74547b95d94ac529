//! Chemical kinetics in many cells of air, on CPU threads and GPUs.

mod beside;
mod chemistry;
mod sensitivity;
mod tables;
mod trace;
mod work;
mod workspace;

use std::ops::Range;
use std::sync::atomic::AtomicUsize;

use isobar_core::Status;
use isobar_core::fields::{self, Accepted, Declared, Extents, REACTION, SPECIES};
use isobar_core::kernel::WARP;
use isobar_launch::{Device, Error, Job, Ptx, Queue, Scheme, Shape};

use crate::physics::outcome;
use crate::ptx::PTX;
use crate::{
    COUNTED_REACTION, CellViews, Integrated, Interval, RATE_INPUT, RateConstants, Rates, RosenbrockByWarps,
    RosenbrockReduced, VARIABLE_SPECIES, WANTED_TIME,
};
pub use chemistry::Chemistry;
pub use sensitivity::{Adjoint, Perturbation, Tangent};
use tables::AnyMechanism;
pub use tables::DeviceTables;
pub use trace::AttemptView;
use work::Work;
use workspace::CELLS_OF_A_QUEUE;
pub use workspace::Workspace;

/// The cells that a thread of a CPU takes at a time, where rate constants are computed: their memory stays small.
const CELLS_OF_A_THREAD: usize = 4096;

/// The bytes that go to a GPU and come back at a time: several chunks overlap, and the first and the last one, which do
/// not, are short.
const CHUNK_BYTES: usize = 64 << 20;

/// A CPU's part in computing rate constants.
const CELLS_OF_RATES: usize = 8 * WARP;

/// The error of an input that should be there.
fn missing(name: &str, extents: &Extents) -> fields::Error {
    let declared = Declared::named(CellViews::<f64>::DECLARED, name);
    fields::check::size_error(declared, 0, extents, Chemistry::ITEM)
}

impl Scheme for Chemistry {
    type Real = f64;
    type Inputs<'a> = CellViews<'a, f64>;
    type Results = Integrated<f64>;
    type Options = Interval;
    type Tables = DeviceTables;
    type Workspace = Workspace;
    const ITEM: &'static str = "cell";
    const PTX: &'static [Ptx] = &PTX;
    const CONTINUES: &'static [(&'static str, &'static str)] =
        &[("concentration", "concentration"), ("first_step_s", "first_step_s")];

    fn shares_memory(made_for: &Interval, interval: &Interval) -> bool {
        made_for.options == interval.options
    }

    fn extents(&self, cells: &CellViews<'_, f64>, interval: &Interval) -> Result<Extents, fields::Error> {
        let extents = self.extents_of(cells.concentration.items(), interval)?;
        let (given, inputs) = (!cells.rate_constant.is_empty(), extents.size(RATE_INPUT));
        let reduced = !(cells.reduction_threshold.is_empty() && cells.reduction_target.is_empty());
        match &self.program {
            _ if reduced && interval.options.reduction.is_none() => {
                let what = "cells have a threshold or a target of a reduction, but the options have no reduction";
                Err(fields::Error::Setup(what.to_owned()))
            }
            _ if given && interval.options.rates != Rates::Frozen => {
                let what = "rate constants are given, so they cannot change within the interval";
                Err(fields::Error::Setup(what.to_owned()))
            }
            None if !given => Err(missing("rate_constant", &extents)),
            Some(_) if !given && inputs > 0 && cells.rate_input.is_empty() => Err(missing("rate_input", &extents)),
            _ => Ok(extents),
        }
    }

    fn check(
        &self,
        cells: &CellViews<'_, f64>,
        extents: &Extents,
        interval: &Interval,
        range: Range<usize>,
    ) -> Vec<fields::Error> {
        let (variable, tolerance) = (extents.size(VARIABLE_SPECIES), &interval.options.absolute_tolerance);
        let targets = interval.options.reduction.as_ref().map_or(0, |reduction| reduction.targets.len());
        let accepted = |declared: &'static Declared, row: usize| match declared.name {
            "reduction_target" => Accepted::Within(0.0, targets.saturating_sub(1) as f64),
            "concentration" if row < variable && interval.options.negative_start => Accepted::Finite,
            "concentration" if row < variable => {
                Accepted::Within(-tolerance[row.min(tolerance.len() - 1)], f64::INFINITY)
            }
            "concentration" => Accepted::Within(0.0, f64::INFINITY),
            _ => declared.accepted,
        };
        fields::check::values_by(cells, extents, range, Self::ITEM, &accepted)
    }

    fn status_in_words(status: Status) -> &'static str {
        outcome::describe(status)
    }

    fn chunk_items(&self, device: Device, extents: &Extents) -> usize {
        let of = |dimension| extents.size(dimension);
        let numbers = 2 * of(SPECIES)
            + of(REACTION)
            + of(RATE_INPUT)
            + of(WANTED_TIME) * of(VARIABLE_SPECIES)
            + of(COUNTED_REACTION)
            + 10;
        match device {
            Device::Thread => CELLS_OF_A_THREAD,
            Device::Cpu => CELLS_OF_A_THREAD * rayon::current_num_threads(),
            Device::Cuda(_) => (CHUNK_BYTES / (numbers * size_of::<f64>()) / WARP * WARP).clamp(1 << 13, 1 << 17),
        }
    }

    fn tables(&self, queue: &Queue) -> Result<DeviceTables, Error> {
        DeviceTables::new(queue, &self.mechanism, self.program.as_deref())
    }

    fn workspace_bytes(&self, device: Device, shape: &Shape<Self>, items: usize) -> usize {
        workspace::bytes(self, device, shape, items)
    }

    fn workspace(
        &self,
        queue: &Queue,
        tables: &DeviceTables,
        shape: &Shape<Self>,
        items: usize,
    ) -> Result<Workspace, Error> {
        Workspace::new(self, queue, tables, shape, items)
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        let Job { queue, tables, workspace, options: interval, inputs, outputs, .. } = job;
        let Workspace { rounds, reduction, slopes, rate_constant, scratch, warps, statuses, .. } = workspace;
        let (mechanism, program) = match slopes {
            Some(slopes) => (&slopes.mechanism, &slopes.program),
            None => (&tables.mechanism, &tables.program),
        };
        let count = inputs.concentration.items();
        let mut cells: CellViews<'_, f64> = inputs;
        if cells.first_step_s.is_empty() {
            cells.first_step_s = tables.zero.constant(0, 1, count).row(0);
        }
        let numbers = scratch.len();
        if inputs.rate_constant.is_empty() && interval.options.rates == Rates::Frozen {
            let (reactions, padded) =
                (self.mechanism.tables().sizes().reactions as usize, count.next_multiple_of(WARP));
            let kernel = RateConstants {
                program: tables.program.view(),
                cells: inputs,
                time_s: interval.start_s,
                rate_constant: rate_constant.item_fastest_mut(reactions, padded).range(0..count),
                cells_per_item: if *warps == 0 { CELLS_OF_RATES } else { count.div_ceil(*warps).max(WARP) },
                scratch: scratch.item_fastest_mut(1, numbers),
            };
            queue.launch(&kernel, statuses)?;
            cells.rate_constant = rate_constant.item_fastest(reactions, padded).range(0..count);
        }
        let threads = if queue.device() == Device::Thread { 1 } else { rayon::current_num_threads() };
        let items = if *warps == 0 { threads } else { *warps };
        let taken = AtomicUsize::new(0);
        let work = Work {
            scheme: self,
            interval,
            program,
            absolute_tolerance: &workspace.absolute_tolerance,
            relative_tolerance: &workspace.relative_tolerance,
            coefficients: &workspace.coefficients,
            wanted_times_s: &workspace.wanted_times_s,
            counted: &workspace.counted,
            cells,
            ends: outputs,
            cells_per_item: count.div_ceil(items).max(WARP),
            scratch: scratch.item_fastest_mut(1, numbers),
            taken: &taken,
        };
        if let Some(reduction) = reduction {
            let rules = reduction.view();
            return match mechanism {
                AnyMechanism::Narrow(mechanism) => {
                    queue.launch(&RosenbrockReduced { cells: work.kernel::<u16, true>(mechanism), rules }, statuses)
                }
                AnyMechanism::Wide(mechanism) => {
                    queue.launch(&RosenbrockReduced { cells: work.kernel::<u32, true>(mechanism), rules }, statuses)
                }
            };
        }
        match (mechanism, interval.options.needs_more()) {
            (AnyMechanism::Narrow(mechanism), false) => match rounds {
                Some(rounds) => {
                    let mut cells = work.kernel(mechanism);
                    (cells.layout, cells.cells_per_item) = (rounds.layout(), CELLS_OF_A_QUEUE);
                    queue.launch(&RosenbrockByWarps { cells, rounds: rounds.view() }, statuses)
                }
                None => queue.launch(&work.kernel::<u16, false>(mechanism), statuses),
            },
            (AnyMechanism::Narrow(mechanism), true) => queue.launch(&work.kernel::<u16, true>(mechanism), statuses),
            (AnyMechanism::Wide(mechanism), false) => queue.launch(&work.kernel::<u32, false>(mechanism), statuses),
            (AnyMechanism::Wide(mechanism), true) => queue.launch(&work.kernel::<u32, true>(mechanism), statuses),
        }
    }
}
