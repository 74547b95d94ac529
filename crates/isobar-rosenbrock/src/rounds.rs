//! The arithmetic of a mechanism in rounds: what 32 workers do at a time.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Real, read_table};

use crate::block::Numbers;
use crate::crew::{Crew, shared};
use crate::index::Index;
use crate::mechanism::Mechanism;
use crate::walk::Walk;

/// Rounds that are read from memory at a time, while those before are computed.
pub(crate) const AT_A_TIME: usize = 4;

/// What a slot of a round does with the entries `target`, `left` and `right`. All slots of a round do the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub(crate) enum Deed {
    /// `target - left * right`, rounded once.
    Subtract,
    /// `target + left * right`, rounded once.
    Add,
    /// `target * left`.
    Scale,
    /// `1 / target`.
    Invert,
}

/// Rounds one after the other: four of them are side by side for each worker. A slot has the places `target`, `left` and `right`, in bytes, and what is done with
/// them: 0 subtracts the product of the others from the target, 1 adds it, 2 scales the target by `left`, 3 inverts it; 16 bits each from the lowest on.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Part {
    /// The first slot, in groups of slots.
    pub start: u32,
    /// The number of groups, an even one.
    pub groups: u32,
}

/// The rounds of a mechanism, and what they need besides.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Rounds<'a> {
    /// All slots; a group is those of a worker in four rounds. Behind the last group there is another one for each worker, which is read but not done.
    pub slots: Column<'a, [u64; AT_A_TIME]>,
    /// dc/dt from the rates. Places are entries of the room.
    pub function: Part,
    /// The Jacobian's entries from the derivatives; likewise.
    pub jacobian: Part,
    /// The factors; likewise.
    pub factor: Part,
    /// Both triangular solves. Places are entries of the solution, for `left` those of the factors.
    pub solve: Part,
    /// The diagonal entries of the factors.
    pub diagonals: Column<'a, u16>,
    /// Coefficients of reactions, which lie in the room behind everything else, and where. One entry before them takes what idle slots do.
    pub coefficients: Column<'a, f64>,
    /// The first of these entries: that of idle slots.
    pub idle: u32,
}

impl Rounds<'_> {
    /// The entries of the room and those behind it.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.idle as usize + 1 + self.coefficients.len()
    }

    /// Puts the coefficients into the room, once.
    ///
    /// # Safety
    /// The block has all entries.
    #[inline(always)]
    pub(crate) unsafe fn settle<const V: usize, C: Crew<V>>(&self, crew: C, room: C::Numbers) {
        let place = room.from(self.idle as usize);
        // SAFETY: the caller's.
        unsafe {
            if crew.worker() == 0 {
                place.set(0, [0.0; V]);
            }
            shared!(crew: C, i < self.coefficients.len() => {
                place.set(1 + i, [self.coefficients.get(i); V]);
            });
        }
        crew.wait();
    }

    /// Does the rounds of a part, where `SUM` of additions alone. Targets and `right` are entries of `values`, `left` of `factors`.
    ///
    /// # Safety
    /// The part's entries are within these blocks.
    #[inline(always)]
    unsafe fn run<const V: usize, const SUM: bool, C: Crew<V>>(
        &self,
        crew: C,
        part: Part,
        values: C::Numbers,
        factors: C::Numbers,
    ) {
        let groups = part.groups as usize;
        let start = self.slots.as_ptr().wrapping_add(part.start as usize + crew.worker());
        // SAFETY: the caller's; behind the last group there is another one.
        unsafe {
            if C::WORKERS == 1 {
                for group in 0..groups {
                    for round in 0..AT_A_TIME {
                        for worker in 0..WARP {
                            let slot = (*start.wrapping_add(group * WARP + worker))[round];
                            do_slot::<V, SUM, C::Numbers>(slot, values, factors);
                        }
                    }
                }
                return;
            }
            // A group is on its way while the one before is done; their number is even.
            let mut first = read_table(start);
            let mut group = 0;
            while group < groups {
                let second = read_table(start.wrapping_add((group + 1) * WARP));
                do_group::<V, SUM, C>(crew, first, values, factors);
                first = read_table(start.wrapping_add((group + 2) * WARP));
                do_group::<V, SUM, C>(crew, second, values, factors);
                group += 2;
            }
        }
    }
}

