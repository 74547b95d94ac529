//! The state of a layer in RRTMGP's tables (Pincus et al. 2019, doi:10.1029/2019MS001621).

use isobar_core::Real;

use crate::constants::{AVOGADRO, GRAVITY, RRTMGP_AMOUNT, RRTMGP_DRY_AIR, RRTMGP_WATER};
use crate::gases::H2O;
use crate::physics::axis::Positions;
use crate::physics::layer::{Layer, each};
use crate::state::{Rows, Stencil};
use crate::tables::{AbsorberRow, FlavourRow, GasTables, NONE};

/// What all pairs of key gases share, in columns that are all in one region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position<R, const L: usize> {
    /// Lower (0) or upper (1) atmosphere.
    pub(crate) region: u32,
    temperature: Positions<R, L>,
    pressure: Positions<R, L>,
    /// Molecules of dry air, in units of 1e20 per cm^2.
    pub(crate) dry: [R; L],
}

/// Lower (0) or upper (1) atmosphere.
#[inline(always)]
pub(crate) fn region<R: Real>(tables: &GasTables<'_, R>, pressure_pa: R) -> u32 {
    u32::from(pressure_pa <= tables.tropopause_pa)
}

/// Where the layer lies in temperature and pressure, and how much air it has.
#[inline(always)]
pub(crate) fn position<R: Real, const L: usize>(layer: &Layer<R, L>, tables: &GasTables<'_, R>) -> Position<R, L> {
    let dry = each::<R, L>(|column| {
        let water = layer.mixing_ratios[H2O][column];
        // Molecules of dry air among all, and the mass of a mole of moist air [kg].
        let dry_part = R::ONE / (R::ONE + water);
        let molar_mass = (R::from_f64(RRTMGP_DRY_AIR) + R::from_f64(RRTMGP_WATER) * water) * dry_part;
        // 1 Pa is 1/(10^4 g) kg/cm^2.
        layer.weight_pa[column] * dry_part / molar_mass * R::from_f64(AVOGADRO / (1e4 * GRAVITY * RRTMGP_AMOUNT))
    });
    Position {
        region: region(tables, layer.pressure_pa[0]),
        temperature: tables.temperature.intervals(&layer.temperature_k),
        pressure: tables.ln_pressure.intervals(&each::<R, L>(|column| layer.pressure_pa[column].ln())),
        dry,
    }
}

/// The stencils of a pair of key gases.
#[inline(always)]
pub(crate) fn stencils<R: Real, const L: usize>(
    layer: &Layer<R, L>,
    tables: &GasTables<'_, R>,
    position: &Position<R, L>,
    flavour: FlavourRow,
) -> ([Rows; L], [Stencil<R>; L]) {
    let mixtures = tables.mixtures;
    let (temperature, warm) = &position.temperature;
    let (pressure, far) = &position.pressure;
    let [first, second] = flavour.gases.map(|gas| &layer.mixing_ratios[gas as usize]);
    let (mut rows, mut stencils) = ([Rows::default(); L], [Stencil::default(); L]);
    for t in 0..2 {
        for column in 0..L {
            // SAFETY: the ratios of a pair are as many as temperatures.
            let ratio = unsafe { tables.ratios.get((flavour.ratio + temperature[column]) as usize + t) };
            let first = first[column] * position.dry[column];
            let second = second[column] * position.dry[column];
            let amount = first + ratio * second;
            let share = if amount > R::MIN_POSITIVE + R::MIN_POSITIVE { first / amount } else { R::from_f64(0.5) };
            let steps = share * R::from_f64(f64::from(mixtures - 1));
            let whole = steps.index(0, mixtures as i32 - 1);
            // At the last node the fraction stays that of the node, although the interval before it is read.
            let across = steps - R::from_f64(f64::from(whole));
            let mixture = (whole as u32).min(mixtures - 2);
            let row = temperature[column] + t as u32;
            // A pressure is there twice, once for each region: the upper one's rows are one further.
            let plane = row * (tables.ln_pressure.nodes + 1) + pressure[column] + position.region;
            rows[column].minor[t] = row * mixtures + mixture;
            rows[column].major[t] = plane * mixtures + mixture;
            let weight = if t == 0 { R::ONE - warm[column] } else { warm[column] };
            let [near, beyond] = [weight * (R::ONE - across), weight * across];
            let stencil = &mut stencils[column];
            stencil.amount[t] = amount;
            stencil.minor[2 * t] = near;
            stencil.minor[2 * t + 1] = beyond;
            stencil.beyond = far[column];
        }
    }
    (rows, stencils)
}

/// What multiplies the coefficients of a lesser gas.
#[inline(always)]
pub(crate) fn amounts<R: Real, const L: usize>(
    layer: &Layer<R, L>,
    position: &Position<R, L>,
    absorber: &AbsorberRow<R>,
) -> [R; L] {
    let gas = &layer.mixing_ratios[absorber.gas as usize];
    let mut amounts = each::<R, L>(|column| gas[column] * position.dry[column]);
    if absorber.with_density != 0 {
        for column in 0..L {
            amounts[column] *= R::from_f64(0.01) * layer.pressure_pa[column] / layer.temperature_k[column];
        }
        if absorber.scaling_gas != NONE {
            let scaling = &layer.mixing_ratios[absorber.scaling_gas as usize];
            for column in 0..L {
                let part = scaling[column] / (R::ONE + layer.mixing_ratios[H2O][column]);
                amounts[column] *= if absorber.complement != 0 { R::ONE - part } else { part };
            }
        }
    }
    amounts
}

/// The molecules that scatter.
#[inline(always)]
pub(crate) fn air<R: Real, const L: usize>(layer: &Layer<R, L>, position: &Position<R, L>) -> [R; L] {
    each::<R, L>(|column| position.dry[column] * (R::ONE + layer.mixing_ratios[H2O][column]))
}
