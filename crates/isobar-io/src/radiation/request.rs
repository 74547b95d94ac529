//! What is asked of a file, and what it gives.

use isobar_optics::AerosolTables;
use isobar_radiation::{Columns, Options, Spectra, constants, rrtmg};

use crate::columns_file::{ColumnsInput, Outside};
use crate::netcdf::Part;

/// What a computation wants of a file.
#[derive(Clone, Debug)]
pub struct RadiationRequest<'a> {
    /// The spectra that are computed.
    pub spectra: &'a Spectra<f64>,
    /// The options of the computation.
    pub options: &'a Options,
    /// Constant mixing ratios \[mol/mol\] of gases by their numbers in [`isobar_optics::gases::GASES`], which win over
    /// the file's.
    pub constants: &'a [(usize, f64)],
    /// What the file calls something by a name that is not known: our name, and the file's.
    pub names: &'a [(String, String)],
    /// The dimension of layers, where the file does not say which is.
    pub vertical: Option<&'a str>,
    /// Whether gases that nobody gives are zero.
    pub assume_zero: bool,
    /// Tables of aerosols by MERRA-2's types, for those of the spectra whose bands they have.
    pub aerosols: &'a [AerosolTables],
    /// Whether clouds are read.
    pub clouds: bool,
    /// The cloudy part of layers with water where the file has no cloud fraction; 1 is usual.
    pub cloud_fraction: f64,
    /// Whether rain and snow of WRF's files are; those of the own layout are whenever clouds are.
    pub rain_and_snow: bool,
    /// Whether the spectra have optics of droplets for rain ([`isobar_radiation::CloudOptics::rain_as_liquid`]): sizes
    /// of rain are then brought into the tables, unless that is an error.
    pub rain_as_liquid: bool,
    /// Whether the spectra have optics of ice for snow.
    pub snow_as_ice: bool,
    /// Where the sun stands.
    pub sun: SunAt,
    /// The part of the file that is read, if not all.
    pub part: Option<&'a Part>,
    /// Values outside of the tables.
    pub outside: Outside,
    /// Whether columns with values that are missing or out of range are left out ([`ColumnsInput::bad`]) instead of
    /// being an error. Those outside of the tables are one if they are to be ([`Outside::Error`]).
    pub keep_going: bool,
}

/// Where the sun stands in the sky of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SunAt {
    /// As `cosine_zenith` or `solar_zenith_angle` say; where the file has neither, by latitude and longitude at its
    /// times.
    #[default]
    Time,
    /// By latitude and longitude, the mean by day of the intervals that the times stand for: their bounds, or half the
    /// way to their neighbours. The sun's irradiance is multiplied by the part of the interval that is day.
    Mean,
}

impl RadiationRequest<'_> {
    /// The gravity of the scheme \[m/s^2\].
    pub(super) fn gravity(&self) -> f64 {
        if self.spectra.is_rrtmg() { rrtmg::constants::GRAVITY } else { constants::GRAVITY }
    }

    /// Is RRTMG_LW's long wave all that is computed?
    pub(super) fn is_rrtmg_alone(&self) -> bool {
        self.spectra.is_rrtmg() && !self.spectra.has_shortwave()
    }
}

/// Columns and how their file had them.
pub type RadiationInput = ColumnsInput<Columns<f64>>;
