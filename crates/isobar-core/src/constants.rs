//! Physical constants that the physics crates share, in SI units.
//!
//! The first seven follow from the definition of the SI of 2019 (CODATA 2018) and are exact. A crate that repeats the
//! results of a reference model has that model's older values in a `constants` module of its own.

/// Planck constant \[J s\] (exact).
pub const PLANCK_J_S: f64 = 6.626_070_15e-34;

/// Speed of light in vacuum \[m/s\] (exact).
pub const SPEED_OF_LIGHT_M_PER_S: f64 = 299_792_458.0;

/// Boltzmann constant \[J/K\] (exact).
pub const BOLTZMANN_J_PER_K: f64 = 1.380_649e-23;

/// Avogadro constant \[1/mol\] (exact).
pub const AVOGADRO_PER_MOL: f64 = 6.022_140_76e23;

/// Molar gas constant \[J/(mol K)\], `N_A k` (exact).
pub const GAS_CONSTANT_J_PER_MOL_K: f64 = AVOGADRO_PER_MOL * BOLTZMANN_J_PER_K;

/// Stefan-Boltzmann constant \[W/(m^2 K^4)\], `2 pi^5 k^4 / (15 h^3 c^2)` (CODATA 2018).
pub const STEFAN_BOLTZMANN_W_PER_M2_K4: f64 = 5.670_374_419e-8;

/// Second radiation constant \[m K\], `h c / k` (exact).
pub const SECOND_RADIATION_M_K: f64 = PLANCK_J_S * SPEED_OF_LIGHT_M_PER_S / BOLTZMANN_J_PER_K;

/// Standard acceleration of gravity \[m/s^2\] (3rd CGPM, 1901).
pub const STANDARD_GRAVITY_M_PER_S2: f64 = 9.806_65;

/// Standard atmosphere \[Pa\] (10th CGPM, 1954).
pub const STANDARD_PRESSURE_PA: f64 = 101_325.0;

/// 0 degrees Celsius \[K\].
pub const ICE_POINT_K: f64 = 273.15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_constants_are_those_of_codata() {
        let pi = core::f64::consts::PI;
        let k = BOLTZMANN_J_PER_K;
        let (h, c) = (PLANCK_J_S, SPEED_OF_LIGHT_M_PER_S);
        let sigma = 2.0 * (pi * pi * pi * pi * pi) * (k * k * k * k) / (15.0 * (h * h * h) * (c * c));
        // CODATA prints ten digits.
        assert!((sigma / STEFAN_BOLTZMANN_W_PER_M2_K4 - 1.0).abs() < 1e-9);
        assert!((SECOND_RADIATION_M_K / 1.438_776_877e-2 - 1.0).abs() < 1e-9);
        assert!((GAS_CONSTANT_J_PER_MOL_K / 8.314_462_618 - 1.0).abs() < 1e-9);
    }
}
