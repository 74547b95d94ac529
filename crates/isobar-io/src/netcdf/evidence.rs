//! What a file says about which end of its layers is the top.

use netcdf_reader::{NcDimension, NcVariable};

use super::field::strides;
use super::vertical::is_in;
use super::{Dataset, Dimension, Orientation, Unit, attribute, values};
use crate::error::Error;

use Orientation::{BottomFirst, TopFirst};

impl Dataset {
    /// Which end of the layers and levels read so far is the top: as the attributes `orientation` (`top_first`,
    /// `bottom_first`) and `positive` (`up`, `down`) of the file say, or the vertical coordinates with their
    /// `positive`, pressures or heights; where these do not, those of the levels around the layers, or the layers
    /// between the levels. The top, where nothing says so. A variable that says so counts as read.
    ///
    /// # Errors
    /// Two of these contradict each other, or make no sense.
    pub fn orientation(&mut self) -> Result<Orientation, Error> {
        let Some(evidence) = self.any_evidence()? else { return Ok(TopFirst) };
        self.read.extend(evidence.variable);
        Ok(evidence.says)
    }

    /// As [`Dataset::orientation`], but nothing where nothing says so.
    ///
    /// # Errors
    /// As [`Dataset::orientation`].
    pub fn stated_orientation(&self) -> Result<Option<Orientation>, Error> {
        Ok(self.any_evidence()?.map(|evidence| evidence.says))
    }

    /// The stated orientation of what was read with what says so.
    pub(crate) fn orientation_evidence(&self) -> Result<Option<Evidence>, Error> {
        of(self).map_err(|problem| self.invalid(problem))
    }

    fn any_evidence(&self) -> Result<Option<Evidence>, Error> {
        let of_read = self.orientation_evidence()?;
        if of_read.is_some() { Ok(of_read) } else { beside(self).map_err(|problem| self.invalid(problem)) }
    }
}

/// Standard names of what increases downwards; others with `pressure` do, too.
const DOWNWARD: [&str; 4] =
    ["depth", "atmosphere_sigma_coordinate", "atmosphere_hybrid_sigma_pressure_coordinate", "air_pressure"];
const UPWARD: [&str; 4] = ["altitude", "height", "geopotential_height", "height_above_mean_sea_level"];

/// Those of lengths.
const LENGTHS: [&str; 5] = ["depth", "altitude", "height", "geopotential_height", "height_above_mean_sea_level"];

/// Names of pressures and heights in files that give these no standard name, in small letters.
const PLAIN_NAMES: [&str; 15] = [
    "pressure",
    "air_pressure",
    "p",
    "pres",
    "plev",
    "layer_pressure",
    "level_pressure",
    "pressure_layer",
    "pressure_level",
    "height",
    "altitude",
    "z",
    "zlev",
    "height_level",
    "altitude_level",
];

/// Something that says where the top is.
pub(crate) struct Evidence {
    /// The variable that does, if none of the file's attributes does.
    variable: Option<String>,
    /// What, in words.
    source: String,
    pub(crate) says: Orientation,
}

impl Evidence {
    /// `coordinate layer, which ..., says that index 0 is the top`.
    pub(crate) fn in_words(&self) -> String {
        format!("{} says {}", self.source, self.says.text())
    }
}

/// What the file says, if it says anything: the first of what says so.
fn of(file: &Dataset) -> Result<Option<Evidence>, String> {
    let mut all = Vec::new();
    for (text, of_file) in file.attributes_of_all("orientation") {
        let source = format!("attribute orientation = {text:?}{of_file}");
        let says = named(&text).map_err(|accepted| format!("{source}; {accepted}"))?;
        all.push(Evidence { variable: None, says, source });
    }
    for (text, of_file) in file.attributes_of_all("positive") {
        let source = format!("attribute positive = {text:?}{of_file}");
        let says = index_direction(upward(&text).map_err(|why| format!("{source}; {why}"))?);
        all.push(Evidence { variable: None, says, source });
    }
    for (variable, dimension) in &file.vertical {
        for candidate in &file.variables {
            // The attribute `positive` of a quantity is the sign of a flux, not a direction of the index.
            let is_coordinate = candidate.is_coordinate_variable_for(dimension);
            if (candidate.name == *variable || is_coordinate)
                && let Some(text) = attribute::of(candidate, "orientation")
            {
                let source = format!("{}: orientation = {text:?}", candidate.name);
                let says = named(&text).map_err(|accepted| format!("{source}; {accepted}"))?;
                all.push(Evidence { variable: Some(candidate.name.clone()), says, source });
            }
            if is_coordinate || is_vertical_quantity(candidate, dimension) {
                all.extend(coordinate(file, candidate, dimension, is_coordinate)?);
            }
        }
    }
    agreed(all)
}

