//! Columns that were read: complete and valid, or an error in the file's own words.

use std::collections::BTreeMap;

use isobar_core::Status;
use isobar_core::fields::{self, Declared, OwnedInputs};

use super::{Described, Fields, Stated};
use crate::error::Error;
use crate::netcdf::{Coordinates, Orientation, Remarks};

/// What becomes of pressures, temperatures and, with [`crate::radiation`], water vapour and sizes of particles outside
/// of the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// They stay. RRTMG_LW extrapolates its tables, ecCKD's hold the values of their ends for the air; RRTMGP's are for
    /// no other layers, which are refused, no tables but RRTMG_LW's for another ground, and tables of clouds for no
    /// other sizes.
    #[default]
    Extrapolate,
    /// They are brought to the end of the tables: temperatures of air and ground; pressures of layers, with
    /// [`crate::radiation`] of those that reach into the tables; there the pressure of the uppermost or lowest level,
    /// too, where RRTMGP's tables end within the layer; sizes of particles of clouds. Water vapour keeps its amount.
    Clamp,
    /// They are an error.
    Error,
}

/// Columns and how their file had them.
#[derive(Clone, Debug)]
pub struct ColumnsInput<C> {
    /// The columns, surface first, all of them valid: in the place of one that is bad stands another.
    pub columns: C,
    /// Which end of its layers the file has first.
    pub orientation: Orientation,
    /// Names and sizes of the dimensions that make up the columns, slowest first.
    pub horizontal: Vec<(String, usize)>,
    /// What was read, by our name, and what the file calls it.
    pub names: Vec<(&'static str, String)>,
    /// What layers and levels are called, by the file or its kind.
    pub vertical: [String; 2],
    /// After how many of the dimensions of the columns that of layers comes in the file.
    pub vertical_position: usize,
    /// What says where the columns are.
    pub coordinates: Coordinates,
    /// The layers that lie below the ground.
    pub below_ground: BelowGround,
    /// Which temperatures the file has, and how others followed from them.
    pub temperatures: Temperatures,
    /// Which pressures the file has, and how others followed from them.
    pub pressures: FilePressures,
    /// Whether water paths of clouds followed from the masses of layers.
    pub water_of_mass: bool,
    /// What the file has one value of for all bands, by the name that it has in files of ours.
    pub same_in_bands: Vec<&'static str>,
    /// What the file did not have, and where it was taken from.
    pub derived: Vec<String>,
    /// What was made up or changed that a user should hear of, each in a sentence.
    pub notes: Vec<String>,
    /// What else there is to say of the file.
    pub remarks: Remarks,
    /// The columns that were left out, in order; empty unless asked to keep going.
    pub bad: Vec<BadColumn>,
    /// The columns that the file has no values of, in order: its temperatures are missing in all of their layers. They
    /// were left out, too.
    pub masked: Vec<usize>,
    /// What the file calls these temperatures.
    pub masked_by: String,
    /// How many pressures, temperatures, amounts of water vapour and sizes of particles lie outside of the tables, and
    /// the first of them in words.
    pub outside: (usize, Option<String>),
}

/// Which layers of columns lie below their ground: they are parts of the lowest layer above it, as it is itself. All is
/// empty where no column has any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BelowGround {
    /// How many of each column.
    pub layers: Vec<usize>,
    /// The pressure of the lowest layer above the ground of each column, as the file has it \[Pa\].
    pub pressure: Vec<f64>,
    /// Its temperature, as the file has it \[K\], where those of the parts follow from it.
    pub temperature: Vec<f64>,
}

/// Which temperatures a file has.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Temperatures {
    /// Those of layers and of levels, or those of levels are not wanted.
    #[default]
    Both,
    /// Those of levels: layers have their means, weighted by pressure. These are here where the columns do not keep
    /// them \[K\].
    Levels(Vec<f64>),
    /// Those of layers: levels have means of the two next to them. The weight of the one with an even number, of each
    /// level and column; the other has the rest.
    Layers(Vec<f64>),
    /// Those of layers, likewise: between them temperature times pressure is linear in pressure, at the ends
    /// temperature is. Those of the parts of a layer that stand for layers below the ground follow in the same way.
    LayersByPressure,
    /// Those of layers, likewise: temperature is linear in the logarithm of pressure.
    LayersByLogarithm,
}

