//! Where layers lie in the tables: indices and weights.

use isobar_core::{Real, per_lane};

use crate::rrtmg::constants::{CONTINUUM_K_PER_HPA, LOWER_LN_PRESSURE};
use crate::rrtmg::grid;
use crate::rrtmg::state::{Indices, UPPER_CONTINUUM};
use crate::rrtmg::tables::Tables;

per_lane! {
    /// The position of a layer in the tables.
    pub(crate) struct Position<T, N> {
        /// Packed [`Indices`].
        indices: N,
        /// Weights at the layer's reference level, and at the next level.
        colder: T,
        warmer: T,
        next_colder: T,
        next_warmer: T,
        /// The amounts of both continua per column of water; the self-broadened one still lacks the water's share.
        continuum: T,
        self_fraction: T,
        foreign_fraction: T,
        minor_fraction: T,
        density: T,
    }
}

/// The integer part between two limits, and what remains.
#[inline(always)]
fn split<R: Real>(x: R, low: i32, high: i32) -> (i32, R) {
    let index = x.index(low, high);
    (index, x - R::from_f64(f64::from(index)))
}

impl<R: Real> Position<R, u32> {
    /// That of a pressure \[hPa\] and its logarithm, a temperature \[K\] and water relative to dry air \[mol/mol\].
    #[inline(always)]
    pub(crate) fn find(tables: &Tables<'_, R>, [p, lp]: [R; 2], t: R, water: R) -> Self {
        let c = R::from_f64;
        let level = (c(36.0) - c(5.0) * (lp + c(0.04))).index(1, grid::LEVELS as i32 - 1) as usize - 1;
        let lower = lp > c(LOWER_LN_PRESSURE);
        let above = c(5.0) * (tables.ln_pressure(level) - lp);
        let warmth = |level: usize| {
            let (index, rest) = split(c(3.0) + (t - tables.temperature(level)) / c(15.0), 1, 4);
            (index as u32 - 1, rest)
        };
        let ((temperature, warm), (next_temperature, next_warm)) = (warmth(level), warmth(level + 1));
        let below = R::ONE - above;

        let (foreign, foreign_fraction) = split((c(332.0) - t) / c(36.0), 1, 2);
        let foreign_upper = (t - c(188.0)) / c(36.0) - R::ONE;
        let (self_index, self_fraction) = split((t - c(188.0)) / c(7.2), 8, 16);
        let (minor, minor_fraction) = split((t - c(180.8)) / c(7.2), 1, 18);
        let indices = Indices {
            level: level as u32,
            temperature,
            next_temperature,
            self_continuum: (self_index - 7) as u32 - 1,
            foreign_continuum: if lower { foreign as u32 - 1 } else { UPPER_CONTINUUM },
            minor: minor as u32 - 1,
        };
        Self {
            indices: indices.packed(),
            colder: below * (R::ONE - warm),
            warmer: below * warm,
            next_colder: above * (R::ONE - next_warm),
            next_warmer: above * next_warm,
            continuum: p * c(CONTINUUM_K_PER_HPA) / t / (R::ONE + water),
            self_fraction,
            foreign_fraction: if lower { foreign_fraction } else { foreign_upper },
            minor_fraction,
            density: p / t,
        }
    }
}
