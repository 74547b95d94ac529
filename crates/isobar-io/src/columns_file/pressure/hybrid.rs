//! Hybrid coefficients: pressures `a + b * surface pressure`.

use super::super::derive::layer_pressure;
use super::super::{BelowGround, Fields, FilePressures, Reading};
use super::ground::Ground;
use super::order::Order;
use super::pressures::Pressures;
use super::rows::{Bounds, Row};
use super::{l137, layers, terms};
use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dataset, Dimension, Orientation};

/// Coefficients `a` \[Pa\] and `b`, the surface first.
type Coefficients = Vec<[f64; 2]>;

/// The coefficients of a file.
pub(crate) struct Hybrid {
    of: Of,
    /// What they are called.
    source: String,
    order: Order,
}

/// What coefficients are of.
enum Of {
    /// Boundaries of layers; layers, too, where the file has theirs, else these have the means of their boundaries.
    Levels(Coefficients, Option<Coefficients>),
    /// Layers alone.
    Layers(Coefficients),
}

/// Names of `a` and `b` of levels and of layers, which models and CMIP have; GFDL's have none of layers.
const NAMES: [([&str; 2], Option<[&str; 2]>); 4] = [
    (["hyai", "hybi"], Some(["hyam", "hybm"])),
    (["ap_bnds", "b_bnds"], Some(["ap", "b"])),
    (["a_bnds", "b_bnds"], Some(["a", "b"])),
    (["pk", "bk"], None),
];
/// What `a` without a unit of pressure is relative to.
pub(crate) const REFERENCE_PRESSURES: [&str; 2] = ["P0", "p0"];

impl Hybrid {
    /// Whether a file has coefficients by known names.
    pub(super) fn is_there(file: &Dataset) -> bool {
        let has_both = |names: [&str; 2]| names.iter().all(|name| file.has_name(name));
        NAMES.into_iter().any(|(levels, layers)| has_both(levels) || layers.is_some_and(has_both))
    }

    /// The coefficients that a file has, if it has those of levels.
    pub(super) fn read(file: &mut Dataset) -> Result<Option<Self>, Error> {
        let has_both = |names: &[&str; 2]| names.iter().all(|name| file.has_name(name));
        let Some((levels, of_layers)) = NAMES.into_iter().find(|(levels, _)| has_both(levels)) else {
            return Ok(None);
        };
        let has_layers = of_layers.filter(has_both);
        let bounded = of_layers.map_or(levels[0], |[a, _]| a);
        let (coefficients, first) = read_both(file, levels, bounded)?;
        let [a, b] = levels;
        let source = format!("{a} + {b} * surface pressure");
        let Some(of_layers) = has_layers else {
            let order = Order::of(file, &[(a, first)])?;
            return Ok(Some(Self { of: Of::Levels(coefficients, None), source, order }));
        };
        let (layers, first_of_layers) = read_both(file, of_layers, bounded)?;
        let order = Order::of(file, &[(bounded, first_of_layers), (a, first)])?;
        Ok(Some(Self { of: Of::Levels(coefficients, Some(layers)), source, order }))
    }

    /// Those of layers, of a file that has no others: by their names, or as the layers' coordinate says.
    pub(super) fn of_layers(file: &mut Dataset) -> Result<Option<Self>, Error> {
        let is_of_layers = |name: &&str| {
            let dimensions = file.dimensions_of(name).unwrap_or_default();
            matches!(&dimensions[..], [(one, _)] if file.role(one) == Some(Dimension::Layer))
        };
        let known = NAMES.into_iter().filter_map(|(_, layers)| layers).find(|names| names.iter().all(is_of_layers));
        let known = known.map(|names| names.map(str::to_owned));
        let Some([a, b]) = known.or_else(|| terms::coefficients(file, Dimension::Layer)) else { return Ok(None) };
        let (layers, first) = read_both(file, [&a, &b], &a)?;
        let order = Order::of(file, &[(&a, first)])?;
        Ok(Some(Self { of: Of::Layers(layers), source: format!("{a} + {b} * surface pressure"), order }))
    }

    /// ECMWF's, of a file that has as many layers and says that they are its model's.
    pub(super) fn of_ecmwf(file: &mut Dataset) -> Result<Option<Self>, Error> {
        let Some((name, size)) = file.dimension_of(Dimension::Layer) else { return Ok(None) };
        if size != l137::LAYERS {
            return Ok(None);
        }
        // Of another model there may be as many layers: its numbers count from 1 to 137.
        let array =
            Array { name: &name, dimensions: &[&name], unit: "1", states_unit: false, accepted: Accepted::FINITE };
        let numbers = if file.has_name(&name) { file.numbers(&array)? } else { return Ok(None) };
        let number = |index: usize| (index + 1) as f64;
        let top_first = numbers.iter().enumerate().all(|(index, &value)| value == number(index));
        let bottom_first = numbers.iter().rev().enumerate().all(|(index, &value)| value == number(index));
        if !top_first && !bottom_first {
            return Ok(None);
        }
        let levels = l137::COEFFICIENTS.iter().rev().copied().collect();
        let source = "a + b * surface pressure, with the coefficients of ECMWF's 137 levels".to_owned();
        let order = Order::Known(if top_first { Orientation::TopFirst } else { Orientation::BottomFirst });
        Ok(Some(Self { of: Of::Levels(levels, None), source, order }))
    }

    /// Which end of the layers is the top.
    pub(super) fn orientation(&self, reading: &Reading) -> Result<Orientation, Error> {
        self.order.in_file(&reading.file)
    }

