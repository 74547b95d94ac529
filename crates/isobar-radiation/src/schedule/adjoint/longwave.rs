//! The long wave along slant paths, backward. With `U` upward and `D` downward radiation, a layer with the absorptance
//! `a` and emissions `S` makes of what comes in `U' = U - (a U - S_up)` and `D' = D - (a D - S_down)`; so derivatives
//! of a number go back through it as `U_bar = (1 - a) U'_bar`, and `a_bar = -U U'_bar - D D'_bar`, `S_bar = U'_bar,
//! D'_bar`.

use isobar_core::{FieldMut, Kernel, Lanes, PerLane, Real, Status, Team};
use isobar_optics::state::{ColumnState, Place};

use super::backward::Backward;
use super::particles::Peak;
use super::{add_row, keep};
use crate::arguments::ANY_SKY;
use crate::physics::adjoint::of_emission;
use crate::physics::emission::{Layer, Source};
use crate::physics::particles::Depths;
use crate::schedule::longwave_air::Air;
use crate::schedule::warp::{Warp, bytes};

/// Rows that are kept of a layer.
pub(super) mod row {
    /// Vertical optical depth, and the part of black bodies' radiation.
    pub(in crate::schedule::adjoint) const DEPTH: usize = 0;
    pub(in crate::schedule::adjoint) const FRACTION: usize = 1;
    /// Along the path: the absorptance and what is emitted upward.
    pub(in crate::schedule::adjoint) const ABSORPTANCE: usize = 2;
    pub(in crate::schedule::adjoint) const EMITTED: usize = 3;
    /// What comes in from above and from below.
    pub(in crate::schedule::adjoint) const DOWN: usize = 4;
    pub(in crate::schedule::adjoint) const UP: usize = 5;
    /// Derivatives by what leaves upward, by the optical depth and by the part.
    pub(in crate::schedule::adjoint) const BY_UP: usize = 6;
    pub(in crate::schedule::adjoint) const BY_DEPTH: usize = 7;
    pub(in crate::schedule::adjoint) const BY_FRACTION: usize = 8;
    pub(in crate::schedule::adjoint) const ALL: usize = 9;
}

/// Rows of a column and warp.
pub(crate) fn rows(layers: usize) -> usize {
    row::ALL * layers
}

/// Derivatives by columns from those by their long-wave fluxes: a column is an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LongwaveAdjoint<'a, R> {
    pub(crate) backward: Backward<'a, R>,
    /// Where derivatives by the surface's emissivity go.
    pub(crate) emissivity: FieldMut<'a, R>,
    /// Those by the absorption of aerosol or, where there is an albedo, by its extinction and that.
    pub(crate) aerosol_depth: FieldMut<'a, R>,
    pub(crate) aerosol_albedo: FieldMut<'a, R>,
    /// As in [`crate::LongwaveSweeps`].
    pub(crate) angles: [[R; 2]; 4],
    pub(crate) angle_count: u32,
}

// SAFETY: an item writes what is its own column's.
unsafe impl<R: Real> Kernel for LongwaveAdjoint<'_, R> {
    const NAME: &'static str = "radiation_longwave_adjoint";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.backward.sweep.columns.columns()
    }

    fn memory_bytes(&self) -> usize {
        let layers = self.backward.sweep.columns.layers();
        bytes::<R>(rows(layers), layers)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        let backward = &self.backward;
        // SAFETY: the caller's; the kernel of gas states comes first.
        unsafe {
            let by_state = backward.begin(column, lanes);
            backward.begin_levels(column, lanes);
            for segment in 0..backward.sweep.tables.segments as usize {
                let warp = backward.warp([segment, column], rows(backward.sweep.columns.layers()), lanes);
                Item { kernel: self, warp, by_state }.compute();
            }
            backward.end_levels(column, lanes);
        }
        Status::OK
    }
}

/// A column and warp.
pub(super) struct Item<'k, 'a, R, const W: usize> {
    kernel: &'k LongwaveAdjoint<'a, R>,
    pub(super) warp: Warp<'k, 'a, R, W>,
    pub(super) by_state: ColumnState<R>,
}

