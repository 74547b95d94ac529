//! What black bodies emit in the long wave, and derivatives by it: by temperatures and by the parts of g-points.

use isobar_core::Real;
use isobar_optics::state::Place;
use isobar_optics::tables::Model;

use super::longwave::Item;
use crate::physics::emission::Source;
use crate::schedule::longwave_air::Air;

impl<R: Real, const W: usize> Item<'_, '_, R, W> {
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

    /// What is by the middle's emission becomes what is by that of the levels, or by the layer's temperature; returns
    /// derivatives by the part of the layer.
    #[inline(always)]
    pub(super) fn middle_backward(&self, layer: usize, air: &Air<[R; W]>, by: &mut Source<[R; W]>) -> [R; W] {
        if !self.is_ecckd() {
            return self.emission_backward(Place::Layer(layer), &air.fraction, &by.middle);
        }
        for lane in 0..W {
            let half = R::from_f64(0.5) * by.middle[lane];
            by.above[lane] += half;
            by.below[lane] += half;
        }
        [R::ZERO; W]
    }

    /// Adds derivatives by a level's temperature; returns those by the parts of the layers above and below, whose root
    /// of the product it has. At both ends there is one layer, whose part comes twice.
    #[inline(always)]
    pub(super) fn level_backward(&self, level: usize, [above, below]: [&[R; W]; 2], by: &[R; W]) -> [[R; W]; 2] {
        if level == 0 || level == self.warp.layers {
            return [self.emission_backward(Place::Level(level), below, by), [R::ZERO; W]];
        }
        let mut fraction = *above;
        for lane in 0..W {
            fraction[lane] = (above[lane] * below[lane]).sqrt();
        }
        let by_fraction = self.emission_backward(Place::Level(level), &fraction, by);
        [above, below].map(|of_layer| {
            let mut by_its = by_fraction;
            for lane in 0..W {
                let half = R::from_f64(0.5) * fraction[lane];
                // Where there is none, nothing is emitted nearby.
                by_its[lane] = if half > R::ZERO { by_its[lane] * half / of_layer[lane] } else { R::ZERO };
            }
            by_its
        })
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
