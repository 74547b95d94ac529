//! One hybrid coefficient of all levels or layers, as files have it.

use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dataset};

/// One coefficient, along one dimension or as the bounds of layers.
pub(super) enum Row {
    All(Vec<f64>),
    Bounds(Vec<[f64; 2]>),
}

/// Which of the two bounds of a layer is next to the layer that follows: tools that turn a file upside down turn its
/// layers and leave the bounds of each as they are.
#[derive(Clone, Copy)]
pub(super) enum Bounds {
    AsLayers,
    Against,
}

/// Ends that differ by so small a part of them are one, each rounded on its own way, perhaps to single precision.
const ROUNDING: f64 = 1e-6;
/// Likewise by this part of the largest, of which what should be 0 may be the rest.
const ROUNDING_OF_DIFFERENCES: f64 = 1e-12;

impl Row {
    pub(super) fn read(file: &mut Dataset, name: &str) -> Result<Self, Error> {
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
    pub(super) fn levels(&self, order: Bounds) -> Option<Vec<f64>> {
        let bounds = match self {
            Self::All(values) => return Some(values.clone()),
            Self::Bounds(bounds) => bounds,
        };
        let turned = |&[one, other]: &[f64; 2]| match order {
            Bounds::AsLayers => [one, other],
            Bounds::Against => [other, one],
        };
        let bounds: Vec<[f64; 2]> = bounds.iter().map(turned).collect();
        let largest = bounds.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
        let is_same = |one: f64, other: f64| {
            let rounding = (ROUNDING * one.abs().max(other.abs())).max(ROUNDING_OF_DIFFERENCES * largest);
            (one - other).abs() <= rounding
        };
        let fit = bounds.windows(2).all(|pair| is_same(pair[0][1], pair[1][0]));
        let end = bounds.last().map(|[_, end]| *end);
        fit.then(|| bounds.iter().map(|[begin, _]| *begin).chain(end).collect())
    }

    /// Both, with their bounds in the same order.
    pub(super) fn in_order(rows: &[Self; 2]) -> Option<[Vec<f64>; 2]> {
        let both = |order| Some([rows[0].levels(order)?, rows[1].levels(order)?]);
        both(Bounds::AsLayers).or_else(|| both(Bounds::Against))
    }
}
