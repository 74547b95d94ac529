//! What all layouts have alike: surface, sun, gases and aerosol.

use isobar_core::fields::Need;
use isobar_optics::GasOptics;
use isobar_radiation::Columns;

use super::quantity::{ZENITH_ANGLE, field, need, read, read_where};
use super::{RadiationRequest, aerosol, derive, gas};
use crate::columns_file::gas::Forms;
use crate::columns_file::{Fields, Reading};
use crate::error::Error;
use crate::netcdf::Dimension;

/// The fields of the surface and of the sun.
const SURFACE: [&str; 5] = [
    "surface_temperature_k",
    "emissivity",
    "surface_albedo_direct",
    "surface_albedo_diffuse",
    "total_solar_irradiance_w_per_m2",
];

/// Reads them.
pub(super) fn read_common(reading: &mut Reading, request: &RadiationRequest) -> Result<Forms, Error> {
    read_sun(reading, request)?;
    for name in SURFACE {
        // Nobody asks for an albedo at night.
        if name.starts_with("surface_albedo") {
            read_where(reading, name, request)?
        } else {
            read(reading, name, request)?
        }
    }
    let forms = gas::read(reading, request)?;
    aerosol::read_aerosol(reading, request)?;
    Ok(forms)
}

/// Reads where the sun stands.
pub(super) fn read_sun(reading: &mut Reading, request: &RadiationRequest) -> Result<(), Error> {
    let cosine = field("cosine_zenith");
    if need("cosine_zenith", request) == Need::Ignored {
        return Ok(());
    }
    if !reading.has(&cosine)? && reading.has(&ZENITH_ANGLE)? {
        return reading.need(&ZENITH_ANGLE);
    }
    reading.need_or(&cosine, "solar_zenith_angle in \"degree\"")
}

/// Fills in the surface's temperature and the sun.
pub(super) fn take_sun(fields: &mut Fields, columns: &mut Columns<f64>, derived: &mut Vec<String>) {
    columns.surface_temperature_k = fields.take(&field("surface_temperature_k"));
    columns.cosine_zenith = fields.take(&field("cosine_zenith"));
    let angles = fields.take(&ZENITH_ANGLE);
    if !angles.is_empty() {
        columns.cosine_zenith = derive::cosine(angles);
        derived.push("cosine_zenith = cosine of solar_zenith_angle".to_owned());
    }
    columns.total_solar_irradiance_w_per_m2 = fields.take(&field("total_solar_irradiance_w_per_m2"));
}

/// Fills them in.
pub(super) fn take_common(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &RadiationRequest,
    forms: &Forms,
    derived: &mut Vec<String>,
) -> Result<(), Error> {
    let count = fields.grid().columns();
    take_sun(fields, columns, derived);
    if let Some([bands, _]) = request.spectra.rrtmg_sizes() {
        check_size(fields, true, (&[bands], &format!("{bands} bands")), request)?;
        let emissivity = fields.take_compact(&field("emissivity"));
        columns.emissivity = fields.in_each_band(emissivity, bands);
    }
    for optics in request.spectra.gas_optics() {
        let bands = optics.points_of_bands.len();
        let (sizes, in_words) = spectral_sizes(optics);
        check_size(fields, optics.is_longwave(), (&sizes, &in_words), request)?;
        if optics.is_longwave() {
            let emissivity = fields.take_compact(&field("emissivity"));
            columns.emissivity = fields.in_each_band(emissivity, bands);
        } else {
            let cosine = &columns.cosine_zenith;
            let by_day = |index: usize| cosine.get(index % count).is_none_or(|&cosine| cosine > 0.0 || cosine.is_nan());
            let mut albedo = |name: &str| {
                let values = fields.take_compact_where(&field(name), by_day)?;
                Ok::<_, Error>(fields.in_each_band(values, bands))
            };
            let (direct, diffuse) = (albedo("surface_albedo_direct")?, albedo("surface_albedo_diffuse")?);
            (columns.surface_albedo_direct, columns.surface_albedo_diffuse) = (direct, diffuse);
        }
    }
    if !columns.surface_albedo_direct.is_empty() && columns.surface_albedo_diffuse.is_empty() {
        derived.push("surface_albedo_diffuse = surface_albedo_direct".to_owned());
    }
    gas::take(forms, fields, columns, (request, &[]), derived);
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
