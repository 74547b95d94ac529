//! The arithmetic of a mechanism in rounds: what 32 workers do at a time.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Real, read_table};

use crate::block::{Block, Numbers, fused};
use crate::crew::{Crew, shared};
use crate::index::Index;
use crate::mechanism::Mechanism;
use crate::walk::Walk;

/// Words of slots that a worker reads at a time, a group: those of two rounds, or of one where a slot has two words.
pub(crate) const AT_A_TIME: usize = 2;
/// Groups that are on their way while one is done.
pub(crate) const AHEAD: usize = 3;
/// The words of a slot of one product.
pub(crate) const SHORT: usize = 1;
/// The words of a slot of up to three products.
pub(crate) const LONG: usize = 2;
/// In the target of a slot: it inverts, as all slots of its round do.
pub(crate) const INVERTS: u64 = 1;

/// Rounds one after the other.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Part {
    /// The first slot, in groups of slots.
    pub start: u32,
    /// The number of groups.
    pub groups: u32,
}

/// The rounds of a mechanism, and what they need besides.
///
/// A slot is a word or two. The first one is four places of the room, 16 bits each from the lowest on, in bytes: the
/// target becomes `left * right + addend`, rounded once, or `-1 / addend` where the lowest bit of the target is set.
/// The second one has left and right of two more products, added in their order. An idle slot is zero: so it does what
/// it does to the first entry, which nobody needs.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Rounds<'a> {
    /// All slots, in groups of a worker. Behind the last group there are three more for each worker, which are read but
    /// not done.
    pub slots: Column<'a, [u64; AT_A_TIME]>,
    /// dc/dt from the rates.
    pub function: Part,
    /// The Jacobian's entries from the derivatives.
    pub jacobian: Part,
    /// The factors.
    pub factor: Part,
    /// Both triangular solves, where the last stage has its place.
    pub solve: Part,
    /// The diagonal entries of the factors.
    pub diagonals: Column<'a, u16>,
    /// Coefficients of reactions, which lie in the room behind everything else.
    pub coefficients: Column<'a, f64>,
    /// An entry that is -0, behind those of the cells. Then come the coefficients, and parts of sums.
    pub nothing: u32,
    /// The number of entries.
    pub entries: u32,
}

impl Rounds<'_> {
    /// Puts what is before and behind the room there, once.
    ///
    /// # Safety
    /// The block has all entries.
    #[inline(always)]
    pub(crate) unsafe fn settle<const V: usize, C: Crew<f64, V>>(&self, crew: C, room: C::Numbers) {
        let place = room.from(self.nothing as usize);
        // SAFETY: the caller's.
        unsafe {
            if crew.worker() == 0 {
                room.set(0, [0.0; V]);
                place.set(0, [-0.0; V]);
            }
            shared!(crew: C, i < self.coefficients.len() => {
                place.set(1 + i, [self.coefficients.get(i); V]);
            });
        }
        crew.wait();
    }

    /// Does the rounds of a part, whose slots have so many words; some invert where `INVERT`.
    ///
    /// # Safety
    /// The room has all entries.
    #[inline(always)]
    unsafe fn run<const V: usize, const WORDS: usize, const INVERT: bool, C: Crew<f64, V>>(
        &self,
        crew: C,
        part: Part,
        room: C::Numbers,
    ) {
        let groups = part.groups as usize;
        let start = self.slots.as_ptr().wrapping_add(part.start as usize + crew.worker());
        // SAFETY: the caller's; behind the last group there are three more.
        unsafe {
            if C::WORKERS == 1 {
                for group in 0..groups {
                    for round in 0..AT_A_TIME / WORDS {
                        for worker in 0..WARP {
                            let slots = &*start.wrapping_add(group * WARP + worker);
                            do_slot::<V, WORDS, INVERT, C::Numbers>(slots, round, room, || ());
                        }
                    }
                }
                return;
            }
            // The next groups are read while one is done: between its own reading and its writing, for at its begin all
            // that is on its way would be waited for.
            let read = |group: usize| read_table(start.wrapping_add(group * WARP));
            let (mut first, mut second, mut third) = (read(0), read(1), read(2));
            let mut fourth = [0; AT_A_TIME];
            let mut group = 0;
            while group + AHEAD < groups {
                do_group::<V, WORDS, INVERT, C>(crew, &first, room, || fourth = read(group + AHEAD));
                do_group::<V, WORDS, INVERT, C>(crew, &second, room, || first = read(group + AHEAD + 1));
                do_group::<V, WORDS, INVERT, C>(crew, &third, room, || second = read(group + AHEAD + 2));
                do_group::<V, WORDS, INVERT, C>(crew, &fourth, room, || third = read(group + AHEAD + 3));
                group += AHEAD + 1;
            }
            if group < groups {
                do_group::<V, WORDS, INVERT, C>(crew, &first, room, || ());
            }
            if group + 1 < groups {
                do_group::<V, WORDS, INVERT, C>(crew, &second, room, || ());
            }
            if group + 2 < groups {
                do_group::<V, WORDS, INVERT, C>(crew, &third, room, || ());
            }
        }
    }
}

