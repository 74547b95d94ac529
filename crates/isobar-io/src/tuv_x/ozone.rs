//! Ozone's cross-sections \[cm^2\], each of several measurements.

use super::data::{Of, at, file, files_at, rising};
use super::object::Object;
use super::{Law, Reading, Unread};

/// Of JPL 2006: the bins with two temperatures \[nm\], and these \[K\].
const TWO_NM: [f64; 2] = [196.078, 342.5];
const TWO_K: [f64; 2] = [218.0, 298.0];

/// Up to these wavelengths in air \[nm\] hold, from short to long, these files of the type `O3`.
const FILES: [(f64, usize); 4] = [(185.0, 3), (195.0, 4), (345.0, 2), (f64::INFINITY, 1)];
/// Air at which wavelengths of the files are measured \[molecule/cm^3\], and that of the index of refraction.
const MEASURED_IN: f64 = 2.45e19;
const REFRACTION_OF: f64 = 2.69e19 * 273.15 / 288.15;

/// The type `O3`: by the lower edge of a bin one of four files, each at its own temperatures.
pub(super) fn of_four(object: &Object<'_>, reading: &mut Reading<'_>) -> Result<Law, Unread> {
    let mut all = Vec::new();
    for means in files_at(object, Of::CrossSection, &in_vacuum, reading)? {
        all.push(rising(object, means)?);
    }
    let number = |edge: f64| FILES.iter().find(|(to, _)| edge < in_vacuum(*to)).map_or(1, |(_, number)| *number);
    let bins: Vec<usize> = reading.edges[..reading.edges.len() - 1].iter().map(|edge| number(*edge)).collect();
    if let Some(bin) = bins.iter().position(|number| *number > all.len()) {
        let (edge, needed, got) = (reading.edges[bin], bins[bin], all.len());
        return Err(object.invalid(&format!("it has {got} files; the bin from {edge} nm needs file {needed}")).into());
    }
    // The fourth spectrum of the second file, that at room temperature, is the finer one of the first.
    if let [first, (_, second), ..] = &mut all[..] {
        let got = second.len();
        let room = second.get_mut(3);
        room.ok_or_else(|| object.invalid(&format!("its file 2 has {got} parameters of 4")))?.clone_from(&first.1[0]);
    }
    Ok(Box::new(move |t| {
        let rows: Vec<Vec<f64>> = all.iter().map(|(temperatures, rows)| at(temperatures, rows, t)).collect();
        let of = |(bin, &number): (usize, &usize)| if number == 1 { all[0].1[0][bin] } else { rows[number - 1][bin] };
        bins.iter().enumerate().map(of).collect()
    }))
}

/// The type `O3 JPL06`: one file, and two at temperatures in the Hartley and Huggins bands.
pub(super) fn of_two_temperatures(object: &Object<'_>, reading: &mut Reading<'_>) -> Result<Law, Unread> {
    let mut rows = Vec::new();
    for key in ["base netcdf file", "low-temperature netcdf file", "high-temperature netcdf file"] {
        let own = object.object(key)?;
        let path = own.find(&own.text("file path")?)?;
        let (mut parameters, _) = file(&path, [Some(&own), None], object, Of::CrossSection, &|l| l, reading)?;
        rows.push(parameters.swap_remove(0));
    }
    let usual = rows.remove(0);
    let is_two = |edges: &[f64]| edges[0] >= TWO_NM[0] && edges[1] <= TWO_NM[1];
    let two: Vec<bool> = reading.edges.windows(2).map(is_two).collect();
    Ok(Box::new(move |t| {
        let between = at(&TWO_K, &rows, t);
        (0..usual.len()).map(|bin| if two[bin] { between[bin] } else { usual[bin] }).collect()
    }))
}

/// The wavelength in vacuum of one in air \[nm\], by Edlén (1966, doi:10.1088/0026-1394/2/2/002); the index of
/// refraction is that of 200 or 2000 nm beyond these.
fn in_vacuum(l: f64) -> f64 {
    let per_micrometre = 1e3 / l.clamp(200.0, 2000.0);
    let squared = per_micrometre * per_micrometre;
    let above_one = 8342.13 + 2_406_030.0 / (130.0 - squared) + 15_997.0 / (38.9 - squared);
    l * (1.0 + 1e-8 * above_one * MEASURED_IN / REFRACTION_OF)
}
