//! The layout of ecRad's tables of scattering: `mie_droplet_scattering.nc` and its like.

use std::path::Path;

use isobar_optics::ScatteringTable;

use super::check::{self, Axis};
use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dataset};

/// The variable by which the layout is known.
const MARK: &str = "mass_extinction_coefficient";

/// Reads a table of scattering of ecRad: optical properties of droplets, ice or rain over effective radius and
/// wavenumber.
///
/// # Errors
/// One line with file, variable, place, value and accepted range.
pub fn read_scattering_table(path: &Path) -> Result<ScatteringTable, Error> {
    let file = Dataset::open(path)?;
    if !file.has_name(MARK) {
        let names: Vec<_> = file.names().take(20).collect();
        let names = names.join(", ");
        return Err(
            file.invalid(format!("it is no table of scattering of ecRad: it lacks {MARK}; the file has: {names}"))
        );
    }
    for axis in ["effective_radius", "wavenumber"] {
        file.exact_size(axis, 2..=usize::MAX)?;
    }
    // Plain numbers have no unit there.
    let numbers = |name: &str, dimensions: &[&str], unit: &str, accepted| {
        file.numbers(&Array { name, dimensions, unit, states_unit: unit != "1", accepted })
    };
    let both = ["effective_radius", "wavenumber"];
    let table = ScatteringTable {
        radius_m: numbers("effective_radius", &both[..1], "m", Accepted::POSITIVE)?,
        wavenumber_per_cm: numbers("wavenumber", &both[1..], "cm-1", Accepted::POSITIVE)?,
        extinction: numbers(MARK, &both, "m2 kg-1", Accepted::POSITIVE)?,
        albedo: numbers("single_scattering_albedo", &both, "1", Accepted::FRACTION)?,
        asymmetry: numbers("asymmetry_factor", &both, "1", check::ASYMMETRY)?,
    };
    let place = |index| format!("effective_radius {index}");
    check::even("effective_radius", &table.radius_m, Axis::Rising, place).map_err(|problem| file.invalid(problem))?;
    let wavenumbers = &table.wavenumber_per_cm;
    if let Some(index) = wavenumbers.windows(2).position(|pair| pair[0] >= pair[1]) {
        let (value, before) = (wavenumbers[index + 1], wavenumbers[index]);
        let problem = format!("wavenumber = {value} cm-1 at wavenumber {} follows {before}; expected more", index + 1);
        return Err(file.invalid(problem));
    }
    Ok(table)
}
