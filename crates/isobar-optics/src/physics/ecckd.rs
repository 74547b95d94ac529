//! The state of a layer in ecCKD's tables (Hogan and Matricardi 2022, doi:10.1029/2022MS003033), as ecRad reads them.

use isobar_core::Real;

use crate::constants::{ECCKD_AIR, ECCKD_WATER, GRAVITY};
use crate::gases::{DRY_AIR, H2O};
use crate::physics::layer::{Layer, each};
use crate::state::{Rows, Stencil};
use crate::tables::{AbsorberRow, GasTables};

/// Air \[mol/m^2\].
#[inline(always)]
pub(crate) fn air<R: Real, const L: usize>(layer: &Layer<R, L>) -> [R; L] {
    each::<R, L>(|column| layer.weight_pa[column] * R::from_f64(1.0 / (GRAVITY * ECCKD_AIR)))
}

/// What ecRad calls the mole fraction of a gas: its part of the mass of moist air, times the ratio of molar masses.
#[inline(always)]
fn mole_fractions<R: Real, const L: usize>(layer: &Layer<R, L>, gas: usize) -> [R; L] {
    let [gas, water] = [&layer.mixing_ratios[gas], &layer.mixing_ratios[H2O]];
    each::<R, L>(|column| gas[column] / (R::ONE + R::from_f64(ECCKD_WATER / ECCKD_AIR) * water[column]))
}

/// The stencils: major rows are those of water vapour.
#[inline(always)]
pub(crate) fn stencils<R: Real, const L: usize>(
    layer: &Layer<R, L>,
    tables: &GasTables<'_, R>,
) -> ([Rows; L], [Stencil<R>; L]) {
    let pressures = tables.ln_pressure.nodes;
    let (pressure, far) = tables.ln_pressure.clamped_intervals(&each::<R, L>(|column| layer.pressure_pa[column].ln()));
    let above_first = each::<R, L>(|column| {
        let pressure = pressure[column] as usize;
        // SAFETY: there is one a pressure, and the interval ends at one.
        let [near_first, far_first] =
            unsafe { [tables.first_temperature.get(pressure), tables.first_temperature.get(pressure + 1)] };
        let first = (R::ONE - far[column]) * near_first + far[column] * far_first;
        layer.temperature_k[column] - first
    });
    let (temperature, warm) = tables.temperature.clamped_intervals(&above_first);
    let water = mole_fractions(layer, H2O);
    // At least that of the first node, whose logarithm is finite.
    let ln_water = each::<R, L>(|column| water[column].at_least(R::MIN_POSITIVE).ln());
    let (mixture, wet) = tables.ln_water.clamped_intervals(&ln_water);

    let cells = tables.temperature.nodes * pressures;
    let air = air(layer);
    let (mut rows, mut stencils) = ([Rows::default(); L], [Stencil::default(); L]);
    for column in 0..L {
        let row = temperature[column] * pressures + pressure[column];
        let (warm, far) = (warm[column], far[column]);
        let (cold, near) = (R::ONE - warm, R::ONE - far);
        let corners = [cold * near, cold * far, warm * near, warm * far];
        let amount = air[column] * water[column];
        let (minor, drier) = ([row, row + pressures], mixture[column] * cells);
        rows[column] = Rows { major: [drier + minor[0], drier + minor[1]], minor };
        stencils[column] = Stencil { minor: corners, amount: [amount; 2], beyond: wet[column], padding: R::ZERO };
    }
    (rows, stencils)
}

/// What multiplies the coefficients of a gas; below zero where there is less of it than in the reference.
#[inline(always)]
pub(crate) fn amounts<R: Real, const L: usize>(layer: &Layer<R, L>, absorber: &AbsorberRow<R>) -> [R; L] {
    let gas = absorber.gas as usize;
    let fractions = if gas == DRY_AIR { [R::ONE; L] } else { mole_fractions(layer, gas) };
    let air = air(layer);
    each::<R, L>(|column| air[column] * (fractions[column] - absorber.reference))
}
