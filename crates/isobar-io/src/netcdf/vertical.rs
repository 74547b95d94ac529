//! The dimension of layers, where its name does not say that it is one.

use netcdf_reader::NcVariable;

use super::{Dataset, Dimension, Unit, attribute};

/// Names of coordinates along the vertical in files of models and analyses, in small letters.
const NAMES: [&str; 8] =
    ["plev", "pressure_level", "isobaricinhpa", "isobaric", "model_level", "hybrid", "generalverticallayer", "sigma"];
/// CF standard names of the same.
const STANDARD_NAMES: [&str; 9] = [
    "air_pressure",
    "altitude",
    "atmosphere_hybrid_height_coordinate",
    "atmosphere_hybrid_sigma_pressure_coordinate",
    "atmosphere_ln_pressure_coordinate",
    "atmosphere_sigma_coordinate",
    "geopotential_height",
    "height",
    "model_level_number",
];

impl Dataset {
    /// Takes the dimension of temperatures and pressures whose coordinate says that it is vertical for that of layers,
    /// if its name does not say what it is and it is the only one.
    pub(crate) fn take_vertical_coordinate(&mut self) {
        self.take_vertical_of(&["K", "Pa"]);
    }

    /// Likewise, of variables in these units.
    pub(crate) fn take_vertical_of(&mut self, units: &[&str]) {
        if self.layers.is_some() {
            return;
        }
        let mut found: Vec<String> = Vec::new();
        for variable in self.variables_in(units) {
            let names = || variable.dimensions.iter().map(|dimension| &dimension.name);
            if names().any(|name| self.role(name).is_some_and(Dimension::is_vertical)) {
                continue;
            }
            for name in names() {
                if self.role(name).is_none() && !found.contains(name) && self.is_vertical_coordinate(name) {
                    found.push(name.clone());
                }
            }
        }
        if let [_] = found[..] {
            self.layers = found.pop();
        }
    }

    /// Where the caller has named the dimension of layers, takes the only other one without a role that is longer by
    /// one for that of levels.
    pub(crate) fn take_levels_around_layers(&mut self) {
        let size = |name: &String| self.dimensions.iter().find(|one| one.name == *name).map(|one| one.size);
        let Some(layers) = self.layers.as_ref().and_then(size) else { return };
        let longer = self.dimensions.iter().filter(|one| one.size == layers + 1 && self.role(&one.name).is_none());
        if let [only] = longer.collect::<Vec<_>>()[..] {
            self.levels = Some(only.name.clone());
        }
    }

    /// Takes what looks like levels for layers, where there are no others.
    pub(crate) fn take_levels_for_layers(&mut self) {
        if !self.has_dimension(Dimension::Layer) {
            self.layers = self.dimension_of(Dimension::Level).map(|(levels, _)| levels);
        }
    }

    /// Whether a dimension has a coordinate that says, by its attributes, its unit or its name, that it is vertical.
    fn is_vertical_coordinate(&self, dimension: &str) -> bool {
        if NAMES.contains(&dimension.to_lowercase().as_str()) {
            return true;
        }
        let Some(variable) = self.variables.iter().find(|variable| variable.name == dimension) else { return false };
        let says = |name: &str, is: &dyn Fn(&str) -> bool| attribute::of(variable, name).is_some_and(|text| is(&text));
        says("axis", &|axis| axis.eq_ignore_ascii_case("z"))
            || says("positive", &|way| ["up", "down"].contains(&way.to_lowercase().as_str()))
            || says("standard_name", &|name| STANDARD_NAMES.contains(&name))
            || is_in(variable, &["Pa"])
    }

    /// The variables whose unit converts to one of these.
    pub(super) fn variables_in<'a>(&'a self, units: &'a [&str]) -> impl Iterator<Item = &'a NcVariable> {
        self.variables.iter().filter(move |variable| is_in(variable, units))
    }
}

/// Whether the unit of a variable converts to one of these.
pub(super) fn is_in(variable: &NcVariable, units: &[&str]) -> bool {
    let stated = attribute::of(variable, "units").and_then(|text| text.parse::<Unit>().ok());
    let wanted = units.iter().filter_map(|unit| unit.parse::<Unit>().ok());
    stated.is_some_and(|stated| { wanted }.any(|wanted| stated.conversion(&wanted).is_some()))
}
