//! What all files of clouds have alike.

use super::{Fields, Per, Quantity, Reading, between};
use crate::error::Error;

/// Liquid water and ice, by the names of ERA5, CAM, CMIP, ICON and MPAS. Spectral models leave some below zero.
pub(crate) const CONTENTS: [Quantity; 2] = [
    content(
        "cloud_liquid_water_content",
        &["clwc", "CLDLIQ", "clw", "qc"],
        &["mass_fraction_of_cloud_liquid_water_in_air", "cloud_liquid_water_mixing_ratio"],
    ),
    content(
        "cloud_ice_content",
        &["ciwc", "CLDICE", "cli", "qi"],
        &["mass_fraction_of_cloud_ice_in_air", "cloud_ice_mixing_ratio"],
    ),
];

const fn content(name: &'static str, aliases: &'static [&'static str], standard: &'static [&'static str]) -> Quantity {
    Quantity::new(name, aliases, standard, "kg kg-1", Per::Layer, between(-1e-3, 1.0))
}

/// Whether cloud water of a name in the file is relative to the mass of dry air: as its standard name says, and
/// without one by all names, as MPAS's, but those of contents of moist air.
pub(crate) fn is_mixing_ratio(fields: &Fields, name: &str) -> bool {
    let of_mpas = ["qc", "qi"].contains(&name);
    let is_content = !of_mpas && CONTENTS.iter().any(|content| content.goes_by(name));
    let standard_name = fields.file().text_attribute(name, "standard_name");
    standard_name.map_or(!is_content, |standard| standard.ends_with("mixing_ratio"))
}

/// How the note begins that a file has none.
pub const NO_CLOUD_FRACTION: &str = "the file has no cloud fraction";

/// Reads what of some water a file without a fraction of clouds has; says whether there is any.
pub(crate) fn read_water(reading: &mut Reading, water: &[Quantity]) -> Result<bool, Error> {
    for quantity in water {
        let spec = quantity.spec(reading.layout);
        // The same name may be that of a column's total.
        if reading.has(quantity)? && reading.file.fits(&spec)? {
            reading.need(quantity)?;
        }
    }
    Ok(water.iter().any(|quantity| reading.is_positive_somewhere(quantity)))
}

/// The fraction of clouds where a file has none: this part of the layers that have any of some water.
pub(crate) fn assumed_fraction(water: &[&[f64]], part: f64, notes: &mut Vec<String>) -> Vec<f64> {
    let layers = water.iter().map(|water| water.len()).max().unwrap_or(0);
    let wet = |index: usize| water.iter().any(|water| water.get(index).is_some_and(|&water| water > 0.0));
    let fraction: Vec<f64> = (0..layers).map(|index| if wet(index) { part } else { 0.0 }).collect();
    let cloudy = fraction.iter().filter(|&&fraction| fraction > 0.0).count();
    notes.push(format!(
        "{NO_CLOUD_FRACTION}: {part} in {cloudy} of {layers} layers, those with cloud water; \
         --cloud-fraction chooses another, --no-clouds leaves clouds out"
    ));
    fraction
}

/// ecRad takes layers with less for clear: of cloudy part, and of water in the air's mass.
const LEAST_FRACTION: f64 = 1e-6;
pub(crate) const LEAST_WATER: f64 = 1e-9;

/// Takes layers with next to no clouds for clear, by the contents of liquid water and ice with their names in the
/// file, and notes where there is water that clouds would have.
pub(crate) fn clear_where_thin(
    fields: &mut Fields,
    fraction: &mut [f64],
    [(of_liquid, liquid), (of_ice, ice)]: [(&str, &[f64]); 2],
) {
    for (name, water) in [(of_liquid, liquid), (of_ice, ice)] {
        fields.note_unseen(name, (water, LEAST_WATER), (fraction, LEAST_FRACTION));
    }
    for (fraction, water) in fraction.iter_mut().zip(liquid.iter().zip(ice).map(|(liquid, ice)| liquid + ice)) {
        if *fraction < LEAST_FRACTION || water < LEAST_WATER {
            *fraction = 0.0;
        }
    }
}

/// Paths in the cloudy part \[g/m^2\] of contents, of which layers have this mass \[kg/m^2\]; none in clear ones.
pub(crate) fn paths_in_cloud(content: &[f64], mass: &[f64], fraction: &[f64]) -> Vec<f64> {
    let grams = |((content, mass), fraction): ((&f64, &f64), &f64)| {
        if *fraction > 0.0 { 1e3 * content * mass / fraction } else { 0.0 }
    };
    content.iter().zip(mass).zip(fraction).map(grams).collect()
}

/// Brings sizes into a range \[um\], and says of how many particles that are there.
pub(crate) fn clamp_sizes(
    (name, sizes): (&str, &mut [f64]),
    (paths, fraction): (&[f64], &[f64]),
    [least, most]: [f64; 2],
    notes: &mut Vec<String>,
) {
    let mut count = 0;
    for (index, size) in sizes.iter_mut().enumerate() {
        let clamped = size.max(least).min(most);
        count += usize::from(clamped != *size && paths[index] > 0.0 && fraction[index] > 0.0);
        *size = clamped;
    }
    if count > 0 {
        notes.push(format!("{name}: {count} values brought into [{least}, {most}] um, for which the tables are"));
    }
}

/// Whether a layer of a column has clouds, where their fraction is known, and water of this path.
pub(crate) fn is_there(fraction: &[f64], path: Option<&[f64]>, index: usize) -> bool {
    // A NaN is one that is used.
    let some = |values: &[f64]| values.get(index).is_none_or(|&value| value != 0.0);
    some(fraction) && path.is_none_or(some)
}
