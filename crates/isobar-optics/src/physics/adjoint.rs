//! Derivatives by the air of a layer from those by what the tables make of it: the transposes of the functions of
//! [`super::ecckd`], [`super::rrtmgp`] and [`super::planck`]. A node of a table is a kink, at which the derivative is
//! that of the interval taken; where a value is held at the end of an axis it is 0.

use isobar_core::Real;

use super::layer::Layer;
use super::{ecckd, rrtmgp};
use crate::constants::{ECCKD_AIR, ECCKD_WATER, GRAVITY, RRTMGP_DRY_AIR, RRTMGP_WATER};
use crate::state::Stencil;
use crate::tables::{AbsorberRow, GasTables, Model, NONE};

/// Adds derivatives by an ecCKD layer, from those by its stencil.
pub(crate) fn of_ecckd_stencil<R: Real>(
    layer: &Layer<R>,
    tables: &GasTables<'_, R>,
    position: &ecckd::Position<R, u32>,
    [near_first, far_first]: [R; 2],
    by: &Stencil<R>,
    to: &mut Layer<R>,
) {
    let (far, warm) = (position.far, position.warm);
    let (near, cold) = (R::ONE - far, R::ONE - warm);
    let [a, b, c, d] = by.minor;
    let first_temperature_k = ecckd::first_temperature(far, [near_first, far_first]);
    let slope = tables.temperature.clamped_slope(layer.temperature_k - first_temperature_k);
    let by_temperature = (near * (c - a) + far * (d - b)) * slope;
    to.temperature_k += by_temperature;
    let by_far = cold * (b - a) + warm * (d - c) - by_temperature * (far_first - near_first);
    to.ln_pressure += by_far * tables.ln_pressure.clamped_slope(layer.ln_pressure);

    let fraction = ecckd::mole_fraction(layer.water, layer.water);
    let amount = by.amount[0] + by.amount[1];
    to.weight_pa += amount * fraction * air_of_weight::<R>();
    let mut by_fraction = amount * ecckd::air(layer);
    let least = R::MIN_POSITIVE;
    if fraction > least {
        by_fraction += by.beyond * tables.ln_water.clamped_slope(fraction.ln()) / fraction;
    }
    let moist = R::ONE + R::from_f64(ECCKD_WATER / ECCKD_AIR) * layer.water;
    to.water += by_fraction / (moist * moist);
}

/// Air \[mol/m^2\] by its weight \[Pa\].
fn air_of_weight<R: Real>() -> R {
    R::from_f64(1.0 / (GRAVITY * ECCKD_AIR))
}

/// Adds derivatives by an ecCKD layer from that by its air.
pub(crate) fn of_ecckd_air<R: Real>(by: R, to: &mut Layer<R>) {
    to.weight_pa += by * air_of_weight::<R>();
}

/// Adds derivatives by an ecCKD layer from that by a gas's amount; returns that by the gas's mixing ratio, of which dry
/// air has none.
pub(crate) fn of_ecckd_amount<R: Real>(
    layer: &Layer<R>,
    mixing_ratio: Option<R>,
    reference: R,
    by: R,
    to: &mut Layer<R>,
) -> R {
    let Some(mixing_ratio) = mixing_ratio else {
        to.weight_pa += by * (R::ONE - reference) * air_of_weight::<R>();
        return R::ZERO;
    };
    let part = R::from_f64(ECCKD_WATER / ECCKD_AIR);
    let fraction = ecckd::mole_fraction(mixing_ratio, layer.water);
    to.weight_pa += by * (fraction - reference) * air_of_weight::<R>();
    let by_mixing_ratio = by * ecckd::air(layer) / (R::ONE + part * layer.water);
    to.water -= by_mixing_ratio * part * fraction;
    by_mixing_ratio
}

/// Derivatives by where an RRTMGP layer lies in the tables, and by its dry air.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByPosition<R> {
    pub(crate) warm: R,
    pub(crate) far: R,
    pub(crate) dry: R,
}

impl<R: Real> ByPosition<R> {
    pub(crate) fn zero() -> Self {
        Self { warm: R::ZERO, far: R::ZERO, dry: R::ZERO }
    }