/// Which pressures a file has.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FilePressures {
    /// Those of layers and of levels.
    #[default]
    Both,
    /// Those of levels: layers have their means.
    Levels,
    /// Those of layers: levels between them have their means, the lowest that of the surface or, without one, as far
    /// below its layer as the next is above it; the uppermost likewise, or 0.
    Layers {
        /// Whether the file has that of the surface.
        has_surface: bool,
    },
    /// Those of layers and of the surface, by whose heights those of levels follow: the weight of the layer with an
    /// even number, as [`Temperatures::Layers`] has them, at the top of the logarithm. Its temperatures are potential
    /// ones.
    Interfaces(Vec<f64>),
    /// Neither in each column: both follow from that of the surface.
    Surface {
        /// And from what else.
        source: String,
        /// By how much those of layers and of levels change with it: of each layer or level, the same for all columns,
        /// or of each and each column, as the pressures themselves.
        slopes: [Vec<f64>; 2],
    },
}

impl FilePressures {
    /// Whether pressures of levels follow from that of the surface.
    #[must_use]
    pub fn follow_the_surface(&self) -> bool {
        !matches!(self, Self::Both | Self::Levels | Self::Layers { has_surface: false })
    }
}

/// A column that cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadColumn {
    /// Its number.
    pub column: usize,
    /// [`Status::NOT_FINITE`] or [`Status::OUT_OF_RANGE`].
    pub status: Status,
    /// The first of what is wrong with it.
    pub text: String,
}

impl<C> ColumnsInput<C> {
    /// What became of columns that were left out, and why they were.
    pub fn left_out(&self) -> impl Iterator<Item = (usize, Status)> + '_ {
        let bad = self.bad.iter().map(|bad| (bad.column, bad.status));
        bad.chain(self.masked.iter().map(|&column| (column, Status::NOT_COMPUTED)))
    }

    /// How many of these columns are masked, and why; nothing where none is.
    #[must_use]
    pub fn masked_in_words(&self) -> Option<String> {
        let columns = self.horizontal.iter().map(|(_, size)| size).product();
        masked_in_words([self.masked.len(), columns], &self.masked_by)
    }
}

/// How many of some columns are masked, for this variable is missing in them; nothing where none is.
#[must_use]
pub fn masked_in_words([masked, columns]: [usize; 2], name: &str) -> Option<String> {
    let text = || format!("{masked} of {columns} columns are masked, for {name} is missing in all of their layers");
    (masked > 0).then(text)
}

/// Puts the first good column in the place of bad ones; nothing if there is none.
pub(crate) fn stand_in<C: OwnedInputs<f64>>(columns: &mut C, count: usize, is_bad: impl Fn(usize) -> bool) {
    let bad: Vec<usize> = (0..count).filter(|&column| is_bad(column)).collect();
    let Some(good) = (0..count).find(|&column| !is_bad(column)) else { return };
    columns.each_real(&mut |_, values| {
        // A single value is for all columns.
        if values.len() >= count {
            for row in values.chunks_exact_mut(count) {
                bad.iter().for_each(|&column| row[column] = row[good]);
            }
        }
    });
}

/// The columns of a scheme.
pub(crate) trait Pressures: OwnedInputs<f64> {
    /// Their fields, and others that are read with them.
    const DECLARED: &'static [&'static [Declared]];

    /// The pressures of levels and of layers \[Pa\].
    fn pressures(&self) -> [&[f64]; 2];
}

/// What a file has, surface first.
pub(crate) struct Raw<C> {
    described: Described,
    pub(crate) columns: C,
    pub(crate) derived: Vec<String>,
    pub(crate) notes: Vec<String>,
    remarks: Remarks,
    /// What is wrong with columns, where these are left out; else the first that is wrong is an error.
    bad: Option<BTreeMap<usize, (Status, String)>>,
    /// Pressures of levels and layers with their units.
    pub(crate) stated: [Option<Stated>; 2],
    vertical_position: usize,
    coordinates: Coordinates,
    pub(crate) below_ground: BelowGround,
    pub(crate) temperatures: Temperatures,
    pub(crate) pressures: FilePressures,
    pub(crate) water_of_mass: bool,
    same_in_bands: Vec<&'static str>,
    /// Columns without values, in order, and what says so.
    masked: Vec<usize>,
    masked_by: [String; 2],
    is_part: bool,
}

