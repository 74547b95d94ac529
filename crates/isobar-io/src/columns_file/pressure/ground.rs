//! The pressure of the surface.

use isobar_core::Real;

use super::super::{Fields, Per, Quantity, Reading, Stated, between};
use crate::error::Error;
use crate::netcdf::{Accepted, Field};

/// By the names of WRF, CMIP, CAM, ERA5, ICON, MPAS and climlab.
pub(crate) const SURFACE_PRESSURE: Quantity = Quantity::new(
    "surface_pressure",
    &["PSFC", "ps", "PS", "sp", "aps", "pres_sfc", "psfc"],
    &["surface_air_pressure"],
    "Pa",
    Per::Column,
    Accepted::POSITIVE,
);
/// ECMWF's, of pascals, of which a ground has 20 000 to 200 000.
const LOGARITHM: Quantity = Quantity::new("lnsp", &[], &[], "1", Per::Column, between(9.9, 12.21));

/// How a file gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Pressure,
    Logarithm,
}

impl Ground {
    /// Reads it, if it is there.
    pub(crate) fn read(reading: &mut Reading) -> Result<Option<Self>, Error> {
        for (quantity, ground) in [(&SURFACE_PRESSURE, Self::Pressure), (&LOGARITHM, Self::Logarithm)] {
            if reading.has(quantity)? {
                reading.need(quantity)?;
                return Ok(Some(ground));
            }
        }
        Ok(None)
    }

    /// Reads it; it must be there.
    pub(super) fn need(reading: &mut Reading) -> Result<Self, Error> {
        match Self::read(reading)? {
            Some(ground) => Ok(ground),
            None => reading.need_or(&SURFACE_PRESSURE, "lnsp").map(|()| Self::Pressure),
        }
    }

    /// Its values \[Pa\], one a column.
    pub(crate) fn take(self, fields: &mut Fields) -> Vec<f64> {
        fields.take(self.quantity()).into_iter().map(|value| self.pascals(value)).collect()
    }

    /// What was read of it, in the order of the file \[Pa\].
    pub(super) fn as_read(self, reading: &Reading) -> Option<Field> {
        let field = reading.field(self.quantity())?;
        let values = field.values.iter().map(|&value| self.pascals(value)).collect();
        Some(Field { values, ..field.clone() })
    }

    /// The variable with its unit, if that is one of pressure.
    pub(super) fn stated(self, reading: &Reading) -> Option<Stated> {
        Some(Stated::of(&reading.file, &self.quantity().spec(reading.layout))?.of_columns())
    }

    fn quantity(self) -> &'static Quantity {
        match self {
            Self::Pressure => &SURFACE_PRESSURE,
            Self::Logarithm => &LOGARITHM,
        }
    }

    fn pascals(self, value: f64) -> f64 {
        match self {
            Self::Pressure => value,
            Self::Logarithm => Real::exp(value),
        }
    }
}
