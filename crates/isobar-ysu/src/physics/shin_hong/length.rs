//! The mixing length of turbulent energy: Blackadar's in the boundary layer, a share of the layers above, the QNSE
//! model's in stable air.

use isobar_core::{Real, per_lane};

use crate::physics::scales::Scales;
use crate::physics::shin_hong::energy::Source;
use crate::physics::surface::Ground;
use crate::shin_hong_constants::{
    ASYMPTOTIC, BUOYANCY, LARGEST_ASYMPTOTIC, LEAST_ASYMPTOTIC, LEAST_LENGTH, LEAST_ROTATION, LENGTH_OF_LAYERS,
    MIXED_LENGTH, MIXED_SLOPE, ROTATION,
};
use crate::version::Parameters;

per_lane! {
    /// The sums for the mean height of turbulence, as far up as a sweep has come.
    pub(crate) struct Mean {
        /// Turbulent velocity over height, and that times twice the height.
        velocity, weighted,
        /// Velocity and height of the last interface.
        last, height,
    }
}

impl<R: Real> Mean<R> {
    /// Before the first interface above the surface.
    #[inline(always)]
    pub(crate) fn start(double_energy: R) -> Self {
        Self { last: double_energy.plain_sqrt(), ..Self::default() }
    }

    /// With the next interface; only those up to the top's layer are turbulent.
    #[inline(always)]
    pub(crate) fn with(self, double_energy: R, height: R, turbulent: bool) -> Self {
        let velocity = if turbulent { double_energy.plain_sqrt() } else { R::ZERO };
        let sum = (velocity + self.last) * (height - self.height);
        Self {
            velocity: self.velocity + sum,
            weighted: self.weighted + (height + self.height) * sum,
            last: velocity,
            height,
        }
    }
}

per_lane! {
    /// What the lengths of all levels need of a column.
    pub(crate) struct Lengths {
        /// The asymptotic length \[m\].
        asymptotic,
        /// The length near the ground over the height: in a mixed layer, and in stable air.
        near, karman,
        /// Of the rotating Earth \[1/m\].
        rotation,
    }
}

impl<R: Real> Lengths<R> {
    #[inline(always)]
    pub(crate) fn new(
        mean: &Mean<R>,
        ground: &Ground<R>,
        scales: &Scales<R>,
        coriolis: R,
        mixed: bool,
        parameters: &Parameters<R>,
    ) -> Self {
        let number = R::from_f64;
        let asymptotic = number(ASYMPTOTIC * 0.5) * mean.weighted / mean.velocity;
        let unstable = R::ONE - number(MIXED_SLOPE) * scales.at_surface_layer.min(R::ZERO);
        let karman = parameters.physical.karman;
        Self {
            asymptotic: asymptotic.min(number(LARGEST_ASYMPTOTIC)).max(number(LEAST_ASYMPTOTIC)),
            near: if mixed { number(MIXED_LENGTH) * unstable.plain_cbrt() * karman } else { karman },
            karman,
            rotation: coriolis.max(number(LEAST_ROTATION)) / (number(ROTATION) * ground.friction_velocity),
        }
    }

    /// Blackadar's length at a height.
    #[inline(always)]
    pub(crate) fn inside(&self, height: R) -> R {
        let near = self.near * height;
        (near * self.asymptotic).plain_quotient(near + self.asymptotic)
    }

    /// The length above the boundary layer, where two layers are as thick.
    #[inline(always)]
    pub(crate) fn above(both_layers: R) -> R {
        R::from_f64(LENGTH_OF_LAYERS) * both_layers
    }

    /// The length at an interface where `first` is that above or inside. Inside, but for the lowest two and the
    /// uppermost interface (`smooth`), its share of the limit is smoothed over `below`, `here` and `above`.
    #[inline(always)]
    pub(crate) fn at(
        &self,
        source: &Source<R>,
        first: R,
        [below, here, above]: [R; 3],
        double_energy: R,
        smooth: bool,
    ) -> R {
        let half = R::from_f64(0.5);
        let share = ((below + above) * half + here) * half;
        let share = if share < here { share } else { here };
        let smoothed = (share * source.limit).at_least(R::from_f64(LEAST_LENGTH));
        let length = if smooth { smoothed } else { first };
        let stable = source.stability.at_least(R::ZERO);
        let buoyancy = (stable + stable).plain_quotient(double_energy).sqrt() * R::from_f64(1.0 / BUOYANCY);
        let near = self.karman * source.height;
        let in_stable = near.plain_quotient(near.mul_add(self.rotation + buoyancy, R::ONE));
        if source.stability >= R::ZERO { in_stable } else { length }
    }
}
