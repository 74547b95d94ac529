//! Clouds of models and analyses: water as a part of the air's mass, and sizes of particles where the file has none.

use core::f64::consts::PI;

use isobar_core::Real;
use isobar_radiation::Columns;

use super::RadiationRequest;
use super::cloud::{bring_sizes_in, read_structure, read_thickness, take_structure, wanted};
use super::particles::sizes_of;
use super::quantity::field;
use crate::columns_file::background_radii::{Radii, Surface, replace_ice};
use crate::columns_file::clouds::{
    CONTENTS, assumed_fraction, clear_where_thin, is_mixing_ratio, is_there, paths_in_cloud, read_water,
};
use crate::columns_file::derive::GAS_CONSTANT;
use crate::columns_file::land::LAND;
use crate::columns_file::time::LATITUDE;
use crate::columns_file::wrf_clouds::{ICE_RADIUS, masses};
use crate::columns_file::{Fields, Reading};
use crate::error::Error;

/// Molar masses of dry air and of water.
const DRY_AIR_OVER_WATER: f64 = 28.964 / 18.015_28;

/// Whether a file has clouds of this kind, and not the paths of the own layout.
pub(super) fn are_there(reading: &mut Reading, request: &RadiationRequest) -> Result<bool, Error> {
    if !request.clouds {
        return Ok(false);
    }
    for name in ["liquid_path_g_per_m2", "ice_path_g_per_m2"] {
        let path = field(name);
        if reading.has(&path)? && reading.file.fits(&path.spec(reading.layout))? {
            return Ok(false);
        }
    }
    let has_water = reading.has(&CONTENTS[0])? || reading.has(&CONTENTS[1])?;
    Ok(has_water && (reading.has(&field("cloud_fraction"))? || read_water(reading, &CONTENTS)?))
}

/// Reads them; says whether they are wanted.
pub(super) fn read(reading: &mut Reading, request: &RadiationRequest) -> Result<bool, Error> {
    if !wanted(reading, true, request)? {
        return Ok(false);
    }
    reading.maybe(&field("cloud_fraction"))?;
    for quantity in CONTENTS.iter().filter(|quantity| !reading.found(quantity)).collect::<Vec<_>>() {
        reading.maybe(quantity)?;
    }
    reading.maybe_where(&field("liquid_radius_um"))?;
    reading.maybe_where(&field("ice_size_um"))?;
    reading.maybe_where(&ICE_RADIUS)?;
    for quantity in [&LAND, &LATITUDE] {
        if !reading.found(quantity) {
            reading.maybe(quantity)?;
        }
    }
    read_structure(reading, request)?;
    read_thickness(reading, request)?;
    Ok(true)
}

/// Whose effective radii these are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Any,
    /// Where there is nothing, they are what its microphysics has there.
    OfMpas,
}

