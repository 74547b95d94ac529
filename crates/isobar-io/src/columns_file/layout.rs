//! Which dimensions make up the columns, and which a variable has.

use std::ops::Range;

use isobar_core::fields::Declared;

use super::per::Per;
use crate::error::Error;
use crate::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};

use Dimension::{
    Band, Experiment, Interface, Layer, Level, LongwaveBand, Other, Profile, ShortwaveBand, Site, SouthNorth,
    SouthNorthStaggered, Time, WestEast, WestEastStaggered,
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
    /// Along all dimensions that are not the vertical, whatever their names are.
    Others,
}

const fn any(dimension: Dimension) -> Axis {
    Axis::optional(dimension)
}

/// The axes of layers, levels, columns, anything that may have layers; then of layers and bands, and of bands, in the
/// order of [`super::Bands`]; of interfaces.
type AllAxes = [&'static [Axis]; 11];

macro_rules! all_axes {
    ($($horizontal:expr),*) => {
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
const OTHERS: AllAxes = all_axes!(Other(0), Other(1), Other(2), Other(3), Other(4));
/// As many dimensions [`OTHERS`] has: time, a member of an ensemble, and those of a grid on some tiles.
const MOST_OTHERS: usize = 5;

impl Layout {
    /// That of a file in which the vertical is found first: `vertical` is the dimension of layers, where the file does
    /// not say which is.
    pub(super) fn with_vertical(file: &mut Dataset, vertical: Option<&str>) -> Result<Self, Error> {
        if let Some(vertical) = vertical {
            file.take_for_layers(vertical)?;
        }
        take_vertical(file);
        Ok(Self::of(file))
    }

    /// Where temperatures and pressures have dimensions that the layout of these names has not, or a list's in another
    /// order, all of theirs are those of the columns.
    pub(crate) fn of(file: &mut Dataset) -> Self {
        let has = |dimensions: [Dimension; 2]| dimensions.iter().any(|&dimension| file.has_dimension(dimension));
        let (layout, known): (Self, &[Dimension]) = if has([SouthNorth, WestEast]) {
            (Self::Grid, &[Time, SouthNorth, WestEast, SouthNorthStaggered, WestEastStaggered])
        } else if has([Experiment, Site]) {
            (Self::Sites, &[Experiment, Site])
        } else {
            (Self::List, &[Time, Profile])
        };
        let all = dimensions(file);
        // Numbers of columns, as `ncol`, are names of models.
        let is_ours = |name: &str| !name.to_lowercase().starts_with('n');
        let is_known = |name: &str| {
            file.role(name).is_some_and(|role| known.contains(&role) && (role != Profile || is_ours(name)))
        };
        // Of size 1, those of a point are of columns, those of bands and the like say nothing.
        let says_nothing = |name: &str, size| size == 1 && file.role(name).is_some_and(|role| !role.is_of_items());
        let is_usual = all.iter().all(|(name, size)| says_nothing(name, *size) || is_known(name));
        if all.len() > MOST_OTHERS || is_usual && !layout.is_reversed(file, &all) {
            return layout;
        }
        file.take_for_items(all.into_iter().map(|(name, _)| name).collect());
        Self::Others
    }

    /// Whether a list has the times of each column together.
    fn is_reversed(self, file: &Dataset, all: &[(String, usize)]) -> bool {
        let place = |dimension| {
            let (name, _) = file.dimension_of(dimension)?;
            all.iter().position(|(known, _)| *known == name)
        };
        self == Self::List && place(Time).zip(place(Profile)).is_some_and(|(time, column)| time > column)
    }

    pub(crate) fn axes(self, per: Per) -> &'static [Axis] {
        let all = match self {
            Self::List => &LIST,
            Self::Grid => &GRID,
            Self::Sites => &SITES,
            Self::Others => &OTHERS,
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

    /// The dimensions of the columns, slowest first, and what an output calls them where the file does not.
    fn horizontal(self) -> &'static [(Dimension, &'static str)] {
        match self {
            Self::List => &[(Time, "time"), (Profile, "column")],
            Self::Grid => &[(Time, "Time"), (SouthNorth, "south_north"), (WestEast, "west_east")],
            Self::Sites => &[(Experiment, "expt"), (Site, "site")],
            Self::Others => &[],
        }
    }

    /// The sizes of what was read.
    pub(crate) fn grid(self, file: &Dataset) -> Grid {
        // Where a part of the columns begins, by what the file calls their dimension and by what results do.
        let part = file.part();
        if self == Self::Others {
            let numbered = file.of_items().into_iter().enumerate();
            let dimensions = numbered.map(|(number, (name, size))| (Other(number as u8), name, size)).collect();
            return Grid { dimensions, start: part.map(|part| (part.dimension.clone(), part.range.start)) };
        }
        let of_part = part.and_then(|part| file.role(&part.dimension));
        let of_file = |&(dimension, otherwise): &(Dimension, &str)| {
            let name = file.dimension_of(dimension).map_or_else(|| otherwise.to_owned(), |(name, _)| name);
            (dimension, name, file.size(dimension).unwrap_or(1))
        };
        let counts = |(dimension, name, size): &(Dimension, String, usize)| {
            *dimension != Time || *size > 1 || of_part == Some(Time) || file.is_beside_vertical(name)
        };
        let dimensions: Vec<_> = self.horizontal().iter().map(of_file).filter(counts).collect();
        let start = part.and_then(|part| {
            let (_, name, _) = dimensions.iter().find(|(dimension, ..)| Some(*dimension) == of_part)?;
            Some((name.clone(), part.range.start))
        });
        Grid { dimensions, start }
    }

    /// Names and sizes of the dimensions of the columns, by the header alone.
    pub(super) fn in_header(self, file: &Dataset) -> Vec<(String, usize)> {
        if self == Self::Others {
            return file.of_items();
        }
        self.horizontal().iter().filter_map(|&(dimension, _)| file.dimension_of(dimension)).collect()
    }
}

/// Names beside those that schemes declare, of WRF, MPAS and ecRad: potential temperatures, parts of pressures, and
/// humidity.
const MORE: [&str; 8] = ["T", "P", "PB", "theta", "th", "pressure_base", "pressure_p", "q"];

/// What schemes have of columns.
fn declared() -> impl Iterator<Item = &'static Declared> {
    let schemes = [isobar_radiation::ColumnViews::<f64>::DECLARED, isobar_ysu::ColumnViews::<f64>::DECLARED];
    schemes.into_iter().flatten()
}

/// Of whatever dimensions.
fn spec(
    name: &'static str,
    aliases: &'static [&'static str],
    standard_names: &'static [&'static str],
    unit: &'static str,
) -> VariableSpec<'static> {
    VariableSpec { name, aliases, standard_names, unit, axes: &[], accepted: Accepted::FINITE }
}

