//! Columns that were read: complete and valid, or an error in the file's own words.

use isobar_core::fields::{self, Declared};

use super::{Described, Fields, Stated};
use crate::error::Error;
use crate::netcdf::Orientation;

/// What becomes of pressures, temperatures and, with [`crate::radiation`], sizes of particles outside of the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// They stay. RRTMG_LW extrapolates its tables, ecCKD's hold the values of their ends for the air; RRTMGP's are for
    /// no other layers, which are refused, no tables but RRTMG_LW's for another ground, and tables of clouds for no
    /// other sizes.
    #[default]
    Extrapolate,
    /// They are brought to the end of the tables: temperatures of air and ground; pressures of layers, with
    /// [`crate::radiation`] of those that reach into the tables; there the pressure of the uppermost or lowest level,
    /// too, where RRTMGP's tables end within the layer; sizes of particles of clouds.
    Clamp,
    /// They are an error.
    Error,
}

/// Columns and how their file had them.
#[derive(Clone, Debug)]
pub struct ColumnsInput<C> {
    /// The columns, surface first, all of them valid.
    pub columns: C,
    /// Which end of its layers the file has first.
    pub orientation: Orientation,
    /// Names and sizes of the dimensions that make up the columns, slowest first.
    pub horizontal: Vec<(&'static str, usize)>,
    /// What the file's kind calls layers and levels.
    pub vertical: [&'static str; 2],
    /// What the file did not have, and where it was taken from.
    pub derived: Vec<String>,
    /// What was made up or changed that a user should hear of, each in a sentence.
    pub notes: Vec<String>,
    /// How many pressures, temperatures and sizes of particles lie outside of the tables, and the first of them in
    /// words.
    pub outside: (usize, Option<String>),
}

/// The columns of a scheme.
pub(crate) trait Pressures {
    /// Their fields.
    const DECLARED: &'static [Declared];

    /// Of levels and of layers \[Pa\].
    fn pressures(&self) -> [&[f64]; 2];
}

/// What a file has, surface first.
pub(crate) struct Raw<C> {
    described: Described,
    pub(crate) columns: C,
    pub(crate) derived: Vec<String>,
    pub(crate) notes: Vec<String>,
    /// Pressures of levels and layers with their units.
    pub(crate) stated: [Option<Stated>; 2],
}

impl<C: Pressures> Raw<C> {
    pub(crate) fn new(
        fields: &Fields,
        names: Vec<(&'static str, String)>,
        columns: C,
        derived: Vec<String>,
        vertical: [&'static str; 2],
    ) -> Self {
        let described = Described::new(fields, names, vertical, C::DECLARED);
        Self { described, columns, derived, notes: Vec::new(), stated: [None, None] }
    }

    /// What is wrong with a column.
    pub(crate) fn text(&self, problem: &fields::Error) -> String {
        let [levels, _] = self.columns.pressures();
        self.described.text(problem, levels)
    }

    /// The error of a column.
    pub(crate) fn refuse(&self, problem: &fields::Error) -> Error {
        self.described.refuse(self.text(problem))
    }

    /// Refuses pressures that are more likely in another unit.
    pub(crate) fn check_units(&self) -> Result<(), Error> {
        match self.described.wrong_unit(&self.stated, self.columns.pressures()) {
            Some(text) => Err(self.described.refuse(text)),
            None => Ok(()),
        }
    }

    /// Refuses values outside of the tables, of which there are so many, if they are to be an error.
    pub(crate) fn check_outside(
        &self,
        outside: Outside,
        (count, first): (usize, Option<&fields::Error>),
    ) -> Result<(usize, Option<String>), Error> {
        let first = first.map(|first| self.text(first));
        match &first {
            Some(first) if outside == Outside::Error => {
                let others = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
                Err(self.described.refuse(format!("{first}{others}")))
            }
            _ => Ok((count, first)),
        }
    }

    /// When all is valid.
    pub(crate) fn input(self, outside: (usize, Option<String>)) -> ColumnsInput<C> {
        ColumnsInput {
            columns: self.columns,
            orientation: self.described.orientation,
            horizontal: self.described.horizontal(),
            vertical: self.described.vertical,
            derived: self.derived,
            notes: self.notes,
            outside,
        }
    }
}