    pub(super) fn take(self, fields: &mut Fields, ground: Ground, of_levels: &str) -> Result<Pressures, Error> {
        let Self { of, source, order } = self;
        if let Some(text) = order.assumed_in_words(fields.file())? {
            fields.note(text);
        }
        let wanted = fields.layers;
        let surface = ground.take(fields);
        let pressures = |coefficients: Coefficients, wanted: usize, what: &str| -> Result<Vec<f64>, Error> {
            if coefficients.len() != wanted {
                let (found, layers) = (coefficients.len(), fields.layers);
                let text = format!("there are hybrid coefficients of {found} {what}: {layers} layers need {wanted}");
                return Err(fields.refuse(text));
            }
            Ok(coefficients.iter().flat_map(|[a, b]| surface.iter().map(move |surface| a + b * surface)).collect())
        };
        let slopes = |coefficients: &Coefficients| coefficients.iter().map(|[_, b]| *b).collect::<Vec<f64>>();
        let (levels, layers, by_surface, derived) = match of {
            Of::Levels(levels, layers) => {
                let of_levels_by_surface = slopes(&levels);
                let levels = pressures(levels, wanted + 1, "levels")?;
                let (layers, of_layers_by_surface, of_layers) = match layers {
                    Some(layers) => {
                        let by_surface = slopes(&layers);
                        (pressures(layers, wanted, "layers")?, by_surface, "; of layers by their own coefficients")
                    }
                    None => {
                        let [layers, slopes] = [(&levels, surface.len()), (&of_levels_by_surface, 1)]
                            .map(|(all, count)| layer_pressure(all, count));
                        (layers, slopes, "; of layers the means of the levels'")
                    }
                };
                let derived = format!("{of_levels} = {source}{of_layers}");
                (levels, layers, [of_layers_by_surface, of_levels_by_surface], derived)
            }
            Of::Layers(layers) => {
                let of_layers_by_surface = slopes(&layers);
                let layers = pressures(layers, wanted, "layers")?;
                let levels = layers::between(&layers, surface.len(), Some(&surface));
                let of_levels_by_surface = layers::between(&of_layers_by_surface, 1, Some(&[1.0]));
                let derived = format!("pressure = {source}; {of_levels}: {}", layers::in_words(true));
                (levels, layers, [of_layers_by_surface, of_levels_by_surface], derived)
            }
        };
        let of_file = FilePressures::Surface { source, slopes: by_surface };
        Ok(Pressures { levels, layers, below_ground: BelowGround::default(), of_file, derived })
    }
}

/// Reads `a` and `b` of these names, the first perhaps bounds of another variable; and which end the file has first.
fn read_both(file: &mut Dataset, names: [&str; 2], bounded: &str) -> Result<(Coefficients, Orientation), Error> {
    let [a, b] = names.map(|name| Row::read(file, name));
    let rows = [a?, b?];
    let Some([a, b]) = Row::in_order(&rows) else {
        let broken = rows.iter().zip(names).find(|(row, _)| row.levels(Bounds::AsLayers).is_none());
        let name = broken.map_or(names[0], |(_, name)| name);
        return Err(file.invalid(format!("{name}: layers do not begin where their neighbours end")));
    };
    if a.len() != b.len() {
        let [a_name, b_name] = names;
        return Err(file.invalid(format!("{a_name} has {} values, and {b_name} has {}", a.len(), b.len())));
    }
    let to_pa = unit_of_a(file, (names[0], &a), bounded)?;
    let mut all: Coefficients = a.into_iter().zip(b).map(|(a, b)| [to_pa * a, b]).collect();
    // Sigma falls with height, and so does pressure above where it is 0: here at a pressure that any ground has.
    let at = |coefficients: Option<&[f64; 2]>| coefficients.map_or(0.0, |[a, b]| a + 1e5 * b);
    if at(all.first()) < at(all.last()) {
        all.reverse();
        return Ok((all, Orientation::TopFirst));
    }
    Ok((all, Orientation::BottomFirst))
}

/// How many pascals one of `a` is. Bounds without a unit have that of what they bound (CF conventions 1.11, 7.1).
fn unit_of_a(file: &mut Dataset, (name, values): (&str, &[f64]), bounded: &str) -> Result<f64, Error> {
    let inherits = name.ends_with("_bnds") && file.units_of(name).is_none();
    if let Some(pascals) = file.pascals(if inherits { bounded } else { name }) {
        return Ok(pascals);
    }
    let Some(reference) = REFERENCE_PRESSURES.into_iter().find(|reference| file.has_name(reference)) else {
        let text = format!("{name} has no unit of pressure, and there is no P0 to which it is relative");
        return Err(file.invalid(text));
    };
    if let Some((level, value)) = values.iter().enumerate().find(|(_, value)| !(0.0..=1.0).contains(*value)) {
        return Err(file.invalid(not_relative((name, *value), level, reference)));
    }
    file.uses(reference);
    let array = Array { name: reference, dimensions: &[], unit: "Pa", states_unit: true, accepted: Accepted::POSITIVE };
    Ok(file.numbers(&array)?[0])
}

/// That `a` is no part of a reference pressure.
pub(crate) fn not_relative((name, value): (&str, f64), level: usize, reference: &str) -> String {
    format!(
        "{name} = {value} at level {level} lies outside [0, 1]: without a unit of pressure it is a part of \
         {reference}; give it \"Pa\" as its units if it is a pressure"
    )
}
