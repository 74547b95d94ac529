//! Derivatives by columns from those by their fluxes: the sweeps of [`super::longwave`] and [`super::shortwave`]
//! backward. A column is an item, whose warps of g-points come one after the other.

use isobar_core::{PerLane, Real};
use isobar_optics::state::ColumnState;

pub(crate) mod all;
pub(crate) mod backward;
pub(crate) mod cotangents;
pub(crate) mod longwave;
mod longwave_emission;
pub(crate) mod particles;
pub(crate) mod shortwave;

use super::saved::Saved;
use super::warp::Warp;
use crate::physics::particles::Depths;

impl<R: Real, const W: usize> Warp<'_, '_, R, W> {
    /// Leaves derivatives by a layer's optics of gases where they depend on these, in the place of the optics.
    #[inline(always)]
    fn leave_gas_derivatives<const LONGWAVE: bool>(
        &self,
        layer: usize,
        absorption: &[R; W],
        [mut by_absorption, by_second]: [[R; W]; 2],
    ) {
        // SAFETY: callers' absorption is the layer's.
        let depends = unsafe { self.points.depends::<LONGWAVE>(&self.state, layer, absorption) };
        for lane in 0..W {
            by_absorption[lane] = if depends[lane] { by_absorption[lane] } else { R::ZERO };
        }
        self.put_gas_derivatives(layer, &[by_absorption, by_second]);
    }

    /// Leaves derivatives by a layer's absorption, and by Rayleigh scattering or Planck fractions, in the place of what
    /// [`Warp::gases`] gives of it.
    #[inline(always)]
    fn put_gas_derivatives(&self, layer: usize, by: &[[R; W]; 2]) {
        // SAFETY: the warp has the memory: `bytes`.
        unsafe { self.points.put_derivatives(layer, by, self.gases) };
    }

    /// Adds derivatives by the column's state, from those that were left of all layers.
    #[inline(always)]
    fn add_gas_derivatives<const LONGWAVE: bool>(&self, to: &ColumnState<R>) {
        self.lanes.wait();
        // SAFETY: as above.
        unsafe { self.points.add_derivatives::<LONGWAVE>([&self.state, to], self.layers, self.gases, self.lanes) };
        // A CPU's lanes without a g-point, of which nothing is computed, find these as optical depths in the next warp.
        for layer in 0..self.layers {
            self.put_gas_derivatives(layer, &[[R::ZERO; W]; 2]);
        }
    }
}

/// Keeps a struct's rows from this one on.
macro_rules! keep {
    ($saved:expr, $row:expr, $($value:expr),+) => {{
        let mut row = $row;
        $(
            $saved.put(row, $value);
            row += 1;
        )+
        let _ = row;
    }};
}
use keep;

/// Adds a row to what is kept.
#[inline(always)]
fn add_row<R: Real, const W: usize>(saved: &Saved<R>, row: usize, values: &[R; W]) {
    let mut sum = saved.get::<W>(row);
    for lane in 0..W {
        sum[lane] += values[lane];
    }
    saved.put(row, sum);
}

/// Three kept rows, lane by lane.
#[inline(always)]
fn depths<R: Real, const W: usize>(saved: &Saved<R>, row: usize) -> Depths<[R; W]> {
    let mut depths = Depths::<[R; W]>::zeros();
    depths.absorption = saved.get(row);
    depths.scattering = saved.get(row + 1);
    depths.forward = saved.get(row + 2);
    depths
}
