//! The coefficients of the water continuum MT_CKD in the user's file (`absco-ref_wv-mt-ckd.nc`): `wavenumbers`,
//! `self_absco_ref`, `for_absco_ref`, `self_texp`.

use std::path::Path;

use crate::error::{Error, Place};
use crate::netcdf::{numbers, open};

/// The coefficients at equidistant wavenumbers, for 1013 hPa and 296 K.
#[derive(Clone, Debug, PartialEq)]
pub struct WaterContinuum {
    /// The first wavenumber \[cm^-1\]; it may be negative.
    pub first_per_cm: f64,
    /// From one to the next \[cm^-1\].
    pub step_per_cm: f64,
    /// By water vapour itself \[cm^2/molecule / cm^-1\].
    pub own: Vec<f64>,
    /// By the other gases \[cm^2/molecule / cm^-1\].
    pub foreign: Vec<f64>,
    /// The exponent of the temperature in the first.
    pub exponent: Vec<f64>,
}

/// Reads the file.
///
/// # Errors
/// A file that cannot be read or is no NetCDF, a variable that is missing or has another size than the wavenumbers,
/// wavenumbers that are not equidistant, coefficients that are negative or not finite.
pub fn read_water_continuum(path: &Path) -> Result<WaterContinuum, Error> {
    let invalid = |problem: String| Error::invalid(Place::File(path.to_owned()), problem);
    let file = open(path)?;
    let variables = file.variables().map_err(|cause| invalid(format!("its variables cannot be read: {cause}")))?;
    let read = |names: &[&str]| -> Result<Vec<f64>, Error> {
        let found = names.iter().find_map(|name| variables.iter().find(|variable| variable.name == **name));
        let Some(variable) = found else { return Err(invalid(format!("{} is missing", names[0]))) };
        numbers(&file, variable).map_err(|cause| invalid(format!("{}: {cause}", variable.name)))
    };
    let wavenumbers = read(&["wavenumbers", "wavenumber"])?;
    let count = wavenumbers.len();
    if count < 4 {
        return Err(invalid(format!("wavenumbers has {count} values; at least 4 are needed")));
    }
    let step_per_cm = (wavenumbers[count - 1] - wavenumbers[0]) / (count - 1) as f64;
    for (i, pair) in wavenumbers.windows(2).enumerate() {
        // Single precision in the file: a hundredth of a step is no accident.
        let off = pair[1] - pair[0] - step_per_cm;
        if !(step_per_cm > 0.0 && off.abs() < 0.01 * step_per_cm) {
            let problem = format!("wavenumbers: {} cm^-1 at index {} is not equidistant", pair[1], i + 1);
            return Err(invalid(problem));
        }
    }
    let coefficients = |name: &str, least: f64| -> Result<Vec<f64>, Error> {
        let values = read(&[name])?;
        if values.len() != count {
            return Err(invalid(format!("{name} has {} values, wavenumbers has {count}", values.len())));
        }
        match values.iter().position(|value| !(value.is_finite() && *value >= least)) {
            Some(i) => {
                Err(invalid(format!("{name}: {} at {} cm^-1 lies outside [{least}, inf)", values[i], wavenumbers[i])))
            }
            None => Ok(values),
        }
    };
    Ok(WaterContinuum {
        first_per_cm: wavenumbers[0],
        step_per_cm,
        own: coefficients("self_absco_ref", 0.0)?,
        foreign: coefficients("for_absco_ref", 0.0)?,
        exponent: coefficients("self_texp", f64::MIN)?,
    })
}
