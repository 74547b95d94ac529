//! Pressures of layers and of the levels around them, as the files of models and analyses give them.
//!
//! | file | what |
//! |---|---|
//! | `ground` | the pressure of the surface, by its names, or its logarithm |
//! | `hybrid` | coefficients `a + b * surface pressure` |
//! | `l137` | those of ECMWF's 137 levels |
//! | `rows` | one of the coefficients, along one dimension or as bounds of layers |
//! | `order` | in which order layers lie beside coefficients |
//! | `pressures` | what all of these give |
//! | `layers` | pressures of layers alone: one coordinate for all columns, or a variable |
//! | `terms` | what a coordinate says that it is |

pub(crate) mod ground;
mod hybrid;
mod l137;
mod layers;
pub(crate) mod order;
mod pressures;
mod rows;
mod terms;

use super::{Fields, Quantity, Reading, Stated};
use crate::error::Error;
use crate::netcdf::{Dimension, Orientation};
use ground::Ground;
use hybrid::Hybrid;
pub(crate) use hybrid::{REFERENCE_PRESSURES, not_relative};
use layers::Layers;
use pressures::Pressures;

/// How a file gives pressures, if not by those of levels.
pub(crate) enum Pressure {
    /// By coefficients and the pressure of the surface.
    Hybrid(Hybrid, Ground),
    /// By the layers', and the surface's if there is one.
    Layers(Layers, Option<Ground>),
}

impl Pressure {
    /// Reads what a file without pressures of levels has instead; nothing where it has nothing of it. `layers` is what
    /// pressures of layers are called.
    fn read(reading: &mut Reading, layers: &Quantity) -> Result<Option<Self>, Error> {
        if let Some(hybrid) = Hybrid::read(&mut reading.file)? {
            let ground = Ground::need(reading)?;
            return Ok(Some(Self::Hybrid(hybrid, ground)));
        }
        if let Some(layers) = Layers::read_variable(reading, layers)? {
            return Ok(Some(Self::Layers(layers, Ground::read(reading)?)));
        }
        // The coordinate beside them has reference pressures, whatever it says.
        if let Some(hybrid) = Hybrid::of_layers(&mut reading.file)? {
            let ground = Ground::need(reading)?;
            return Ok(Some(Self::Hybrid(hybrid, ground)));
        }
        if let Some(layers) = Layers::read_coordinate(reading)? {
            return Ok(Some(Self::Layers(layers, Ground::read(reading)?)));
        }
        let ground = Ground::read(reading)?;
        if let (Some(ground), Some(hybrid)) = (ground, Hybrid::of_ecmwf(&mut reading.file)?) {
            return Ok(Some(Self::Hybrid(hybrid, ground)));
        }
        match terms::is_no_pressure(&reading.file, Dimension::Layer) {
            Some((name, said)) => Err(reading.file.invalid(format!(
                "{name} is no pressure, as its {said} says: pressures need hybrid coefficients, of levels (hyai and \
                 hybi; ap_bnds and b_bnds) or of layers (hyam and hybm; ap and b), and that of the surface"
            ))),
            None => Ok(None),
        }
    }

    /// The pressure of the surface with its unit, where others follow from it.
    pub(crate) fn ground_stated(&self, reading: &Reading) -> Option<Stated> {
        match self {
            Self::Hybrid(_, ground) | Self::Layers(_, Some(ground)) => ground.stated(reading),
            Self::Layers(_, None) => None,
        }
    }

    /// Reads what gives the pressures of a file that has none of levels; nothing where it has them, or nothing else.
    /// Columns without any of the first of these temperatures that there are are masked.
    pub(crate) fn read_unless(
        reading: &mut Reading,
        [levels, layers]: [&Quantity; 2],
        temperatures: &[Quantity],
    ) -> Result<Option<Self>, Error> {
        // What the caller names is read, or refused: nothing stands in for it.
        let is_named = reading.file.is_named(levels.name);
        let is_coordinate = || reading.name(levels).is_some_and(|name| reading.file.is_coordinate(&name));
        // Beside coefficients a coordinate, as GFDL's `phalf`, has reference pressures.
        let is_reference = !is_named && is_coordinate() && Hybrid::is_there(&reading.file);
        // Where nothing has layers, all runs along it: `lev` with CF's standard name, say.
        let is_of_layers = !is_named && is_coordinate() && !reading.file.has_dimension(Dimension::Layer);
        if !is_reference
            && !is_of_layers
            && reading.has(levels)?
            && (is_named || reading.file.fits(&levels.spec(reading.layout))?)
        {
            reading.mask_by(temperatures)?;
            return Ok(None);
        }
        reading.file.take_levels_for_layers();
        reading.mask_by(temperatures)?;
        let pressure = Self::read(reading, layers)?;
        if let Some(Self::Layers(layers, Some(ground))) = &pressure
            && let Some(below_ground) = layers.below_ground(reading, *ground)
        {
            reading.file.leave_below_ground(below_ground);
        }
        Ok(pressure)
    }

    /// Which end of the file's layers is the top, when all is read.
    pub(crate) fn orientation(&self, reading: &Reading) -> Result<Option<Orientation>, Error> {
        match self {
            Self::Hybrid(hybrid, _) => hybrid.orientation(reading).map(Some),
            Self::Layers(layers, _) => Ok(layers.orientation()),
        }
    }

    /// The pressures of all columns; those of levels go by this name.
    pub(crate) fn take(self, fields: &mut Fields, levels: &str) -> Result<Pressures, Error> {
        match self {
            Self::Hybrid(hybrid, ground) => hybrid.take(fields, ground, levels),
            Self::Layers(layers, ground) => layers.take(fields, ground, levels),
        }
    }
}
