//! Where layers lie in the tables: indices and weights.

use isobar_core::Real;

use crate::rrtmg::constants::{CONTINUUM_K_PER_HPA, LOWER_LN_PRESSURE};
use crate::rrtmg::grid;
use crate::rrtmg::state::{Indices, UPPER_CONTINUUM};
use crate::rrtmg::tables::Tables;

/// Positions in the tables, one layer a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Positions<R, const W: usize> {
    pub(crate) indices: [u32; W],
    pub(crate) weights: [[R; W]; 4],
    /// The amounts of both continua per column of water; the self-broadened one still lacks the water's share.
    pub(crate) continuum: [R; W],
    pub(crate) self_fraction: [R; W],
    pub(crate) foreign_fraction: [R; W],
    pub(crate) minor_fraction: [R; W],
    pub(crate) density: [R; W],
}

/// The integer part between two limits, and what remains.
#[inline(always)]
fn split<R: Real>(x: R, low: i32, high: i32) -> (i32, R) {
    let index = x.index(low, high);
    (index, x - R::from_f64(f64::from(index)))
}

impl<R: Real, const W: usize> Positions<R, W> {
    /// Positions for pressures \[hPa\], temperatures \[K\] and water relative to dry air \[mol/mol\].
    #[inline(always)]
    pub(crate) fn find(tables: &Tables<'_, R>, pressure: &[R; W], temperature: &[R; W], water: &[R; W]) -> Self {
        let zeros = [R::ZERO; W];
        let mut positions = Self {
            indices: [0; W],
            weights: [zeros; 4],
            continuum: zeros,
            self_fraction: zeros,
            foreign_fraction: zeros,
            minor_fraction: zeros,
            density: zeros,
        };
        let mut ln_pressure = zeros;
        for lane in 0..W {
            ln_pressure[lane] = pressure[lane].ln();
        }
        let c = R::from_f64;
        for lane in 0..W {
            let (p, t, lp) = (pressure[lane], temperature[lane], ln_pressure[lane]);
            let level = (c(36.0) - c(5.0) * (lp + c(0.04))).index(1, grid::LEVELS as i32 - 1) as usize - 1;
            let lower = lp > c(LOWER_LN_PRESSURE);
            let above = c(5.0) * (tables.ln_pressure(level) - lp);
            let warmth = |level: usize| {
                let (index, rest) = split(c(3.0) + (t - tables.temperature(level)) / c(15.0), 1, 4);
                (index as u32 - 1, rest)
            };
            let ((jt, ft), (jt1, ft1)) = (warmth(level), warmth(level + 1));
            positions.weights[0][lane] = (R::ONE - above) * (R::ONE - ft);
            positions.weights[1][lane] = (R::ONE - above) * ft;
            positions.weights[2][lane] = above * (R::ONE - ft1);
            positions.weights[3][lane] = above * ft1;

            positions.density[lane] = p / t;
            positions.continuum[lane] = p * c(CONTINUUM_K_PER_HPA) / t / (R::ONE + water[lane]);
            let (indfor, forfrac) = split((c(332.0) - t) / c(36.0), 1, 2);
            let forfrac_upper = (t - c(188.0)) / c(36.0) - R::ONE;
            positions.foreign_fraction[lane] = if lower { forfrac } else { forfrac_upper };
            let x = (t - c(188.0)) / c(7.2);
            let (index, selffrac) = split(x, 8, 16);
            let indself = index - 7;
            positions.self_fraction[lane] = selffrac;
            let (indminor, minorfrac) = split((t - c(180.8)) / c(7.2), 1, 18);
            positions.minor_fraction[lane] = minorfrac;
            positions.indices[lane] = Indices {
                level: level as u32,
                temperature: jt,
                next_temperature: jt1,
                self_continuum: indself as u32 - 1,
                foreign_continuum: if lower { indfor as u32 - 1 } else { UPPER_CONTINUUM },
                minor: indminor as u32 - 1,
            }
            .packed();
        }
        positions
    }
}
