//! Hybrid coefficients: pressures `a + b * surface pressure`.

use super::super::derive::layer_pressure;
use super::super::{BelowGround, Fields, FilePressures};
use super::ground::Ground;
use super::pressures::Pressures;
use super::{l137, layers, terms};
use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dataset, Dimension, Orientation};

/// Coefficients `a` \[Pa\] and `b`, in the order of the file.
type Coefficients = Vec<[f64; 2]>;

/// The coefficients of a file.
pub(crate) struct Hybrid {
    of: Of,
    /// What they are called.
    source: String,
}

/// What coefficients are of.
enum Of {
    /// Boundaries of layers; layers, too, where the file has theirs, else these have the means of their boundaries.
    Levels(Coefficients, Option<Coefficients>),
    /// Layers alone.
    Layers(Coefficients),
}

/// Names of `a` and `b` of levels and of layers, which models and CMIP have.
const NAMES: [[[&str; 2]; 2]; 3] =
    [[["hyai", "hybi"], ["hyam", "hybm"]], [["ap_bnds", "b_bnds"], ["ap", "b"]], [["a_bnds", "b_bnds"], ["a", "b"]]];
/// What `a` without a unit of pressure is relative to.
const REFERENCE_PRESSURES: [&str; 2] = ["P0", "p0"];

impl Hybrid {
    /// The coefficients that a file has, if it has those of levels.
    pub(super) fn read(file: &mut Dataset) -> Result<Option<Self>, Error> {
        let Some([levels, of_layers]) = NAMES.into_iter().find(|[levels, _]| levels.iter().all(|n| file.has_name(n)))
        else {
            return Ok(None);
        };
        let has_layers = of_layers.iter().all(|name| file.has_name(name));
        let bounded = of_layers[0];
        let levels = (levels, read_both(file, levels, bounded)?);
        let layers = if has_layers { Some(read_both(file, of_layers, bounded)?) } else { None };
        let ([a, b], levels) = levels;
        Ok(Some(Self { of: Of::Levels(levels, layers), source: format!("{a} + {b} * surface pressure") }))
    }

    /// Those of layers, of a file that has no others: by their names, or as the layers' coordinate says.
    pub(super) fn of_layers(file: &mut Dataset) -> Result<Option<Self>, Error> {
        let is_of_layers = |name: &&str| {
            let dimensions = file.dimensions_of(name).unwrap_or_default();
            matches!(&dimensions[..], [(one, _)] if file.role(one) == Some(Dimension::Layer))
        };
        let known = NAMES.into_iter().map(|[_, layers]| layers).find(|names| names.iter().all(is_of_layers));
        let known = known.map(|names| names.map(str::to_owned));
        let Some([a, b]) = known.or_else(|| terms::coefficients(file, Dimension::Layer)) else { return Ok(None) };
        let layers = read_both(file, [&a, &b], &a)?;
        Ok(Some(Self { of: Of::Layers(layers), source: format!("{a} + {b} * surface pressure") }))
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
        let mut levels = l137::COEFFICIENTS.to_vec();
        if bottom_first {
            levels.reverse();
        }
        let source = "a + b * surface pressure, with the coefficients of ECMWF's 137 levels".to_owned();
        Ok(Some(Self { of: Of::Levels(levels, None), source }))
    }

    /// By the coefficients: sigma falls with height, and so does pressure above where it is 0.
    pub(super) fn orientation(&self) -> Orientation {
        // At a pressure that any ground has.
        let at = |coefficients: Option<&[f64; 2]>| coefficients.map_or(0.0, |[a, b]| a + 1e5 * b);
        let (Of::Levels(all, _) | Of::Layers(all)) = &self.of;
        if at(all.first()) < at(all.last()) { Orientation::TopFirst } else { Orientation::BottomFirst }
    }

