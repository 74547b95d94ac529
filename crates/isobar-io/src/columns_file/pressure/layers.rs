//! Pressures of layers without those of the levels between them.

use super::super::{BelowGround, Fields, FilePressures, Quantity, Reading};
use super::ground::Ground;
use super::pressures::Pressures;
use super::terms;
use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dimension, Field, Mask, Orientation};

/// How a file gives pressures of layers.
pub(crate) enum Layers {
    /// One pressure of a layer for all columns \[Pa\], in the order of the file: the layers' coordinate of this name;
    /// and those of the levels around them, if they have a coordinate.
    Coordinate { name: String, pressure: Vec<f64>, levels: Option<Vec<f64>> },
    /// A variable.
    Variable(Quantity),
}

impl Layers {
    /// Reads those of a variable, if it is there.
    pub(super) fn read_variable(reading: &mut Reading, layers: &Quantity) -> Result<Option<Self>, Error> {
        let spec = layers.spec(reading.layout);
        let found = reading.file.name_and_units(&spec).map(|(name, _)| name);
        let is_coordinate = found.is_some_and(|name| reading.file.is_coordinate(&name));
        if is_coordinate || !reading.has(layers)? || !reading.file.fits(&spec)? {
            return Ok(None);
        }
        reading.need(layers)?;
        Ok(Some(Self::Variable(*layers)))
    }

    /// Reads those of the layers' coordinate, if it is one of pressure.
    pub(super) fn read_coordinate(reading: &mut Reading) -> Result<Option<Self>, Error> {
        let coordinate = |dimension: Dimension| -> Result<Option<(String, Vec<f64>)>, Error> {
            let Some((name, _)) = reading.file.dimension_of(dimension) else { return Ok(None) };
            if terms::is_no_pressure(&reading.file, dimension).is_some() {
                return Ok(None);
            }
            if reading.file.pascals(&name).is_none() || reading.file.dimensions_of(&name).is_none_or(|d| d.len() != 1) {
                return Ok(None);
            }
            let array = Array {
                name: &name,
                dimensions: &[&name],
                unit: "Pa",
                states_unit: true,
                accepted: Accepted::NOT_NEGATIVE,
            };
            let values = reading.file.numbers(&array)?;
            Ok(Some((name, values)))
        };
        let levels = coordinate(Dimension::Level)?.map(|(_, levels)| levels);
        let found = coordinate(Dimension::Layer)?;
        Ok(found.map(|(name, pressure)| {
            let levels = levels.filter(|levels| levels.len() == pressure.len() + 1);
            Self::Coordinate { name, pressure, levels }
        }))
    }

    /// The layers of columns that lie below the ground, where their values count for nothing; nothing where all layers
    /// count.
    pub(super) fn below_ground(&self, reading: &Reading, ground: Ground) -> Option<Mask> {
        let Self::Coordinate { name, pressure, .. } = self else { return None };
        let Field { dimensions, shape, values: surface, .. } = ground.as_read(reading)?;
        let masked = pressure.iter().flat_map(|pressure| surface.iter().map(move |ground| pressure >= ground));
        let layers = [(Dimension::Layer, pressure.len())];
        Some(Mask {
            masked: masked.collect(),
            dimensions: layers.into_iter().chain(dimensions.into_iter().zip(shape)).collect(),
            name: name.clone(),
            why: String::new(),
        })
    }

    /// By the coordinate.
    pub(super) fn orientation(&self) -> Option<Orientation> {
        let Self::Coordinate { pressure, .. } = self else { return None };
        let rises = pressure.first() < pressure.last();
        Some(if rises { Orientation::TopFirst } else { Orientation::BottomFirst })
    }

