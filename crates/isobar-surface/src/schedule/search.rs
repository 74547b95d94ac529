//! The search for `z / L`: all lanes go on until each is done.

use isobar_core::{Column, PerLane, Real};

use crate::constants::SECANTS;
use crate::physics::bracket::{Bracket, CUTS};
use crate::physics::richardson::Equation;
use crate::physics::secant::{Secant, far_end};
use crate::schedule::look_up::corrections;
use crate::schedule::tile::Tile;

/// The equations of a tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search<'s, 'a, R, const W: usize> {
    pub(crate) table: &'s Column<'a, R>,
    pub(crate) tile: &'s Tile<W>,
    pub(crate) equation: &'s Equation<[R; W]>,
    pub(crate) is_unstable: &'s [u32; W],
}

impl<R: Real, const W: usize> Search<'_, '_, R, W> {
    /// What each lane's `z / L` has too much.
    #[inline(always)]
    fn excess(&self, zeta: &[R; W]) -> [R; W] {
        let (mut above, mut below) = ([R::ZERO; W], [R::ZERO; W]);
        for lane in 0..W {
            below[lane] = zeta[lane] * self.equation.foot[lane];
            above[lane] = zeta[lane] + below[lane];
        }
        let above = corrections(self.table, self.tile, &above, self.is_unstable);
        let below = corrections(self.table, self.tile, &below, self.is_unstable);
        let mut excess = [R::ZERO; W];
        for lane in 0..W {
            excess[lane] = self.equation.lane(lane).excess(zeta[lane], above.lane(lane), below.lane(lane));
        }
        excess
    }

    #[inline(always)]
    fn far_ends(&self) -> [R; W] {
        let mut ends = [R::ZERO; W];
        for lane in 0..W {
            ends[lane] = far_end(self.equation.richardson[lane]);
        }
        ends
    }

    /// As WRF finds it.
    #[inline(always)]
    pub(crate) fn by_secants(&self) -> [R; W] {
        let richardson = &self.equation.richardson;
        let (mut next, mut secants) = (self.far_ends(), Secant::<[R; W]>::zeros());
        // The first look is at the far end; the equation stands here once, for it is long. A range that includes its
        // end would lie in a thread's memory.
        for number in 0..SECANTS + 1 {
            let at_next = self.excess(&next);
            let mut runs = [0; W];
            for lane in 0..W {
                let taken = match number {
                    0 => Secant::new(richardson[lane], at_next[lane]),
                    _ => secants.lane(lane).taken(next[lane], at_next[lane]),
                };
                secants.set(lane, taken);
                runs[lane] = u32::from(taken.runs());
                next[lane] = taken.next(richardson[lane]);
            }
            if !self.tile.any(&runs) {
                break;
            }
        }
        secants.root
    }

    /// To the last digit.
    #[inline(always)]
    pub(crate) fn converged(&self) -> [R; W] {
        let richardson = &self.equation.richardson;
        let (mut next, mut brackets) = (self.far_ends(), Bracket::<[R; W]>::zeros());
        for number in 0..CUTS + 1 {
            let at_next = self.excess(&next);
            let mut runs = [0; W];
            for lane in 0..W {
                let taken = match number {
                    0 => Bracket::new(richardson[lane], next[lane], at_next[lane]),
                    _ => brackets.lane(lane).taken(next[lane], at_next[lane]),
                };
                brackets.set(lane, taken);
                runs[lane] = u32::from(taken.runs());
                next[lane] = taken.next(number);
            }
            if !self.tile.any(&runs) {
                break;
            }
        }
        brackets.far
    }
}
