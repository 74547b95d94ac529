//! Atmospheres in the format that the control file asks for (`ATMFMT`).

use std::io::{self, Write};

use isobar_raytrace::Atmosphere;

use super::{ProfileMeaning, write_atmosphere_binary, write_profiles};
use crate::control::{Control, ProfileFormat};
#[cfg(not(feature = "netcdf"))]
use crate::text::unwritable;

/// Writes an atmosphere as text, in binary or as the profiles of a NetCDF file, as `ATMFMT` asks for it.
///
/// # Errors
/// Those of `out`; an atmosphere whose gases, windows, cloud or surface are not those of the control file.
pub fn write_atmosphere_as_asked(out: &mut impl Write, atmosphere: &Atmosphere, control: &Control) -> io::Result<()> {
    write_profiles_as_asked(out, atmosphere, control, ProfileMeaning::Values)
}

/// Writes what has the layout of an atmosphere as [`write_atmosphere_as_asked`] does. A binary file does not say what
/// its numbers mean.
///
/// # Errors
/// Those of [`write_atmosphere_as_asked`].
pub fn write_profiles_as_asked(
    out: &mut impl Write,
    atmosphere: &Atmosphere,
    control: &Control,
    meaning: ProfileMeaning,
) -> io::Result<()> {
    match control.atmosphere_format {
        ProfileFormat::Ascii => write_profiles(out, atmosphere, control, meaning),
        ProfileFormat::Binary => write_atmosphere_binary(out, atmosphere, control),
        #[cfg(feature = "netcdf")]
        ProfileFormat::Netcdf => out.write_all(&super::netcdf::bytes(control, &[Some(atmosphere)], meaning)?),
        #[cfg(not(feature = "netcdf"))]
        ProfileFormat::Netcdf => Err(unwritable("ATMFMT = 3 asks for NetCDF, which this build lacks")),
    }
}
