//! A line of HITRAN's lists, however it stands in a file, and what is checked of it.

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

/// Has the line values that a line has?
pub(crate) fn check(line: &Line<f64>) -> Result<(), String> {
    let positive = |what: &str, value: f64, unit: &str| {
        if value > 0.0 { Ok(()) } else { Err(format!("{what} is {value}{unit}; accepted is more than 0")) }
    };
    positive("the position", line.wavenumber_per_cm, " cm^-1")?;
    if line.intensity < 0.0 {
        return Err(format!("the intensity is {:e}; accepted is 0 or more", line.intensity));
    }
    positive("the width by air", line.air_width_per_cm_atm, " cm^-1/atm")?;
    if line.self_width_per_cm_atm < 0.0 {
        let width = line.self_width_per_cm_atm;
        return Err(format!("the width by the gas itself is {width} cm^-1/atm; accepted is 0 (unknown) or more"));
    }
    Ok(())
}
