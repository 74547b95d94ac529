//! What all layouts have alike: surface, sun, gases and aerosol.

use isobar_optics::GasOptics;
use isobar_radiation::Columns;

use super::quantity::field;
use super::{RadiationRequest, aerosol, band_limits, gas, sun, surface};
use crate::columns_file::gas::Forms;
use crate::columns_file::{Fields, Reading};
use crate::error::Error;
use crate::netcdf::Dimension;

/// Reads them.
pub(super) fn read_common(reading: &mut Reading, request: &RadiationRequest) -> Result<Forms, Error> {
    band_limits::read(reading, request)?;
    sun::read(reading, request)?;
    surface::read(reading, request)?;
    let forms = gas::read(reading, request)?;
    aerosol::read_aerosol(reading, request)?;
    Ok(forms)
}

/// Fills them in.
pub(super) fn take_common(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &RadiationRequest,
    forms: &Forms,
    derived: &mut Vec<String>,
) -> Result<(), Error> {
    columns.surface_temperature_k = fields.take(&field("surface_temperature_k"));
    sun::take(fields, columns, request, derived)?;
    if let Some([bands, _]) = request.spectra.rrtmg_sizes() {
        check_size(fields, true, (&[bands], &format!("{bands} bands")), request)?;
        columns.emissivity = surface::take_emissivity(fields, bands, derived);
    }
    for optics in request.spectra.gas_optics() {
        let bands = optics.points_of_bands.len();
        let (sizes, in_words) = spectral_sizes(optics);
        check_size(fields, optics.is_longwave(), (&sizes, &in_words), request)?;
        if optics.is_longwave() {
            columns.emissivity = surface::take_emissivity(fields, bands, derived);
        } else {
            surface::take_albedos(fields, columns, bands, derived)?;
        }
    }
    gas::take(forms, fields, columns, (request, &[]), derived)?;
    aerosol::take_aerosol(fields, columns, request, derived)
}

/// The sizes of a k-distribution, and these in words.
pub(super) fn spectral_sizes(optics: &GasOptics) -> ([usize; 2], String) {
    let sizes = [optics.points_of_bands.len(), optics.points];
    let bands = if sizes[0] == 1 { "one band".to_owned() } else { format!("{} bands", sizes[0]) };
    (sizes, format!("{bands} and {} g-points", sizes[1]))
}

/// That there are as many bands as the k-distribution of a spectrum has bands or g-points.
fn check_size(
    fields: &Fields,
    is_longwave: bool,
    (sizes, in_words): (&[usize], &str),
    request: &RadiationRequest,
) -> Result<(), Error> {
    let own = if is_longwave { Dimension::LongwaveBand } else { Dimension::ShortwaveBand };
    fields.check_size(own, sizes, in_words)?;
    if request.spectra.count() == 1 { fields.check_size(Dimension::Band, sizes, in_words) } else { Ok(()) }
}
