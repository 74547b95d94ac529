//! The Sun's irradiance, which files have normal to the beam or through a horizontal surface.

use crate::error::Error;
use crate::netcdf::{Dataset, Field, VariableSpec};

/// CF's name of the flux through a horizontal surface at the top.
const HORIZONTAL: &str = "toa_incoming_shortwave_flux";

/// That of an irradiance normal to the beam, but through a horizontal surface.
fn horizontal(normal: &VariableSpec<'static>) -> VariableSpec<'static> {
    VariableSpec { name: HORIZONTAL, aliases: &["rsdt"], standard_names: &[HORIZONTAL], ..*normal }
}

/// Whether the irradiance that a file has is horizontal: nothing is normal to the beam, or what goes by that name says
/// otherwise.
fn is_horizontal(file: &Dataset, normal: &VariableSpec<'static>) -> Result<bool, Error> {
    if !file.has(normal)? {
        return file.has(&horizontal(normal));
    }
    let name = file.name_of(normal).unwrap_or_default();
    Ok(file.text_attribute(&name, "standard_name").is_some_and(|says| says == HORIZONTAL))
}

/// Whether a file has an irradiance: `normal` is that normal to the beam.
pub(super) fn has_irradiance(file: &Dataset, normal: &VariableSpec<'static>) -> Result<bool, Error> {
    Ok(file.has(normal)? || file.has(&horizontal(normal))?)
}

/// Whether a file has an irradiance whose unit converts to that of `normal`.
pub(super) fn irradiance_converts(file: &Dataset, normal: &VariableSpec<'static>) -> Result<bool, Error> {
    file.converts(&if is_horizontal(file, normal)? { horizontal(normal) } else { *normal })
}

/// The irradiance normal to the beam of suns of these cosines; of a horizontal one that over the cosine, 0 at night.
pub(super) fn read_irradiance(
    file: &mut Dataset,
    normal: &VariableSpec<'static>,
    cosine: &Field,
    derived: &mut Vec<String>,
) -> Result<Field, Error> {
    if !is_horizontal(file, normal)? {
        return file.read(normal);
    }
    let flux = file.read(&horizontal(normal))?;
    derived.push(format!(
        "{} from {}, the flux through a horizontal surface, over the Sun's cosine; 0 at night",
        normal.name, flux.name
    ));
    let (flux, cosine) = (file.broadcast(flux), file.broadcast(cosine.clone()));
    let both = flux.values.iter().zip(&cosine.values);
    let values = both.map(|(flux, &cosine)| if cosine > 0.0 { flux / cosine } else { 0.0 }).collect();
    Ok(Field { values, ..flux })
}
