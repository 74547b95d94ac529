//! Derivatives by a column's state from those by the optics of its layers at the g-points of a warp.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use super::neighbours::{BandPoints, LayerRows};
use super::point::{self, Place as BandPlace};
use super::point_rows::LaneRows;
use super::table_rows::add_derivatives;
use super::warp::{LAYER, Points, ROW};
use crate::state::{ColumnState, Place};
use crate::tables::{LaneRow, Run};

impl<R: Real, const W: usize> Points<'_, R, W> {
    /// Leaves derivatives by a layer's absorption, and by Rayleigh scattering or Planck fractions: on a CPU where the
    /// layer's optics were.
    ///
    /// # Safety
    /// The memory has [`Points::numbers`], and nobody but the warp has it.
    #[inline(always)]
    pub unsafe fn put_derivatives(&self, layer: usize, by: &[[R; W]; 2], memory: *mut R) {
        // SAFETY: the caller's.
        unsafe {
            let start = memory.add(layer * LAYER + self.first);
            start.cast::<[R; W]>().write(by[0]);
            start.add(ROW).cast::<[R; W]>().write(by[1]);
        }
    }

    /// Adds derivatives by the column's state to `to`, from those that [`Points::put_derivatives`] left of all layers.
    ///
    /// # Safety
    /// As [`Points::put_derivatives`]; the states are those of [`crate::GasStates`] and of [`crate::GasStatesAdjoint`].
    /// All lanes of the warp come by; what they wrote to both states and the memory before can be read.
    #[inline(always)]
    pub unsafe fn add_derivatives<const LONGWAVE: bool>(
        &self,
        states: [&ColumnState<R>; 2],
        layers: usize,
        memory: *const R,
        lanes: Lanes<W>,
    ) {
        // SAFETY: the caller's.
        unsafe {
            match (W, size_of::<R>()) {
                (1, _) => self.by_lanes_adjoint::<LONGWAVE>(states, layers, memory, lanes),
                (_, 4) => self.by_runs_adjoint::<16, LONGWAVE>(states, layers, memory),
                (..) => self.by_runs_adjoint::<8, LONGWAVE>(states, layers, memory),
            }
        }
    }

    /// Runs of neighbouring g-points in the warp.
    #[inline(always)]
    fn runs(&self) -> impl Iterator<Item = Run> {
        // SAFETY: warps and runs are those of the tables.
        let runs = unsafe { self.tables.first_runs.get(self.segment)..self.tables.first_runs.get(self.segment + 1) };
        // SAFETY: as above.
        runs.map(|run| unsafe { self.tables.runs.get(run as usize) })
    }

    /// On a CPU, whose vectors have `N` lanes.
    ///
    /// # Safety
    /// As [`Points::add_derivatives`].
    #[inline(always)]
    unsafe fn by_runs_adjoint<const N: usize, const LONGWAVE: bool>(
        &self,
        states: [&ColumnState<R>; 2],
        layers: usize,
        memory: *const R,
    ) {
        for (run, done) in self.runs().flat_map(|run| (0..run.lanes).step_by(N).map(move |done| (run, done))) {
            let band = self.tables.band(run.band as usize);
            // What is beyond a run belongs to another one.
            let lanes = ((run.lanes - done) as usize).min(N);
            let own = |values: [R; N]| {
                let mut kept = [R::ZERO; N];
                kept[..lanes].copy_from_slice(&values[..lanes]);
                kept
            };
            for (region, layers) in [(0, 0..self.lower_layers), (1, self.lower_layers..layers)] {
                let (points, here) =
                    (BandPoints::new(&self.tables, band, region, run.point + done), band.region(region));
                for layer in layers {
                    let start = layer * LAYER + (run.lane + done) as usize;
                    // SAFETY: the layer's lanes, and there is room for `MOST` behind the last.
                    let by = unsafe {
                        let start = memory.add(start);
                        [start.cast::<[R; N]>().read(), start.add(ROW).cast::<[R; N]>().read()]
                    };
                    let rows = LayerRows { points: &points, rows: states[0].rows(layer, here.flavour) };
                    add_derivatives::<R, LONGWAVE, N>((band, &here), states, (layer, true), &rows, by.map(own));
                }
            }
        }
    }

    /// On a GPU, of as many g-points at a time as a CPU has.
    ///
    /// # Safety
    /// As [`Points::add_derivatives`].
    #[inline(always)]
    unsafe fn by_lanes_adjoint<const LONGWAVE: bool>(
        &self,
        states: [&ColumnState<R>; 2],
        layers: usize,
        memory: *const R,
        lanes: Lanes<W>,
    ) {
        for run in self.runs() {
            let most = 64 / size_of::<R>() as u32;
            for done in (0..run.lanes).step_by(most as usize) {
                let part =
                    Run { point: run.point + done, lane: run.lane + done, lanes: (run.lanes - done).min(most), ..run };
                // SAFETY: the caller's.
                unsafe {
                    // Of few, the CPU's tree has zeros in its upper half.
                    if part.lanes <= 8 {
                        self.part_adjoint::<8, LONGWAVE>(&part, states, layers, memory, lanes);
                    } else {
                        self.part_adjoint::<16, LONGWAVE>(&part, states, layers, memory, lanes);
                    }
                }
            }
        }
    }

    /// At most `N` neighbouring g-points: `N` lanes have those of a layer, the next ones those of the next layer.
    ///
    /// # Safety
    /// As [`Points::add_derivatives`].
    #[inline(always)]
    unsafe fn part_adjoint<const N: usize, const LONGWAVE: bool>(
        &self,
        part: &Run,
        states: [&ColumnState<R>; 2],
        layers: usize,
        memory: *const R,
        lanes: Lanes<W>,
    ) {
        let (next, own) = (self.first / N, (self.first % N) as u32);
        let has_point = own < part.lanes;
        let band = self.tables.band(part.band as usize);
        let point = part.point + if has_point { own } else { 0 };
        let place = BandPlace::new(&self.tables, LaneRow { band: part.band, point });
        for (region, layers) in [(0, 0..self.lower_layers), (1, self.lower_layers..layers)] {
            let here = band.region(region);
            for first in layers.clone().step_by(WARP / N) {
                // Who has no layer looks on, for all lanes exchange values.
                let writes = own == 0 && first + next < layers.end;
                let layer = (first + next).min(layers.end - 1);
                let mut by = [[R::ZERO]; 2];
                if has_point {
                    // SAFETY: the layer's lanes.
                    by = unsafe {
                        let start = memory.add(layer * LAYER + (part.lane + own) as usize);
                        [[start.read()], [start.add(ROW).read()]]
                    };
                }
                let rows = states[0].rows(layer, here.flavour);
                let rows = LaneRows::<R, N, W> { tables: &self.tables, place, here, rows, lanes };
                add_derivatives::<R, LONGWAVE, 1>((band, &here), states, (layer, writes), &rows, by);
            }
            lanes.wait();
        }
    }

    /// Where the absorption of a layer depends on its gases: not where it is held at nothing, for their sum is less.
    ///
    /// # Safety
    /// This is the layer's absorption.
    #[must_use]
    #[inline(always)]
    pub unsafe fn depends<const LONGWAVE: bool>(
        &self,
        state: &ColumnState<R>,
        layer: usize,
        absorption: &[R; W],
    ) -> [bool; W] {
        let mut depends = [true; W];
        let points = (self.tables.points as usize).saturating_sub(self.lane()).min(W);
        if absorption[..points].iter().all(|&value| value > R::ZERO) {
            return depends;
        }
        if W == 1 {
            let ahead = self.top(state, layer + 1);
            let [sum, _] = point::gas_optics::<R, LONGWAVE>(&self.tables, state, layer, &self.band, &ahead);
            return [sum >= R::ZERO; W];
        }
        for run in self.runs() {
            let (band, region) = (self.tables.band(run.band as usize), usize::from(layer >= self.lower_layers));
            for lane in run.lane..run.lane + run.lanes {
                let point = BandPoints::new(&self.tables, band, region, run.point + (lane - run.lane));
                let [sum] = point.sums::<1>(state, layer);
                depends[lane as usize] = sum >= R::ZERO;
            }
        }
        depends
    }

    /// Adds derivatives by the place of a temperature to `to`, from those by what a black body emits there: the first
    /// lane of the warp does.
    #[inline(always)]
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
        if lanes.first() == 0 {
            to.set_place(place, (row, [cold + by_cold, warm + by_warm]));
        }
    }
}
