//! What is accepted besides the ranges of the fields and options: sizes that belong together, pressures that fall with
//! height and lie between those of their interfaces.

use std::format;
use std::ops::Range;
use std::vec::Vec;

use isobar_core::Real;
use isobar_core::fields::check::{falling, first_of_each, first_wrong, values};
use isobar_core::fields::{Declared, Error, Extents, LAYER, OwnedInputs, TRACER};

use crate::fields::{ColumnViews, Columns};

/// What a column is called in messages.
pub const ITEM: &str = "column";
/// The scheme needs as many.
const LEAST_LAYERS: usize = 4;

impl<R: Real> Columns<R> {
    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.surface_pressure_pa.len()
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.temperature_k.len() / self.columns().max(1)
    }

    /// The sizes: as many columns as surface pressures, as many layers as temperatures of a column.
    #[must_use]
    pub fn extents(&self) -> Extents {
        let (columns, layers) = (self.columns(), self.layers());
        let tracers = self.tracers.len() / (columns * layers).max(1);
        Extents::new(columns).with(LAYER, layers).with(TRACER, tracers)
    }
}

impl<'a, R: Real> TryFrom<&'a Columns<R>> for ColumnViews<'a, R> {
    type Error = Error;

    fn try_from(columns: &'a Columns<R>) -> Result<Self, Error> {
        columns.views(&columns.extents(), ITEM)
    }
}

impl<R: Real> ColumnViews<'_, R> {
    /// The sizes.
    ///
    /// # Errors
    /// [`Error::Setup`]: fewer than 4 layers.
    pub fn extents(&self) -> Result<Extents, Error> {
        let (layers, columns) = (self.temperature_k.levels(), self.temperature_k.items());
        if columns > 0 && layers < LEAST_LAYERS {
            return Err(Error::Setup(format!("{layers} layers are too few: at least {LEAST_LAYERS}")));
        }
        Ok(Extents::new(columns).with(LAYER, layers).with(TRACER, self.tracers.levels() / layers.max(1)))
    }

    /// The first of what is wrong with each bad column of a range, of views whose sizes are right.
    #[must_use]
    pub fn check(&self, extents: &Extents, range: Range<usize>) -> Vec<Error> {
        let order = |name: &str| {
            let declared = Declared::named(Self::DECLARED, name);
            let field = if name == "pressure_pa" { &self.pressure_pa } else { &self.interface_pressure_pa };
            falling(declared, field, range.clone(), ITEM)
        };
        let in_range = values(self, extents, range.clone(), ITEM);
        if self.are_layered(range.clone()) {
            return in_range;
        }
        first_of_each([in_range, order("pressure_pa"), order("interface_pressure_pa"), self.not_between(range)])
    }

    /// Do pressures lie between those of their interfaces, and so both fall with height? As a rule, and without a
    /// branch a value where neighbouring columns lie side by side.
    fn are_layered(&self, range: Range<usize>) -> bool {
        let (layers, interfaces) = (&self.pressure_pa, &self.interface_pressure_pa);
        let is_one = |item: usize, row: usize| {
            let here = layers.at(row, item);
            interfaces.at(row, item) > here && here > interfaces.at(row + 1, item)
        };
        (0..layers.levels()).all(|row| {
            let rows = [interfaces.neighbours(row, range.clone()), interfaces.neighbours(row + 1, range.clone())];
            match (rows, layers.neighbours(row, range.clone())) {
                ([Some(below), Some(above)], Some(here)) => {
                    let rows = below.iter().zip(here).zip(above);
                    rows.fold(true, |all, ((below, here), above)| all & (below > here) & (here > above))
                }
                _ => range.clone().all(|item| is_one(item, row)),
            }
        })
    }

    /// The first pressure of each bad column that does not lie between those of its interfaces: one of them may be in
    /// another unit.
    fn not_between(&self, range: Range<usize>) -> Vec<Error> {
        let declared = Declared::named(Self::DECLARED, "pressure_pa");
        let (layers, interfaces) = (&self.pressure_pa, &self.interface_pressure_pa);
        let ends = |row: usize, item: usize| (interfaces.at(row + 1, item), interfaces.at(row, item));
        let wrong = |row: usize, item: usize| {
            let ((above, below), here) = (ends(row, item), layers.at(row, item));
            here > below || here < above
        };
        let accepted = |row: usize, item: usize| {
            let (above, below) = ends(row, item);
            format!("between the {} and {} Pa of its interfaces", below.value(), above.value())
        };
        first_wrong(declared, layers, (range, layers.levels()), ITEM, wrong, accepted)
    }
}
