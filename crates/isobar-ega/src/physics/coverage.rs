//! Where a path leaves the tables.

use isobar_core::bracket;

use crate::tables::{GridHead, Tables};

/// The points of one path at which one gas lies outside its tables' pressures or temperatures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Outside {
    /// Pressure at the first of them \[hPa\].
    pub pressure_hpa: f64,
    /// Temperature there \[K\].
    pub temperature_k: f64,
    /// How many there are.
    pub points: u32,
    /// The ray of the first of them.
    pub ray: u32,
}

impl Outside {
    /// Adds what was found for other rays, of which the first has the number `first_ray`.
    pub fn add(&mut self, found: &Self, first_ray: usize) {
        let ray = first_ray as u32 + found.ray;
        if found.points > 0 && (self.points == 0 || ray < self.ray) {
            *self = Self { points: self.points, ray, ..*found };
        }
        self.points = self.points.saturating_add(found.points);
    }
}

impl Tables<'_> {
    /// Does a grid hold a pressure \[hPa\] and, at the levels around it, a temperature \[K\]?
    #[inline(always)]
    pub(crate) fn covers(&self, grid: &GridHead, pressure_hpa: f64, temperature_k: f64) -> bool {
        let level = |i: u32| self.levels.at((grid.first_level + i) as usize);
        if !(level(0).pressure_hpa <= pressure_hpa && pressure_hpa <= level(grid.levels - 1).pressure_hpa) {
            return false;
        }
        let low = bracket::bisect(grid.levels as usize, |i| level(i as u32).pressure_hpa, pressure_hpa) as u32;
        let high = (low + 1).min(grid.levels - 1);
        [low, high].iter().all(|&i| {
            let level = level(i);
            let at = |j: u32| self.temperatures_k.at((level.first_temperature + j) as usize);
            at(0) <= temperature_k && temperature_k <= at(level.temperatures - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_ray_is_named_whatever_the_order_in_which_chunks_end() {
        let found = |pressure_hpa: f64, points, ray| Outside { pressure_hpa, temperature_k: 200.0, points, ray };
        // Chunks that begin at rays 0, 10 and 20; nothing was found in the first.
        let chunks = [(found(0.0, 0, 0), 0), (found(3.0, 5, 4), 10), (found(7.0, 2, 1), 20)];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            let mut all = Outside::default();
            for i in order {
                all.add(&chunks[i].0, chunks[i].1);
            }
            assert_eq!(all, found(3.0, 7, 14));
        }
    }
}
