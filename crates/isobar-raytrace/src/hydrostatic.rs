//! Pressure in hydrostatic balance.

use isobar_core::{Column, FieldMut, Real};

use crate::constants::{
    GAS_CONSTANT_J_PER_MOL_K, GRAVITY_M_PER_S2, MOLAR_MASS_AIR_KG_PER_MOL, MOLAR_MASS_WATER_KG_PER_MOL,
};

/// Points in a layer at which its weight is averaged.
const SAMPLES: i32 = 20;

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

/// Rebuilds a pressure profile upwards and downwards from the level nearest to `reference_km`, whose pressure is
/// kept: `ln p` falls by `1000 m dz` a layer, `m` the mean of `M g / (R T)` at 20 points \[1/m\].
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
    let levels = height_km.len();
    let reference = reference_level(height_km, reference_km);
    let step = |from: usize, to: usize| {
        let mut sum = R::ZERO;
        for j in 0..SAMPLES {
            let fraction = R::from_f64(f64::from(j)) / R::from_f64(f64::from(SAMPLES - 1));
            let between = |x: Column<'_, R>| x.at(from) + (x.at(to) - x.at(from)) * fraction;
            let wet = water.map_or(R::ZERO, between);
            let molar_mass = wet * R::from_f64(MOLAR_MASS_WATER_KG_PER_MOL)
                + (R::ONE - wet) * R::from_f64(MOLAR_MASS_AIR_KG_PER_MOL);
            sum += molar_mass * R::from_f64(GRAVITY_M_PER_S2 / GAS_CONSTANT_J_PER_MOL_K)
                / between(temperature_k)
                / R::from_f64(f64::from(SAMPLES));
        }
        let fall = R::from_f64(1000.0) * sum * (height_km.at(to) - height_km.at(from));
        pressure_hpa.set(to, 0, (pressure_hpa.at(from, 0).ln() - fall).exp());
    };
    for i in reference + 1..levels {
        step(i - 1, i);
    }
    for i in (0..reference).rev() {
        step(i + 1, i);
    }
}
