//! What axes and totals have to be. Problems are sentences.

use std::f64::consts::PI;
use std::ops::Bound::Included;

use isobar_core::Real;

use crate::netcdf::Accepted;

/// The range of asymmetries of scattering.
pub(super) const ASYMMETRY: Accepted = Accepted { low: Included(-1.0), high: Included(1.0) };

/// By particles \[m^2/g\]: of a hundredth of a micrometre, much smaller than any of a cloud, 150 times Q.
pub(super) const EXTINCTION: Accepted = Accepted { low: Included(0.0), high: Included(1e3) };

/// By how much steps along an axis may differ, relative to their mean.
const UNEVEN: f64 = 1e-4;

/// [W m^-2 K^-4]
const STEFAN_BOLTZMANN: f64 = 5.670_374_419e-8;

/// Along which scale an axis has equal steps, and which way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Axis {
    /// Rising by a constant step.
    Rising,
    /// Rising by a constant factor.
    RisingByFactor,
    /// Falling by a constant factor.
    FallingByFactor,
}

/// At least two values at equal distances; `place` says where a value is.
pub(super) fn even(name: &str, values: &[f64], axis: Axis, place: impl Fn(usize) -> String) -> Result<(), String> {
    let scaled = |value: f64| if axis == Axis::Rising { value } else { Real::ln(value) };
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
        return Err(format!("{name} has no value"));
    };
    if values.len() < 2 {
        return Err(format!("{name} has one value; expected at least 2"));
    }
    let mean = (scaled(last) - scaled(first)) / (values.len() - 1) as f64;
    let way = if axis == Axis::FallingByFactor { -1.0 } else { 1.0 };
    for (index, pair) in values.windows(2).enumerate() {
        let step = scaled(pair[1]) - scaled(pair[0]);
        if step * way > 0.0 && (step - mean).abs() <= UNEVEN * mean.abs() {
            continue;
        }
        let expected = match axis {
            Axis::Rising => "rise by a constant step",
            Axis::RisingByFactor => "rise by a constant factor",
            Axis::FallingByFactor => "fall by a constant factor",
        };
        return Err(format!(
            "{name} = {} at {} follows {}; expected values that {expected}",
            pair[1],
            place(index + 1),
            pair[0]
        ));
    }
    Ok(())
}

/// Limits of bands or intervals: each begins below its end.
pub(super) fn limits(name: &str, unit: &str, limits: &[[f64; 2]]) -> Result<(), String> {
    match limits.iter().position(|[low, high]| low >= high) {
        None => Ok(()),
        Some(index) => {
            let [low, high] = limits[index];
            Err(format!("{name} {index} is from {low} to {high} {unit}; expected limits that rise"))
        }
    }
}

/// A total that black bodies of this temperature do not exceed \[W m^-2\]. Parts of the spectrum have less.
pub(super) fn below_black_body(name: &str, temperature: f64, total: f64) -> Result<(), String> {
    let whole = STEFAN_BOLTZMANN * (temperature * temperature) * (temperature * temperature);
    if total > 0.0 && total <= 1.01 * whole {
        return Ok(());
    }
    Err(format!("{name} has {total} W m-2 in all at {temperature} K; expected (0, {whole:.4}], a black body's"))
}

/// A radiance that black bodies of this temperature do not exceed \[W m^-2 sr^-1\].
pub(super) fn radiance_below_black_body(name: &str, temperature: f64, total: f64) -> Result<(), String> {
    below_black_body(name, temperature, PI * total)
}

/// The sun's total \[W m^-2\]: that of the Earth's sun or of a part of the spectrum.
pub(super) fn solar_total(name: &str, total: f64) -> Result<(), String> {
    const MOST: f64 = 2000.0;
    if total > 0.0 && total <= MOST {
        return Ok(());
    }
    Err(format!("{name} has {total} W m-2 in all; expected (0, {MOST}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64], axis: Axis) -> Result<(), String> {
        even("p", values, axis, |index| format!("level {index}"))
    }

    #[test]
    fn axes_have_equal_steps_one_way() {
        assert_eq!(of(&[1.0, 2.0, 3.0], Axis::Rising), Ok(()));
        assert_eq!(of(&[1.0, 10.0, 100.001], Axis::RisingByFactor), Ok(()));
        assert_eq!(of(&[100.0, 10.0, 1.0], Axis::FallingByFactor), Ok(()));
        for (values, axis) in [
            (&[1.0, 2.0, 3.01][..], Axis::Rising),
            (&[3.0, 2.0, 1.0], Axis::Rising),
            (&[1.0, 1.0], Axis::Rising),
            (&[1.0, 10.0, 101.0], Axis::RisingByFactor),
            (&[1.0, 10.0, 100.0], Axis::FallingByFactor),
            (&[100.0, 10.0, 1.0], Axis::RisingByFactor),
            (&[1.0, -1.0], Axis::RisingByFactor),
            (&[1.0], Axis::Rising),
            (&[], Axis::Rising),
        ] {
            assert!(of(values, axis).is_err(), "{values:?} {axis:?}");
        }
        assert_eq!(
            of(&[1.0, 3.0, 2.0], Axis::Rising),
            Err("p = 3 at level 1 follows 1; expected values that rise by a constant step".into())
        );
    }

    #[test]
    fn totals_are_those_of_black_bodies_and_the_sun() {
        assert_eq!(below_black_body("b", 288.0, 390.0), Ok(()));
        assert!(below_black_body("b", 288.0, 400.0).is_err() && below_black_body("b", 288.0, 0.0).is_err());
        assert!(radiance_below_black_body("b", 288.0, 390.0).is_err());
        assert!(solar_total("s", 1361.0).is_ok() && solar_total("s", 1.361e6).is_err());
    }
}