/// Takes the dimensions of layers and of levels of a file, where coordinates say which they are: above all that of the
/// temperatures of its air.
pub(super) fn take_vertical(file: &mut Dataset) {
    const POTENTIAL: [&str; 3] = ["theta", "th", "T"];
    let declared = declared().filter(|one| one.file_name == "temperature");
    let temperatures = declared.map(|one| spec(one.file_name, one.aliases, one.standard_names, one.unit));
    file.take_vertical_coordinate(temperatures.chain(POTENTIAL.map(|name| spec(name, &[], &[], "K"))));
    file.take_levels_around_layers();
}

/// The dimensions beside the vertical of temperatures and pressures that can be read; of a single column, of all that
/// can be.
fn dimensions(file: &Dataset) -> Vec<(String, usize)> {
    const AIR: Option<&[&str]> = Some(&["K", "Pa"]);
    let declared = declared().map(|one| spec(one.file_name, one.aliases, one.standard_names, one.unit));
    let more = MORE.iter().map(|&name| spec(name, &[], &[], "1"));
    let read = file.candidates(declared.chain(more));
    let of_read = [AIR, None].map(|units| file.dimensions_beside_vertical(units, Some(&read)));
    let is_any = of_read.iter().any(Option::is_some);
    let some = of_read.into_iter().flatten().find(|dimensions| !dimensions.is_empty());
    // Where nothing is known, as in results, of whatever there is.
    let beside = |units| file.dimensions_beside_vertical(units, None).filter(|all| !all.is_empty());
    let of_any = || beside(AIR).or_else(|| beside(None));
    some.or_else(|| if is_any { None } else { of_any() }).unwrap_or_default()
}