    pub(super) fn take(self, fields: &mut Fields, ground: Option<Ground>, of_levels: &str) -> Result<Pressures, Error> {
        let surface = ground.map(|ground| ground.take(fields));
        let count = fields.grid().columns();
        match self {
            Self::Variable(quantity) => {
                let layers = fields.take(&quantity);
                let levels = between(&layers, count, surface.as_deref());
                let derived = format!("{of_levels}: {}", in_words(surface.is_some()));
                let of_file = FilePressures::Layers { has_surface: surface.is_some() };
                Ok(Pressures { levels, layers, below_ground: BelowGround::default(), of_file, derived })
            }
            Self::Coordinate { name, mut pressure, mut levels } => {
                if fields.orientation == Orientation::TopFirst {
                    pressure.reverse();
                }
                if let Some(pair) = pressure.windows(2).find(|pair| pair[0] <= pair[1]) {
                    return Err(
                        fields.refuse(format!("{name}: {} Pa does not fall to the next, {} Pa", pair[0], pair[1]))
                    );
                }
                let of_all = |values: &[f64]| -> Vec<f64> {
                    values.iter().flat_map(|&value| std::iter::repeat_n(value, count)).collect()
                };
                if fields.orientation == Orientation::TopFirst {
                    levels.iter_mut().for_each(|levels| levels.reverse());
                }
                let derived = match &levels {
                    Some(_) if surface.is_some() => format!(
                        "pressure = {name}; {of_levels} is the coordinate of the levels, the lowest that of the surface"
                    ),
                    Some(_) => format!("pressure = {name}; {of_levels} is the coordinate of the levels"),
                    None => format!("pressure = {name}; {of_levels}: {}", in_words(surface.is_some())),
                };
                if let Some(surface) = surface {
                    let lids = levels.map_or_else(|| lids(&pressure), |levels| levels[1..].to_vec());
                    return Ok(above_ground([&pressure, &lids], &surface, (&name, derived)));
                }
                let layers = of_all(&pressure);
                let (levels, of_file) = match levels {
                    Some(levels) => (of_all(&levels), FilePressures::Both),
                    None => (between(&layers, count, None), FilePressures::Layers { has_surface: false }),
                };
                Ok(Pressures { levels, layers, below_ground: BelowGround::default(), of_file, derived })
            }
        }
    }
}

pub(super) fn in_words(has_surface: bool) -> String {
    let ground = if has_surface { "that of the surface" } else { "the lowest, too, as there is no surface_pressure" };
    format!("means of the layers'; {ground}; the uppermost as far above its layer as the next below, or 0")
}

/// Pressures of levels from those of layers and of the surface.
pub(super) fn between(layers: &[f64], count: usize, surface: Option<&[f64]>) -> Vec<f64> {
    let last = layers.len() - count;
    let mut levels = Vec::with_capacity(layers.len() + count);
    for column in 0..count {
        let mean = 0.5 * (layers[column] + layers[count + column]);
        levels.push(surface.map_or(2.0 * layers[column] - mean, |surface| surface[column]));
    }
    levels.extend(layers.iter().zip(&layers[count..]).map(|(below, above)| 0.5 * (below + above)));
    for column in last..layers.len() {
        let below = levels[column];
        levels.push((2.0 * layers[column] - below).max(0.0));
    }
    levels
}

/// The pressures of the levels above layers at some pressures.
fn lids(pressure: &[f64]) -> Vec<f64> {
    let means = pressure.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    let highest = match pressure {
        [.., below, last] => (1.5 * last - 0.5 * below).max(0.0),
        _ => 0.0,
    };
    means.chain([highest]).collect()
}

/// The pressures of layers at some pressures with levels above them, of which those below the ground share the lowest
/// layer above it: as many equal parts of it as there are of them, and one.
fn above_ground([pressure, lids]: [&[f64]; 2], surface: &[f64], (name, derived): (&str, String)) -> Pressures {
    let (count, number) = (surface.len(), pressure.len());
    let (mut levels, mut layers) = (vec![0.0; (number + 1) * count], vec![0.0; number * count]);
    let mut slopes = [vec![0.0; layers.len()], vec![0.0; levels.len()]];
    let mut below_ground = BelowGround { layers: vec![0; count], pressure: vec![0.0; count], temperature: Vec::new() };
    for (column, &ground) in surface.iter().enumerate() {
        // Two layers are above any ground; where they are not, the check that pressure falls speaks.
        let below = pressure.iter().filter(|&&pressure| pressure >= ground).count().min(number - 1);
        (below_ground.layers[column], below_ground.pressure[column]) = (below, pressure[below]);
        let top = lids[below];
        let parts = (below + 1) as f64;
        for level in 0..=number {
            levels[level * count + column] = match level {
                0 => ground,
                level if level <= below => ground - (ground - top) * (level as f64 / parts),
                level => lids[level - 1],
            };
            slopes[1][level * count + column] = if level <= below { 1.0 - level as f64 / parts } else { 0.0 };
        }
        for (layer, &of_all) in pressure.iter().enumerate() {
            let [at, lid] = [layer, layer + 1].map(|level| level * count + column);
            if below > 0 && layer <= below {
                layers[at] = 0.5 * (levels[at] + levels[lid]);
                slopes[0][at] = 0.5 * (slopes[1][at] + slopes[1][lid]);
            } else {
                layers[at] = of_all;
            }
        }
    }
    if below_ground.layers.iter().all(|&below| below == 0) {
        below_ground = BelowGround::default();
    }
    // Which layers are parts of the lowest differs from column to column.
    let of_file =
        FilePressures::Surface { source: format!("{name}, the same for all columns, and the surface's"), slopes };
    Pressures { levels, layers, below_ground, of_file, derived }
}
