//! The state of a layer in RRTMGP's tables (Pincus et al. 2019, doi:10.1029/2019MS001621).

use isobar_core::Real;

use crate::constants::{AVOGADRO, GRAVITY, RRTMGP_AMOUNT, RRTMGP_DRY_AIR, RRTMGP_WATER};
use crate::physics::layer::Layer;
use crate::tables::{AbsorberRow, GasTables, NONE};

isobar_core::per_lane! {
    /// What all pairs of key gases share.
    pub(crate) struct Position<T, N> {
        /// The node before the layer's temperature, and the distance from it in steps.
        temperature: N,
        warm: T,
        /// Those of its pressure.
        pressure: N,
        far: T,
        /// Molecules of dry air, in units of 1e20 per cm^2.
        dry: T,
    }
}

/// Lower (0) or upper (1) atmosphere.
#[inline(always)]
pub(crate) fn region<R: Real>(tables: &GasTables<'_, R>, pressure_pa: R) -> u32 {
    u32::from(pressure_pa <= tables.tropopause_pa)
}

/// Molecules of dry air, in units of 1e20 per cm^2.
#[inline(always)]
fn dry_air<R: Real>(layer: &Layer<R>) -> R {
    // Molecules of dry air among all, and the mass of a mole of moist air [kg].
    let dry_part = R::ONE / (R::ONE + layer.water);
    let molar_mass = (R::from_f64(RRTMGP_DRY_AIR) + R::from_f64(RRTMGP_WATER) * layer.water) * dry_part;
    // 1 Pa is 1/(10^4 g) kg/cm^2.
    layer.weight_pa * dry_part / molar_mass * R::from_f64(AVOGADRO / (1e4 * GRAVITY * RRTMGP_AMOUNT))
}

/// Where the layer lies in temperature and pressure, and how much air it has.
#[inline(always)]
pub(crate) fn position<R: Real>(layer: &Layer<R>, tables: &GasTables<'_, R>) -> Position<R, u32> {
    let dry = dry_air(layer);
    let (temperature, warm) = tables.temperature.interval(layer.temperature_k);
    let (pressure, far) = tables.ln_pressure.interval(layer.ln_pressure);
    Position { temperature, warm, pressure, far, dry }
}

/// What a pair of key gases with these mixing ratios has at the lower (`warmer` 0) or the upper temperature: the rows
/// of the major and the minor tables, the amount, and the weights of both rows. `ratio` is that of the gases'
/// reference mixing ratios.
#[inline(always)]
pub(crate) fn half_stencil<R: Real>(
    tables: &GasTables<'_, R>,
    position: &Position<R, u32>,
    (region, warmer): (u32, u32),
    [first, second]: [R; 2],
    ratio: R,
) -> ([u32; 2], [R; 3]) {
    let mixtures = tables.mixtures;
    let (first, second) = (first * position.dry, second * position.dry);
    let amount = first + ratio * second;
    let share = if amount > R::MIN_POSITIVE + R::MIN_POSITIVE { first / amount } else { R::from_f64(0.5) };
    let steps = share * R::from_f64(f64::from(mixtures - 1));
    let whole = steps.index(0, mixtures as i32 - 1);
    // At the last node the fraction stays that of the node, although the interval before it is read.
    let across = steps - R::from_f64(f64::from(whole));
    let mixture = (whole as u32).min(mixtures - 2);
    let row = position.temperature + warmer;
    // A pressure is there twice, once for each region: the upper one's rows are one further.
    let plane = row * (tables.ln_pressure.nodes + 1) + position.pressure + region;
    let weight = if warmer == 0 { R::ONE - position.warm } else { position.warm };
    let rows = [plane * mixtures + mixture, row * mixtures + mixture];
    (rows, [amount, weight * (R::ONE - across), weight * across])
}

/// What multiplies the coefficients of a lesser gas, from its mixing ratio and that of the gas that it is scaled by.
#[inline(always)]
pub(crate) fn amount<R: Real>(layer: &Layer<R>, dry: R, absorber: &AbsorberRow<R>, [gas, scaling]: [R; 2]) -> R {
    let amount = gas * dry;
    if absorber.with_density == 0 {
        return amount;
    }
    let amount = amount * (R::from_f64(0.01) * layer.pressure_pa / layer.temperature_k);
    if absorber.scaling_gas == NONE {
        return amount;
    }
    let part = scaling / (R::ONE + layer.water);
    amount * if absorber.complement != 0 { R::ONE - part } else { part }
}

/// The molecules that scatter.
#[inline(always)]
pub(crate) fn air<R: Real>(layer: &Layer<R>, dry: R) -> R {
    dry * (R::ONE + layer.water)
}
