//! The arithmetic of a mechanism in rounds: what 32 workers do at a time.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Real, Trusted, read_table};

use crate::physics::index::Index;
use crate::physics::kinetics::Kinetics;
use crate::physics::walk::Walk;
use crate::schedule::numbers::{Block, Numbers, fused};
use crate::schedule::team::{Team, shared};

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
/// A slot is a word or two. The first one is four entries of the workspace, 16 bits each from the lowest on, in bytes:
/// the target becomes `left * right + addend`, rounded once, or `-1 / addend` where the lowest bit of the target is
/// set. The second one has left and right of two more products, added in their order. An idle slot reads the first
/// entry, which is 0, and writes an entry of its own, which nobody reads.
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
    /// Coefficients of reactions, which lie in the workspace behind everything else.
    pub coefficients: Column<'a, f64>,
    /// An entry that is -0, behind those of the cells. Then come the coefficients, and parts of sums.
    pub nothing: u32,
    /// The number of entries.
    pub entries: u32,
}

/// The rounds of a group, one after the other, and something else meanwhile.
#[inline(always)]
fn do_group<const V: usize, const WORDS: usize, const INVERT: bool, C: Team<f64, V>>(
    team: C,
    slots: &[u64; AT_A_TIME],
    workspace: C::Numbers,
    meanwhile: impl FnOnce(),
) {
    do_slot::<V, WORDS, INVERT, C::Numbers>(slots, 0, workspace, meanwhile);
    team.wait();
    if WORDS == SHORT {
        do_slot::<V, WORDS, INVERT, C::Numbers>(slots, 1, workspace, || ());
        team.wait();
    }
}

/// Does what a slot says.
#[inline(always)]
fn do_slot<const V: usize, const WORDS: usize, const INVERT: bool, N: Numbers<f64, V>>(
    slots: &[u64; AT_A_TIME],
    round: usize,
    workspace: N,
    meanwhile: impl FnOnce(),
) {
    let word = |number: usize| slots[round * WORDS + number];
    let (low, high) = (word(0) as u32, (word(0) >> 32) as u32);
    let entry = |bytes: u32| workspace.at_byte(bytes as usize).get(0);
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
    workspace.at_byte((low & 0xFFF0) as usize).set(0, value);
}

/// A mechanism walked through in rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InRounds<'k, 'a, I, N> {
    pub(crate) kinetics: Kinetics<'k, 'a, I>,
    pub(crate) rounds: Trusted<'k, Rounds<'a>>,
    /// From its first entry on the entries of slots are counted.
    pub(crate) workspace: N,
}

impl<I: Index, N: Copy> InRounds<'_, '_, I, N> {
    /// Sets the entries before and behind those of the cells, once.
    #[inline(always)]
    pub(crate) fn settle<const V: usize, C>(&self, team: C)
    where
        C: Team<f64, V, Numbers = N>,
        N: Numbers<f64, V>,
    {
        let behind = self.workspace.from(self.rounds.nothing as usize);
        if team.worker() == 0 {
            self.workspace.set(0, [0.0; V]);
            behind.set(0, [-0.0; V]);
        }
        shared!(team: C, i < self.rounds.coefficients.len() => {
            behind.set(1 + i, [self.rounds.part(|r| &r.coefficients).get(i); V]);
        });
        team.wait();
    }

    /// Does the rounds of a part, whose slots have `WORDS` words; some invert where `INVERT`.
    #[inline(always)]
    fn run<const V: usize, const WORDS: usize, const INVERT: bool, C>(&self, team: C, part: Part)
    where
        C: Team<f64, V, Numbers = N>,
        N: Numbers<f64, V>,
    {
        let (groups, workspace) = (part.groups as usize, self.workspace);
        let start = self.rounds.slots.as_ptr().wrapping_add(part.start as usize + team.worker());
        // SAFETY: parts are within the slots, and behind the last group there are three more.
        let slots = |number: usize| unsafe { read_table(start.wrapping_add(number)) };
        if C::WORKERS == 1 {
            for group in 0..groups {
                for round in 0..AT_A_TIME / WORDS {
                    for worker in 0..WARP {
                        do_slot::<V, WORDS, INVERT, C::Numbers>(&slots(group * WARP + worker), round, workspace, || ());
                    }
                }
            }
            return;
        }
        // The next groups are read while one is done: between its own reading and its writing, for at its begin all
        // that is on its way would be waited for.
        let read = |group: usize| slots(group * WARP);
        let (mut first, mut second, mut third) = (read(0), read(1), read(2));
        let mut fourth = [0; AT_A_TIME];
        let mut group = 0;
        while group + AHEAD < groups {
            do_group::<V, WORDS, INVERT, C>(team, &first, workspace, || fourth = read(group + AHEAD));
            do_group::<V, WORDS, INVERT, C>(team, &second, workspace, || first = read(group + AHEAD + 1));
            do_group::<V, WORDS, INVERT, C>(team, &third, workspace, || second = read(group + AHEAD + 2));
            do_group::<V, WORDS, INVERT, C>(team, &fourth, workspace, || third = read(group + AHEAD + 3));
            group += AHEAD + 1;
        }
        if group < groups {
            do_group::<V, WORDS, INVERT, C>(team, &first, workspace, || ());
        }
        if group + 1 < groups {
            do_group::<V, WORDS, INVERT, C>(team, &second, workspace, || ());
        }
        if group + 2 < groups {
            do_group::<V, WORDS, INVERT, C>(team, &third, workspace, || ());
        }
    }
}

impl<I: Index, const V: usize, C: Team<f64, V>> Walk<f64, V, C> for InRounds<'_, '_, I, C::Numbers> {
    const IN_ONE_PLACE: bool = true;

    #[inline(always)]
    fn function(
        &self,
        team: C,
        state: C::Numbers,
        rate_constants: Block<f64, V>,
        rates: C::Numbers,
        function: C::Numbers,
    ) {
        self.kinetics.rates(team, state, rate_constants, rates);
        shared!(team: C, i < self.kinetics.mechanism.sizes.variable as usize => {
            function.set(i, [0.0; V]);
        });
        team.wait();
        self.run::<V, LONG, false, C>(team, self.rounds.function);
    }

    #[inline(always)]
    fn factor(
        &self,
        team: C,
        shift: [f64; V],
        state: C::Numbers,
        rate_constants: Block<f64, V>,
        derivatives: C::Numbers,
        factors: C::Numbers,
    ) -> [u32; V] {
        let mut singular = [0; V];
        let rows = self.rounds.diagonals.len();
        self.kinetics.derivatives(team, state, rate_constants, derivatives);
        shared!(team: C, i < self.kinetics.mechanism.sizes.entries as usize => {
            factors.set(i, [0.0; V]);
        });
        team.wait();
        shared!(team: C, row < rows => {
            factors.set(self.rounds.part(|r| &r.diagonals).get(row).place(), shift);
        });
        team.wait();
        self.run::<V, LONG, false, C>(team, self.rounds.jacobian);
        shared!(team: C, row < rows => {
            let diagonal = factors.get(self.rounds.part(|r| &r.diagonals).get(row).place());
            for lane in 0..V {
                singular[lane] |= u32::from(Real::abs(diagonal[lane]) < f64::MIN_POSITIVE);
            }
        });
        // Also lets all of them read before factors are written.
        let singular = team.any(singular);
        team.wait();
        self.run::<V, LONG, true, C>(team, self.rounds.factor);
        singular
    }

    #[inline(always)]
    fn solve(&self, team: C, _: C::Numbers, _: C::Numbers) {
        self.run::<V, SHORT, false, C>(team, self.rounds.solve);
    }
}
