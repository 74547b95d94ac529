//! What of a column's transport the grid does not resolve, and what that makes of its fluxes.

use isobar_core::{Real, per_lane};

use crate::physics::implicit::Upward;
use crate::physics::layer::Layer;
use crate::physics::mixed_layer::Diffusivity;
use crate::physics::mixing::Mixing;
use crate::physics::shin_hong::nonlocal::Nonlocal;
use crate::physics::shin_hong::partition;
use crate::physics::shin_hong::shares::Shares;
use crate::shin_hong_constants::NEAR_GROUND;
use crate::version::Parameters;

per_lane! {
    /// What Shin-Hong knows of a column besides.
    pub(crate) struct Scaled<T> {
        /// The distance of the grid's points \[m\].
        distance: T,
        shares: Shares<T>,
        nonlocal: Nonlocal<T>,
        /// The velocity of entrainment \[m/s\].
        entrainment: T,
        /// Counter-gradient term of vapour over the height, for turbulent energy \[1/m\].
        counter_vapour: T,
    }
}

/// The ratio of the grid's distance to the eddies at height `z`, which near the ground are smaller than the layer.
#[inline(always)]
pub(crate) fn local_ratio<R: Real>(z: R, mixing: &Mixing<R>, distance: R) -> R {
    let near = (R::from_f64(NEAR_GROUND) * mixing.height).plain_quotient(z).at_least(R::ONE);
    distance * near * mixing.per_height
}

/// The diffusivities of the systems at height `z` below the top.
#[inline(always)]
pub(crate) fn conducting<R: Real>(z: R, whole: &Diffusivity<R>, mixing: &Mixing<R>, distance: R) -> Diffusivity<R> {
    let ratio = local_ratio(z, mixing, distance);
    Diffusivity {
        momentum: whole.momentum * partition::momentum(ratio),
        heat: whole.heat * partition::local_heat(ratio),
        moisture: whole.moisture * partition::moisture(ratio),
    }
}

/// What is carried upward: of heat the unresolved share, by the nonlocal profile of Shin and Hong if that is
/// chosen.
#[inline(always)]
pub(crate) fn upward<R: Real>(
    [lower, upper]: [&Layer<R>; 2],
    of_ysu: &Upward<R>,
    scaled: &Scaled<R>,
    nonlocal: R,
    explicit: bool,
    parameters: &Parameters<R>,
) -> Upward<R> {
    let mut theta = of_ysu.theta;
    if parameters.nonlocal_flux != 0 {
        let mass = (lower.pressure - upper.pressure) * upper.per_distance;
        theta = if explicit { mass * nonlocal } else { R::ZERO };
    }
    Upward { theta: theta * scaled.shares.heat, ..*of_ysu }
}