    pub(super) fn take(self, fields: &mut Fields, ground: Ground, of_levels: &str) -> Result<Pressures, Error> {
        let Self { of, source } = self;
        let wanted = fields.layers;
        let surface = ground.take(fields);
        let pressures = |mut coefficients: Coefficients, wanted: usize, what: &str| -> Result<Vec<f64>, Error> {
            if coefficients.len() != wanted {
                let (found, layers) = (coefficients.len(), fields.layers);
                let text = format!("there are hybrid coefficients of {found} {what}: {layers} layers need {wanted}");
                return Err(fields.refuse(text));
            }
            if fields.orientation == Orientation::TopFirst {
                coefficients.reverse();
            }
            Ok(coefficients.iter().flat_map(|[a, b]| surface.iter().map(move |surface| a + b * surface)).collect())
        };
        let slopes = |coefficients: &Coefficients| {
            let mut slopes: Vec<f64> = coefficients.iter().map(|[_, b]| *b).collect();
            if fields.orientation == Orientation::TopFirst {
                slopes.reverse();
            }
            slopes
        };
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

/// Reads `a` and `b` of these names, the first perhaps bounds of another variable.
fn read_both(file: &mut Dataset, names: [&str; 2], bounded: &str) -> Result<Coefficients, Error> {
    let [a, b] = names.map(|name| Row::read(file, name));
    let rows = [a?, b?];
    let Some([a, b]) = Row::in_order(&rows) else {
        let broken = rows.iter().zip(names).find(|(row, _)| row.levels(Order::AsLayers).is_none());
        let name = broken.map_or(names[0], |(_, name)| name);
        return Err(file.invalid(format!("{name}: layers do not begin where their neighbours end")));
    };
    if a.len() != b.len() {
        let [a_name, b_name] = names;
        return Err(file.invalid(format!("{a_name} has {} values, and {b_name} has {}", a.len(), b.len())));
    }
    let to_pa = unit_of_a(file, (names[0], &a), bounded)?;
    Ok(a.into_iter().zip(b).map(|(a, b)| [to_pa * a, b]).collect())
}

/// One coefficient, along one dimension or as the bounds of layers.
enum Row {
    All(Vec<f64>),
    Bounds(Vec<[f64; 2]>),
}

/// Which of the two bounds of a layer is next to the layer that follows: tools that turn a file upside down turn its
/// layers and leave the bounds of each as they are.
#[derive(Clone, Copy)]
enum Order {
    AsLayers,
    Against,
}

impl Row {
    fn read(file: &mut Dataset, name: &str) -> Result<Self, Error> {
        file.uses(name);
        let dimensions = file.dimensions_of(name).unwrap_or_default();
        let names: Vec<&str> = dimensions.iter().map(|(name, _)| name.as_str()).collect();
        let array = Array { name, dimensions: &names, unit: "1", states_unit: false, accepted: Accepted::FINITE };
        let values = file.numbers(&array)?;
        match dimensions[..] {
            [_] => Ok(Self::All(values)),
            [_, (_, 2)] => Ok(Self::Bounds(values.as_chunks().0.to_vec())),
            _ => {
                let text = format!("{name} has dimensions ({}); expected one, or one and two bounds", names.join(", "));
                Err(file.invalid(text))
            }
        }
    }

    /// Each level once, if layers with their bounds in this order begin where their neighbours end.
    fn levels(&self, order: Order) -> Option<Vec<f64>> {
        let bounds = match self {
            Self::All(values) => return Some(values.clone()),
            Self::Bounds(bounds) => bounds,
        };
        let turned = |&[one, other]: &[f64; 2]| match order {
            Order::AsLayers => [one, other],
            Order::Against => [other, one],
        };
        let bounds: Vec<[f64; 2]> = bounds.iter().map(turned).collect();
        let fit = bounds.windows(2).all(|pair| pair[0][1] == pair[1][0]);
        let end = bounds.last().map(|[_, end]| *end);
        fit.then(|| bounds.iter().map(|[begin, _]| *begin).chain(end).collect())
    }

    /// Both, with their bounds in the same order.
    fn in_order(rows: &[Self; 2]) -> Option<[Vec<f64>; 2]> {
        let both = |order| Some([rows[0].levels(order)?, rows[1].levels(order)?]);
        both(Order::AsLayers).or_else(|| both(Order::Against))
    }
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
        let text = format!(
            "{name} = {value} at level {level} lies outside [0, 1]: without a unit of pressure it is a part of \
             {reference}; give it \"Pa\" as its units if it is a pressure"
        );
        return Err(file.invalid(text));
    }
    file.uses(reference);
    let array = Array { name: reference, dimensions: &[], unit: "Pa", states_unit: true, accepted: Accepted::POSITIVE };
    Ok(file.numbers(&array)?[0])
}
