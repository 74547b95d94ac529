//! Rates in a layer of 32 neighbouring columns.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::physics::rate::product;
use crate::schedule::arguments::Rate;

/// Centimetres of a kilometre.
const CM_PER_KM: f64 = 1e5;

/// Computes those of an item.
#[inline(always)]
pub(crate) fn compute<R: Real, const W: usize>(kernel: &Rate<'_, R>, index: usize, lanes: &Lanes<W>) {
    let (columns, optics) = (&kernel.columns, &kernel.optics);
    let (layers, count) = (columns.temperature_k.levels(), columns.temperature_k.items());
    let number = index % layers;
    for lane in 0..W {
        let column = index / layers * WARP + lanes.first() + lane;
        if column >= count {
            continue;
        }
        let place = optics.place(columns.temperature_k.at(number, column));
        let thickness = columns.height_km.at(number + 1, column) - columns.height_km.at(number, column);
        let density = columns.air_per_cm2.at(number, column) / (thickness * R::from_f64(CM_PER_KM));
        for reaction in 0..optics.reactions as usize {
            let mut rate = R::ZERO;
            for bin in 0..optics.bins as usize {
                let photons = kernel.actinic_flux_per_cm2_s.at(bin * layers + number, column);
                rate = Real::mul_add(photons, product(optics, (reaction, bin), place, density), rate);
            }
            kernel.rate_per_s.set(reaction * layers + number, column, rate);
        }
    }
}