/// The rounds of a group, one after the other, and something else meanwhile.
#[inline(always)]
unsafe fn do_group<const V: usize, const WORDS: usize, const INVERT: bool, C: Crew<f64, V>>(
    crew: C,
    slots: &[u64; AT_A_TIME],
    room: C::Numbers,
    meanwhile: impl FnOnce(),
) {
    // SAFETY: the caller's.
    unsafe {
        do_slot::<V, WORDS, INVERT, C::Numbers>(slots, 0, room, meanwhile);
        crew.wait();
        if WORDS == SHORT {
            do_slot::<V, WORDS, INVERT, C::Numbers>(slots, 1, room, || ());
            crew.wait();
        }
    }
}

/// Does what a slot says.
#[inline(always)]
unsafe fn do_slot<const V: usize, const WORDS: usize, const INVERT: bool, N: Numbers<f64, V>>(
    slots: &[u64; AT_A_TIME],
    round: usize,
    room: N,
    meanwhile: impl FnOnce(),
) {
    let word = |number: usize| slots[round * WORDS + number];
    let (low, high) = (word(0) as u32, (word(0) >> 32) as u32);
    // SAFETY: the caller's.
    unsafe {
        let entry = |bytes: u32| room.at_byte(bytes as usize).get(0);
        let mut value = entry(high >> 16);
        if INVERT && low & INVERTS as u32 != 0 {
            meanwhile();
            for lane in 0..V {
                value[lane] = -(1.0 / value[lane]);
            }
        } else {
            let (left, right) = (entry(low >> 16), entry(high & 0xFFFF));
            meanwhile();
            fused!(value, left, right);
            if WORDS == LONG {
                let (second, third) = (word(1) as u32, (word(1) >> 32) as u32);
                let (left, right) = (entry(second & 0xFFFF), entry(second >> 16));
                let (more_left, more_right) = (entry(third & 0xFFFF), entry(third >> 16));
                fused!(value, left, right);
                fused!(value, more_left, more_right);
            }
        }
        room.at_byte((low & 0xFFF0) as usize).set(0, value);
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

impl<I: Index, const V: usize, C: Crew<f64, V>> Walk<f64, V, C> for InRounds<'_, I, C::Numbers> {
    const IN_ONE_PLACE: bool = true;

    #[inline(always)]
    unsafe fn function(
        &self,
        crew: C,
        state: C::Numbers,
        rate_constants: Block<f64, V>,
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
            self.rounds.run::<V, LONG, false, C>(crew, self.rounds.function, self.room);
        }
    }

    #[inline(always)]
    unsafe fn factor(
        &self,
        crew: C,
        shift: [f64; V],
        state: C::Numbers,
        rate_constants: Block<f64, V>,
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
            self.rounds.run::<V, LONG, false, C>(crew, self.rounds.jacobian, self.room);
            shared!(crew: C, row < rows => {
                let diagonal = factors.get(self.rounds.diagonals.get(row).place());
                for lane in 0..V {
                    singular[lane] |= u32::from(Real::abs(diagonal[lane]) < f64::MIN_POSITIVE);
                }
            });
            // Also lets all of them read before factors are written.
            let singular = crew.any(singular);
            crew.wait();
            self.rounds.run::<V, LONG, true, C>(crew, self.rounds.factor, self.room);
            singular
        }
    }

    #[inline(always)]
    unsafe fn solve(&self, crew: C, _: C::Numbers, _: C::Numbers) {
        // SAFETY: as above.
        unsafe { self.rounds.run::<V, SHORT, false, C>(crew, self.rounds.solve, self.room) };
    }
}
