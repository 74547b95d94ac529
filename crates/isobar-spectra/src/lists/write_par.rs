//! Records of 160 columns, written.

use std::io::{self, Write};

use super::ParRecord;

/// Writes records with the numbers that [`super::read_par`] reads; what it does not read is blank. Digits beyond the
/// format's are lost.
///
/// # Errors
/// Those of `out`, and a number that does not fit its columns.
pub fn write_par(out: &mut impl Write, records: &[ParRecord]) -> io::Result<()> {
    for ParRecord { molecule, isotopologue, line } in records {
        let code = match isotopologue {
            1..=9 => char::from_digit(*isotopologue, 10),
            10 => Some('0'),
            11..=36 => char::from_u32(u32::from('A') + isotopologue - 11),
            _ => None,
        };
        let code = code.ok_or_else(|| io::Error::other(format!("isotopologue {isotopologue} has no letter")))?;
        let text = [
            format!("{molecule:2}{code}"),
            fixed(line.wavenumber_per_cm, 12, 6)?,
            exponential(line.intensity)?,
            " ".repeat(10),
            fixed(line.air_width_per_cm_atm, 5, 4)?,
            fixed(line.self_width_per_cm_atm, 5, 4)?,
            fixed(line.lower_energy_per_cm, 10, 4)?,
            fixed(line.air_exponent, 4, 2)?,
            fixed(line.air_shift_per_cm_atm, 8, 6)?,
        ];
        writeln!(out, "{:160}", text.concat())?;
    }
    Ok(())
}

/// Fortran's F format: the zero before the point goes where there is no room for it.
fn fixed(value: f64, width: usize, digits: usize) -> io::Result<String> {
    let mut text = format!("{value:width$.digits$}");
    if text.len() > width {
        text = text.replacen("0.", ".", 1);
    }
    if text.len() > width {
        return Err(io::Error::other(format!("{value} does not fit {width} columns with {digits} digits")));
    }
    Ok(text)
}

/// Fortran's E10.3.
fn exponential(value: f64) -> io::Result<String> {
    let text = format!("{value:.3e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().map_err(io::Error::other)?;
    let text = format!("{:>10}", format!("{digits}E{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()));
    if text.len() > 10 {
        return Err(io::Error::other(format!("{value:e} does not fit 10 columns")));
    }
    Ok(text)
}
