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
    match widths.into_iter().find(|(_, width, _)| is_negative(*width)) {
        Some((by, width, accepted)) => {
            Err((Odd::BadWidth, format!("the width {by} is {width} cm^-1/atm; accepted is {accepted}")))
        }
        None => Ok(()),
    }
}