    /// Adds derivatives by a half of a pair's stencil, `[amount, first weight, second weight]`; returns those by the
    /// mixing ratios of the pair.
    pub(crate) fn of_half_stencil(
        &mut self,
        tables: &GasTables<'_, R>,
        position: &rrtmgp::Position<R, u32>,
        warmer: bool,
        (gases, ratio): ([R; 2], R),
        by: [R; 3],
    ) -> [R; 2] {
        let [first, second] = gases.map(|gas| gas * position.dry);
        let amount = first + ratio * second;
        let is_mixed = amount > R::MIN_POSITIVE + R::MIN_POSITIVE;
        let share = if is_mixed { first / amount } else { R::from_f64(0.5) };
        let nodes = R::from_f64(f64::from(tables.mixtures - 1));
        let whole = (share * nodes).index(0, tables.mixtures as i32 - 1);
        let across = share * nodes - R::from_f64(f64::from(whole));
        let weight = if warmer { position.warm } else { R::ONE - position.warm };
        let by_weight = by[1] * (R::ONE - across) + by[2] * across;
        self.warm += if warmer { by_weight } else { -by_weight };
        let by_share = weight * (by[2] - by[1]) * nodes;
        let (mut by_first, mut by_amount) = (R::ZERO, by[0]);
        if is_mixed {
            by_first = by_share / amount;
            by_amount -= by_first * share;
        }
        let by_columns = [by_first + by_amount, ratio * by_amount];
        self.dry += by_columns[0] * gases[0] + by_columns[1] * gases[1];
        by_columns.map(|by| by * position.dry)
    }

    /// Adds those by the amount of a lesser gas; returns those by the mixing ratios of the gas and of what it is scaled
    /// by.
    pub(crate) fn of_amount(
        &mut self,
        layer: &Layer<R>,
        dry: R,
        absorber: &AbsorberRow<R>,
        [gas, scaling]: [R; 2],
        (by, to): (R, &mut Layer<R>),
    ) -> [R; 2] {
        let (mut factor, mut by_scaling) = (R::ONE, R::ZERO);
        if absorber.with_density != 0 {
            let density = R::from_f64(0.01) * layer.pressure_pa / layer.temperature_k;
            let mut part = R::ONE;
            if absorber.scaling_gas != NONE {
                let moist = R::ONE + layer.water;
                let share = scaling / moist;
                let sign = if absorber.complement == 0 { R::ONE } else { -R::ONE };
                part = if absorber.complement == 0 { share } else { R::ONE - share };
                by_scaling = by * gas * dry * density * sign / moist;
                to.water -= by_scaling * share;
            }
            factor = density * part;
            let amount = gas * dry * factor;
            to.pressure_pa += by * amount / layer.pressure_pa;
            to.temperature_k -= by * amount / layer.temperature_k;
        }
        self.dry += by * gas * factor;
        [by * dry * factor, by_scaling]
    }

    /// Adds those by the air that scatters.
    pub(crate) fn of_air(&mut self, layer: &Layer<R>, dry: R, by: R, to: &mut Layer<R>) {
        self.dry += by * (R::ONE + layer.water);
        to.water += by * dry;
    }

    /// Adds derivatives by the layer from all of these.
    pub(crate) fn of_layer(self, layer: &Layer<R>, tables: &GasTables<'_, R>, dry: R, to: &mut Layer<R>) {
        to.temperature_k += self.warm / tables.temperature.step;
        to.ln_pressure += self.far / tables.ln_pressure.step;
        let [air, water] = [RRTMGP_DRY_AIR, RRTMGP_WATER].map(R::from_f64);
        to.weight_pa += self.dry * dry / layer.weight_pa;
        to.water -= self.dry * dry * water / (air + water * layer.water);
    }
}

/// The derivative by a temperature from those by the weights of two rows of the Planck table.
pub(crate) fn of_place<R: Real>(tables: &GasTables<'_, R>, temperature_k: R, by: [R; 2]) -> R {
    let axis = &tables.planck_temperature;
    if tables.model == Model::Ecckd as u32 && temperature_k < axis.first {
        by[0] / axis.first
    } else {
        (by[1] - by[0]) / axis.step
    }
}
