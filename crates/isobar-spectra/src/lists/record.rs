//! A line of HITRAN's lists, however it stands in a file, and what is checked of it.

use super::Odd;
use crate::physics::line::Line;

/// A record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParRecord {
    /// HITRAN's number of the molecule.
    pub molecule: u32,
    /// HITRAN's number of the isotopologue, from 1.
    pub isotopologue: u32,
    /// The line.
    pub line: Line<f64>,
}

/// HITRAN's number of an isotopologue, which has one character: the tenth is 0, the next ones have letters.
pub(super) fn isotopologue_of(text: &str) -> Result<u32, String> {
    match *text.as_bytes() {
        [digit @ b'1'..=b'9'] => Ok(u32::from(digit - b'0')),
        [b'0'] => Ok(10),
        [letter @ b'A'..=b'Z'] => Ok(u32::from(letter - b'A') + 11),
        _ => Err(format!("the isotopologue is '{text}'; accepted is 0 to 9 or a letter")),
    }
}

/// Has the line values that a line has? If not: which kind it is of, and what is wrong.
pub(crate) fn check(line: &Line<f64>) -> Result<(), (Odd, String)> {
    let is_negative = |value: f64| value.is_nan() || value < 0.0;
    if is_negative(line.wavenumber_per_cm) || line.wavenumber_per_cm == 0.0 {
        let why = format!("the position is {} cm^-1; accepted is more than 0", line.wavenumber_per_cm);
        return Err((Odd::BadPosition, why));
    }
    if is_negative(line.intensity) {
        return Err((Odd::BadIntensity, format!("the intensity is {:e}; accepted is 0 or more", line.intensity)));
    }
    let widths = [
        ("by air", line.air_width_per_cm_atm, "0 (a Doppler line) or more"),
        ("by the gas itself", line.self_width_per_cm_atm, "0 (unknown) or more"),
    ];
    if let Some((by, width, accepted)) = widths.into_iter().find(|(_, width, _)| is_negative(*width)) {
        return Err((Odd::BadWidth, format!("the width {by} is {width} cm^-1/atm; accepted is {accepted}")));
    }
    // Far beyond what any line has, and small enough that nothing overflows in single precision.
    let largest = [
        ("the position [cm^-1]", line.wavenumber_per_cm, 1e8),
        ("the intensity [cm/molecule]", line.intensity, 1.0),
        ("the width by air [cm^-1/atm]", line.air_width_per_cm_atm, 1e4),
        ("the width by the gas itself [cm^-1/atm]", line.self_width_per_cm_atm, 1e4),
        ("the energy of the lower state [cm^-1]", line.lower_energy_per_cm, 1e8),
        ("the exponent of the width by air", line.air_exponent, 100.0),
        ("the exponent of the width by the gas itself", line.self_exponent, 100.0),
        ("the shift by air [cm^-1/atm]", line.air_shift_per_cm_atm, 1e4),
        ("the shift by the gas itself [cm^-1/atm]", line.self_shift_per_cm_atm, 1e4),
        ("the line mixing [1/atm]", line.mixing_per_atm, 1e4),
        ("the exponent of the line mixing", line.mixing_exponent, 100.0),
    ];
    match largest.into_iter().find(|&(_, value, largest)| value.is_nan() || value.abs() > largest) {
        Some((what, value, largest)) => Err((
            Odd::Absurd,
            format!("{what} is {value:e}; accepted is up to {largest:e}, of either sign where it has one"),
        )),
        None => Ok(()),
    }
}
