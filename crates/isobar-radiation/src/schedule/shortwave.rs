//! Short-wave radiation of a column at a warp's g-points: down through the layers, which become one that grows, the
//! surface, up.
//!
//! The layers above a level reflect diffuse light from below (`sky`) and send light of their own downward (`glow`).
//! What goes up through the level above is linear in what goes up here: `gain * up + offset`. So two sweeps are enough,
//! and four numbers are kept a level.

use isobar_core::{Kernel, Lanes, PerLane, Real, Status, Team};

use super::sky::Sky;
use super::sunlight;
use super::tiles;
use super::warp::{Warp, bytes};
use crate::arguments::{ANY_SKY, CLEAR, CLOUDY, ShortwaveSweeps, band_sum, sum};
use crate::physics::adding::Above;
use crate::physics::particles::Depths;

/// Rows that are kept of a level: `sky`, `glow`, and `gain`, `offset` and absorptance of the layer below it.
const ROWS: usize = 5;

/// Rows of a column and warp.
pub(crate) fn rows(layers: usize) -> usize {
    ROWS * (layers + 1)
}

// SAFETY: an item writes what its own warp keeps, and its sums.
unsafe impl<R: Real, const SKY: u32> Kernel for ShortwaveSweeps<'_, R, SKY> {
    const NAME: &'static str = match SKY {
        CLEAR => "radiation_shortwave_clear",
        CLOUDY => "radiation_shortwave_cloudy",
        _ => "radiation_shortwave_any",
    };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.sweep.items()
    }

    fn memory_bytes(&self) -> usize {
        let layers = self.sweep.columns.layers();
        bytes::<R>(rows(layers), layers)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let place = self.sweep.place(index);
        // SAFETY: columns are those of the views. The caller's; the kernel of gas states comes first.
        unsafe {
            if self.sweep.columns.cosine_zenith.get(place[1]) > R::ZERO {
                let warp = self.sweep.warp(place, rows(self.sweep.columns.layers()), lanes);
                Item { kernel: self, warp }.compute();
            }
        }
        Status::OK
    }
}

/// A column and warp.
struct Item<'k, 'a, R, const SKY: u32, const W: usize> {
    kernel: &'k ShortwaveSweeps<'a, R, SKY>,
    warp: Warp<'k, 'a, R, W>,
}

impl<R: Real, const SKY: u32, const W: usize> Item<'_, '_, R, SKY, W> {
    /// Optical depths of gases, aerosol and clouds in a layer.
    #[inline(always)]
    fn depths(&self, layer: usize, sky: &mut Sky<W>) -> Depths<[R; W]> {
        let warp = &self.warp;
        let mixture = self.scales_mixture();
        let mut depths = warp.clear_depths(layer, warp.gases::<false>(layer, sky), mixture);
        if let Some(cloud) = sky.cloud::<R, SKY>(warp.sweep, layer, warp.points.lane()) {
            sunlight::add(&mut depths, &cloud, mixture);
        }
        if mixture {
            for lane in 0..W {
                depths.set(lane, depths.lane(lane).delta_scaled());
            }
        }
        depths
    }

    /// Is the forward peak that of all that scatters in a layer?
    #[inline(always)]
    fn scales_mixture(&self) -> bool {
        SKY & ANY_SKY != 0 && self.kernel.scales_mixture != 0
    }

    #[inline(always)]
    fn compute(&self) {
        self.warp.prepare::<false>();
        let warp = &self.warp;
        let columns = &warp.sweep.columns;
        let (layers, all) = (warp.layers, (R::ONE, true));
        // SAFETY: the column is one of the view.
        let cosine = unsafe { columns.cosine_zenith.get(warp.column) };
        let mut beam = warp.beam(self.kernel.irradiance_w_per_m2, cosine);
        let mut within = warp.sky();
        let mut above = Above::<[R; W]>::zeros();
        warp.sums.put_two((layers, sum::DOWN), [beam, [R::ZERO; W]], warp.lanes, all);
        warp.put_bands::<SKY>((layers, band_sum::DOWN), &beam, all);
        for number in (0..layers).rev() {
            let mut layer = sunlight::layer(&self.depths(number, &mut within), cosine);
            // What is absorbed of the beam, and below of diffuse light: of differences of fluxes a thin layer's heating
            // would be rounding.
            let mut absorbed = [R::ZERO; W];
            for lane in 0..W {
                layer.up[lane] *= beam[lane];
                layer.down[lane] *= beam[lane];
                let taken = layer.extinct[lane] * beam[lane];
                absorbed[lane] = taken - (layer.up[lane] + layer.down[lane]);
                beam[lane] -= taken;
            }
            let row = ROWS * (number + 1);
            warp.saved.put(row, above.sky);
            warp.saved.put(row + 1, above.glow);
            let does = [&layer.reflectance, &layer.transmittance];
            let rise = tiles::add(&mut above, does, [&layer.up, &layer.down]);
            warp.saved.put(row + 2, rise.gain);
            warp.saved.put(row + 3, rise.offset);
            warp.saved.put(row + 4, layer.absorptance);
            warp.sums.put_two((number, sum::DOWN), [beam, absorbed], warp.lanes, all);
            warp.put_bands::<SKY>((number, band_sum::DOWN), &beam, all);
        }

        let [direct, diffuse] = warp.albedos();
        let (mut up, mut down) = ([R::ZERO; W], [R::ZERO; W]);
        for lane in 0..W {
            let (sky, glow) = (above.sky[lane], above.glow[lane]);
            let reflected = diffuse[lane] * glow + direct[lane] * beam[lane];
            up[lane] = reflected / (R::ONE - diffuse[lane] * sky);
            down[lane] = sky * up[lane] + glow;
        }
        for number in 0..layers {
            let row = ROWS * (number + 1);
            let (sky, glow) = (warp.saved.get::<W>(row), warp.saved.get::<W>(row + 1));
            let (gain, offset) = (warp.saved.get::<W>(row + 2), warp.saved.get::<W>(row + 3));
            let absorptance = warp.saved.get::<W>(row + 4);
            let (here_up, here_down, mut gained) = (up, down, [R::ZERO; W]);
            for lane in 0..W {
                up[lane] = gain[lane] * up[lane] + offset[lane];
                down[lane] = sky[lane] * up[lane] + glow[lane];
                gained[lane] = absorptance[lane] * (here_up[lane] + down[lane]);
            }
            warp.sums.put_three((number, sum::UP), [here_up, gained, here_down], warp.lanes, all);
            warp.put_bands::<SKY>((number, band_sum::UP), &here_up, all);
            warp.put_bands::<SKY>((number, band_sum::DIFFUSE), &here_down, all);
        }
        warp.sums.put_three((layers, sum::UP), [up, [R::ZERO; W], down], warp.lanes, all);
        warp.put_bands::<SKY>((layers, band_sum::UP), &up, all);
        warp.put_bands::<SKY>((layers, band_sum::DIFFUSE), &down, all);
    }
}
