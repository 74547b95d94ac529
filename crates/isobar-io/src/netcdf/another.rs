//! What a variable says of itself, where its name is that of another quantity.

use netcdf_reader::NcVariable;

use super::{VariableSpec, attribute};

/// CF standard names of what goes by names that quantities here have, too, in units that convert to theirs. Others
/// contradict nothing: many files have some of their own making.
const STANDARD_NAMES: [&str; 27] = [
    "air_equivalent_potential_temperature",
    "air_equivalent_temperature",
    "air_potential_temperature",
    "air_pressure_at_mean_sea_level",
    "air_pressure_at_sea_level",
    "air_pseudo_equivalent_potential_temperature",
    "air_pseudo_equivalent_temperature",
    "air_temperature",
    "brightness_temperature",
    "dew_point_temperature",
    "eastward_wind",
    "mass_fraction_of_cloud_condensed_water_in_air",
    "mole_fraction_of_water_vapor_in_air",
    "northward_wind",
    "planetary_albedo",
    "sea_water_temperature",
    "soil_temperature",
    "surface_downward_latent_heat_flux",
    "surface_downward_sensible_heat_flux",
    "surface_roughness_length_for_heat_in_air",
    "surface_roughness_length_for_humidity_in_air",
    "upward_air_velocity",
    "virtual_temperature",
    "wet_bulb_temperature",
    "wind_speed",
    "x_wind",
    "y_wind",
];
/// That of what `q` and `h2o` may be, and no quantity is that has none of its own.
const RELATIVE_HUMIDITY: &str = "relative_humidity";
/// No ratio of masses has this unit, but a relative humidity.
const PER_CENT: [&str; 2] = ["%", "percent"];

/// Whether a standard name is none of a quantity that has others: of an angle any other angle is, of which CF has many.
fn is_another(name: &str, spec: &VariableSpec) -> bool {
    STANDARD_NAMES.contains(&name) || (spec.unit == "degree" && name.ends_with("_angle"))
}

/// What a variable says of itself that it cannot be, in words, whatever its name is; nothing where it may be meant.
pub(super) fn says_another(variable: &NcVariable, spec: &VariableSpec) -> Option<String> {
    let standard_name = attribute::of(variable, "standard_name").filter(|name| {
        let own = spec.standard_names;
        name == RELATIVE_HUMIDITY && !own.contains(&RELATIVE_HUMIDITY)
            || !own.is_empty() && !own.contains(&name.as_str()) && is_another(name, spec)
    });
    if let Some(name) = standard_name {
        return Some(format!("standard_name {name:?}"));
    }
    let units = attribute::of(variable, "units").filter(|_| spec.unit == "kg kg-1")?;
    PER_CENT.contains(&units.as_str()).then(|| format!("units {units:?}"))
}