impl<R: Real, const W: usize> Item<'_, '_, R, W> {
    #[inline(always)]
    pub(super) fn get(&self, layer: usize, which: usize) -> [R; W] {
        self.warp.saved.get(row::ALL * layer + which)
    }

    #[inline(always)]
    fn put(&self, layer: usize, which: usize, values: [R; W]) {
        self.warp.saved.put(row::ALL * layer + which, values);
    }

    #[inline(always)]
    pub(super) fn add(&self, layer: usize, which: usize, values: &[R; W]) {
        add_row(&self.warp.saved, row::ALL * layer + which, values);
    }

    /// What is kept of a layer's air.
    #[inline(always)]
    pub(super) fn air(&self, layer: usize) -> Air<[R; W]> {
        let zeros = [R::ZERO; W];
        Air { absorption: self.get(layer, row::DEPTH), back: zeros, fraction: self.get(layer, row::FRACTION) }
    }

    #[inline(always)]
    fn compute(&self) {
        self.warp.prepare::<true>();
        let layers = self.warp.layers;
        let mut sky = self.warp.sky();
        let mut depth = [R::ZERO; W];
        for layer in (0..layers).rev() {
            let air = self.warp.air::<ANY_SKY>(layer, &mut sky);
            self.put(layer, row::DEPTH, air.absorption);
            self.put(layer, row::FRACTION, air.fraction);
            self.put(layer, row::BY_DEPTH, [R::ZERO; W]);
            self.put(layer, row::BY_FRACTION, [R::ZERO; W]);
            for lane in 0..W {
                depth[lane] += air.absorption[lane];
            }
        }
        let kernel = self.kernel;
        if kernel.angle_count == 0 {
            self.with_best_secants(&depth);
        }
        for number in 0..kernel.angle_count {
            // Not by a number that the compiler does not know: a GPU would keep all arguments in slow memory.
            let [first, second, third, fourth] = kernel.angles;
            let [secant, weight] = match number {
                0 => first,
                1 => second,
                2 => third,
                _ => fourth,
            };
            self.along(&[secant; W], weight);
        }
        self.to_column();
    }

    /// Each g-point's secant, which the optical depth of the whole column decides, and what that does.
    #[inline(always)]
    fn with_best_secants(&self, depth: &[R; W]) {
        let (mut secants, mut slopes) = ([R::ZERO; W], [R::ZERO; W]);
        for lane in 0..W {
            let [slope, intercept] = self.warp.points.secant_fit(lane);
            let part = slope * (-depth[lane]).exp();
            (secants[lane], slopes[lane]) = (part + intercept, -part);
        }
        let mut by_depth = self.along(&secants, R::ONE);
        for lane in 0..W {
            by_depth[lane] *= slopes[lane];
        }
        for layer in 0..self.warp.layers {
            self.add(layer, row::BY_DEPTH, &by_depth);
        }
    }

    /// There and back along paths of these secants, by which the derivatives are returned.
    #[inline(always)]
    fn along(&self, secants: &[R; W], weight: R) -> [R; W] {
        let at_ground = self.down(secants, weight);
        self.up(&at_ground, weight);
        let by_down = self.up_backward(&at_ground, weight);
        self.down_backward(secants, weight, by_down)
    }

    /// Down through the column, as the sweep goes; returns what arrives at the ground.
    #[inline(always)]
    fn down(&self, secants: &[R; W], weight: R) -> [R; W] {
        let mut radiation = [R::ZERO; W];
        let mut above = self.level_emission(self.warp.layers);
        for layer in (0..self.warp.layers).rev() {
            let (air, below) = (self.air(layer), self.level_emission(layer));
            let mut depth = air.absorption;
            for lane in 0..W {
                depth[lane] *= secants[lane];
            }
            let passage = self.warp.passage(layer, (&depth, &air.fraction), [&above, &below]);
            let kept = row::ALL * layer + row::ABSORPTANCE;
            keep!(self.warp.saved, kept, passage.absorptance, passage.up, radiation);
            let mut lost = [R::ZERO; W];
            for lane in 0..W {
                lost[lane] = passage.absorptance[lane] * radiation[lane] - passage.down[lane];
                radiation[lane] -= lost[lane];
            }
            self.note_absorbed(layer, &lost, weight);
            above = below;
        }
        radiation
    }

