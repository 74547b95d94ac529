//! Several zenith angles instead of one diffusivity angle: Gauss-Jacobi quadrature of the flux over the hemisphere
//! (Clough et al. 1992, doi:10.1029/92JD01419, table 1).

/// Secant and weight of each of one to four angles; weights sum to one. One angle is that of each band and column,
/// which a secant of 0 stands for.
#[must_use]
pub fn slants(count: usize) -> Option<&'static [(f64, f64)]> {
    Some(match count {
        1 => &[(0.0, 1.0)],
        2 => &[(1.183_503_43, 2.0 * 0.318_041_381_7), (2.816_496_55, 2.0 * 0.181_958_618_3)],
        3 => &[
            (1.097_198_58, 2.0 * 0.200_931_913_7),
            (1.693_385_07, 2.0 * 0.229_241_106_4),
            (4.709_416_30, 2.0 * 0.069_826_979_9),
        ],
        4 => &[
            (1.060_562_57, 2.0 * 0.135_506_913_4),
            (1.382_825_60, 2.0 * 0.203_464_568_0),
            (2.401_481_79, 2.0 * 0.129_847_547_6),
            (7.155_130_24, 2.0 * 0.031_180_971_0),
        ],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobar_core::Real;

    #[test]
    fn polynomials_of_the_cosine_are_integrated() {
        for count in 2..=4_usize {
            for power in 0..2 * count as i32 {
                let term = |&(secant, weight): &(f64, f64)| weight * Real::powi(1.0 / secant, power);
                let sum: f64 = slants(count).expect("there is one").iter().map(term).sum();
                // The secants have eight decimals, and each power counts their error once more.
                let tolerance = 1e-8 * f64::from(1 + power);
                assert!((sum - 2.0 / f64::from(power + 2)).abs() < tolerance, "{count} slants, power {power}: {sum}");
            }
        }
        assert!(slants(0).is_none() && slants(5).is_none());
    }
}
