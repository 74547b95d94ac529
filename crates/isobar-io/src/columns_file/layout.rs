//! Which dimensions make up the columns, and which a variable has.

use super::Per;
use crate::netcdf::{Axis, Dataset, Dimension};

use Dimension::{
    Band, Experiment, Interface, Layer, Level, LongwaveBand, Profile, ShortwaveBand, Site, SouthNorth, Time, WestEast,
};

/// How a file lays its columns out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Along one dimension, and perhaps time.
    List,
    /// As a grid, and perhaps time.
    Grid,
    /// Along experiments and sites, as RFMIP's.
    Sites,
}

const fn any(dimension: Dimension) -> Axis {
    Axis::optional(dimension)
}

/// Of layers, levels, columns, anything that may have layers; then of layers and bands, and of bands, in the order of
/// [`Bands`]; of interfaces.
type AllAxes = [&'static [Axis]; 11];

macro_rules! all_axes {
    ($($horizontal:ident),*) => {
        [
            &[Axis::required(Layer), $(any($horizontal)),*],
            &[Axis::required(Level), $(any($horizontal)),*],
            &[$(any($horizontal)),*],
            &[any(Layer), $(any($horizontal)),*],
            &[Axis::required(Layer), Axis::required(Band), $(any($horizontal)),*],
            &[Axis::required(Layer), Axis::required(LongwaveBand), $(any($horizontal)),*],
            &[Axis::required(Layer), Axis::required(ShortwaveBand), $(any($horizontal)),*],
            &[any(Band), $(any($horizontal)),*],
            &[any(LongwaveBand), $(any($horizontal)),*],
            &[any(ShortwaveBand), $(any($horizontal)),*],
            &[Axis::required(Interface), $(any($horizontal)),*],
        ]
    };
}

const LIST: AllAxes = all_axes!(Time, Profile);
const GRID: AllAxes = all_axes!(Time, SouthNorth, WestEast);
const SITES: AllAxes = all_axes!(Experiment, Site);

impl Layout {
    pub(crate) fn of(file: &Dataset) -> Self {
        let has = |dimensions: [Dimension; 2]| dimensions.iter().any(|&dimension| file.has_dimension(dimension));
        if has([SouthNorth, WestEast]) {
            Self::Grid
        } else if has([Experiment, Site]) {
            Self::Sites
        } else {
            Self::List
        }
    }

    pub(crate) fn axes(self, per: Per) -> &'static [Axis] {
        let all = match self {
            Self::List => &LIST,
            Self::Grid => &GRID,
            Self::Sites => &SITES,
        };
        match per {
            Per::Layer => all[0],
            Per::Level => all[1],
            Per::Column => all[2],
            Per::AnyLayer => all[3],
            Per::LayerAndBand(bands) => all[4 + bands as usize],
            Per::Band(bands) => all[7 + bands as usize],
            Per::Interface => all[10],
        }
    }

    /// The dimensions of the columns, slowest first, and what an output calls them.
    fn horizontal(self) -> &'static [(Dimension, &'static str)] {
        match self {
            Self::List => &[(Time, "time"), (Profile, "column")],
            Self::Grid => &[(Time, "Time"), (SouthNorth, "south_north"), (WestEast, "west_east")],
            Self::Sites => &[(Experiment, "expt"), (Site, "site")],
        }
    }

    /// The sizes of what was read.
    pub(crate) fn grid(self, file: &Dataset) -> Grid {
        let size = |dimension| file.size(dimension).unwrap_or(1);
        let dimensions = self.horizontal().iter().map(|&(dimension, name)| (dimension, name, size(dimension)));
        Grid(dimensions.filter(|&(dimension, _, size)| dimension != Time || size > 1).collect())
    }
}

/// The dimensions of the columns with names and sizes, slowest first.
#[derive(Clone, Debug)]
pub(crate) struct Grid(pub(crate) Vec<(Dimension, &'static str, usize)>);

impl Grid {
    pub(crate) fn columns(&self) -> usize {
        self.0.iter().map(|&(.., size)| size).product()
    }

    /// `south_north 3, west_east 0`.
    pub(crate) fn place(&self, mut column: usize) -> String {
        let mut parts = Vec::new();
        for (_, name, size) in self.0.iter().rev() {
            parts.push(format!("{name} {}", column % size));
            column /= size;
        }
        parts.reverse();
        parts.join(", ")
    }

    /// The columns that a value at these indices belongs to. A value on a face belongs to both of its neighbours.
    pub(crate) fn columns_at(&self, index: &[(Dimension, usize)]) -> Vec<usize> {
        let at = |wanted: Dimension| index.iter().find(|(dimension, _)| *dimension == wanted).map(|&(_, at)| at);
        let mut columns = vec![0];
        for &(dimension, _, size) in &self.0 {
            let face = match dimension {
                SouthNorth => at(Dimension::SouthNorthStaggered),
                WestEast => at(Dimension::WestEastStaggered),
                _ => None,
            };
            let range = match (at(dimension), face) {
                (Some(i), _) if i < size => i..i + 1,
                (_, Some(i)) => i.saturating_sub(1)..(i + 1).min(size),
                _ => 0..size,
            };
            columns = columns.iter().flat_map(|&column| range.clone().map(move |i| column * size + i)).collect();
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_their_indices() {
        let grid = Grid(vec![(Time, "Time", 2), (SouthNorth, "south_north", 3), (WestEast, "west_east", 4)]);
        assert_eq!(grid.columns(), 24);
        assert_eq!(grid.place(23), "Time 1, south_north 2, west_east 3");
        assert_eq!(grid.columns_at(&[(Time, 1), (SouthNorth, 2), (WestEast, 3), (Layer, 9)]), [23]);
        assert_eq!(grid.columns_at(&[(WestEast, 1), (SouthNorth, 0), (Time, 0)]), [1]);
        // The face between the first two, and the outer one.
        assert_eq!(grid.columns_at(&[(Time, 0), (SouthNorth, 1), (Dimension::WestEastStaggered, 1)]), [4, 5]);
        assert_eq!(grid.columns_at(&[(Time, 0), (SouthNorth, 1), (Dimension::WestEastStaggered, 4)]), [7]);
        assert_eq!(grid.columns_at(&[(WestEast, 0), (Dimension::SouthNorthStaggered, 0), (Time, 1)]), [12]);
        // One value for all of a row.
        assert_eq!(grid.columns_at(&[(Time, 0), (SouthNorth, 2)]), [8, 9, 10, 11]);
    }
}
