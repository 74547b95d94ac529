//! Derivatives by a column's state from those by the optics of its layers at the g-points of a warp, as a CPU has them.

use isobar_core::{Lanes, Real};

use super::neighbours::BandPoints;
use super::warp::{LAYER, Points, ROW};
use crate::state::{ColumnState, Place};

impl<R: Real, const W: usize> Points<'_, R, W> {
    /// Leaves derivatives by a layer's absorption, and by Rayleigh scattering or Planck fractions, in the place of the
    /// layer's optics.
    ///
    /// # Safety
    /// The memory has [`Points::numbers`], and `W` is a whole warp.
    pub unsafe fn put_derivatives(&self, layer: usize, by: &[[R; W]; 2], memory: *mut R) {
        // SAFETY: the caller's.
        unsafe {
            let start = memory.add(layer * LAYER);
            start.cast::<[R; W]>().write(by[0]);
            start.add(ROW).cast::<[R; W]>().write(by[1]);
        }
    }

    /// Adds derivatives by the column's state to `to`, from those that [`Points::put_derivatives`] left of all layers.
    ///
    /// # Safety
    /// As [`Points::put_derivatives`]; the states are those of [`crate::GasStates`] and of [`crate::GasStatesAdjoint`].
    pub unsafe fn add_derivatives<const LONGWAVE: bool>(
        &self,
        [state, to]: [&ColumnState<R>; 2],
        layers: usize,
        memory: *const R,
    ) {
        // SAFETY: the caller's.
        unsafe {
            if size_of::<R>() == 4 {
                self.by_runs_adjoint::<16, LONGWAVE>([state, to], layers, memory);
            } else {
                self.by_runs_adjoint::<8, LONGWAVE>([state, to], layers, memory);
            }
        }
    }

    /// # Safety
    /// As [`Points::add_derivatives`].
    #[inline(always)]
    unsafe fn by_runs_adjoint<const N: usize, const LONGWAVE: bool>(
        &self,
        [state, to]: [&ColumnState<R>; 2],
        layers: usize,
        memory: *const R,
    ) {
        // SAFETY: warps and runs are those of the tables.
        let runs = unsafe { self.tables.first_runs.get(self.segment)..self.tables.first_runs.get(self.segment + 1) };
        for run in runs {
            // SAFETY: as above.
            let run = unsafe { self.tables.runs.get(run as usize) };
            let band = self.tables.band(run.band as usize);
            for done in (0..run.lanes).step_by(N) {
                // What is beyond a run belongs to another one.
                let lanes = ((run.lanes - done) as usize).min(N);
                let own = |values: [R; N]| {
                    let mut kept = [R::ZERO; N];
                    kept[..lanes].copy_from_slice(&values[..lanes]);
                    kept
                };
                for (region, layers) in [(0, 0..self.lower_layers), (1, self.lower_layers..layers)] {
                    let points = BandPoints::new(&self.tables, band, region, run.point + done);
                    for layer in layers {
                        let start = layer * LAYER + (run.lane + done) as usize;
                        // SAFETY: the layer's lanes, and there is room for `MOST` behind the last.
                        let by = unsafe {
                            let start = memory.add(start);
                            [start.cast::<[R; N]>().read(), start.add(ROW).cast::<[R; N]>().read()]
                        };
                        points.gas_optics_adjoint::<N, LONGWAVE>([state, to], layer, &by.map(own));
                    }
                }
            }
        }
    }

    /// Where the absorption of a layer depends on its gases: not where it is held at nothing, for their sum is less.
    ///
    /// # Safety
    /// As [`Points::put_derivatives`]; this is the layer's absorption.
    #[must_use]
    pub unsafe fn depends(&self, state: &ColumnState<R>, layer: usize, absorption: &[R; W]) -> [bool; W] {
        let mut depends = [true; W];
        let points = (self.tables.points as usize).saturating_sub(self.lane()).min(W);
        if absorption[..points].iter().all(|&value| value > R::ZERO) {
            return depends;
        }
        // SAFETY: warps and runs are those of the tables.
        let runs = unsafe { self.tables.first_runs.get(self.segment)..self.tables.first_runs.get(self.segment + 1) };
        for run in runs {
            // SAFETY: as above.
            let run = unsafe { self.tables.runs.get(run as usize) };
            let (band, region) = (self.tables.band(run.band as usize), usize::from(layer >= self.lower_layers));
            for lane in run.lane..run.lane + run.lanes {
                let point = BandPoints::new(&self.tables, band, region, run.point + (lane - run.lane));
                let [sum] = point.sums::<1>(state, layer);
                depends[lane as usize] = sum >= R::ZERO;
            }
        }
        depends
    }

    /// Adds derivatives by the place of a temperature to `to`, from those by what a black body emits there.
    pub fn add_black_body_derivative(&self, to: &ColumnState<R>, place: Place, by: &[R; W], lanes: Lanes<W>) {
        let (row, [cold, warm]) = to.place(place);
        let start = self.tables.planck.as_ptr().wrapping_add(row as usize + self.lane());
        let next = start.wrapping_add(self.tables.planck_width() as usize);
        let mut products = [[R::ZERO; W]; 2];
        for lane in 0..W {
            // SAFETY: rows and lanes are those of the table.
            let rows = unsafe { [start.add(lane).read(), next.add(lane).read()] };
            products[0][lane] = by[lane] * rows[0];
            products[1][lane] = by[lane] * rows[1];
        }
        let [by_cold, by_warm] = products.map(|products| lanes.sum(products));
        to.set_place(place, (row, [cold + by_cold, warm + by_warm]));
    }
}
