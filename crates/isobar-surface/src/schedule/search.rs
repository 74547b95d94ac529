//! The search for `z / L`: all lanes go on until each is done.

use isobar_core::{Column, PerLane, Real};

use crate::constants::SECANTS;
use crate::physics::bracket::{Bracket, CUTS, DOUBLINGS};
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
        let at_far = self.excess(&self.far_ends());
        let mut secants = Secant::<[R; W]>::zeros();
        for lane in 0..W {
            secants.set(lane, Secant::new(richardson[lane], at_far[lane]));
        }
        for _ in 0..SECANTS {
            let (mut runs, mut next) = ([0; W], [R::ZERO; W]);
            for lane in 0..W {
                let secant = secants.lane(lane);
                runs[lane] = u32::from(secant.runs());
                next[lane] = secant.next(richardson[lane]);
            }
            if !self.tile.any(&runs) {
                break;
            }
            let at_next = self.excess(&next);
            for lane in 0..W {
                secants.set(lane, secants.lane(lane).taken(next[lane], at_next[lane]));
            }
        }
        secants.root
    }

    /// To the last digit.
    #[inline(always)]
    pub(crate) fn converged(&self) -> [R; W] {
        let richardson = &self.equation.richardson;
        let far = self.far_ends();
        let at_far = self.excess(&far);
        let mut brackets = Bracket::<[R; W]>::zeros();
        for lane in 0..W {
            brackets.set(lane, Bracket::new(richardson[lane], far[lane], at_far[lane]));
        }
        for _ in 0..DOUBLINGS {
            let (mut lacking, mut next) = ([0; W], [R::ZERO; W]);
            for lane in 0..W {
                let bracket = brackets.lane(lane);
                lacking[lane] = u32::from(bracket.lacks_root());
                next[lane] = bracket.farther();
            }
            if !self.tile.any(&lacking) {
                break;
            }
            let at_next = self.excess(&next);
            for lane in 0..W {
                brackets.set(lane, brackets.lane(lane).moved(next[lane], at_next[lane]));
            }
        }
        for number in 0..CUTS {
            let (mut runs, mut cut) = ([0; W], [R::ZERO; W]);
            for lane in 0..W {
                let bracket = brackets.lane(lane);
                runs[lane] = u32::from(bracket.runs());
                cut[lane] = bracket.cut(number);
            }
            if !self.tile.any(&runs) {
                break;
            }
            let at_cut = self.excess(&cut);
            for lane in 0..W {
                brackets.set(lane, brackets.lane(lane).halved(cut[lane], at_cut[lane]));
            }
        }
        let mut roots = [R::ZERO; W];
        for lane in 0..W {
            roots[lane] = brackets.lane(lane).root();
        }
        roots
    }
}
