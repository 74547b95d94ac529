//! The short wave backward: from derivatives by what goes through levels to those by what layers do to light, and from
//! these to those by what is in the layers. Names are those of [`crate::schedule::shortwave`]; `by_x` is the derivative
//! by `x`.

use isobar_core::{FieldMut, Kernel, Lanes, PerLane, Real, Status, Team};
use isobar_optics::state::ColumnState;

use super::backward::Backward;
use super::particles::Peak;
use super::{depths, keep};
use crate::arguments::ANY_SKY;
use crate::physics::adding::Above;
use crate::physics::adjoint::{of_aerosol, of_delta_scaled};
use crate::physics::particles::Depths;
use crate::physics::two_stream::Layer;
use crate::physics::two_stream_slopes;
use crate::schedule::sky::Sky;
use crate::schedule::sunlight::{self, Sunlit};
use crate::schedule::tiles;
use crate::schedule::warp::{Warp, bytes};

/// Rows that are kept of a layer.
mod row {
    /// Optical depths, three, before the forward peak of the mixture is taken away; then derivatives by them.
    pub(super) const DEPTHS: usize = 0;
    /// At the level above: the beam, and `sky` and `glow` of all that is above.
    pub(super) const BEAM: usize = 3;
    pub(super) const SKY: usize = 4;
    pub(super) const GLOW: usize = 5;
    /// What goes up through the level above by what goes up through that below.
    pub(super) const GAIN: usize = 6;
    pub(super) const OFFSET: usize = 7;
    /// Derivatives by these two and, from what goes through the level above, by `sky` and `glow`.
    pub(super) const BY_GAIN: usize = 8;
    pub(super) const BY_OFFSET: usize = 9;
    pub(super) const BY_SKY: usize = 10;
    pub(super) const BY_GLOW: usize = 11;
    /// What goes up through the level below.
    pub(super) const UP: usize = 12;
    pub(super) const ALL: usize = 13;
}

/// Rows of a column and warp.
pub(crate) fn rows(layers: usize) -> usize {
    row::ALL * layers
}

/// Derivatives by columns from those by their short-wave fluxes: a column is an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ShortwaveAdjoint<'a, R> {
    pub(crate) backward: Backward<'a, R>,
    /// Where derivatives by the sun go.
    pub(crate) cosine_zenith: FieldMut<'a, R>,
    pub(crate) total_solar_irradiance_w_per_m2: FieldMut<'a, R>,
    /// Those by the surface: the second is the first where columns have one albedo.
    pub(crate) albedo_direct: FieldMut<'a, R>,
    pub(crate) albedo_diffuse: FieldMut<'a, R>,
    /// Those by extinction, albedo and asymmetry of aerosol.
    pub(crate) aerosol: [FieldMut<'a, R>; 3],
    /// As in [`crate::ShortwaveSweeps`].
    pub(crate) irradiance_w_per_m2: R,
    pub(crate) scales_mixture: u32,
}

// SAFETY: an item writes what is its own column's.
unsafe impl<R: Real> Kernel for ShortwaveAdjoint<'_, R> {
    const NAME: &'static str = "radiation_shortwave_adjoint";
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
            let cosine = backward.sweep.columns.cosine_zenith.get(column);
            if cosine > R::ZERO {
                backward.begin_levels(column, lanes);
                for segment in 0..backward.sweep.tables.segments as usize {
                    let warp = backward.warp([segment, column], rows(backward.sweep.columns.layers()), lanes);
                    Item { kernel: self, warp, by_state, cosine }.compute();
                }
                backward.end_levels(column, lanes);
            }
        }
        Status::OK
    }
}

/// A column and warp.
struct Item<'k, 'a, R, const W: usize> {
    kernel: &'k ShortwaveAdjoint<'a, R>,
    warp: Warp<'k, 'a, R, W>,
    by_state: ColumnState<R>,
    cosine: R,
}

/// What there is at the ground.
struct Ground<R, const W: usize> {
    above: Above<[R; W]>,
    beam: [R; W],
    up: [R; W],
}

impl<R: Real, const W: usize> Item<'_, '_, R, W> {
    #[inline(always)]
    fn get(&self, layer: usize, which: usize) -> [R; W] {
        self.warp.saved.get(row::ALL * layer + which)
    }

    #[inline(always)]
    fn put(&self, layer: usize, which: usize, values: [R; W]) {
        self.warp.saved.put(row::ALL * layer + which, values);
    }