/// What pressures and heights say that nothing but their name tells from other quantities, or that stand on the levels
/// around the layers that were read, or on the layers between the levels.
fn beside(file: &Dataset) -> Result<Option<Evidence>, String> {
    let mut all = Vec::new();
    for NcDimension { name: dimension, .. } in &file.dimensions {
        let was_read = file.vertical.iter().any(|(_, read)| read == dimension);
        if !was_read && !is_beside_read(file, dimension) {
            continue;
        }
        for candidate in &file.variables {
            let is_evident = candidate.is_coordinate_variable_for(dimension)
                || is_vertical_quantity(candidate, dimension)
                || is_plain_quantity(candidate, dimension);
            let was_asked = file.vertical.iter().any(|(variable, _)| *variable == candidate.name);
            if is_evident && !was_asked {
                all.extend(coordinate(file, candidate, dimension, false)?);
            }
        }
    }
    agreed(all)
}

/// Whether a vertical dimension has levels around layers that were read, or layers between levels.
fn is_beside_read(file: &Dataset, dimension: &str) -> bool {
    let size = |name: &str| file.dimensions.iter().find(|one| one.name == name).map_or(0, |one| one.size);
    let (role, own) = (file.role(dimension), size(dimension));
    let is_vertical = role.map_or_else(|| file.is_vertical_coordinate(dimension), Dimension::is_vertical);
    is_vertical
        && file.vertical.iter().any(|(_, read)| match file.role(read) {
            Some(Dimension::Layer) => role != Some(Dimension::Layer) && own == size(read) + 1,
            Some(Dimension::Level) => role != Some(Dimension::Level) && own + 1 == size(read),
            _ => false,
        })
}

/// What all say: the first of these.
fn agreed(mut all: Vec<Evidence>) -> Result<Option<Evidence>, String> {
    let Some(first) = all.first() else { return Ok(None) };
    match all.iter().find(|evidence| evidence.says != first.says) {
        None => Ok(Some(all.swap_remove(0))),
        Some(other) => Err(format!("{}, but {}", first.in_words(), other.in_words())),
    }
}

fn named(text: &str) -> Result<Orientation, &'static str> {
    match text.to_lowercase().as_str() {
        "top_first" | "top_to_bottom" | "top" => Ok(TopFirst),
        "bottom_first" | "bottom_to_top" | "bottom" => Ok(BottomFirst),
        _ => Err("accepted: top_first, bottom_first"),
    }
}

/// Whether `positive` says upwards.
fn upward(text: &str) -> Result<bool, &'static str> {
    match text.to_lowercase().as_str() {
        "up" => Ok(true),
        "down" => Ok(false),
        _ => Err("accepted: up, down"),
    }
}

/// Where an index that increases in a direction begins.
pub(crate) fn index_direction(upward: bool) -> Orientation {
    if upward { BottomFirst } else { TopFirst }
}

/// Whether a variable runs along a dimension and has the standard name of a pressure or a height, or is a length or a
/// pressure that says where it increases: `positive` of any other quantity is the sign of a flux.
fn is_vertical_quantity(variable: &NcVariable, dimension: &str) -> bool {
    runs_along(variable, dimension)
        && (attribute::of(variable, "standard_name").is_some_and(|name| direction_of_name(&name).is_some())
            || attribute::of(variable, "axis").is_some_and(|axis| axis.eq_ignore_ascii_case("z"))
            || (attribute::of(variable, "positive").is_some() && is_in(variable, &["m", "Pa"])))
}

