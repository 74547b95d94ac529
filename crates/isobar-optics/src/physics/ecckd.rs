//! The state of a layer in ecCKD's tables (Hogan and Matricardi 2022, doi:10.1029/2022MS003033), as ecRad reads them.

use isobar_core::Real;

use crate::constants::{ECCKD_AIR, ECCKD_WATER, GRAVITY};
use crate::gases::{DRY_AIR, H2O};
use crate::physics::layer::Layer;
use crate::state::{Rows, Stencil};
use crate::tables::{AbsorberRow, GasTables};

/// Air \[mol/m^2\].
#[inline(always)]
pub(crate) fn air<R: Real>(layer: &Layer<'_, R>) -> R {
    layer.weight_pa * R::from_f64(1.0 / (GRAVITY * ECCKD_AIR))
}

/// What ecRad calls the mole fraction of a gas: its part of the mass of moist air, times the ratio of molar masses.
#[inline(always)]
fn mole_fraction<R: Real>(layer: &Layer<'_, R>, gas: usize) -> R {
    layer.mixing_ratios[gas] / (R::ONE + R::from_f64(ECCKD_WATER / ECCKD_AIR) * layer.mixing_ratios[H2O])
}

/// The stencil: major rows are those of water vapour.
#[inline(always)]
pub(crate) fn stencil<R: Real>(layer: &Layer<'_, R>, tables: &GasTables<'_, R>) -> (Rows, Stencil<R>) {
    let pressures = tables.ln_pressure.nodes;
    let (pressure, far) = tables.ln_pressure.clamped_interval(layer.pressure_pa.ln());
    // SAFETY: there is one a pressure, and the interval ends at one.
    let (near_first, far_first) = unsafe {
        (tables.first_temperature.get(pressure as usize), tables.first_temperature.get(pressure as usize + 1))
    };
    let first = (R::ONE - far) * near_first + far * far_first;
    let (temperature, warm) = tables.temperature.clamped_interval(layer.temperature_k - first);
    let water = mole_fraction(layer, H2O);
    // At least that of the first node, whose logarithm is finite.
    let (mixture, wet) = tables.ln_water.clamped_interval(water.at_least(R::MIN_POSITIVE).ln());

    let cells = tables.temperature.nodes * pressures;
    let row = temperature * pressures + pressure;
    let (cold, near) = (R::ONE - warm, R::ONE - far);
    let corners = [cold * near, cold * far, warm * near, warm * far];
    let amount = air(layer) * water;
    let minor = [row, row + pressures];
    let rows = Rows { major: [mixture * cells + minor[0], mixture * cells + minor[1]], minor };
    let stencil = Stencil { minor: corners, amount: [amount; 2], beyond: wet, padding: R::ZERO };
    (rows, stencil)
}

/// What multiplies the coefficients of a gas; below zero where there is less of it than in the reference.
#[inline(always)]
pub(crate) fn amount<R: Real>(layer: &Layer<'_, R>, absorber: &AbsorberRow<R>) -> R {
    let gas = absorber.gas as usize;
    let fraction = if gas == DRY_AIR { R::ONE } else { mole_fraction(layer, gas) };
    air(layer) * (fraction - absorber.reference)
}
