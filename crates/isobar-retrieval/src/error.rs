//! Why a retrieval was not made.

use isobar_ega::launch::InfraredError;
use isobar_io::Place;

/// Each displays as one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The state has no element.
    #[error(
        "nothing is to be retrieved: set RETP_ZMIN and RETP_ZMAX, RETT_..., RETQ_...[i], RETK_...[i] or RET_... = 1"
    )]
    NoState,
    /// A quantity has no element.
    #[error(
        "no level {}lies between {low_km} and {high_km} km, where {quantity} is to be retrieved",
        reference_km.map_or_else(String::new, |height| format!("that is the one nearest to HYDZ = {height} km "))
    )]
    NoLevel {
        /// The quantity.
        quantity: String,
        /// The lower end \[km\].
        low_km: f64,
        /// The upper end \[km\].
        high_km: f64,
        /// The height nearest to which the level would have to lie, if it is a pressure that is made hydrostatic.
        reference_km: Option<f64>,
    },
    /// The measurement has no element.
    #[error("all of the {0} measured values are masked or missing: nothing can be retrieved from them")]
    AllMasked(usize),
    /// The a priori covariance cannot be inverted.
    #[error("{}the a priori covariance is singular at {quantity} at {height_km} km: {problem}", before(place.as_ref()))]
    SingularPrior {
        /// Where the error of the quantity was set.
        place: Option<Place>,
        /// The quantity.
        quantity: String,
        /// Its height \[km\].
        height_km: f64,
        /// What makes it so.
        problem: String,
    },
    /// A measurement without any error.
    #[error(
        "channel {channel} ({wavenumber_per_cm} cm^-1) of ray {ray} has no error: set ERR_NOISE[{channel}] or \
         ERR_FORMOD[{channel}] above 0"
    )]
    NoNoise {
        /// The ray, from 0.
        ray: usize,
        /// The channel, from 0.
        channel: usize,
        /// Its wavenumber.
        wavenumber_per_cm: f64,
    },
    /// A measured value that nothing can be fitted to.
    #[error(
        "channel {channel} ({wavenumber_per_cm} cm^-1) of ray {ray} was measured as {value:e}: the square of its \
         misfit is not finite"
    )]
    TooLarge {
        /// The ray, from 0.
        ray: usize,
        /// The channel, from 0.
        channel: usize,
        /// Its wavenumber.
        wavenumber_per_cm: f64,
        /// The value.
        value: f64,
    },
    /// The cost is not finite.
    #[error(
        "the cost of the a priori state is {cost}, which is not finite: measurement and errors do not fit together"
    )]
    Cost {
        /// The cost.
        cost: f64,
    },
    /// The normal equations cannot be solved.
    #[error("iteration {iteration}: the normal equations are singular")]
    SingularEquations {
        /// The iteration.
        iteration: usize,
    },
    /// A value before the measurement outside the physical range.
    #[error("a priori {quantity} {value} at {height_km} km (level {level}) lies outside [{low}, {high}]")]
    APriori {
        /// The quantity.
        quantity: String,
        /// The level, from 0.
        level: usize,
        /// Its height \[km\].
        height_km: f64,
        /// The value.
        value: f64,
        /// The least value.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// The measurement does not fit the channels.
    #[error("the measurement has {got} values of {rays} rays, expected {expected}")]
    Size {
        /// Values.
        got: usize,
        /// Rays.
        rays: usize,
        /// Rays times channels.
        expected: usize,
    },
    /// A radiance is not finite.
    #[error("the radiance of ray {ray}, channel {channel} is not finite")]
    NotFinite {
        /// The ray, from 0.
        ray: usize,
        /// The channel, from 0.
        channel: usize,
    },
    /// A ray could not be traced.
    #[error(transparent)]
    Ray(#[from] isobar_raytrace::Error),
    /// The forward model.
    #[error(transparent)]
    Forward(#[from] InfraredError),
    /// A device failed while it computed this retrieval with others.
    #[error("{what}")]
    Device {
        /// Why.
        what: String,
    },
    /// A file.
    #[error(transparent)]
    File(#[from] isobar_io::Error),
}

fn before(place: Option<&Place>) -> String {
    place.map_or_else(String::new, |place| format!("{place}: "))
}