/// Whether a variable runs along a dimension and is by its name and unit a pressure or a height.
fn is_plain_quantity(variable: &NcVariable, dimension: &str) -> bool {
    runs_along(variable, dimension)
        && PLAIN_NAMES.contains(&variable.name.to_lowercase().as_str())
        && is_in(variable, &["m", "Pa"])
}

fn runs_along(variable: &NcVariable, dimension: &str) -> bool {
    variable.dimensions.iter().any(|other| other.name == dimension)
}

fn direction_of_name(name: &str) -> Option<bool> {
    if UPWARD.contains(&name) { Some(true) } else { DOWNWARD.contains(&name).then_some(false) }
}

/// Whether a coordinate increases upwards, if it says so.
pub(crate) fn direction(variable: &NcVariable) -> Result<Option<bool>, String> {
    if let Some(text) = attribute::of(variable, "positive") {
        let up = upward(&text).map_err(|why| format!("{}: positive = {text:?}; {why}", variable.name))?;
        return Ok(Some(up));
    }
    let units = attribute::of(variable, "units");
    if let Some(name) = attribute::of(variable, "standard_name")
        && let Some(up) = direction_of_name(&name)
    {
        // Numbers of levels, as ICON has them by the name of height, count in any direction.
        let is_number = LENGTHS.contains(&name.as_str()) && units.as_deref().is_none_or(is_of("1"));
        return Ok((!is_number).then_some(up));
    }
    // A vertical coordinate with the dimension of pressure needs no `positive`, nor does a height, as files write it.
    if units.as_deref().is_some_and(is_of("Pa")) {
        return Ok(Some(false));
    }
    Ok((is_height(variable) && units.as_deref().is_some_and(is_of("m"))).then_some(true))
}

/// Whether a coordinate is called a height, or runs along the vertical and is not called a depth.
fn is_height(variable: &NcVariable) -> bool {
    let text = |name: &str| attribute::of(variable, name).unwrap_or_default().to_lowercase();
    let called = format!("{} {} {}", variable.name.to_lowercase(), text("standard_name"), text("long_name"));
    let says = ["height", "altitude", "elevation"].iter().any(|word| called.contains(word));
    (says || variable.name == "z" || text("axis") == "z") && !called.contains("depth")
}

/// Whether a unit converts to another.
fn is_of(other: &str) -> impl Fn(&str) -> bool {
    let other: Option<Unit> = other.parse().ok();
    move |text| {
        let unit = text.parse::<Unit>().ok();
        unit.zip(other.as_ref()).is_some_and(|(unit, other)| unit.conversion(other).is_some())
    }
}

/// What a vertical coordinate says.
fn coordinate(
    file: &Dataset,
    variable: &NcVariable,
    dimension: &str,
    is_coordinate: bool,
) -> Result<Option<Evidence>, String> {
    let Some(upward) = direction(variable)? else { return Ok(None) };
    let name = &variable.name;
    let values = values::unpacked(file.files.of(name), variable).ok_or_else(|| format!("{name}: it cannot be read"))?;
    let shape: Vec<usize> = variable.dimensions.iter().map(|dimension| dimension.size as usize).collect();
    let Some(position) = variable.dimensions.iter().position(|other| other.name == dimension) else { return Ok(None) };
    // The first column stands for all.
    let along: Vec<f64> = values.iter().copied().step_by(strides(&shape)[position]).take(shape[position]).collect();
    if along.len() < 2 {
        return Ok(None);
    }
    let increases = along.windows(2).all(|pair| pair[0] < pair[1]);
    if !increases && !along.windows(2).all(|pair| pair[0] > pair[1]) {
        let problem = format!("coordinate {name} neither increases nor decreases throughout");
        return if is_coordinate { Err(problem) } else { Ok(None) };
    }
    let (order, way) =
        (if increases { "increases" } else { "decreases" }, if upward { "upwards" } else { "downwards" });
    let stated = attribute::of(variable, "positive").map_or(String::new(), |text| format!(" (positive = {text:?})"));
    let source = format!("{name}, which counts {way}{stated} and {order} with {dimension},");
    Ok(Some(Evidence { variable: Some(name.clone()), source, says: index_direction(upward == increases) }))
}
