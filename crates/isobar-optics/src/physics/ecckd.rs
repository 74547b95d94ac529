//! The state of a layer in ecCKD's tables (Hogan and Matricardi 2022, doi:10.1029/2022MS003033), as ecRad reads them.

use isobar_core::{Real, per_lane};

use crate::constants::{ECCKD_AIR, ECCKD_WATER, GRAVITY};
use crate::physics::layer::Layer;
use crate::state::{Rows, Stencil};
use crate::tables::GasTables;

/// Air \[mol/m^2\].
#[inline(always)]
pub(crate) fn air<R: Real>(layer: &Layer<R>) -> R {
    layer.weight_pa * R::from_f64(1.0 / (GRAVITY * ECCKD_AIR))
}

/// What ecRad calls the mole fraction of a gas: its part of the mass of moist air, times the ratio of molar masses.
#[inline(always)]
pub(crate) fn mole_fraction<R: Real>(mixing_ratio: R, water: R) -> R {
    mixing_ratio / (R::ONE + R::from_f64(ECCKD_WATER / ECCKD_AIR) * water)
}

per_lane! {
    /// Where a layer lies in the tables, and what it has of water vapour.
    pub(crate) struct Position<T, N> {
        /// The nodes before it, and the distances from them in steps: pressure,
        pressure: N,
        far: T,
        /// temperature above the first of that pressure,
        temperature: N,
        warm: T,
        /// and the logarithm of water's mole fraction.
        mixture: N,
        wet: T,
        /// The amount of water vapour \[mol/m^2\].
        amount: T,
    }
}

/// The first temperature of a layer's pressure, from those of the nodes around.
#[inline(always)]
pub(crate) fn first_temperature<R: Real>(far: R, [near_first, far_first]: [R; 2]) -> R {
    (R::ONE - far) * near_first + far * far_first
}

/// The position, from that in pressure and its first temperature.
#[inline(always)]
pub(crate) fn position<R: Real>(
    layer: &Layer<R>,
    tables: &GasTables<'_, R>,
    (pressure, far): (u32, R),
    first_temperature_k: R,
) -> Position<R, u32> {
    let (temperature, warm) = tables.temperature.clamped_interval(layer.temperature_k - first_temperature_k);
    let water = mole_fraction(layer.water, layer.water);
    // At least that of the first node, whose logarithm is finite.
    let (mixture, wet) = tables.ln_water.clamped_interval(water.at_least(R::MIN_POSITIVE).ln());
    Position { pressure, far, temperature, warm, mixture, wet, amount: air(layer) * water }
}

/// The stencil: major rows are those of water vapour.
#[inline(always)]
pub(crate) fn stencil<R: Real>(tables: &GasTables<'_, R>, position: &Position<R, u32>) -> (Rows, Stencil<R>) {
    let Position { pressure, far, temperature, warm, mixture, wet, amount } = *position;
    let pressures = tables.ln_pressure.nodes;
    let row = temperature * pressures + pressure;
    let (minor, drier) = ([row, row + pressures], mixture * tables.temperature.nodes * pressures);
    let (cold, near) = (R::ONE - warm, R::ONE - far);
    let corners = [cold * near, cold * far, warm * near, warm * far];
    (
        Rows { major: [drier + minor[0], drier + minor[1]], minor },
        Stencil { minor: corners, amount: [amount; 2], beyond: wet, padding: R::ZERO },
    )
}

/// What multiplies the coefficients of a gas with this fraction; below zero where there is less of it than in the
/// reference.
#[inline(always)]
pub(crate) fn amount<R: Real>(layer: &Layer<R>, fraction: R, reference: R) -> R {
    air(layer) * (fraction - reference)
}
