//! Small tools with JURASSIC's names.

mod climatology;
mod convert;
mod filter;
mod grid;
mod interpolate;
mod matrix;
mod numbers;
mod profile_file;
mod rays;
mod validate;

use clap::{Args, Subcommand};
use isobar_ega::planck;
use isobar_io::{date_of_seconds, seconds_of_date};

use crate::program::failure::Failure;
use numbers::positive;

/// A tool.
#[derive(Subcommand, Debug)]
pub(crate) enum Jurassic {
    /// Atmospheres into another format: text, binary, or NetCDF of many profiles
    Atmfmt(convert::Convert),
    /// Observations into another format: text, binary, or NetCDF of many profiles
    Obsfmt(convert::Convert),
    /// Matrices into another format: text, binary, or NetCDF of many
    Matfmt(matrix::Matfmt),
    /// An atmosphere at the heights of another one
    Interpolate(interpolate::Interpolate),
    /// Profiles of a weather model (WRF, ERA5) at places, below rays, or of all columns, as a track
    AtmosphereFrom(grid::AtmosphereFrom),
    /// The US Standard Atmosphere with water vapour, ozone and carbon dioxide
    Climatology(climatology::Climatology),
    /// An atmosphere whose pressure is made hydrostatic around the height HYDZ
    Hydrostatic(climatology::Hydrostatic),
    /// Rays of a limb scan, as an observation
    Limb(rays::Limb),
    /// Rays of a scan across the nadir, as an observation
    Nadir(rays::Nadir),
    /// Rays upwards from the ground, as an observation
    Zenith(rays::Zenith),
    /// Rays from one place in one direction through tangent heights, as an observation: an occultation
    Occultation(rays::Occultation),
    /// Radiances against reference spectra, as JURASSIC's own validation against RFM
    Validate(validate::Validate),
    /// The filter function of a channel
    Filter(filter::Filter),
    /// An observation as a table of spectra, a row a ray and channel
    Obs2spec(filter::ToSpectra),
    /// The radiance of a black body
    Planck(Planck),
    /// The temperature of a black body with a radiance
    Brightness(Brightness),
    /// The seconds since 2000-01-01T00:00Z of a date such as 2020-01-31T06:00:00
    Time2jsec {
        /// The date
        date: String,
    },
    /// The date of seconds since 2000-01-01T00:00Z
    Jsec2time {
        /// The seconds
        #[arg(allow_negative_numbers = true)]
        seconds: f64,
    },
}

/// The arguments of `planck`.
#[derive(Args, Debug)]
pub(crate) struct Planck {
    /// Temperature [K]
    temperature_k: f64,
    /// Wavenumber [cm^-1]
    wavenumber_per_cm: f64,
}

/// The arguments of `brightness`.
#[derive(Args, Debug)]
pub(crate) struct Brightness {
    /// Radiance [W/(m^2 sr cm^-1)]
    radiance: f64,
    /// Wavenumber [cm^-1]
    wavenumber_per_cm: f64,
}

/// A result that can be told.
fn finite(what: &str, value: f64) -> Result<f64, Failure> {
    let problem = format!("{what} is {value}: the numbers are too large or too small to compute with");
    if value.is_finite() { Ok(value) } else { Err(Failure::usage(problem)) }
}

pub(crate) fn run(tool: &Jurassic) -> Result<(), Failure> {
    match tool {
        Jurassic::Atmfmt(options) => convert::atmfmt(options),
        Jurassic::Obsfmt(options) => convert::obsfmt(options),
        Jurassic::Matfmt(options) => matrix::run(options),
        Jurassic::Interpolate(options) => interpolate::interpolated(options),
        Jurassic::AtmosphereFrom(options) => grid::run(options),
        Jurassic::Climatology(options) => climatology::climatology(options),
        Jurassic::Hydrostatic(options) => climatology::hydrostatic(options),
        Jurassic::Filter(options) => filter::filter(options),
        Jurassic::Obs2spec(options) => filter::to_spectra(options),
        Jurassic::Limb(options) => rays::limb(options),
        Jurassic::Time2jsec { date } => {
            let problem = || Failure::usage(format!("{date:?} is no date such as 2020-01-31T06:00:00"));
            print_line!("{}", seconds_of_date(date).ok_or_else(problem)?);
            Ok(())
        }
        Jurassic::Jsec2time { seconds } => {
            let problem = || Failure::usage(format!("{seconds} s lie outside the years 0 to 9999"));
            print_line!("{}", date_of_seconds(*seconds).ok_or_else(problem)?);
            Ok(())
        }
        Jurassic::Nadir(options) => rays::nadir(options),
        Jurassic::Zenith(options) => rays::zenith(options),
        Jurassic::Validate(options) => validate::run(options),
        Jurassic::Occultation(options) => rays::occultation(options),
        Jurassic::Planck(Planck { temperature_k: t, wavenumber_per_cm: nu }) => {
            positive(&[("temperature", *t, "K"), ("wavenumber", *nu, "cm^-1")])?;
            print_line!("{:e}", finite("the radiance", planck::radiance(*t, *nu))?);
            Ok(())
        }
        Jurassic::Brightness(Brightness { radiance, wavenumber_per_cm: nu }) => {
            positive(&[("radiance", *radiance, "W/(m^2 sr cm^-1)"), ("wavenumber", *nu, "cm^-1")])?;
            print_line!("{}", finite("the temperature", planck::brightness_temperature(*radiance, *nu))?);
            Ok(())
        }
    }
}