/// The rounds of a group, one after the other.
#[inline(always)]
unsafe fn do_group<const V: usize, const SUM: bool, C: Crew<V>>(
    crew: C,
    slots: [u64; AT_A_TIME],
    values: C::Numbers,
    factors: C::Numbers,
) {
    for slot in slots {
        // SAFETY: the caller's.
        unsafe { do_slot::<V, SUM, C::Numbers>(slot, values, factors) };
        crew.wait();
    }
}

/// Does what a slot says.
#[inline(always)]
unsafe fn do_slot<const V: usize, const SUM: bool, N: Numbers<V>>(slot: u64, values: N, factors: N) {
    let (low, high) = (slot as u32, (slot >> 32) as u32);
    let target = values.at_byte((low & 0xFFFF) as usize);
    // SAFETY: the caller's.
    unsafe {
        let left = factors.at_byte((low >> 16) as usize).get(0);
        let right = values.at_byte((high & 0xFFFF) as usize).get(0);
        let mut value = target.get(0);
        if SUM {
            for lane in 0..V {
                value[lane] = Real::mul_add(left[lane], right[lane], value[lane]);
            }
        } else if high >> 16 == Deed::Subtract as u32 {
            for lane in 0..V {
                value[lane] = Real::mul_add(-left[lane], right[lane], value[lane]);
            }
        } else if high >> 16 == Deed::Scale as u32 {
            for lane in 0..V {
                value[lane] *= left[lane];
            }
        } else {
            for lane in 0..V {
                value[lane] = 1.0 / value[lane];
            }
        }
        target.set(0, value);
    }
}

/// A mechanism walked through in rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InRounds<'a, I, N> {
    pub(crate) mechanism: Mechanism<'a, I>,
    pub(crate) rounds: Rounds<'a>,
    /// The first entry of the room, from which places are counted.
    pub(crate) room: N,
}

impl<I: Index, const V: usize, C: Crew<V>> Walk<V, C> for InRounds<'_, I, C::Numbers> {
    #[inline(always)]
    unsafe fn function(
        &self,
        crew: C,
        state: C::Numbers,
        rate_constants: C::Numbers,
        rates: C::Numbers,
        function: C::Numbers,
    ) {
        // SAFETY: the caller's; rounds hold places within the room.
        unsafe {
            self.mechanism.rates(crew, state, rate_constants, rates);
            shared!(crew: C, i < self.mechanism.sizes.variable as usize => {
                function.set(i, [0.0; V]);
            });
            crew.wait();
            self.rounds.run::<V, true, C>(crew, self.rounds.function, self.room, self.room);
        }
    }

    #[inline(always)]
    unsafe fn factor(
        &self,
        crew: C,
        shift: [f64; V],
        state: C::Numbers,
        rate_constants: C::Numbers,
        derivatives: C::Numbers,
        factors: C::Numbers,
    ) -> [u32; V] {
        let mut singular = [0; V];
        let rows = self.rounds.diagonals.len();
        // SAFETY: as above.
        unsafe {
            self.mechanism.derivatives(crew, state, rate_constants, derivatives);
            shared!(crew: C, i < self.mechanism.sizes.entries as usize => {
                factors.set(i, [0.0; V]);
            });
            crew.wait();
            shared!(crew: C, row < rows => {
                factors.set(self.rounds.diagonals.get(row).place(), shift);
            });
            crew.wait();
            self.rounds.run::<V, true, C>(crew, self.rounds.jacobian, self.room, self.room);
            shared!(crew: C, row < rows => {
                let diagonal = factors.get(self.rounds.diagonals.get(row).place());
                for lane in 0..V {
                    singular[lane] |= u32::from(Real::abs(diagonal[lane]) < f64::MIN_POSITIVE);
                }
            });
            // Also lets all of them read before factors are written.
            let singular = crew.any(singular);
            crew.wait();
            self.rounds.run::<V, false, C>(crew, self.rounds.factor, self.room, self.room);
            singular
        }
    }

    #[inline(always)]
    unsafe fn solve(&self, crew: C, factors: C::Numbers, solution: C::Numbers) {
        // SAFETY: as above.
        unsafe { self.rounds.run::<V, false, C>(crew, self.rounds.solve, solution, factors) };
    }
}
