//! Pressure in hydrostatic balance.

use isobar_core::{Column, FieldMut, Real};

use crate::constants::{
    GAS_CONSTANT_J_PER_MOL_K, GRAVITY_M_PER_S2, MOLAR_MASS_AIR_KG_PER_MOL, MOLAR_MASS_WATER_KG_PER_MOL,
};
use crate::limits::SAMPLES_OF_LAYER;

/// The level nearest to a height, the first of two.
#[inline(always)]
#[must_use]
pub fn reference_level<R: Real>(height_km: Column<'_, R>, reference_km: R) -> usize {
    let mut reference = 0;
    for i in 1..height_km.len() {
        if (height_km.at(i) - reference_km).abs() < (height_km.at(reference) - reference_km).abs() {
            reference = i;
        }
    }
    reference
}

/// What the pressure at a level depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<R> {
    /// Heights at both ends \[km\], from the level whose pressure is known to the other.
    pub(crate) height_km: [R; 2],
    /// Temperatures there \[K\].
    pub(crate) temperature_k: [R; 2],
    /// Mixing ratios of water vapour there.
    pub(crate) water: [R; 2],
}

impl<R: Real> Layer<R> {
    /// The pressure at the other end of a layer \[hPa\]: `ln p` falls by `1000 m dz`, `m` the mean of `M g / (R T)` at
    /// 20 points \[1/m\].
    #[inline(always)]
    pub(crate) fn pressure_beyond(&self, pressure_hpa: R) -> R {
        let mut sum = R::ZERO;
        for j in 0..SAMPLES_OF_LAYER {
            let fraction = R::from_f64(f64::from(j)) / R::from_f64(f64::from(SAMPLES_OF_LAYER - 1));
            let between = |[from, to]: [R; 2]| from + (to - from) * fraction;
            let wet = between(self.water);
            let molar_mass = wet * R::from_f64(MOLAR_MASS_WATER_KG_PER_MOL)
                + (R::ONE - wet) * R::from_f64(MOLAR_MASS_AIR_KG_PER_MOL);
            sum += molar_mass * R::from_f64(GRAVITY_M_PER_S2 / GAS_CONSTANT_J_PER_MOL_K)
                / between(self.temperature_k)
                / R::from_f64(f64::from(SAMPLES_OF_LAYER));
        }
        let [from_km, to_km] = self.height_km;
        let fall = R::from_f64(1000.0) * sum * (to_km - from_km);
        (pressure_hpa.ln() - fall).exp()
    }
}

/// Rebuilds a pressure profile upwards and downwards from the level nearest to `reference_km`, whose pressure is kept:
/// `ln p` falls by the weight of the air in each layer.
///
/// `water` is the mixing ratio of water vapour where it is known. `pressure_hpa` is `(level, 0)`.
///
/// # Accuracy
/// 1e-12 relative against JURASSIC (test `hydrostatic_profiles`).
pub fn adjust<R: Real>(
    height_km: Column<'_, R>,
    temperature_k: Column<'_, R>,
    water: Option<Column<'_, R>>,
    reference_km: R,
    pressure_hpa: FieldMut<'_, R>,
) {
    for (from, to) in outwards(height_km, reference_km) {
        let ends = |values: Column<'_, R>| [values.at(from), values.at(to)];
        let layer = Layer {
            height_km: ends(height_km),
            temperature_k: ends(temperature_k),
            water: water.map_or([R::ZERO; 2], ends),
        };
        pressure_hpa.set(to, 0, layer.pressure_beyond(pressure_hpa.at(from, 0)));
    }
}

/// The layers from the reference level upwards, then downwards: each from the level whose pressure is known.
pub(crate) fn outwards<R: Real>(
    height_km: Column<'_, R>,
    reference_km: R,
) -> impl DoubleEndedIterator<Item = (usize, usize)> {
    let reference = reference_level(height_km, reference_km);
    let upwards = (reference + 1..height_km.len()).map(|to| (to - 1, to));
    upwards.chain((0..reference).rev().map(|to| (to + 1, to)))
}
