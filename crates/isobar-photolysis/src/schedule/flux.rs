//! Actinic flux of a bin in 32 neighbouring columns: down through the layers, which become one that grows, the ground,
//! up.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};
use isobar_radiation::light::{Above, absorbed, decay, layer};

use crate::physics::beam::beam;
use crate::schedule::arguments::{Flux, ROWS};
use crate::schedule::paths::DARK;

/// A column and bin.
struct Item<'k, 'a, R> {
    kernel: &'k Flux<'a, R>,
    layers: usize,
    bin: usize,
    column: usize,
}

/// Computes those of an item.
#[inline(always)]
pub(crate) fn compute<R: Real, const W: usize>(kernel: &Flux<'_, R>, index: usize, lanes: &Lanes<W>) {
    let (layers, columns) = (kernel.columns.temperature_k.levels(), kernel.columns.temperature_k.items());
    let bins = kernel.optics.bins as usize;
    for lane in 0..W {
        let column = index / bins * WARP + lanes.first() + lane;
        if column < columns {
            Item { kernel, layers, bin: index % bins, column }.compute();
        }
    }
}

impl<R: Real> Item<'_, '_, R> {
    /// The row of a number that is kept.
    #[inline(always)]
    fn kept(&self, row: usize) -> usize {
        self.bin * Flux::<R>::rows(self.layers) + row
    }

    #[inline(always)]
    fn keep(&self, row: usize, value: R) {
        self.kernel.kept.set(self.kept(row), self.column, value);
    }

    #[inline(always)]
    fn get(&self, row: usize) -> R {
        self.kernel.kept.at(self.kept(row), self.column)
    }

    /// Absorption, scattering and the forward part of it in a layer, without the forward peak.
    #[inline(always)]
    fn depths(&self, number: usize) -> isobar_radiation::light::Depths<R> {
        let columns = &self.kernel.columns;
        let cloud = &columns.cloud_optical_depth;
        let cloud = if cloud.is_empty() { R::ZERO } else { cloud.at(number, self.column) };
        let amounts =
            [columns.air_per_cm2.at(number, self.column), columns.ozone_per_cm2.at(number, self.column), cloud];
        let place = self.kernel.optics.place(columns.temperature_k.at(number, self.column));
        self.kernel.optics.depths(self.bin, place, amounts)
    }

    /// Optical depth along the slant path to a level, and the photons that arrive of 1; none in the dark.
    #[inline(always)]
    fn arrives(&self, level: usize) -> [R; 2] {
        let mut path = R::ZERO;
        for number in 0..self.layers {
            let times = self.kernel.paths.at(level * self.layers + number, self.column);
            if times.value() == DARK {
                return [path, R::ZERO];
            }
            path = Real::mul_add(times, self.get(ROWS * (self.layers + 1) + number), path);
        }
        [path, R::ONE - absorbed(path)]
    }

    #[inline(always)]
    fn compute(&self) {
        let columns = &self.kernel.columns;
        let sun = self.kernel.optics.sun.at(self.bin) * columns.nearness.at(self.column);
        for number in 0..self.layers {
            let depths = self.depths(number);
            self.keep(ROWS * (self.layers + 1) + number, depths.absorption + depths.scattering);
        }
        let mut above = Above { sky: R::ZERO, glow: R::ZERO };
        let [mut path, mut photons] = self.arrives(self.layers);
        for number in (0..self.layers).rev() {
            let [path_below, photons_below] = self.arrives(number);
            let depths = self.depths(number);
            let depth = depths.absorption + depths.scattering;
            let light = beam([photons, photons_below], [path, path_below], depth);
            let decays = decay(depths, light.cosine);
            let does = layer(decays, light.cosine, [absorbed(decays.exponent), light.extinct]);
            // What the layer takes from the beam is its optical depth of the mean.
            let taken = sun * light.mean * depth / light.extinct.max(R::MIN_POSITIVE);
            let row = ROWS * (number + 1);
            self.keep(row, above.sky);
            self.keep(row + 1, above.glow);
            let (below, rise) = above.add([does.reflectance, does.transmittance], [does.up * taken, does.down * taken]);
            above = below;
            self.keep(row + 2, rise.gain);
            self.keep(row + 3, rise.offset);
            self.put(number, sun * light.mean);
            (path, photons) = (path_below, photons_below);
        }
        let (albedo, cosine) = (columns.albedo.at(self.column), columns.cosine_of_zenith.at(self.column));
        let direct = sun * photons * cosine.max(R::ZERO);
        let mut up = albedo * (above.glow + direct) / (R::ONE - albedo * above.sky);
        let mut both = up + Real::mul_add(above.sky, up, above.glow);
        for number in 0..self.layers {
            let row = ROWS * (number + 1);
            up = Real::mul_add(self.get(row + 2), up, self.get(row + 3));
            let both_above = up + Real::mul_add(self.get(row), up, self.get(row + 1));
            // Photons of diffuse light are twice its flux, of each hemisphere: that is how these two streams are made.
            self.put(number, self.direct(number) + (both + both_above));
            both = both_above;
        }
    }

    #[inline(always)]
    fn put(&self, number: usize, value: R) {
        self.kernel.actinic_flux_per_cm2_s.set(self.bin * self.layers + number, self.column, value);
    }

    #[inline(always)]
    fn direct(&self, number: usize) -> R {
        self.kernel.actinic_flux_per_cm2_s.at(self.bin * self.layers + number, self.column)
    }
}
