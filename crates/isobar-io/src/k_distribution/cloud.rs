//! Tables of cloud optics. The layout of RRTMGP's: `rrtmgp-clouds-lw-bnd.nc` and its like, by band or by g-point.

use std::path::Path;

use isobar_optics::{CloudTables, ParticleTable};

use super::check::{self, ASYMMETRY};
use super::own_clouds;
use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dataset};

/// Reads tables of cloud optics: RRTMGP's or of [our own layout](super#clouds-in-isobars-layout).
///
/// Refused are two of RRTMGP's files, `rrtmgp-clouds-lw-g128.nc` and `rrtmgp-clouds-sw-g112.nc` (of v1.9), in which
/// albedo and asymmetry are copies of the extinction.
///
/// # Errors
/// One line with file, variable, place, value and accepted range.
pub fn read_cloud_tables(path: &Path) -> Result<CloudTables, Error> {
    let file = Dataset::open(path)?;
    if file.has_name(own_clouds::MARK) {
        return own_clouds::read(&file);
    }
    let missing: Vec<_> = ["extliq", "extice"].into_iter().filter(|name| !file.has_name(name)).collect();
    if !missing.is_empty() {
        let names: Vec<_> = file.names().take(20).collect();
        return Err(file.invalid(format!(
            "it is no table of cloud optics: it lacks {} (RRTMGP) and {} (Isobar's); the file has: {}",
            missing.join(", "),
            own_clouds::MARK,
            names.join(", ")
        )));
    }
    file.exact_size("pair", 2..=2)?;
    let bands = file.exact_size("nband", 1..=usize::MAX)?;
    let by_point = file.has_name("bnd_limits_gpt");
    let along = if by_point { "ngpt" } else { "nband" };
    let spectral = file.exact_size(along, bands..=usize::MAX)?;
    if by_point {
        points_of_bands(&file, spectral)?;
    }
    let limits = numbers(&file, "bnd_limits_wavenumber", &["nband", "pair"], "cm-1", Accepted::NOT_NEGATIVE)?;
    let limits: Vec<_> = limits.chunks_exact(2).map(|limits| [limits[0], limits[1]]).collect();
    check::limits("bnd_limits_wavenumber: band", "cm-1", &limits).map_err(|problem| file.invalid(problem))?;
    let liquid = particles(&file, "liq", ["radliq_lwr", "radliq_upr"], &[along, "nsize_liq"])?;
    let ice = particles(&file, "ice", ["diamice_lwr", "diamice_upr"], &["nrghice", along, "nsize_ice"])?;
    let liquid = liquid.into_iter().next().unwrap_or_default();
    Ok(CloudTables { spectral, by_point, bands: limits, liquid, ice, rain: None, snow: None })
}

fn numbers(file: &Dataset, name: &str, dimensions: &[&str], unit: &str, accepted: Accepted) -> Result<Vec<f64>, Error> {
    file.numbers(&Array { name, dimensions, unit, states_unit: false, accepted })
}

/// Refuses bands that do not share out all g-points in order.
fn points_of_bands(file: &Dataset, points: usize) -> Result<(), Error> {
    let limits = file.whole_numbers("bnd_limits_gpt", &["nband", "pair"], (1, points))?;
    let mut next = 1;
    for (band, limits) in limits.chunks_exact(2).enumerate() {
        if limits[0] != next || limits[1] < next {
            return Err(file.invalid(format!(
                "bnd_limits_gpt = {}, {} at nband {band}; expected to begin with {next}, where the band before ends",
                limits[0], limits[1]
            )));
        }
        next = limits[1] + 1;
    }
    if next != points + 1 {
        return Err(file.invalid(format!("bnd_limits_gpt ends with g-point {}; expected {points}", next - 1)));
    }
    Ok(())
}

/// The tables of one kind of particles, of each roughness.
fn particles(
    file: &Dataset,
    kind: &str,
    [smallest, largest]: [&str; 2],
    dimensions: &[&str],
) -> Result<Vec<ParticleTable>, Error> {
    let size = |name: &str| Ok(numbers(file, name, &[], "um", Accepted::POSITIVE)?[0]);
    let size_um = [size(smallest)?, size(largest)?];
    if size_um[0] >= size_um[1] {
        let [low, high] = size_um;
        return Err(file.invalid(format!("{smallest} = {low} um and {largest} = {high} um; expected a larger one")));
    }
    if let Some(sizes) = dimensions.last() {
        file.exact_size(sizes, 2..=usize::MAX)?;
    }
    let names = [format!("ext{kind}"), format!("ssa{kind}"), format!("asy{kind}")];
    let extinction = numbers(file, &names[0], dimensions, "m2 g-1", check::EXTINCTION)?;
    let albedo = numbers(file, &names[1], dimensions, "1", Accepted::FRACTION)?;
    let asymmetry = numbers(file, &names[2], dimensions, "1", ASYMMETRY)?;
    for (name, values) in [(&names[1], &albedo), (&names[2], &asymmetry)] {
        if *values == extinction {
            return Err(file.invalid(format!("{name} has the values of {}: the file is damaged", names[0])));
        }
    }
    let rest = dimensions.len().saturating_sub(2);
    let mut length = 1;
    for name in &dimensions[rest..] {
        length *= file.exact_size(name, 1..=usize::MAX)?;
    }
    let tables = extinction.chunks_exact(length).zip(albedo.chunks_exact(length)).zip(asymmetry.chunks_exact(length));
    let table = |((extinction, albedo), asymmetry): ((&[f64], &[f64]), &[f64])| ParticleTable {
        size_um,
        extinction: extinction.to_vec(),
        albedo: albedo.to_vec(),
        asymmetry: asymmetry.to_vec(),
    };
    Ok(tables.map(table).collect())
}
