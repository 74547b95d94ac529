//! Wind with gusts, and the bulk Richardson number.

use isobar_core::{Real, per_lane};

use crate::constants::{GUST, GUSTLESS_GRID, LARGEST_RICHARDSON, LEAST_FRICTION, LEAST_WIND, THIRD};
use crate::options::Parameters;
use crate::physics::lowest::Lowest;
use crate::physics::point::Point;
use crate::physics::power::power;
use crate::physics::stability::Psi;

per_lane! {
    /// Wind and stability.
    pub(crate) struct Flow {
        /// The wind without gusts \[m/s\].
        mean,
        /// The wind with gusts \[m/s\].
        wind,
        /// The bulk Richardson number.
        richardson,
    }
}

/// Wind and stability of a column.
///
/// Gusts are those of thermals, over land by the fluxes of the step before (with the surface's absolute temperature,
/// as WRF has it), over water by the difference of temperatures, and those that a coarse grid does not resolve. Air
/// that was unstable in the step before is at most neutral now.
#[inline(always)]
pub(crate) fn flow<R: Real>(parameters: &Parameters<R>, point: &Point<R>, air: &Lowest<R>) -> Flow<R> {
    let moisture = parameters.ep1 * air.surface_virtual * point.moisture_flux;
    let buoyancy = (point.heat_flux / parameters.cp + moisture) / air.density;
    let cubed = parameters.g / point.surface_temperature * point.boundary_layer_height * buoyancy.at_least(R::ZERO);
    let water_squared = (-air.lighter).at_least(R::ZERO);
    let land = power(cubed, THIRD);
    let thermals_squared = if point.is_land() { land * land } else { water_squared };
    let coarser = (point.grid_length * R::from_f64(1.0 / GUSTLESS_GRID) - R::ONE).at_least(R::ZERO);
    let unresolved = R::from_f64(GUST) * power(coarser, THIRD);
    let mean_squared = point.u * point.u + point.v * point.v;
    let squared = mean_squared + thermals_squared + unresolved * unresolved;
    let wind = squared.sqrt().at_least(R::from_f64(LEAST_WIND));
    let richardson = parameters.g / air.theta * air.height * air.lighter / (wind * wind);
    let was_unstable = point.temperature_scale < R::ZERO;
    let richardson = if was_unstable & (richardson > R::ZERO) { R::ZERO } else { richardson };
    Flow { mean: mean_squared.sqrt(), wind, richardson }
}

per_lane! {
    /// The equation for `z / L`: `zeta H / M^2 = Ri` with the profiles `M` of momentum and `H` of heat.
    pub(crate) struct Equation {
        /// The Richardson number, limited.
        richardson,
        /// `ln((z + z0) / z0)`.
        logarithm,
        /// `z0 / z`.
        foot,
    }
}

impl<R: Real> Equation<R> {
    #[inline(always)]
    pub(crate) fn new(point: &Point<R>, air: &Lowest<R>, flow: &Flow<R>) -> Self {
        let largest = R::from_f64(LARGEST_RICHARDSON);
        Self {
            richardson: flow.richardson.clamp(-largest, largest),
            logarithm: air.logarithm,
            foot: point.roughness / air.height,
        }
    }

    /// What `zeta` has too much, by the corrections at the middle of the layer and at the roughness length.
    #[inline(always)]
    pub(crate) fn excess(&self, zeta: R, above: Psi<R>, below: Psi<R>) -> R {
        let momentum = self.logarithm - (above.momentum - below.momentum);
        let heat = self.logarithm - (above.heat - below.heat);
        zeta * heat / (momentum * momentum) - self.richardson
    }
}

/// `z / L` where it does not follow from the equation: of neutral air, and of unstable air that hardly moved.
#[inline(always)]
pub(crate) fn without_equation<R: Real>(point: &Point<R>, air: &Lowest<R>, flow: &Flow<R>, root: R) -> R {
    let still = (flow.richardson < R::ZERO) & (point.friction < R::from_f64(LEAST_FRICTION));
    if still {
        flow.richardson * air.logarithm
    } else if flow.richardson == R::ZERO {
        R::ZERO
    } else {
        root
    }
}