    #[inline(always)]
    fn scales_mixture(&self) -> bool {
        self.kernel.scales_mixture != 0
    }

    /// Whose forward peak was taken away before particles came to the others.
    #[inline(always)]
    fn peak(&self) -> Peak {
        if self.scales_mixture() { Peak::Kept } else { Peak::Taken }
    }

    #[inline(always)]
    fn compute(&self) {
        self.warp.prepare::<false>();
        let ground = self.down();
        let by_ground = self.up_backward(&ground);
        self.down_backward(by_ground);
        self.to_column();
    }

    /// Optical depths of gases, aerosol and clouds in a layer.
    #[inline(always)]
    fn depths(&self, layer: usize, sky: &mut Sky<W>) -> Depths<[R; W]> {
        let (warp, mixture) = (&self.warp, self.scales_mixture());
        let mut depths = warp.clear_depths(layer, warp.gases::<false>(layer, sky), mixture);
        if let Some(cloud) = sky.cloud::<R, ANY_SKY>(warp.sweep, layer, warp.points.lane()) {
            sunlight::add(&mut depths, &cloud, mixture);
        }
        depths
    }

    /// Optical depths as the two streams have them.
    #[inline(always)]
    fn scaled(&self, mut depths: Depths<[R; W]>) -> Depths<[R; W]> {
        if self.scales_mixture() {
            for lane in 0..W {
                depths.set(lane, depths.lane(lane).delta_scaled());
            }
        }
        depths
    }

    /// Down through the column and up again, as the sweep goes.
    #[inline(always)]
    fn down(&self) -> Ground<R, W> {
        let warp = &self.warp;
        let mut beam = warp.beam(self.kernel.irradiance_w_per_m2, self.cosine);
        let (mut sky, mut above) = (warp.sky(), Above::<[R; W]>::zeros());
        for number in (0..warp.layers).rev() {
            let depths = self.depths(number, &mut sky);
            let first = row::ALL * number;
            keep!(warp.saved, first + row::DEPTHS, depths.absorption, depths.scattering, depths.forward);
            let mut layer = sunlight::layer(&self.scaled(depths), self.cosine);
            keep!(warp.saved, first + row::BEAM, beam, above.sky, above.glow);
            for lane in 0..W {
                layer.up[lane] *= beam[lane];
                layer.down[lane] *= beam[lane];
                beam[lane] -= layer.extinct[lane] * beam[lane];
            }
            let does = [&layer.reflectance, &layer.transmittance];
            let rise = tiles::add(&mut above, does, [&layer.up, &layer.down]);
            keep!(warp.saved, first + row::GAIN, rise.gain, rise.offset);
        }
        let [direct, diffuse] = warp.albedos();
        let mut up = [R::ZERO; W];
        for lane in 0..W {
            let reflected = diffuse[lane] * above.glow[lane] + direct[lane] * beam[lane];
            up[lane] = reflected / (R::ONE - diffuse[lane] * above.sky[lane]);
        }
        let (mut rising, mut within) = (up, up);
        for lane in 0..W {
            within[lane] = above.sky[lane] * up[lane] + above.glow[lane] + beam[lane] - up[lane];
        }
        for number in 0..warp.layers {
            self.put(number, row::UP, rising);
            let (gain, offset) = (self.get(number, row::GAIN), self.get(number, row::OFFSET));
            let mut absorbed = within;
            for lane in 0..W {
                rising[lane] = gain[lane] * rising[lane] + offset[lane];
            }
            let (sky, glow) = (self.get(number, row::SKY), self.get(number, row::GLOW));
            let beam = self.get(number, row::BEAM);
            for lane in 0..W {
                within[lane] = sky[lane] * rising[lane] + glow[lane] + beam[lane] - rising[lane];
                absorbed[lane] = within[lane] - absorbed[lane];
            }
            self.note_absorbed(number, &absorbed);
        }
        Ground { above, beam, up }
    }

    /// Notes what a layer takes of all light, the difference of what goes downward on balance.
    #[inline(always)]
    fn note_absorbed(&self, layer: usize, taken: &[R; W]) {
        // SAFETY: the column is the item's own.
        unsafe { self.kernel.backward.note_absorbed(&self.warp, layer, (taken, R::ONE)) };
    }