    /// From the surface up.
    #[inline(always)]
    fn up(&self, at_ground: &[R; W], weight: R) {
        let emissivity = self.warp.surface(&self.warp.sweep.columns.emissivity);
        let surface = self.warp.emission(Place::Surface, &self.get(0, row::FRACTION));
        let mut radiation = [R::ZERO; W];
        for lane in 0..W {
            radiation[lane] = emissivity[lane] * surface[lane] + (R::ONE - emissivity[lane]) * at_ground[lane];
        }
        for layer in 0..self.warp.layers {
            self.put(layer, row::UP, radiation);
            let (absorptance, emitted) = (self.get(layer, row::ABSORPTANCE), self.get(layer, row::EMITTED));
            let mut gain = [R::ZERO; W];
            for lane in 0..W {
                gain[lane] = absorptance[lane] * radiation[lane] - emitted[lane];
                radiation[lane] -= gain[lane];
            }
            self.note_absorbed(layer, &gain, weight);
        }
    }

    /// Notes what a layer takes of radiation in one direction.
    #[inline(always)]
    fn note_absorbed(&self, layer: usize, taken: &[R; W], weight: R) {
        // SAFETY: the column is the item's own.
        unsafe { self.kernel.backward.note_absorbed(&self.warp, layer, (taken, weight)) };
    }

    /// Back from the top to the surface; returns derivatives by what arrives at the ground.
    #[inline(always)]
    fn up_backward(&self, at_ground: &[R; W], weight: R) -> [R; W] {
        let (warp, backward) = (&self.warp, &self.kernel.backward);
        let mut by_up = [R::ZERO; W];
        for level in (0..=warp.layers).rev() {
            // SAFETY: the column is the item's own.
            let of_level = weight * unsafe { backward.through((level, warp.column)) }.up;
            for value in &mut by_up {
                *value += of_level;
            }
            if level > 0 {
                self.put(level - 1, row::BY_UP, by_up);
                let absorptance = self.get(level - 1, row::ABSORPTANCE);
                for lane in 0..W {
                    by_up[lane] -= absorptance[lane] * by_up[lane];
                }
            }
        }
        let emissivity = warp.surface(&warp.sweep.columns.emissivity);
        let fraction = self.get(0, row::FRACTION);
        let surface = warp.emission(Place::Surface, &fraction);
        let (mut by_emissivity, mut by_emission, mut by_down) = (by_up, by_up, by_up);
        for lane in 0..W {
            by_emissivity[lane] *= surface[lane] - at_ground[lane];
            by_emission[lane] *= emissivity[lane];
            by_down[lane] *= R::ONE - emissivity[lane];
        }
        let rows = warp.sweep.columns.emissivity.levels();
        warp.add_rows(&self.kernel.emissivity, (0, rows), &by_emissivity);
        let by_fraction = self.emission_backward(Place::Surface, &fraction, &by_emission);
        self.add(0, row::BY_FRACTION, &by_fraction);
        by_down
    }

