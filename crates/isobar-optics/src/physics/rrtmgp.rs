//! The state of a layer in RRTMGP's tables (Pincus et al. 2019, doi:10.1029/2019MS001621).

use isobar_core::Real;

use crate::constants::{AVOGADRO, GRAVITY, RRTMGP_AMOUNT, RRTMGP_DRY_AIR, RRTMGP_WATER};
use crate::gases::H2O;
use crate::physics::layer::Layer;
use crate::state::{Rows, Stencil};
use crate::tables::{AbsorberRow, FlavourRow, GasTables, NONE};

/// What all pairs of key gases share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position<R> {
    /// Lower (0) or upper (1) atmosphere.
    pub(crate) region: usize,
    temperature: (u32, R),
    pressure: (u32, R),
    /// Molecules of dry air, in units of 1e20 per cm^2.
    pub(crate) dry: R,
}

/// Where the layer lies in temperature and pressure, and how much air it has.
#[inline(always)]
pub(crate) fn position<R: Real>(layer: &Layer<'_, R>, tables: &GasTables<'_, R>) -> Position<R> {
    let water = layer.mixing_ratios[H2O];
    // Molecules of dry air among all, and the mass of a mole of moist air [kg].
    let dry_part = R::ONE / (R::ONE + water);
    let molar_mass = (R::from_f64(RRTMGP_DRY_AIR) + R::from_f64(RRTMGP_WATER) * water) * dry_part;
    // 1 Pa is 1/(10^4 g) kg/cm^2.
    let dry = layer.weight_pa * dry_part / molar_mass * R::from_f64(AVOGADRO / (1e4 * GRAVITY * RRTMGP_AMOUNT));
    Position {
        region: usize::from(layer.pressure_pa <= tables.tropopause_pa),
        temperature: tables.temperature.interval(layer.temperature_k),
        pressure: tables.ln_pressure.interval(layer.pressure_pa.ln()),
        dry,
    }
}

/// The stencil of a pair of key gases.
#[inline(always)]
pub(crate) fn stencil<R: Real>(
    layer: &Layer<'_, R>,
    tables: &GasTables<'_, R>,
    position: &Position<R>,
    flavour: FlavourRow,
) -> (Rows, Stencil<R>) {
    let mixtures = tables.mixtures;
    let (temperature, warm) = position.temperature;
    let (pressure, far) = position.pressure;
    // A pressure is there twice, once for each region: the upper one's rows are one further.
    let pressure = pressure + position.region as u32;
    let [first, second] = flavour.gases;
    let first = layer.mixing_ratios[first as usize] * position.dry;
    let second = layer.mixing_ratios[second as usize] * position.dry;
    let (mut rows, mut stencil) = (Rows::default(), Stencil::default());
    for t in 0..2 {
        // SAFETY: the ratios of a pair are as many as temperatures.
        let ratio = unsafe { tables.ratios.get((flavour.ratio + temperature) as usize + t) };
        let amount = first + ratio * second;
        let share = if amount > R::MIN_POSITIVE + R::MIN_POSITIVE { first / amount } else { R::from_f64(0.5) };
        let steps = share * R::from_f64(f64::from(mixtures - 1));
        let whole = steps.whole().clamp(0, mixtures as i32 - 1);
        // At the last node the fraction stays that of the node, although the interval before it is read.
        let across = steps - R::from_f64(f64::from(whole));
        let mixture = (whole as u32).min(mixtures - 2);
        let row = temperature + t as u32;
        rows.minor[t] = row * mixtures + mixture;
        rows.major[t] = (row * (tables.ln_pressure.nodes + 1) + pressure) * mixtures + mixture;
        let weight = if t == 0 { R::ONE - warm } else { warm };
        let [near, beyond] = [weight * (R::ONE - across), weight * across];
        stencil.amount[t] = amount;
        stencil.minor[2 * t] = near;
        stencil.minor[2 * t + 1] = beyond;
    }
    stencil.beyond = far;
    (rows, stencil)
}

/// What multiplies the coefficients of a lesser gas.
#[inline(always)]
pub(crate) fn amount<R: Real>(layer: &Layer<'_, R>, position: &Position<R>, absorber: &AbsorberRow<R>) -> R {
    let mut amount = layer.mixing_ratios[absorber.gas as usize] * position.dry;
    if absorber.with_density != 0 {
        amount *= R::from_f64(0.01) * layer.pressure_pa / layer.temperature_k;
        if absorber.scaling_gas != NONE {
            let part = layer.mixing_ratios[absorber.scaling_gas as usize] / (R::ONE + layer.mixing_ratios[H2O]);
            amount *= if absorber.complement != 0 { R::ONE - part } else { part };
        }
    }
    amount
}

/// The molecules that scatter.
#[inline(always)]
pub(crate) fn air<R: Real>(layer: &Layer<'_, R>, position: &Position<R>) -> R {
    position.dry * (R::ONE + layer.mixing_ratios[H2O])
}
