//! Wings of CO2's lines are weaker than Lorentz's: factors chi of Perrin and Hartmann (1989,
//! doi:10.1016/0022-4073(89)90077-0), CO2 in N2, measured at 2100 to 2500 cm^-1:
//!
//! ```text
//! chi = 1                                   up to 3 cm^-1
//!       exp(-B1 (d - 3))                    up to 10
//!       exp(-7 B1 - B2 (d - 10))            up to 70
//!       exp(-7 B1 - 60 B2 - B3 (d - 70))    beyond;        B = alpha + beta exp(-epsilon T)
//! ```
//!
//! Not together with line mixing, which describes the same.

use isobar_core::Real;

/// `alpha`, `beta` and `epsilon` of B1, B2 and B3.
const COEFFICIENTS: [[f64; 3]; 3] = [[0.416, -0.354, 0.00386], [0.00167, 0.0421, 0.00248], [0.02, 0.0, 0.0]];

/// Where the factor's slope jumps, from a line's centre \[cm^-1\].
pub const KINKS_PER_CM: [f64; 3] = [3.0, 10.0, 70.0];

/// The decay rates B1, B2 and B3 \[1/cm^-1\] at a temperature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Chi<R> {
    rates: [R; 3],
}

impl<R: Real> Chi<R> {
    /// At a temperature \[K\].
    #[inline(always)]
    #[must_use]
    pub fn new(temperature_k: R) -> Self {
        let rate = |[alpha, beta, epsilon]: [f64; 3]| {
            R::from_f64(alpha) + R::from_f64(beta) * (-R::from_f64(epsilon) * temperature_k).exp()
        };
        Self { rates: COEFFICIENTS.map(rate) }
    }

    /// No factor: 1 everywhere.
    #[must_use]
    pub fn none() -> Self {
        Self { rates: [R::ZERO; 3] }
    }

    /// The factor so far \[cm^-1\] from a line's centre.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, distance_per_cm: R) -> R {
        let far = distance_per_cm.abs();
        let [first, second, third] = self.rates;
        let part = |from: f64, to: f64| far.at_least(R::from_f64(from)).at_most(R::from_f64(to)) - R::from_f64(from);
        let [near, middle, last] = KINKS_PER_CM;
        let beyond = far.at_least(R::from_f64(last)) - R::from_f64(last);
        (-(first * part(near, middle) + second * part(middle, last) + third * beyond)).exp()
    }
}