    /// Back from the surface to the top; returns derivatives by the secants.
    #[inline(always)]
    fn down_backward(&self, secants: &[R; W], weight: R, by_ground: [R; W]) -> [R; W] {
        let (warp, backward) = (&self.warp, &self.kernel.backward);
        let layers = warp.layers;
        // SAFETY: the column is the item's own.
        let through = |level| weight * unsafe { backward.through((level, warp.column)) }.down;
        let (mut by_down, mut by_secants) = (by_ground, [R::ZERO; W]);
        for value in &mut by_down {
            *value += through(0);
        }
        let (mut below, mut by_below) = (self.level_emission(0), [R::ZERO; W]);
        for layer in 0..layers {
            let (air, above) = (self.air(layer), self.level_emission(layer + 1));
            let (down, up) = (self.get(layer, row::DOWN), self.get(layer, row::UP));
            let (by_up, absorptance) = (self.get(layer, row::BY_UP), self.get(layer, row::ABSORPTANCE));
            let middle = self.middle(layer, &air, [&above, &below]);
            let (mut by_depth, mut by_source) = ([R::ZERO; W], Source::<[R; W]>::zeros());
            for lane in 0..W {
                let by = Layer {
                    absorptance: -(by_up[lane] * up[lane]) - by_down[lane] * down[lane],
                    down: by_down[lane],
                    up: by_up[lane],
                };
                let source = Source { middle: middle[lane], below: below[lane], above: above[lane] };
                let depth = air.absorption[lane] * secants[lane];
                let (by_path, by_its_source) = of_emission(depth, absorptance[lane], source, by);
                by_source.set(lane, by_its_source);
                by_depth[lane] = by_path * secants[lane];
                by_secants[lane] += by_path * air.absorption[lane];
                by_down[lane] -= absorptance[lane] * by_down[lane];
            }
            self.add(layer, row::BY_DEPTH, &by_depth);
            self.middle_backward(layer, &air, &mut by_source);
            for lane in 0..W {
                by_below[lane] += by_source.below[lane];
            }
            self.level_backward(layer, &by_below);
            (below, by_below) = (above, by_source.above);
            for value in &mut by_down {
                *value += through(layer + 1);
            }
        }
        self.level_backward(layers, &by_below);
        by_secants
    }

    /// From derivatives by optical depths to those by clouds, aerosol and the states of gases.
    #[inline(always)]
    fn to_column(&self) {
        let (warp, backward) = (&self.warp, &self.kernel.backward);
        let mut sky = warp.sky();
        for layer in (0..warp.layers).rev() {
            let (absorption, _) = warp.gases::<true>(layer, &mut sky);
            let by_depth = self.get(layer, row::BY_DEPTH);
            self.add_aerosol(layer, &by_depth);
            // SAFETY: the column is the item's own, the layer one of its.
            unsafe {
                if let Some(cloud) = sky.cloud::<R, ANY_SKY>(warp.sweep, layer, warp.points.lane()) {
                    let by = Depths { absorption: by_depth, scattering: [R::ZERO; W], forward: [R::ZERO; W] };
                    backward.add_cloud(warp, (layer, &cloud), &by, Peak::Kept);
                }
            }
            warp.leave_gas_derivatives::<true>(layer, &absorption, [by_depth, self.get(layer, row::BY_FRACTION)]);
        }
        warp.add_gas_derivatives::<true>(&self.by_state);
    }

    /// Adds derivatives by aerosol.
    #[inline(always)]
    fn add_aerosol(&self, layer: usize, by_absorption: &[R; W]) {
        let (warp, columns) = (&self.warp, &self.warp.sweep.columns);
        let aerosol = &columns.aerosol_absorption_longwave;
        if aerosol.is_empty() {
            return;
        }
        let place = (layer, aerosol.levels() / warp.layers);
        let LongwaveAdjoint { aerosol_depth, aerosol_albedo, .. } = self.kernel;
        if columns.aerosol_albedo_longwave.is_empty() {
            warp.add_rows(aerosol_depth, place, by_absorption);
            return;
        }
        // It is an extinction.
        let depth = warp.spectral(aerosol, place);
        let albedo = warp.spectral(&columns.aerosol_albedo_longwave, place);
        let (mut by_depth, mut by_albedo) = (*by_absorption, *by_absorption);
        for lane in 0..W {
            by_depth[lane] *= R::ONE - albedo[lane];
            by_albedo[lane] *= -depth[lane];
        }
        warp.add_rows(aerosol_depth, place, &by_depth);
        warp.add_rows(aerosol_albedo, place, &by_albedo);
    }
}
