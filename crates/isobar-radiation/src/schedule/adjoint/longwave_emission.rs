//! What black bodies emit in the long wave, and derivatives by it: by temperatures and by the parts of g-points.

use isobar_core::Real;
use isobar_optics::state::Place;
use isobar_optics::tables::Model;

use super::longwave::{Item, row};
use crate::physics::emission::Source;
use crate::schedule::longwave_air::Air;

impl<R: Real, const W: usize> Item<'_, '_, R, W> {
    /// Emission of black bodies at the level below a layer, the uppermost without one above.
    #[inline(always)]
    pub(super) fn level_emission(&self, level: usize) -> [R; W] {
        let [above, below] = self.around(level);
        self.warp.level_emission(level, &self.air(above), &self.air(below))
    }

    /// The layers above and below a level; at the ends the same one twice.
    #[inline(always)]
    fn around(&self, level: usize) -> [usize; 2] {
        [level.min(self.warp.layers - 1), level.saturating_sub(1)]
    }

    #[inline(always)]
    fn is_ecckd(&self) -> bool {
        self.warp.sweep.tables.model == Model::Ecckd as u32
    }

    /// Emission in the middle of a layer: linear between the levels with ecCKD.
    #[inline(always)]
    pub(super) fn middle(&self, layer: usize, air: &Air<[R; W]>, [above, below]: [&[R; W]; 2]) -> [R; W] {
        if !self.is_ecckd() {
            return self.warp.emission(Place::Layer(layer), &air.fraction);
        }
        let mut middle = *above;
        for lane in 0..W {
            middle[lane] = R::from_f64(0.5) * (above[lane] + below[lane]);
        }
        middle
    }

    /// What is by the middle's emission becomes what is by that of the levels, or by the layer's temperature.
    #[inline(always)]
    pub(super) fn middle_backward(&self, layer: usize, air: &Air<[R; W]>, by: &mut Source<[R; W]>) {
        if self.is_ecckd() {
            for lane in 0..W {
                let half = R::from_f64(0.5) * by.middle[lane];
                by.above[lane] += half;
                by.below[lane] += half;
            }
        } else {
            let by_fraction = self.emission_backward(Place::Layer(layer), &air.fraction, &by.middle);
            self.add(layer, row::BY_FRACTION, &by_fraction);
        }
    }

    /// Adds derivatives by a level's temperature and by the fractions of the layers around, whose root of the product
    /// it has.
    #[inline(always)]
    pub(super) fn level_backward(&self, level: usize, by: &[R; W]) {
        let [above, below] = self.around(level);
        let fractions = [above, below].map(|layer| self.get(layer, row::FRACTION));
        if above == below {
            let by_fraction = self.emission_backward(Place::Level(level), &fractions[0], by);
            self.add(above, row::BY_FRACTION, &by_fraction);
            return;
        }
        let mut fraction = fractions[0];
        for lane in 0..W {
            fraction[lane] = (fractions[0][lane] * fractions[1][lane]).sqrt();
        }
        let by_fraction = self.emission_backward(Place::Level(level), &fraction, by);
        for (layer, of_layer) in [(above, &fractions[0]), (below, &fractions[1])] {
            let mut by_its = by_fraction;
            for lane in 0..W {
                let half = R::from_f64(0.5) * fraction[lane];
                // Where there is none, nothing is emitted nearby.
                by_its[lane] = if half > R::ZERO { by_its[lane] * half / of_layer[lane] } else { R::ZERO };
            }
            self.add(layer, row::BY_FRACTION, &by_its);
        }
    }

    /// Adds derivatives by the temperature of a black body; returns those by the part of its radiation.
    #[inline(always)]
    pub(super) fn emission_backward(&self, place: Place, fraction: &[R; W], by: &[R; W]) -> [R; W] {
        let (mut by_black, mut by_fraction) = (*by, self.warp.points.black_body(self.warp.state.place(place)));
        for lane in 0..W {
            by_black[lane] *= fraction[lane];
            by_fraction[lane] *= by[lane];
        }
        self.warp.points.add_black_body_derivative(&self.by_state, place, &by_black, self.warp.lanes);
        by_fraction
    }
}
