//! Kernels for a CPU: cells in the lanes of a vector, forward with their tangents, or forward and back.

use std::cell::RefCell;

use isobar_core::{Field, FieldMut, Kernel, Lanes, Status, Team, Trusted};

use super::record::Record;
use crate::model::beside::Beside;
use crate::physics::adjoint::{self, AdjointBlocks};
use crate::physics::index::Index;
use crate::physics::kinetics::Kinetics;
use crate::physics::stages;
use crate::physics::tangent::{self, Made, TangentBlocks};
use crate::physics::walk::Walk;
use crate::schedule::blocks::{Attempt, Blocks};
use crate::schedule::integrate;
use crate::schedule::numbers::{Block, Numbers};
use crate::schedule::queue::Queue;
use crate::schedule::team::OneWorker;
use crate::{CPU_LANES, Rosenbrock};

/// The lanes. An item has as many cells, of which each has its own lane.
pub(super) const V: usize = CPU_LANES;

/// Cells with their tangents.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Forward<'a, I> {
    pub(super) cells: Rosenbrock<'a, f64, I, false>,
    pub(super) directions: usize,
    /// Changes of concentrations and of rate constants at the start; none where a field is empty.
    pub(super) concentration: Field<'a, f64>,
    pub(super) rate_constant: Field<'a, f64>,
    /// Changes of the final concentrations.
    pub(super) change: FieldMut<'a, f64>,
}

/// Cells with their adjoints.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Back<'a, I> {
    pub(super) cells: Rosenbrock<'a, f64, I, false>,
    pub(super) sums: usize,
    /// Weights of the final concentrations.
    pub(super) weight: Field<'a, f64>,
    /// Those of concentrations at the start and of rate constants.
    pub(super) by_concentration: FieldMut<'a, f64>,
    pub(super) by_rate_constant: FieldMut<'a, f64>,
}

/// Numbers of `V` lanes, from which blocks are taken.
struct Room {
    numbers: Vec<f64>,
    taken: usize,
}

impl Room {
    fn new(entries: usize) -> Self {
        Self { numbers: vec![0.0; entries * V], taken: 0 }
    }

    /// The next entries.
    fn take(&mut self, entries: usize) -> Block<f64, V> {
        let start = self.numbers[self.taken * V..][..entries * V].as_mut_ptr();
        self.taken += entries;
        // SAFETY: they lie in the vector, which does not grow and is not used otherwise, and go to one block.
        unsafe { Block::new(start, 0, entries) }
    }
}

/// The first cell of an item, and how many it has.
fn cells_of<I: Index>(cells: &Rosenbrock<'_, f64, I, false>, index: usize) -> (usize, usize) {
    let first = index * V;
    (first, V.min(cells.count() - first))
}

// SAFETY: an item writes what its cells end with, and their changes.
unsafe impl<I: Index> Kernel for Forward<'_, I> {
    const NAME: &'static str = "rosenbrock_tangent";
    const PRECISION: &'static str = "f64";
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.cells.count().div_ceil(V)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        // SAFETY: the caller vouches for the views and the index.
        let this = unsafe { Trusted::new(self) };
        let kernel = this.part(|k| &k.cells);
        let (sizes, (first, count)) = (kernel.mechanism.sizes, cells_of(&kernel, index));
        let (species, reactions) = (kernel.mechanism.species(), sizes.reactions as usize);
        let of_stages = kernel.coefficients.stages as usize * sizes.variable as usize;
        let entries = kernel.layout.entries as usize;
        let of_direction = species + 1 + reactions;
        let mut room =
            Room::new(entries + 2 * (species + 1) + 2 * reactions + of_stages + this.directions * of_direction);
        let workspace = room.take(entries);
        let (at, at_along) = (room.take(species + 1), room.take(species + 1));
        let (of_function, of_stage, stages) = (room.take(reactions), room.take(reactions), room.take(of_stages));
        let mut next = || {
            let (state, rate_constants) = (room.take(species + 1), room.take(reactions));
            TangentBlocks { state, rate_constants, at, at_along, of_function, of_stage, stages }
        };
        let tangents: Vec<_> = (0..this.directions).map(|_| next()).collect();
        for (direction, tangent) in tangents.iter().enumerate() {
            for lane in 0..count {
                for (given, rows, to) in [
                    (this.part(|k| &k.concentration), species, tangent.state),
                    (this.part(|k| &k.rate_constant), reactions, tangent.rate_constants),
                ] {
                    for i in 0..if given.is_empty() { 0 } else { rows } {
                        to.set_lane(i, lane, given.get(direction * rows + i, first + lane));
                    }
                }
            }
        }
        let team = OneWorker::<V>(Lanes::starting_at(0));
        let kinetics = Kinetics::new(kernel.part(|k| &k.mechanism));
        let walk = Beside::new(kinetics, |blocks, attempt, _, seen| {
            if seen.accepted.contains(&1) {
                let made = Made { step: attempt.step, counts: seen.accepted };
                for tangent in &tangents {
                    tangent::step(kernel, (&kinetics, team), blocks, tangent, &made);
                }
            }
        });
        let constants = workspace.from(kernel.layout.rate_constants as usize);
        let queue = Queue::new(first, first + count);
        let status = integrate::queue(kernel, queue, (&walk, team), (workspace, constants));
        for (direction, tangent) in tangents.iter().enumerate() {
            for lane in 0..count {
                for i in 0..species {
                    let change = tangent.state.lane(i, lane);
                    this.part(|k| &k.change).put(direction * species + i, first + lane, change);
                }
            }
        }
        status
    }
}

