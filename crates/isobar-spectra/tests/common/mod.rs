//! A made-up gas.

use isobar_core::Real;
use isobar_golden::Random;
use isobar_spectra::{Gas, Isotopologue, Line, PartitionSum};

/// A partition sum of a rotating molecule.
pub(crate) fn partition(name: &str) -> PartitionSum {
    let row = |i: i32| {
        let temperature = 100.0 + 10.0 * f64::from(i);
        (temperature, temperature * Real::sqrt(temperature) / 30.0)
    };
    PartitionSum::new(name, &(0..60).map(row).collect::<Vec<_>>()).expect("a table")
}

/// A molecule of a mass.
pub(crate) fn isotopologue(mass_u: f64) -> Isotopologue {
    Isotopologue { name: format!("{mass_u} u"), mass_u, partition: partition("made up") }
}

/// A line without shift.
#[allow(dead_code, reason = "not in every test")]
pub(crate) fn line(wavenumber_per_cm: f64, intensity: f64, width: f64) -> Line<f64> {
    Line {
        wavenumber_per_cm,
        intensity,
        air_width_per_cm_atm: width,
        self_width_per_cm_atm: width,
        lower_energy_per_cm: 100.0,
        air_exponent: 0.7,
        self_exponent: 0.7,
        ..Line::default()
    }
}

/// Lines of two isotopologues at any places within a range, of intensities over ten decades.
#[allow(dead_code, reason = "not in every test")]
pub(crate) fn random_gas(name: &str, lines: usize, (low, high): (f64, f64)) -> Gas {
    let mut random = Random::new(7);
    let mut between = |low: f64, high: f64| low + (high - low) * random.unit();
    let one = |number: usize| {
        let line = Line {
            wavenumber_per_cm: between(low, high),
            intensity: Real::powf(10.0, between(-29.0, -19.0)),
            air_width_per_cm_atm: between(0.02, 0.12),
            self_width_per_cm_atm: between(0.02, 0.5),
            lower_energy_per_cm: between(0.0, 3000.0),
            air_exponent: between(0.3, 0.9),
            self_exponent: between(0.3, 0.9),
            air_shift_per_cm_atm: between(-0.02, 0.02),
            self_shift_per_cm_atm: between(-0.02, 0.02),
            mixing_per_atm: between(-0.05, 0.05),
            mixing_exponent: between(0.5, 1.5),
        };
        (line, (number % 2) as u32)
    };
    let lines = (0..lines).map(one).collect();
    Gas::new(name, lines, vec![isotopologue(44.0), isotopologue(45.0)]).expect("a gas")
}
