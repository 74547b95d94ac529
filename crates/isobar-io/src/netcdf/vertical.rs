//! The dimension of layers, where its name does not say that it is one.

use netcdf_reader::{NcDimension, NcVariable};

use super::{Dataset, Dimension, Unit, VariableSpec, attribute};

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

/// What is known of the vertical of some variables.
#[derive(PartialEq)]
enum Vertical {
    /// Names say it.
    Named,
    /// Coordinates say it of these dimensions, with their sizes.
    Found(Vec<(String, u64)>),
}

impl Dataset {
    /// Takes the dimension of layers whose coordinate says that it is vertical, if its name does not say what it is:
    /// that of the first of these temperatures that has one, or else of all temperatures and pressures, whatever they
    /// are of.
    pub(crate) fn take_vertical_coordinate<'a>(&mut self, temperatures: impl Iterator<Item = VariableSpec<'a>>) {
        if self.layers.is_some() {
            return;
        }
        for temperature in temperatures {
            let names = self.candidates(std::iter::once(temperature));
            let of_air = self.variables_in(&["K"]).filter(|variable| names.contains(&variable.name));
            let found = self.vertical_of(of_air);
            if found == Vertical::Named {
                return;
            }
            if self.take_vertical(found) {
                return;
            }
        }
        self.take_vertical_of(&["K", "Pa"]);
    }

    /// Likewise, of all variables in these units.
    pub(crate) fn take_vertical_of(&mut self, units: &[&str]) {
        if self.layers.is_none() {
            let found = self.vertical_of(self.variables_in(units));
            self.take_vertical(found);
        }
    }

    /// Which dimensions of variables are vertical: those whose name says it count only where there are no others.
    fn vertical_of<'a>(&self, variables: impl Iterator<Item = &'a NcVariable>) -> Vertical {
        let (mut found, mut is_named) = (Vec::new(), false);
        for variable in variables {
            let all = || variable.dimensions.iter();
            if all().any(|one| self.role(&one.name).is_some_and(Dimension::is_vertical)) {
                is_named = true;
                continue;
            }
            for NcDimension { name, size, .. } in all() {
                let one = (name.clone(), *size);
                if self.role(name).is_none() && !found.contains(&one) && self.is_vertical_coordinate(name) {
                    found.push(one);
                }
            }
        }
        if found.is_empty() && is_named { Vertical::Named } else { Vertical::Found(found) }
    }

    /// Takes the only one of some vertical dimensions, or of one and another that is longer by one those of layers and
    /// levels: says whether there is one. One of size 1, as of 2 m above the ground, is none where there are others.
    fn take_vertical(&mut self, found: Vertical) -> bool {
        let Vertical::Found(mut found) = found else { return false };
        if found.iter().any(|(_, size)| *size > 1) {
            found.retain(|(_, size)| *size > 1);
        }
        found.sort_by_key(|(_, size)| *size);
        match &found[..] {
            [(layers, _)] => self.layers = Some(layers.clone()),
            [(layers, size), (levels, longer)] if *longer == size + 1 => {
                (self.layers, self.levels) = (Some(layers.clone()), Some(levels.clone()));
            }
            _ => return false,
        }
        true
    }

    /// Where the caller has named the dimension of layers, takes the only other one without a role that is longer by
    /// one for that of levels.
    pub(crate) fn take_levels_around_layers(&mut self) {
        let size = |name: &String| self.dimensions.iter().find(|one| one.name == *name).map(|one| one.size);
        let Some((name, layers)) = self.layers.as_ref().and_then(|name| Some((name, size(name)?))) else { return };
        if self.levels.is_some() {
            return;
        }
        // What has layers has no levels: a dimension beside them is another.
        let has = |variable: &NcVariable, name: &str| variable.dimensions.iter().any(|one| one.name == name);
        let is_beside = |other: &str| self.variables.iter().any(|one| has(one, name) && has(one, other));
        let is_longer = |one: &&NcDimension| one.size == layers + 1 && self.role(&one.name).is_none();
        let longer = self.dimensions.iter().filter(is_longer).filter(|one| !is_beside(&one.name));
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
    pub(super) fn is_vertical_coordinate(&self, dimension: &str) -> bool {
        if NAMES.contains(&dimension.to_lowercase().as_str()) {
            return true;
        }
        let Some(variable) = self.variables.iter().find(|variable| variable.name == dimension) else { return false };
        let says = |name: &str, is: &dyn Fn(&str) -> bool| attribute::of(variable, name).is_some_and(|text| is(&text));
        // Of soil and sea: heights of air count upwards.
        let is_down = says("positive", &|way| way.eq_ignore_ascii_case("down"));
        if says("standard_name", &|name| name.starts_with("depth")) || (is_down && is_in(variable, &["m"])) {
            return false;
        }
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