/// The dimensions of the columns with names and sizes, slowest first.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) dimensions: Vec<(Dimension, String, usize)>,
    /// Where the columns are a part of those of the file: the dimension along which they are, and where they begin.
    start: Option<(String, usize)>,
}

impl Grid {
    /// Of columns that are no file's, with these numbers.
    pub(crate) fn of_columns(numbers: &Range<usize>) -> Self {
        let name = "column".to_owned();
        Self { dimensions: vec![(Profile, name.clone(), numbers.len())], start: Some((name, numbers.start)) }
    }

    pub(crate) fn columns(&self) -> usize {
        self.dimensions.iter().map(|&(.., size)| size).product()
    }

    /// `south_north 3, west_east 0`.
    pub(crate) fn place(&self, mut column: usize) -> String {
        let mut parts = Vec::new();
        for (_, name, size) in self.dimensions.iter().rev() {
            let start = self.start.as_ref().filter(|(along, _)| along == name).map_or(0, |&(_, start)| start);
            parts.push(format!("{name} {}", start + column % size));
            column /= size;
        }
        parts.reverse();
        parts.join(", ")
    }

    /// The indices of a column.
    pub(crate) fn index(&self, mut column: usize) -> Vec<(Dimension, usize)> {
        let mut index = Vec::new();
        for &(dimension, _, size) in self.dimensions.iter().rev() {
            index.push((dimension, column % size));
            column /= size;
        }
        index
    }

    /// The columns that a value at these indices belongs to. A value on a face belongs to both of its neighbours.
    pub(crate) fn columns_at(&self, index: &[(Dimension, usize)]) -> Vec<usize> {
        let at = |wanted: Dimension| index.iter().find(|(dimension, _)| *dimension == wanted).map(|&(_, at)| at);
        let mut columns = vec![0];
        for &(dimension, _, size) in &self.dimensions {
            let face = match dimension {
                SouthNorth => at(SouthNorthStaggered),
                WestEast => at(WestEastStaggered),
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
        let named = |dimension, name: &str, size| (dimension, name.to_owned(), size);
        let dimensions =
            vec![named(Time, "Time", 2), named(SouthNorth, "south_north", 3), named(WestEast, "west_east", 4)];
        let mut grid = Grid { dimensions, start: None };
        assert_eq!(grid.columns(), 24);
        assert_eq!(grid.place(23), "Time 1, south_north 2, west_east 3");
        assert_eq!(grid.columns_at(&[(Time, 1), (SouthNorth, 2), (WestEast, 3), (Layer, 9)]), [23]);
        assert_eq!(grid.columns_at(&[(WestEast, 1), (SouthNorth, 0), (Time, 0)]), [1]);
        // The face between the first two, and the outer one.
        assert_eq!(grid.columns_at(&[(Time, 0), (SouthNorth, 1), (WestEastStaggered, 1)]), [4, 5]);
        assert_eq!(grid.columns_at(&[(Time, 0), (SouthNorth, 1), (WestEastStaggered, 4)]), [7]);
        assert_eq!(grid.columns_at(&[(WestEast, 0), (SouthNorthStaggered, 0), (Time, 1)]), [12]);
        // One value for all of a row.
        assert_eq!(grid.columns_at(&[(Time, 0), (SouthNorth, 2)]), [8, 9, 10, 11]);
        grid.start = Some(("south_north".to_owned(), 100));
        assert_eq!(grid.place(23), "Time 1, south_north 102, west_east 3");
    }
}
