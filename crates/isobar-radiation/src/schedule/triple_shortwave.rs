//! Short-wave radiation of a column whose layers have regions (Tripleclouds), at a warp's g-points: up from the
//! surface, then down.
//!
//! On the way up it is found what all below a level reflects of diffuse light (`albedo`) and of the sun's beam
//! (`direct`), for each region of the layer above the level: light comes back to the region from which it came (Shonk
//! and Hogan 2008: without anomalous horizontal transport). On the way down light divides among the regions of each
//! layer.

use isobar_core::{Kernel, Lanes, PerLane, Real, Status, Team};

use super::sunlight;
use super::triple::{seen, spread};
use super::warp::{Warp, bytes};
use crate::arguments::{TripleShortwaveSweeps, sum};
use crate::physics::particles::Depths;
use crate::physics::regions::{Each, REGIONS, Regions};

/// Rows that are kept of a layer's region: `albedo` and `direct` of what is below; what of the beam is lost; what comes
/// out below of diffuse light and of the beam; what is absorbed of diffuse light and of the beam.
const ROWS: usize = 7;

/// Rows of a column and warp.
pub(crate) fn rows(layers: usize) -> usize {
    ROWS * REGIONS * layers
}

// SAFETY: an item writes what its own warp keeps, and its sums.
unsafe impl<R: Real> Kernel for TripleShortwaveSweeps<'_, R> {
    const NAME: &'static str = "radiation_shortwave_triple";
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
        // SAFETY: columns are those of the views. The caller's; the kernel of gas states comes first.
        unsafe {
            let [segment, column] = self.sweep.place(index);
            let cosine = self.sweep.columns.cosine_zenith.get(column);
            if cosine > R::ZERO {
                let warp = self.sweep.warp([segment, column], rows(self.sweep.columns.layers()), lanes);
                warp.prepare::<false>();
                let item = Item { warp, cosine };
                let below = item.up();
                item.down(&below, item.warp.beam(self.irradiance_w_per_m2, cosine));
            }
        }
        Status::OK
    }
}

/// A column and warp.
struct Item<'k, 'a, R, const W: usize> {
    warp: Warp<'k, 'a, R, W>,
    cosine: R,
}

/// What all below a level reflects, for each region of the layer above it.
#[derive(Clone, Copy)]
struct Below<R, const W: usize> {
    /// Of diffuse light.
    albedo: Each<[R; W]>,
    /// Of the sun's beam.
    direct: Each<[R; W]>,
}

impl<R: Real, const W: usize> Item<'_, '_, R, W> {
    /// The row of a layer's region.
    #[inline(always)]
    fn row(layer: usize, region: usize) -> usize {
        ROWS * (REGIONS * layer + region)
    }

    /// Up from the surface: what the uppermost layer and all below reflect.
    #[inline(always)]
    fn up(&self) -> Below<R, W> {
        let warp = &self.warp;
        let [direct, diffuse] = warp.albedos();
        let mut below = Below { albedo: Each::same(diffuse), direct: Each::same(direct) };
        let mut here = warp.regions(0);
        for number in 0..warp.layers {
            below = self.onto(number, &here, &below);
            let above = warp.regions(number + 1);
            if here.is_cloudy() || above.is_cloudy() {
                let parts = above.next_to(&here, warp.overlap(number));
                below = Below { albedo: seen(&below.albedo, &parts), direct: seen(&below.direct, &parts) };
            }
            here = above;
        }
        below
    }

