//! Wavelength bins, and the Sun's photons in them.

use std::path::Path;

use super::Reading;
use super::object::Object;
use super::spectrum::Spectrum;
use crate::error::{Error, Place};

/// Planck's constant times the speed of light \[J m\].
const HC: f64 = 6.626_070_15e-34 * 2.997_924_58e8;
/// The n-th file holds up to the n-th wavelength from that before on \[nm\], however many there are.
const FILES_UP_TO: [f64; 4] = [150.01, 200.07, 1000.99, f64::INFINITY];
/// What lines of comments begin with.
const COMMENT: &str = "#!$%*";

/// Edges of the bins \[nm\].
pub(super) fn edges(grid: &Object<'_>) -> Result<Vec<f64>, Error> {
    match grid.text("type")?.as_str() {
        "from config file" => grid.numbers("values"),
        "equal interval" => {
            let (from, to, step) = (grid.number("begins at")?, grid.number("ends at")?, grid.number("cell delta")?);
            let count = (to - from) / step;
            if !(1.0..1e6).contains(&count) {
                return Err(grid.invalid(&format!("from {from} to {to} by {step} are no bins")));
            }
            Ok((0..=count.round() as usize).map(|i| from + step * i as f64).collect())
        }
        "from csv file" => {
            let path = grid.find(&grid.text("file path")?)?;
            // The first number says how many there are.
            let rows = rows(&path)?;
            Ok(rows.into_iter().skip(1).flatten().collect())
        }
        other => Err(grid.invalid(&format!("type {other:?} is not read"))),
    }
}

/// Photons in each bin \[cm^-2 s^-1\].
pub(super) fn photons(profile: &Object<'_>, reading: &mut Reading<'_>) -> Result<Vec<f64>, Error> {
    match profile.text("type")?.as_str() {
        "from config file" => match profile.numbers("values") {
            Ok(values) => Ok(values),
            Err(_) => Ok(vec![profile.number("uniform value")?; reading.edges.len() - 1]),
        },
        "extraterrestrial flux" => {
            let files = profile.files("file path")?;
            let (got, most) = (files.len(), FILES_UP_TO.len());
            if !(1..=most).contains(&got) {
                return Err(profile.invalid(&format!("it names {got} files; expected 1 to {most}")));
            }
            conserving(profile, reading);
            let edges = reading.edges;
            let mut photons = vec![0.0; edges.len() - 1];
            for (number, (path, _)) in files.iter().enumerate() {
                let watts = irradiance(path)?.means(edges);
                let from = if number == 0 { 0.0 } else { FILES_UP_TO[number - 1] };
                for (bin, edge) in edges.windows(2).enumerate() {
                    if (from..FILES_UP_TO[number]).contains(&edge[0]) {
                        // W/(m^2 nm) to photons/(cm^2 s).
                        let factor = 1e-13 * 0.5 * (edge[0] + edge[1]) * (edge[1] - edge[0]) / HC;
                        photons[bin] = factor * watts[bin];
                    }
                }
            }
            let end = FILES_UP_TO[got - 1];
            if let Some(first) = edges[..edges.len() - 1].iter().find(|edge| **edge >= end) {
                let of = if got == 1 { "its only file holds".to_owned() } else { format!("its {got} files hold") };
                reading.note(format!("the Sun has no photons in the bins from {first} nm on: {of} below {end} nm"));
            }
            Ok(photons)
        }
        other => Err(profile.invalid(&format!("type {other:?} is not read"))),
    }
}

/// Notes other interpolators than the one that there is.
fn conserving(profile: &Object<'_>, reading: &mut Reading<'_>) {
    let list = profile.get("interpolator").and_then(serde_json::Value::as_array);
    for kind in list.into_iter().flatten().filter_map(serde_json::Value::as_str) {
        if !["", "conserving"].contains(&kind) {
            reading.note(format!("the Sun: interpolator {kind:?} is taken for \"conserving\""));
        }
    }
}

/// A file of wavelengths \[nm\] and irradiance \[W/(m^2 nm)\]; that of Neckel and Labs has photons
/// \[1/(cm^2 s nm)\] in steps of its own, by whose upper ends they stand.
fn irradiance(path: &Path) -> Result<Spectrum, Error> {
    let mut points = Vec::new();
    for row in rows(path)? {
        let [l, value, ..] = row[..] else {
            return Err(Error::invalid(Place::File(path.to_owned()), "a line has one number; expected two".to_owned()));
        };
        points.push((l, value));
    }
    if path.file_name().is_some_and(|name| name.to_string_lossy().contains("neckel.flx")) {
        let half = |l: f64| {
            if l < 630.0 {
                0.5
            } else if l < 870.0 {
                1.0
            } else {
                2.5
            }
        };
        points.iter_mut().for_each(|(l, value)| (*l, *value) = (*l - half(*l), 1e13 * HC * *value / *l));
    }
    if let Some(i) = points.windows(2).position(|pair| pair[0].0 >= pair[1].0) {
        let problem = format!("wavelength {} nm is followed by {} nm", points[i].0, points[i + 1].0);
        return Err(Error::invalid(Place::File(path.to_owned()), problem));
    }
    let (wavelengths, values): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    if wavelengths.is_empty() {
        return Err(Error::invalid(Place::File(path.to_owned()), "no numbers".to_owned()));
    }
    Ok(Spectrum { wavelengths, values, beyond: [0.0; 2] })
}

/// The numbers of each line that is no comment.
fn rows(path: &Path) -> Result<Vec<Vec<f64>>, Error> {
    let text = String::from_utf8_lossy(&crate::text::read_bytes(path)?).into_owned();
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(|c| COMMENT.contains(c)) {
            continue;
        }
        let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        let row = words.map(|word| word.replace(['d', 'D'], "e").parse::<f64>().map_err(|_| word.to_owned()));
        let row: Result<Vec<f64>, String> = row.collect();
        rows.push(
            row.map_err(|word| Error::invalid(Place::line(path, number + 1), format!("{word:?} is not a number")))?,
        );
    }
    Ok(rows)
}
