//! A made-up gas, for demonstrations and measurements where there is no list: water vapour in nothing but its
//! statistics.

use isobar_core::Real;

use super::{Gas, Isotopologue, PartitionSum};
use crate::SpectraError;
use crate::physics::line::Line;

/// A gas with `lines` lines between two wavenumbers \[cm^-1\]: positions without order, intensities over eight decades
/// around 1e-23 cm/molecule, widths of 0.02 to 0.1 cm^-1/atm, a mass of 18 u and the partition sum of an asymmetric
/// rotor. They follow from the numbers alone.
///
/// # Errors
/// Wavenumbers that are not positive or out of order.
pub fn made_up_gas(name: &str, lines: usize, (low, high): (f64, f64)) -> Result<Gas, SpectraError> {
    if !(low > 0.0 && high >= low && high.is_finite()) {
        let value = format!("{low} to {high}");
        return Err(SpectraError::value("the range of lines [cm^-1]", value, "two positive numbers that ascend"));
    }
    // Steele et al. 2014 (doi:10.1145/2660193.2660195): a counter whose bits are mixed.
    let mut counter: u64 = 24;
    let mut between = |low: f64, high: f64| {
        counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (counter ^ counter >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((mixed ^ mixed >> 31) >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    };
    let mut one = || {
        let exponent = between(0.4, 0.8);
        let line = Line {
            wavenumber_per_cm: between(low, high),
            intensity: Real::powf(10.0, between(-27.0, -19.0)),
            air_width_per_cm_atm: between(0.02, 0.1),
            self_width_per_cm_atm: between(0.2, 0.5),
            lower_energy_per_cm: between(0.0, 2500.0),
            air_exponent: exponent,
            self_exponent: exponent,
            air_shift_per_cm_atm: between(-0.01, 0.01),
            ..Line::default()
        };
        (line, 0)
    };
    let lines = (0..lines).map(|_| one()).collect();
    let rows: Vec<(f64, f64)> =
        (4..=80).map(|i| 10.0 * f64::from(i)).map(|t| (t, 0.0343 * t * Real::sqrt(t))).collect();
    let partition = PartitionSum::new(name, &rows)?;
    Gas::new(name, lines, vec![Isotopologue { name: name.to_owned(), mass_u: 18.0, partition }])
}
