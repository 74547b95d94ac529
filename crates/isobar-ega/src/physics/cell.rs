//! Where a pressure and a temperature lie in the grid of a table.

use isobar_core::{FastMath, Real, bracket};

use crate::tables::{Cell, GridHead, LevelHead, Tables};

impl Tables<'_> {
    /// The cell around a pressure \[hPa\] and temperature \[K\]; outside the grid the nearest one, with weights that
    /// extrapolate. `near` keeps the last intervals as a start for the next search. Temperatures may be taken for
    /// `equidistant`, as JURASSIC does; with `ln_pressure` the weights are linear in ln p.
    #[inline(always)]
    pub fn locate<R: Real>(
        &self,
        grid: &GridHead,
        pressure_hpa: R::Wide,
        temperature_k: R::Wide,
        near: &mut [usize; 3],
        equidistant: bool,
        ln_pressure: bool,
    ) -> Cell<R> {
        let count = grid.levels as usize;
        let level = |i: usize| self.levels.at(grid.first_level as usize + i.min(count - 1));
        near[0] = bracket::walk(count, |i| level(i).pressure_hpa, pressure_hpa.value(), near[0]);
        let (lower, upper) = (level(near[0]), level(near[0] + 1));
        let (a, lower_weight) = self.locate_temperature(&lower, temperature_k, &mut near[1], equidistant);
        let (c, upper_weight) = self.locate_temperature(&upper, temperature_k, &mut near[2], equidistant);
        let (low, high) = (lower.pressure_hpa, upper.pressure_hpa);
        let pressure_weight = if ln_pressure && high > low {
            // From a logarithm each, for a quotient of rounded logarithms has their error.
            R::from_wide((pressure_hpa / R::Wide::from_f64(low)).ln() / R::Wide::from_f64(Real::ln(high / low)))
        } else {
            R::from_wide(weight(low, high, pressure_hpa))
        };
        Cell {
            nodes: [a[0], a[1], c[0], c[1]],
            temperature_weight: [R::from_wide(lower_weight), R::from_wide(upper_weight)],
            pressure_weight,
            unused: R::ZERO,
        }
    }

    #[inline(always)]
    fn locate_temperature<W: Real>(
        &self,
        level: &LevelHead,
        temperature_k: W,
        near: &mut usize,
        equidistant: bool,
    ) -> ([u32; 2], W) {
        let value = temperature_k.value();
        let count = level.temperatures as usize;
        let at = |i: usize| self.temperatures_k.at(level.first_temperature as usize + i.min(count - 1));
        *near = if equidistant && count > 1 {
            ((value - at(0)) / (at(1) - at(0))).index(0, count as i32 - 2) as usize
        } else {
            bracket::walk(count, at, value, *near)
        };
        let nodes = [*near, (*near + 1).min(count - 1)].map(|i| level.first_node + i as u32);
        (nodes, weight(at(*near), at(*near + 1), temperature_k))
    }
}

/// How far `x` is from `x0` to `x1`; 0 where a grid has one node only.
#[inline(always)]
fn weight<W: Real>(x0: f64, x1: f64, x: W) -> W {
    if x1 > x0 { (x - W::from_f64(x0)) / W::from_f64(x1 - x0) } else { W::ZERO }
}