    /// Back from the top to the surface; returns derivatives by what is above the surface, and by the beam there.
    #[inline(always)]
    fn up_backward(&self, ground: &Ground<R, W>) -> (Above<[R; W]>, [R; W]) {
        let (warp, backward) = (&self.warp, &self.kernel.backward);
        let mut by_up = [R::ZERO; W];
        for number in (0..warp.layers).rev() {
            // SAFETY: the column is the item's own.
            let by = unsafe { backward.through((number + 1, warp.column)) };
            let (here, gain) = (self.get(number, row::UP), self.get(number, row::GAIN));
            let (sky, offset) = (self.get(number, row::SKY), self.get(number, row::OFFSET));
            let (mut by_gain, mut by_sky) = ([R::ZERO; W], [R::ZERO; W]);
            for lane in 0..W {
                // Downward is what comes from above, and what it reflects of what goes up.
                by_up[lane] += by.up + by.down * sky[lane];
                by_sky[lane] = by.down * (gain[lane] * here[lane] + offset[lane]);
                by_gain[lane] = by_up[lane] * here[lane];
            }
            let first = row::ALL * number + row::BY_GAIN;
            keep!(warp.saved, first, by_gain, by_up, by_sky, [by.down; W]);
            for lane in 0..W {
                by_up[lane] *= gain[lane];
            }
        }
        // SAFETY: as above.
        let by = unsafe { backward.through((0, warp.column)) };
        let [direct, diffuse] = warp.albedos();
        let Ground { above, beam, up } = ground;
        let (mut by_above, mut by_beam) = (Above::<[R; W]>::zeros(), [by.beam; W]);
        let (mut by_direct, mut by_diffuse) = ([R::ZERO; W], [R::ZERO; W]);
        for lane in 0..W {
            let by_up = by_up[lane] + by.up + by.down * above.sky[lane];
            let by_reflected = by_up / (R::ONE - diffuse[lane] * above.sky[lane]);
            by_above.glow[lane] = by.down + by_reflected * diffuse[lane];
            by_above.sky[lane] = (by.down + by_reflected * diffuse[lane]) * up[lane];
            by_beam[lane] += by_reflected * direct[lane];
            by_direct[lane] = by_reflected * beam[lane];
            by_diffuse[lane] = by_reflected * (above.glow[lane] + above.sky[lane] * up[lane]);
        }
        let rows = warp.sweep.columns.surface_albedo_direct.levels();
        warp.add_rows(&self.kernel.albedo_direct, (0, rows), &by_direct);
        warp.add_rows(&self.kernel.albedo_diffuse, (0, rows), &by_diffuse);
        (by_above, by_beam)
    }

    /// Back from the surface to the top: through layers that were added to what is above, and through the beam.
    #[inline(always)]
    fn down_backward(&self, (mut by_above, mut by_beam): (Above<[R; W]>, [R; W])) {
        let (warp, backward) = (&self.warp, &self.kernel.backward);
        let mut by_cosine = [R::ZERO; W];
        for number in 0..warp.layers {
            let depths = depths::<R, W>(&warp.saved, row::ALL * number + row::DEPTHS);
            let scaled = self.scaled(depths);
            let Sunlit { k, gone: [lost, extinct], layer } = sunlight::sunlit(&scaled, self.cosine);
            let (beam, sky, glow) =
                (self.get(number, row::BEAM), self.get(number, row::SKY), self.get(number, row::GLOW));
            let (by_gain, by_offset) = (self.get(number, row::BY_GAIN), self.get(number, row::BY_OFFSET));
            let (by_sky, by_glow) = (self.get(number, row::BY_SKY), self.get(number, row::BY_GLOW));
            // SAFETY: the column is the item's own.
            let by_level = unsafe { backward.through((number + 1, warp.column)) }.beam;
            let (mut by_depths, mut by_next) = (Depths::<[R; W]>::zeros(), Above::<[R; W]>::zeros());
            for lane in 0..W {
                let Layer { reflectance, transmittance, up, down, .. } = layer.lane(lane);
                let above = Above { sky: sky[lane], glow: glow[lane] };
                let does = [reflectance, transmittance];
                let sends = [up * beam[lane], down * beam[lane]];
                let (by_its, by) =
                    above.add_backward(does, sends[0], by_above.lane(lane), [by_gain[lane], by_offset[lane]]);
                let by_layer = Layer {
                    reflectance: by.reflectance,
                    transmittance: by.transmittance,
                    extinct: -(by_beam[lane] * beam[lane]),
                    up: by.up * beam[lane],
                    down: by.down * beam[lane],
                    // Heating is by the fluxes here.
                    absorptance: R::ZERO,
                };
                by_beam[lane] += by_level - by_beam[lane] * extinct[lane] + by.up * up + by.down * down;
                by_next.set(lane, Above { sky: by_its.sky + by_sky[lane], glow: by_its.glow + by_glow[lane] });
                let gone = [lost[lane], extinct[lane]];
                let (by_scaled, by_its_cosine) =
                    two_stream_slopes::backward(scaled.lane(lane), self.cosine, k[lane], gone, by_layer);
                by_cosine[lane] += by_its_cosine;
                let by_its_depths =
                    if self.scales_mixture() { of_delta_scaled(depths.lane(lane), by_scaled) } else { by_scaled };
                by_depths.set(lane, by_its_depths);
            }
            by_above = by_next;
            let Depths { absorption, scattering, forward } = by_depths;
            keep!(warp.saved, row::ALL * number + row::DEPTHS, absorption, scattering, forward);
        }
        self.to_sun(&by_beam, by_cosine);
    }