/// Fills them in.
pub(super) fn take(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &RadiationRequest,
    kind: Kind,
    (derived, notes): (&mut Vec<String>, &mut Vec<String>),
) -> Result<(), Error> {
    let count = fields.grid().columns();
    let mass = masses(&columns.level_pressure_pa, count, request.gravity());
    let names = CONTENTS.map(|quantity| fields.name(quantity.name).unwrap_or_default());
    let water = CONTENTS.map(|quantity| {
        let name = fields.name(quantity.name).unwrap_or_default();
        let is_ratio = is_mixing_ratio(fields, &name);
        if is_ratio && fields.file().text_attribute(&name, "standard_name").is_none() {
            derived.push(format!("{name}: a mass in a mass of dry air, as no standard_name says otherwise"));
        }
        let mut content = fields.take(&quantity);
        fields.note_negative(&name, &content);
        content.resize(mass.len(), 0.0);
        for (index, content) in content.iter_mut().enumerate() {
            let vapour = columns.h2o.get(index).or(columns.h2o.first()).unwrap_or(&0.0) / DRY_AIR_OVER_WATER;
            *content = content.max(0.0) / if is_ratio { 1.0 + vapour } else { 1.0 };
        }
        content
    });
    let mut fraction = fields.take(&field("cloud_fraction"));
    if fraction.is_empty() {
        fraction = assumed_fraction(&[&water[0], &water[1]], request.cloud_fraction, notes);
    }
    clear_where_thin(fields, &mut fraction, [0, 1].map(|which: usize| (&names[which][..], &water[which][..])));
    let [liquid, ice] = &water;
    let sources: Vec<&str> = names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
    derived.push(format!("water paths = {} times the layer's mass over cloud_fraction", sources.join(", ")));
    let is_cloudy = |water: &[f64], index: usize| is_there(&fraction, Some(water), index);
    let air = Air { columns, fraction: &fraction };
    let [of_droplets, of_ice] = [field("liquid_radius_um").name, ICE_RADIUS.name].map(|name| fields.name(name));
    let mut liquid_radius = fields.take_where(&field("liquid_radius_um"), |index| is_cloudy(liquid, index))?;
    let mut ice_size = fields.take_where(&field("ice_size_um"), |index| is_cloudy(ice, index))?;
    let mut ice_radius = fields.take_where(&ICE_RADIUS, |index| is_cloudy(ice, index))?;
    if kind == Kind::OfMpas {
        let surface = Surface::take(fields);
        if let Some(name) = of_droplets {
            let radii = Radii { name: &name, um: &mut liquid_radius };
            surface.replace_droplets(radii, |index| is_cloudy(liquid, index), notes);
        }
        if let Some(name) = of_ice {
            let radii = Radii { name: &name, um: &mut ice_radius };
            replace_ice(radii, &columns.temperature_k, |index| is_cloudy(ice, index), notes);
        }
    }
    let (land, latitude) = (fields.take(&LAND), fields.take(&LATITUDE));
    if liquid_radius.is_empty() {
        let of = if land.is_empty() { "as over sea, for there is no land mask" } else { "by the land mask" };
        derived.push(format!("liquid_radius: by Martin et al. (1994), {of}"));
        liquid_radius = air.each(liquid, |_, index, grams| {
            droplet_radius_um(grams, land.get(index % count).is_some_and(|&part| part >= 0.5))
        });
    }
    if ice_size.is_empty() && ice_radius.is_empty() {
        derived.push("ice radius: by Sun and Rikus (1999) and Sun (2001), as ECMWF's model has it".to_owned());
        ice_radius = air.each(ice, |temperature, index, grams| {
            ice_radius_um(grams, temperature, latitude.get(index % count).copied())
        });
    }
    if ice_size.is_empty() {
        ice_size = sizes_of("ice_size", ice_radius, request, derived);
    }
    (columns.liquid_path_g_per_m2, columns.ice_path_g_per_m2) =
        (paths_in_cloud(liquid, &mass, &fraction), paths_in_cloud(ice, &mass, &fraction));
    (columns.liquid_radius_um, columns.ice_size_um) = (liquid_radius, ice_size);
    columns.cloud_fraction = fraction;
    columns.thickness_m = fields.take(&field("thickness_m"));
    take_structure(fields, columns)?;
    bring_sizes_in(columns, request, notes);
    Ok(())
}

/// The air of all layers.
struct Air<'a> {
    columns: &'a Columns<f64>,
    fraction: &'a [f64],
}

impl Air<'_> {
    /// A size for each layer, of its temperature \[K\], its index and the water in its cloudy part \[g/m^3\], of which
    /// there is none where it is clear.
    fn each(&self, water: &[f64], size: impl Fn(f64, usize, f64) -> f64) -> Vec<f64> {
        let one = |(index, &water): (usize, &f64)| {
            let temperature = self.columns.temperature_k[index];
            let density = self.columns.pressure_pa[index] / (GAS_CONSTANT * temperature);
            let fraction = self.fraction[index];
            let grams = if fraction > 0.0 { 1e3 * density * water / fraction } else { 0.0 };
            size(temperature, index, grams)
        };
        water.iter().enumerate().map(one).collect()
    }
}

