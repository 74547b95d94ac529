//! A Sun that stands on the horizon.

use isobar_core::Real;

use crate::constants::roots_of_epsilon;

/// The least cosine of the Sun's zenith angle with which its beam goes through layers, in a precision: 3.5e-4 in f32
/// and 1.5e-8 in f64.
///
/// Nearer to 0 the equations of the two streams for the beam are 0/0. The light of a lower Sun, which comes in as its
/// own cosine says, takes that way: a shorter one, so that it heats the top too little.
#[must_use]
pub fn least_cosine_zenith<R: Real>() -> f64 {
    let [least, _] = roots_of_epsilon::<R>();
    least.value()
}