// SAFETY: an item writes what its cells end with, and their weights.
unsafe impl<I: Index> Kernel for Back<'_, I> {
    const NAME: &'static str = "rosenbrock_adjoint";
    const PRECISION: &'static str = "f64";
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.cells.count().div_ceil(V)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        // SAFETY: the caller vouches for the views and the index.
        let this = unsafe { Trusted::new(self) };
        let kernel = this.part(|k| &k.cells);
        let (sizes, (first, count)) = (kernel.mechanism.sizes, cells_of(&kernel, index));
        let (species, reactions, variable) =
            (kernel.mechanism.species(), sizes.reactions as usize, sizes.variable as usize);
        let of_stages = kernel.coefficients.stages as usize * variable;
        let entries = kernel.layout.entries as usize;
        let shared = 3 * (species + 1) + 2 * reactions + variable + of_stages;
        let mut room = Room::new(entries + shared + this.sums * (species + 1 + reactions));
        let workspace = room.take(entries);
        let (gain, gain_of_constants) = (room.take(species + 1), room.take(reactions));
        let (at, at_weight) = (room.take(species + 1), room.take(species + 1));
        let (function, rates, stages) = (room.take(variable), room.take(reactions), room.take(of_stages));
        let mut next = || {
            let (state, rate_constants) = (room.take(species + 1), room.take(reactions));
            AdjointBlocks { state, rate_constants, gain, gain_of_constants, at, at_weight, function, rates, stages }
        };
        let adjoints: Vec<_> = (0..this.sums).map(|_| next()).collect();
        for (sum, adjoint) in adjoints.iter().enumerate() {
            for lane in 0..count {
                for i in 0..species {
                    adjoint.state.set_lane(i, lane, this.part(|k| &k.weight).get(sum * species + i, first + lane));
                }
            }
        }
        let team = OneWorker::<V>(Lanes::starting_at(0));
        let kinetics = Kinetics::new(kernel.part(|k| &k.mechanism));
        let record = RefCell::new(Record::<V>::new(variable));
        let walk = Beside::new(kinetics, |blocks, attempt, _, seen| {
            record.borrow_mut().add(blocks, &attempt.step, &seen.accepted);
        });
        let constants = workspace.from(kernel.layout.rate_constants as usize);
        let queue = Queue::new(first, first + count);
        let status = integrate::queue(kernel, queue, (&walk, team), (workspace, constants));
        let (record, blocks) = (record.into_inner(), Blocks::new(&kernel.layout, workspace, constants));
        for number in (0..record.most()).rev() {
            let made = record.load(number, &blocks);
            again(kernel, (&kinetics, team), &blocks, &made);
            for adjoint in &adjoints {
                adjoint::step(kernel, &kinetics, &blocks, adjoint, &made);
            }
        }
        for (sum, adjoint) in adjoints.iter().enumerate() {
            for lane in 0..count {
                for i in 0..species {
                    let weight = adjoint.state.lane(i, lane);
                    this.part(|k| &k.by_concentration).put(sum * species + i, first + lane, weight);
                }
                for i in 0..reactions {
                    let weight = adjoint.rate_constants.lane(i, lane);
                    this.part(|k| &k.by_rate_constant).put(sum * reactions + i, first + lane, weight);
                }
            }
        }
        status
    }
}

/// Computes factors and stages of steps again, to the same bits.
#[inline(always)]
fn again<I: Index>(
    kernel: Trusted<'_, Rosenbrock<'_, f64, I, false>>,
    (kinetics, team): (&Kinetics<'_, '_, I>, OneWorker<V>),
    blocks: &Blocks<f64, V, Block<f64, V>>,
    made: &Made<V>,
) {
    let shift = made.step.map(|step| -1.0 / (step * kernel.coefficients.gamma(0)));
    kinetics.factor(team, shift, blocks.state, blocks.rate_constants, blocks.derivatives, blocks.factors);
    kinetics.function(team, blocks.state, blocks.rate_constants, blocks.rates, blocks.function);
    let attempt = Attempt { cells: [0; V], time: [0.0; V], step: made.step };
    stages::stages(kernel, (kinetics, team), blocks, &attempt);
}
