//! What a layer is made of, for light of a bin.

use isobar_core::{Column, Real};
use isobar_radiation::light::Depths;

/// Parts of oxygen in air.
const OXYGEN: f64 = 0.2095;

/// The tables of bins and absorbers. Temperatures have nodes at equal distances; beyond the ends those of the ends
/// count.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Optics<'a, R> {
    /// Photons of the Sun at its mean distance \[cm^-2 s^-1\], a number a bin.
    pub sun: Column<'a, R>,
    /// Cross-section of scattering by air \[cm^2\], a number a bin.
    pub scattering: Column<'a, R>,
    /// Of absorption by oxygen \[cm^2\], a number a bin.
    pub oxygen: Column<'a, R>,
    /// Of absorption by ozone \[cm^2\], `[node * bins + bin]`.
    pub ozone: Column<'a, R>,
    /// Cross-section times quantum yield of each reaction \[cm^2\], `[(reaction * nodes + node) * bins + bin]`.
    pub product: Column<'a, R>,
    /// What the density of air quenches of it \[cm^3\]: it is divided by 1 plus this times the density;
    /// `[(reaction * nodes + node) * bins + bin]`.
    pub quenching: Column<'a, R>,
    /// The lowest node \[K\].
    pub lowest_k: R,
    /// From node to node \[K\].
    pub step_k: R,
    /// The number of nodes.
    pub nodes: u32,
    /// The number of bins.
    pub bins: u32,
    /// The number of reactions.
    pub reactions: u32,
    /// Clouds: the parts of their light that they scatter, and the asymmetry of that.
    pub cloud_albedo: R,
    /// See above.
    pub cloud_asymmetry: R,
}

/// A temperature among nodes: the one below, and how far it is to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<R> {
    pub(crate) below: usize,
    pub(crate) part: R,
}

impl<R: Real> Optics<'_, R> {
    /// The place of a temperature.
    #[inline(always)]
    pub(crate) fn place(&self, temperature: R) -> Place<R> {
        let nodes = self.nodes as usize;
        let last = R::from_f64((nodes - 1) as f64);
        let node = ((temperature - self.lowest_k) / self.step_k).max(R::ZERO).min(last);
        let below = (node.value() as usize).min(nodes.saturating_sub(2));
        Place { below, part: node - R::from_f64(below as f64) }
    }

    /// Optical depths of a layer for a bin: with so much air and ozone \[molecule/cm^2\], and clouds of an optical
    /// depth.
    #[inline(always)]
    pub(crate) fn depths(&self, bin: usize, place: Place<R>, [air, ozone, cloud]: [R; 3]) -> Depths<R> {
        let bins = self.bins as usize;
        let cross_section = between(&self.ozone, place.below * bins + bin, self.next(), place.part);
        let absorption = cross_section * ozone + R::from_f64(OXYGEN) * self.oxygen.at(bin) * air;
        let gases = Depths { absorption, scattering: self.scattering.at(bin) * air, forward: R::ZERO };
        let droplets = Depths::of(cloud, [R::ONE, R::ONE - self.cloud_albedo, self.cloud_asymmetry]);
        gases.and(droplets.delta_scaled())
    }

    /// From a node to the next one.
    #[inline(always)]
    pub(crate) fn next(&self) -> usize {
        if self.nodes > 1 { self.bins as usize } else { 0 }
    }
}

/// A number of a table, linear to the one behind it at a distance.
#[inline(always)]
pub(crate) fn between<R: Real>(table: &Column<'_, R>, at: usize, next: usize, part: R) -> R {
    let (first, second) = (table.at(at), table.at(at + next));
    Real::mul_add(part, second - first, first)
}
