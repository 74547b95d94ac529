//! The layout of RRTMGP's tables of aerosol optics: `rrtmgp-aerosols-merra-lw.nc` and its like.

use std::path::Path;

use isobar_optics::{AerosolTable, AerosolTables};

use super::check::{self, ASYMMETRY};
use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dataset};

/// The variable by which the layout is known.
const MARK: &str = "aero_rh";

/// Reads RRTMGP's tables of the optics of MERRA-2's aerosols.
///
/// # Errors
/// One line with file, variable, place, value and accepted range.
pub fn read_aerosol_tables(path: &Path) -> Result<AerosolTables, Error> {
    let file = Dataset::open(path)?;
    if !file.has_name(MARK) {
        let names: Vec<_> = file.names().take(20).collect();
        return Err(file.invalid(format!(
            "it is no table of aerosol optics of RRTMGP: it lacks {MARK}; the file has: {}",
            names.join(", ")
        )));
    }
    file.exact_size("pair", 2..=2)?;
    file.exact_size("nval", 3..=3)?;
    let numbers = |name: &str, dimensions: &[&str], unit: &str, accepted| {
        file.numbers(&Array { name, dimensions, unit, states_unit: false, accepted })
    };
    let pairs = |name: &str, dimension: &str, unit: &str| -> Result<Vec<[f64; 2]>, Error> {
        let values = numbers(name, &[dimension, "pair"], unit, Accepted::NOT_NEGATIVE)?;
        let limits: Vec<_> = values.chunks_exact(2).map(|limits| [limits[0], limits[1]]).collect();
        check::limits(&format!("{name}: {dimension}"), unit, &limits).map_err(|problem| file.invalid(problem))?;
        Ok(limits)
    };
    let humidity = numbers(MARK, &["nrh"], "1", Accepted::FRACTION)?;
    if let Some(index) = humidity.windows(2).position(|pair| pair[0] >= pair[1]) {
        let (value, before) = (humidity[index + 1], humidity[index]);
        let problem = format!("{MARK} = {value} at nrh {} follows {before}; expected more", index + 1);
        return Err(file.invalid(problem));
    }
    let of = |name, dimensions: &[&str]| table(&file, name, dimensions);
    Ok(AerosolTables {
        bands: pairs("bnd_limits_wavenumber", "nband", "cm-1")?,
        bins_um: pairs("merra_aero_bin_lims", "nbin", "um")?,
        humidity,
        dust: of("aero_dust_tbl", &["nband", "nbin", "nval"])?,
        salt: of("aero_salt_tbl", &["nband", "nbin", "nrh", "nval"])?,
        sulfate: of("aero_sulf_tbl", &["nband", "nrh", "nval"])?,
        black_carbon: of("aero_bcar_tbl", &["nband", "nval"])?,
        black_carbon_wet: of("aero_bcar_rh_tbl", &["nband", "nrh", "nval"])?,
        organic_carbon: of("aero_ocar_tbl", &["nband", "nval"])?,
        organic_carbon_wet: of("aero_ocar_rh_tbl", &["nband", "nrh", "nval"])?,
    })
}

/// A variable with extinction, albedo and asymmetry beside each other.
fn table(file: &Dataset, name: &str, dimensions: &[&str]) -> Result<AerosolTable, Error> {
    const KINDS: [(&str, &str, Accepted); 3] = [
        ("extinction", " m2 kg-1", Accepted::NOT_NEGATIVE),
        ("single-scattering albedo", "", Accepted::FRACTION),
        ("asymmetry", "", ASYMMETRY),
    ];
    let array = Array { name, dimensions, unit: "1", states_unit: false, accepted: Accepted::FINITE };
    let values = file.numbers(&array)?;
    for (index, value) in values.iter().enumerate() {
        let (what, unit, accepted) = KINDS[index % 3];
        if !accepted.contains(*value) {
            let place = file.place_along(dimensions, index);
            return Err(file.invalid(format!("{name} = {value}{unit}{place} ({what}) lies outside {accepted}")));
        }
    }
    let every = |first| values.iter().skip(first).step_by(3).copied().collect();
    Ok(AerosolTable { extinction: every(0), albedo: every(1), asymmetry: every(2) })
}