impl<C: Pressures> Raw<C> {
    pub(crate) fn new(
        fields: &Fields,
        names: Vec<(&'static str, String)>,
        columns: C,
        derived: Vec<String>,
        vertical: [&'static str; 2],
    ) -> Self {
        let described = Described::new(fields, names, fields.vertical(vertical), C::DECLARED);
        let (position, coordinates) = fields.grid_of_results(&described.vertical);
        let (remarks, bad) = (fields.remarks(), fields.bad());
        let bad = bad.map(|bad| {
            let mut first = BTreeMap::new();
            for (column, status, text) in bad {
                first.entry(column).or_insert((status, text));
            }
            first
        });
        Self {
            described,
            columns,
            derived,
            notes: fields.notes().to_vec(),
            remarks,
            bad,
            stated: [None, None],
            vertical_position: position,
            coordinates,
            below_ground: BelowGround::default(),
            temperatures: Temperatures::Both,
            pressures: FilePressures::Both,
            water_of_mass: false,
            same_in_bands: fields.same_in_bands().to_vec(),
            masked: fields.masked().0.to_vec(),
            masked_by: fields.masked().1.map(str::to_owned),
            is_part: fields.file().part().is_some(),
        }
    }

    /// The number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.described.columns()
    }

    /// A column, or a layer or level of it, in the file's own order and names of dimensions.
    pub(crate) fn place(&self, level: Option<(&str, usize)>, column: usize) -> String {
        self.described.place_of(level, column)
    }

    /// The error that says this of the file.
    pub(crate) fn invalid(&self, text: impl Into<String>) -> Error {
        self.described.refuse(text)
    }

    /// Notes what is wrong with a column that is then left out, or refuses it.
    pub(crate) fn note(&mut self, column: usize, status: Status, text: impl Into<String>) -> Result<(), Error> {
        match &mut self.bad {
            _ if self.masked.binary_search(&column).is_ok() => Ok(()),
            Some(bad) => {
                bad.entry(column).or_insert((status, text.into()));
                Ok(())
            }
            None => Err(self.described.refuse(text)),
        }
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

    /// Refuses pressures that are more likely in another unit, and stands in for all columns that are bad so far.
    pub(crate) fn check_units(&mut self) -> Result<(), Error> {
        let wrong = self.described.wrong_units(&self.stated, self.columns.pressures());
        let is_masked = |column: &usize| self.masked.binary_search(column).is_ok();
        let wrong: Vec<(usize, String)> = wrong.filter(|(column, _)| !is_masked(column)).collect();
        for (column, text) in wrong {
            self.note(column, Status::OUT_OF_RANGE, text)?;
        }
        self.stand_in()
    }

    /// Refuses columns with these problems, or stands in for them.
    pub(crate) fn leave_out(&mut self, problems: &[fields::Error]) -> Result<(), Error> {
        for problem in problems {
            if problem.item().is_some_and(|column| self.masked.binary_search(&column).is_ok()) {
                continue;
            }
            let Some(column) = problem.item().filter(|_| self.bad.is_some()) else {
                return Err(self.refuse(problem));
            };
            let nan = matches!(problem, fields::Error::Value { value, .. } if !value.is_finite());
            let status = if nan { Status::NOT_FINITE } else { Status::OUT_OF_RANGE };
            let text = self.text(problem);
            self.bad.get_or_insert_default().entry(column).or_insert((status, text));
        }
        self.stand_in()
    }

    /// Whether a column is left out so far.
    pub(crate) fn is_out(&self, column: usize) -> bool {
        let is_bad = self.bad.as_ref().is_some_and(|bad| bad.contains_key(&column));
        is_bad || self.masked.binary_search(&column).is_ok()
    }

    fn stand_in(&mut self) -> Result<(), Error> {
        let (count, none) = (self.described.columns(), BTreeMap::new());
        let (bad, masked) = (self.bad.as_ref().unwrap_or(&none), &self.masked);
        if masked.len() == count {
            let [name, why] = &self.masked_by;
            let hint = if self.is_part { ", of a part of the file: --at-once takes more together" } else { "" };
            let text = format!(
                "{name} is missing in all layers of all {count} columns{hint} ({why}): there is nothing to compute"
            );
            return Err(self.described.refuse(text));
        }
        if let (Some((_, text)), true) = (bad.values().next(), bad.len() + masked.len() == count) {
            return Err(self.described.refuse(format!("no column can be computed; the first: {text}")));
        }
        if !bad.is_empty() || !masked.is_empty() {
            let is_out = |column: usize| bad.contains_key(&column) || masked.binary_search(&column).is_ok();
            stand_in(&mut self.columns, count, is_out);
        }
        Ok(())
    }

    /// Refuses values outside of the tables, whose number is given, if they are to be an error.
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
            names: self.described.names,
            vertical_position: self.vertical_position,
            coordinates: self.coordinates,
            below_ground: self.below_ground,
            temperatures: self.temperatures,
            pressures: self.pressures,
            water_of_mass: self.water_of_mass,
            same_in_bands: self.same_in_bands,
            derived: self.derived,
            notes: self.notes,
            remarks: self.remarks,
            bad: self
                .bad
                .unwrap_or_default()
                .into_iter()
                .map(|(column, (status, text))| BadColumn { column, status, text })
                .collect(),
            masked: self.masked,
            masked_by: self.masked_by[0].clone(),
            outside,
        }
    }
}