/// Effective radius of droplets \[um\] of some water \[g/m^3\] (Martin, Johnson and Spice 1994,
/// doi:10.1175/1520-0469(1994)051<1823:TMAPOE>2.0.CO;2, Eq. 11 to 14), with 50 condensation nuclei in a cm^3 over sea
/// and 900 over land, between 4 and 30 um: as ECMWF's model has it.
fn droplet_radius_um(grams: f64, over_land: bool) -> f64 {
    let (droplets, k) = if over_land {
        let nuclei = 900.0;
        (-2.1e-4 * nuclei * nuclei + 0.568 * nuclei - 27.9, 0.69)
    } else {
        let nuclei = 50.0;
        (-1.15e-3 * nuclei * nuclei + 0.963 * nuclei + 5.3, 0.77)
    };
    // A cm^3 has 1e12 um^3, and a g/m^3 of water takes 1e-6 of the space.
    let cube = 3.0 * grams * 1e6 / (4.0 * PI * droplets * k);
    Real::cbrt(cube).clamp(4.0, 30.0)
}

/// Effective radius of ice \[um\] of some ice \[g/m^3\] by temperature \[K\] (Sun and Rikus 1999,
/// doi:10.1002/qj.49712555918, as corrected by Sun 2001, doi:10.1002/qj.49712757117): 0.64952 of an effective size
/// between 60 um, at higher latitudes less, and 155 um, as ECMWF's model has it.
fn ice_radius_um(grams: f64, temperature_k: f64, latitude_deg: Option<f64>) -> f64 {
    let power = |exponent: f64| if grams > 0.0 { Real::powf(grams, exponent) } else { 0.0 };
    let size = (1.2351 + 0.0105 * (temperature_k - 273.15))
        * (45.8966 * power(0.2214) + 0.7957 * power(0.2535) * (temperature_k - 83.15));
    let least = 20.0 + 40.0 * latitude_deg.map_or(1.0, |latitude| Real::cos(latitude.to_radians()));
    0.64952 * size.max(least).min(155.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cloud of droplets all alike would have the radius of their mean volume, `k^(1/3)` of the effective one.
    #[test]
    fn droplets_hold_their_water() {
        for (grams, over_land, number, k) in [(0.3, false, 50.575, 0.77), (0.1, true, 313.2, 0.69)] {
            let radius = droplet_radius_um(grams, over_land);
            let volume = 4.0 / 3.0 * PI * k * radius * radius * radius * number;
            assert!((volume * 1e-6 - grams).abs() < 1e-3 * grams, "{radius}: {volume}");
        }
        assert_eq!((droplet_radius_um(0.0, true), droplet_radius_um(1e3, false)), (4.0, 30.0));
    }

    /// Sun's size of 0.01 g/m^3 at 233.15 K by hand: 0.8151 (45.8966 0.3607 + 0.7957 0.3112 150).
    #[test]
    fn ice_grows_with_warmth_and_content() {
        let by_hand = 0.8151 * (45.8966 * 0.360_75 + 0.7957 * 0.311_17 * 150.0);
        assert!((ice_radius_um(0.01, 233.15, Some(90.0)) / 0.64952 - by_hand.max(20.0)).abs() < 0.02);
        assert!((ice_radius_um(1e-6, 200.0, None) - 0.64952 * 60.0).abs() < 1e-12);
        assert!((ice_radius_um(1e-6, 200.0, Some(60.0)) - 0.64952 * 40.0).abs() < 1e-12);
        assert!((ice_radius_um(5.0, 270.0, None) - 0.64952 * 155.0).abs() < 1e-12);
        assert!((ice_radius_um(0.0, 270.0, None) - 0.64952 * 60.0).abs() < 1e-12);
    }
}
