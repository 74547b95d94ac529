//! Whether the columns of two files of results are the same, as far as these say.

use crate::calendar::units::are_of_times;
use crate::netcdf::{Coordinate, Dataset, Dimension};

/// What single precision rounds of a coordinate, as a part of it.
const ROUNDING: f64 = 1e-5;
/// Degrees after which a place is the same.
const TURN: f64 = 360.0;

/// In words, why columns of a variable of the first file are not those of one of the second at the same place in it;
/// nothing where they are, or nothing says that they are not. Their dimensions have another order, or coordinates other
/// than times have other values.
#[must_use]
pub fn columns_differ([ours, theirs]: [&Dataset; 2], [our_name, their_name]: [&str; 2]) -> Option<String> {
    let [here, there] = [along(ours, our_name), along(theirs, their_name)];
    let is_same_set = here.len() == there.len() && here.iter().all(|one| there.contains(one));
    if is_same_set && here != there {
        let [here, there] = [here, there].map(|names| names.join(", "));
        return Some(format!("{their_name} has its columns along ({there}), and those here lie along ({here})"));
    }
    let theirs = theirs.coordinates_of(&there).variables;
    let of = |name: &str| theirs.iter().find(|other| other.name == name);
    let mut all = ours.coordinates_of(&here).variables.into_iter();
    all.find_map(|coordinate| differs(&coordinate, of(&coordinate.name)?))
}

/// The dimensions of columns of a variable, but for those of one.
fn along(file: &Dataset, name: &str) -> Vec<String> {
    let is_of_columns = |role: Option<Dimension>| match role {
        Some(Dimension::Band | Dimension::LongwaveBand | Dimension::ShortwaveBand) => false,
        Some(other) => !other.is_vertical(),
        None => true,
    };
    let dimensions = file.dimensions_of(name).unwrap_or_default().into_iter();
    dimensions.filter(|(name, size)| *size > 1 && is_of_columns(file.role(name))).map(|(name, _)| name).collect()
}

/// Where two coordinates of one name differ, in words.
fn differs(ours: &Coordinate, theirs: &Coordinate) -> Option<String> {
    let [unit, other_unit] = [ours, theirs].map(|one| one.text("units").unwrap_or_default());
    let is_time = [&unit, &other_unit].iter().any(|unit| are_of_times(unit));
    if is_time || unit != other_unit || ours.dimensions != theirs.dimensions {
        return None;
    }
    let [here, there] = [ours, theirs].map(Coordinate::numbers);
    let is_other = |(here, there): (&f64, &f64)| {
        let apart = (here - there).abs();
        let apart = if unit.starts_with("degree") { apart.min((apart - TURN).abs()) } else { apart };
        apart > ROUNDING * here.abs().max(there.abs()).max(1.0)
    };
    let place = here.iter().zip(&there).position(is_other)?;
    let (name, value, other) = (&ours.name, here[place], there[place]);
    let is_reversed = here.iter().rev().zip(&there).all(|pair| !is_other(pair));
    let how = if is_reversed { ": it runs the other way" } else { "" };
    Some(format!("{name} is {other} there and {value} here at its value {place}{how}"))
}