    /// Adds derivatives by the sun, from those by its beam at the top and by the cosine in layers.
    #[inline(always)]
    fn to_sun(&self, by_beam: &[R; W], mut by_cosine: [R; W]) {
        let warp = &self.warp;
        let mut by_irradiance = warp.points.solar_parts();
        for lane in 0..W {
            by_irradiance[lane] *= self.cosine * by_beam[lane];
        }
        // The irradiance of a g-point, from a beam under a sun at the zenith.
        let parts = warp.beam(self.kernel.irradiance_w_per_m2, R::ONE);
        for lane in 0..W {
            by_cosine[lane] += parts[lane] * by_beam[lane];
        }
        warp.add_sum(&self.kernel.total_solar_irradiance_w_per_m2, 0, by_irradiance);
        warp.add_sum(&self.kernel.cosine_zenith, 0, by_cosine);
    }

    /// From derivatives by optical depths to those by clouds, aerosol and the states of gases.
    #[inline(always)]
    fn to_column(&self) {
        let (warp, backward) = (&self.warp, &self.kernel.backward);
        let mut sky = warp.sky();
        for layer in (0..warp.layers).rev() {
            let (absorption, _) = warp.gases::<false>(layer, &mut sky);
            let by = depths::<R, W>(&warp.saved, row::ALL * layer + row::DEPTHS);
            self.add_aerosol(layer, &by);
            // SAFETY: the column is the item's own, the layer one of its.
            unsafe {
                if let Some(cloud) = sky.cloud::<R, ANY_SKY>(warp.sweep, layer, warp.points.lane()) {
                    backward.add_cloud(warp, (layer, &cloud), &by, self.peak());
                }
            }
            warp.leave_gas_derivatives::<false>(layer, &absorption, [by.absorption, by.scattering]);
        }
        warp.add_gas_derivatives::<false>(&self.by_state);
    }

    /// Adds derivatives by aerosol.
    #[inline(always)]
    fn add_aerosol(&self, layer: usize, by: &Depths<[R; W]>) {
        let (warp, columns) = (&self.warp, &self.warp.sweep.columns);
        if columns.aerosol_optical_depth.is_empty() {
            return;
        }
        let place = (layer, columns.aerosol_optical_depth.levels() / warp.layers);
        let depth = warp.spectral(&columns.aerosol_optical_depth, place);
        let albedo = warp.spectral(&columns.aerosol_albedo, place);
        let asymmetry = warp.spectral(&columns.aerosol_asymmetry, place);
        let mut by_aerosol = [[R::ZERO; W]; 3];
        for lane in 0..W {
            let optics = [depth[lane], albedo[lane], asymmetry[lane]];
            let mut by = by.lane(lane);
            if self.peak() == Peak::Taken {
                let scattering = optics[0] * optics[1];
                let aerosol =
                    Depths { absorption: optics[0] - scattering, scattering, forward: scattering * optics[2] };
                by = of_delta_scaled(aerosol, by);
            }
            let by = of_aerosol(optics, &by);
            for which in 0..3 {
                by_aerosol[which][lane] = by[which];
            }
        }
        for which in 0..3 {
            warp.add_rows(&self.kernel.aerosol[which], place, &by_aerosol[which]);
        }
    }
}
