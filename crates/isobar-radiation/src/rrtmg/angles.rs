//! Several zenith angles instead of one diffusivity angle: Gauss-Jacobi quadrature of the flux over the hemisphere
//! (Clough et al. 1992, doi:10.1029/92JD01419, Table 1).

/// An angle along which radiation is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slant {
    /// The secant of the zenith angle; 0 for the diffusivity angle of each band and column.
    pub secant: f64,
    /// The part of the flux.
    pub weight: f64,
}

impl Slant {
    /// The diffusivity angle of each band and column.
    pub const OF_BANDS: Self = Self { secant: 0.0, weight: 1.0 };

    const fn new(secant: f64, half_of_weight: f64) -> Self {
        Self { secant, weight: 2.0 * half_of_weight }
    }
}

const TWO: [Slant; 2] = [Slant::new(1.183_503_43, 0.318_041_381_7), Slant::new(2.816_496_55, 0.181_958_618_3)];
const THREE: [Slant; 3] = [
    Slant::new(1.097_198_58, 0.200_931_913_7),
    Slant::new(1.693_385_07, 0.229_241_106_4),
    Slant::new(4.709_416_30, 0.069_826_979_9),
];
const FOUR: [Slant; 4] = [
    Slant::new(1.060_562_57, 0.135_506_913_4),
    Slant::new(1.382_825_60, 0.203_464_568_0),
    Slant::new(2.401_481_79, 0.129_847_547_6),
    Slant::new(7.155_130_24, 0.031_180_971_0),
];

/// Two to four angles, whose weights sum to one.
#[must_use]
pub fn quadrature(count: usize) -> Option<&'static [Slant]> {
    match count {
        2 => Some(&TWO),
        3 => Some(&THREE),
        4 => Some(&FOUR),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobar_core::Real;

    #[test]
    fn polynomials_of_the_cosine_are_integrated() {
        for count in 2..=4_usize {
            for power in 0..2 * count as i32 {
                let term = |slant: &Slant| slant.weight * Real::powi(1.0 / slant.secant, power);
                let sum: f64 = quadrature(count).expect("there is one").iter().map(term).sum();
                // The secants have eight decimals, and each power counts their error once more.
                let tolerance = 1e-8 * f64::from(1 + power);
                assert!((sum - 2.0 / f64::from(power + 2)).abs() < tolerance, "{count} angles, power {power}: {sum}");
            }
        }
        assert!([0, 1, 5].iter().all(|&count| quadrature(count).is_none()));
    }
}