    /// A layer onto what is below it.
    #[inline(always)]
    fn onto(&self, number: usize, here: &Regions<R>, below: &Below<R, W>) -> Below<R, W> {
        let warp = &self.warp;
        let clear = warp.clear_depths(number, warp.gases_of::<false>(number), false);
        let mut cloud = Depths::<[R; W]>::zeros();
        if here.is_cloudy() {
            let mut particles = warp.sweep.cloud((number, warp.column), warp.points.lane());
            warp.sweep.add_rain_and_snow((number, warp.column), warp.points.lane(), &mut particles);
            sunlight::add(&mut cloud, &particles, false);
        }
        let mut all = Below { albedo: Each::zeros(), direct: Each::zeros() };
        for region in 0..here.count() {
            let (mut depths, part) = (clear, here.depth(region));
            for lane in 0..W {
                depths.set(lane, clear.lane(lane).with(cloud.lane(lane), part));
            }
            let layer = sunlight::layer(&depths, self.cosine);
            let (albedo, direct) = (below.albedo.of(region), below.direct.of(region));
            let (mut to_albedo, mut to_direct) = ([R::ZERO; W], [R::ZERO; W]);
            let (mut through, mut scattered, mut absorbed) = ([R::ZERO; W], [R::ZERO; W], [R::ZERO; W]);
            for lane in 0..W {
                let (reflectance, transmittance) = (layer.reflectance[lane], layer.transmittance[lane]);
                // Light goes to and fro between the layer and what is below it: Shonk and Hogan 2008, Eq. 10.
                let between = R::ONE / (R::ONE - albedo[lane] * reflectance);
                through[lane] = transmittance * between;
                let rising = direct[lane] * (R::ONE - layer.extinct[lane]);
                scattered[lane] = (layer.down[lane] + reflectance * rising) * between;
                // Eq. 9, and Eq. 11 with the sun's beam for the source.
                to_albedo[lane] = reflectance + transmittance * albedo[lane] * through[lane];
                to_direct[lane] = layer.up[lane] + transmittance * (rising + albedo[lane] * scattered[lane]);
                absorbed[lane] = layer.extinct[lane] - (layer.up[lane] + layer.down[lane]);
            }
            let row = Self::row(number, region);
            warp.saved.put(row, albedo);
            warp.saved.put(row + 1, direct);
            warp.saved.put(row + 2, layer.extinct);
            warp.saved.put(row + 3, through);
            warp.saved.put(row + 4, scattered);
            warp.saved.put(row + 5, layer.absorptance);
            warp.saved.put(row + 6, absorbed);
            all.albedo.put(region, to_albedo);
            all.direct.put(region, to_direct);
        }
        all
    }

    /// Down from the top, above which there is no cloud.
    #[inline(always)]
    fn down(&self, below: &Below<R, W>, incoming: [R; W]) {
        let (warp, all) = (&self.warp, (R::ONE, true));
        let (mut beam, mut light) = (Each::same([R::ZERO; W]), Each::same([R::ZERO; W]));
        beam.put(0, incoming);
        let mut up = below.direct.of(0);
        for lane in 0..W {
            up[lane] *= incoming[lane];
        }
        let zeros = [R::ZERO; W];
        warp.sums.put_two((warp.layers, sum::DOWN), [incoming, zeros], warp.lanes, all);
        warp.sums.put_three((warp.layers, sum::UP), [up, zeros, zeros], warp.lanes, all);
        let mut above = Regions::clear();
        for number in (0..warp.layers).rev() {
            let here = warp.regions(number);
            if here.is_cloudy() || above.is_cloudy() {
                let parts = above.next_to(&here, warp.overlap(number));
                (beam, light) = (spread(&beam, &parts), spread(&light, &parts));
            }
            let (mut sum_beam, mut sum_up, mut sum_light) = (zeros, zeros, zeros);
            let (mut of_beam, mut of_light) = (zeros, zeros);
            for region in 0..here.count() {
                let row = Self::row(number, region);
                let (albedo, direct) = (warp.saved.get::<W>(row), warp.saved.get::<W>(row + 1));
                let extinct = warp.saved.get::<W>(row + 2);
                let (through, scattered) = (warp.saved.get::<W>(row + 3), warp.saved.get::<W>(row + 4));
                let (absorptance, absorbed) = (warp.saved.get::<W>(row + 5), warp.saved.get::<W>(row + 6));
                let (mut its_beam, mut its_light) = (beam.of(region), light.of(region));
                for lane in 0..W {
                    let (beam, light) = (its_beam[lane], its_light[lane]);
                    its_beam[lane] = beam - extinct[lane] * beam;
                    its_light[lane] = through[lane] * light + scattered[lane] * beam;
                    // Eq. 12.
                    let rising = albedo[lane] * its_light[lane] + direct[lane] * its_beam[lane];
                    of_beam[lane] += absorbed[lane] * beam;
                    of_light[lane] += absorptance[lane] * (light + rising);
                    sum_beam[lane] += its_beam[lane];
                    sum_light[lane] += its_light[lane];
                    sum_up[lane] += rising;
                }
                beam.put(region, its_beam);
                light.put(region, its_light);
            }
            warp.sums.put_two((number, sum::DOWN), [sum_beam, of_beam], warp.lanes, all);
            warp.sums.put_three((number, sum::UP), [sum_up, of_light, sum_light], warp.lanes, all);
            above = here;
        }
    }
}
