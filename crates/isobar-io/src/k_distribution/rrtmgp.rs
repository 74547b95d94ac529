//! The layout of RRTMGP: `rrtmgp-gas-lw-g256.nc` and its like.

use std::ops::{Bound, Range};

use isobar_optics::{Rrtmgp, RrtmgpBand, RrtmgpMinor, RrtmgpMinors, RrtmgpPlanck, RrtmgpSolar};

use super::check::{self, Axis};
use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dataset};

/// The variable by which the layout is known.
pub(super) const MARK: &str = "kmajor";

/// By how much the Planck fractions of a band may miss 1 in all.
const FRACTIONS: f64 = 0.01;

/// Absorption and Rayleigh scattering of a molecule \[cm^2\]: what is larger than any line by far is no coefficient.
const CROSS_SECTION: Accepted = Accepted { low: Bound::Included(0.0), high: Bound::Included(1e-10) };
const RAYLEIGH: Accepted = Accepted { low: Bound::Included(0.0), high: Bound::Included(1e-20) };

/// A table; RRTMGP's files state no units.
fn numbers(file: &Dataset, name: &str, dimensions: &[&str], unit: &str, accepted: Accepted) -> Result<Vec<f64>, Error> {
    file.numbers(&Array { name, dimensions, unit, states_unit: false, accepted })
}

fn scalar(file: &Dataset, name: &str, unit: &str, accepted: Accepted) -> Result<f64, Error> {
    // Without dimensions there is one value.
    Ok(numbers(file, name, &[], unit, accepted)?[0])
}

pub(super) fn read(file: &Dataset) -> Result<Rrtmgp, Error> {
    let any = 1..=usize::MAX;
    let points = file.exact_size("gpt", any.clone())?;
    let pressures = file.exact_size("pressure", 2..=usize::MAX)?;
    file.exact_size("temperature", 2..=usize::MAX)?;
    let mixtures = file.exact_size("mixing_fraction", 2..=usize::MAX)?;
    let absorbers = file.exact_size("absorber", any)?;
    file.exact_size("pressure_interp", pressures + 1..=pressures + 1)?;
    file.exact_size("absorber_ext", absorbers + 1..=absorbers + 1)?;
    file.exact_size("atmos_layer", 2..=2)?;
    file.exact_size("pair", 2..=2)?;

    let pressure_pa = numbers(file, "press_ref", &["pressure"], "Pa", Accepted::POSITIVE)?;
    let temperature_k = numbers(file, "temp_ref", &["temperature"], "K", Accepted::POSITIVE)?;
    let at = |dimension: &'static str| move |index| format!("{dimension} {index}");
    let sound = |result: Result<(), String>| result.map_err(|problem| file.invalid(problem));
    sound(check::even("press_ref", &pressure_pa, Axis::FallingByFactor, at("pressure")))?;
    sound(check::even("temp_ref", &temperature_k, Axis::Rising, at("temperature")))?;
    let tropopause_pa = scalar(file, "press_ref_trop", "Pa", Accepted::POSITIVE)?;
    let (highest, lowest) = (pressure_pa[0], pressure_pa[pressures - 1]);
    if !(lowest..=highest).contains(&tropopause_pa) {
        return Err(file.invalid(format!("press_ref_trop = {tropopause_pa} Pa lies outside [{lowest}, {highest}]")));
    }
    let gases = file.texts("gas_names", "absorber")?;
    if let Some(index) = (0..absorbers).find(|&index| gases[index].is_empty() || gases[..index].contains(&gases[index]))
    {
        let problem = format!("gas_names = {:?} at absorber {index}; expected a name of its own", gases[index]);
        return Err(file.invalid(problem));
    }
    let bands = bands(file, points, absorbers)?;
    let reference_mixing_ratio = mixing_ratios(file, absorbers, &bands)?;
    let grid = ["temperature", "pressure_interp", "mixing_fraction", "gpt"];
    let major = numbers(file, MARK, &grid, "cm2", CROSS_SECTION)?;
    let minor = [minors(file, "lower", &gases, &bands, points)?, minors(file, "upper", &gases, &bands, points)?];
    let (has_planck, has_sun) = (file.has_name("plank_fraction"), file.has_name("solar_source_quiet"));
    if !has_planck && !has_sun {
        return Err(file.invalid("neither plank_fraction (long wave) nor solar_source_quiet (short wave) is there"));
    }
    let planck = if has_planck { Some(planck(file, &temperature_k, &bands, points)?) } else { None };
    let solar = if has_sun { Some(solar(file)?) } else { None };
    Ok(Rrtmgp {
        gases,
        bands,
        pressure_pa,
        temperature_k,
        tropopause_pa,
        reference_mixing_ratio,
        mixtures,
        major,
        minor,
        planck,
        solar,
    })
}

/// Limits that the file counts from 1, both included.
fn range(limits: &[usize]) -> Range<usize> {
    limits[0] - 1..limits[1]
}

/// Bands that share out all g-points, in order.
fn bands(file: &Dataset, points: usize, absorbers: usize) -> Result<Vec<RrtmgpBand>, Error> {
    let count = file.exact_size("bnd", 1..=points)?;
    let limits = file.whole_numbers("bnd_limits_gpt", &["bnd", "pair"], (1, points))?;
    let keys = file.whole_numbers("key_species", &["bnd", "atmos_layer", "pair"], (0, absorbers))?;
    let wavenumbers = numbers(file, "bnd_limits_wavenumber", &["bnd", "pair"], "cm-1", Accepted::NOT_NEGATIVE)?;
    let mut bands = Vec::with_capacity(count);
    let mut next = 1;
    for ((limits, keys), wavenumber) in
        limits.chunks_exact(2).zip(keys.chunks_exact(4)).zip(wavenumbers.chunks_exact(2))
    {
        if limits[0] != next || limits[1] < limits[0] {
            return Err(file.invalid(format!(
                "bnd_limits_gpt = {}, {} at bnd {}; expected to begin with {next}, where the band before ends",
                limits[0],
                limits[1],
                bands.len()
            )));
        }
        next = limits[1] + 1;
        let key = [[keys[0], keys[1]], [keys[2], keys[3]]];
        if let Some(pair) = key.iter().find(|pair| pair[0] == 0 && pair[1] != 0) {
            let problem = format!("key_species = 0, {} at bnd {}; expected the first gas first", pair[1], bands.len());
            return Err(file.invalid(problem));
        }
        bands.push(RrtmgpBand { points: range(limits), wavenumber_per_cm: [wavenumber[0], wavenumber[1]], key });
    }
    if next != points + 1 {
        let problem = format!("bnd_limits_gpt ends with g-point {}; expected {points}", next - 1);
        return Err(file.invalid(problem));
    }
    let limits: Vec<_> = bands.iter().map(|band| band.wavenumber_per_cm).collect();
    check::limits("bnd_limits_wavenumber: band", "cm-1", &limits).map_err(|problem| file.invalid(problem))?;
    Ok(bands)
}

/// `vmr_ref`, in which dry air is 1 and no key gas is 0: it is divided by them.
fn mixing_ratios(file: &Dataset, absorbers: usize, bands: &[RrtmgpBand]) -> Result<Vec<f64>, Error> {
    let name = "vmr_ref";
    let dimensions = ["temperature", "absorber_ext", "atmos_layer"];
    let ratios = numbers(file, name, &dimensions, "1", Accepted::NOT_NEGATIVE)?;
    for (temperature, row) in ratios.chunks_exact(2 * (absorbers + 1)).enumerate() {
        if row[..2] != [1.0, 1.0] {
            let problem = format!(
                "{name} = {}, {} at temperature {temperature}, absorber_ext 0; expected 1 for dry air",
                row[0], row[1]
            );
            return Err(file.invalid(problem));
        }
        for layer in 0..2 {
            let zero = bands.iter().flat_map(|band| band.key[layer]).find(|gas| row[2 * gas + layer] <= 0.0);
            if let Some(gas) = zero {
                return Err(file.invalid(format!(
                    "{name} = 0 at temperature {temperature}, absorber_ext {gas}, atmos_layer {layer}; expected \
                     (0, inf) for a key species"
                )));
            }
        }
    }
    Ok(ratios)
}

/// The minor gases of the `lower` or `upper` atmosphere.
fn minors(
    file: &Dataset,
    part: &str,
    gases: &[String],
    bands: &[RrtmgpBand],
    points: usize,
) -> Result<RrtmgpMinors, Error> {
    let name = |what: &str| format!("{what}_{part}");
    let (intervals, along) = (name("minor_absorber_intervals"), name("contributors"));
    let contributors = file.exact_size(&along, 1..=usize::MAX)?;
    let table = numbers(file, &name("kminor"), &["temperature", "mixing_fraction", &along], "1", CROSS_SECTION)?;
    let names = file.texts(&name("minor_gases"), &intervals)?;
    let scaling = file.texts(&name("scaling_gas"), &intervals)?;
    let limits = file.whole_numbers(&name("minor_limits_gpt"), &[&intervals, "pair"], (1, points))?;
    let starts = file.whole_numbers(&name("kminor_start"), &[&intervals], (1, contributors))?;
    let density = file.whole_numbers(&name("minor_scales_with_density"), &[&intervals], (0, 1))?;
    let complement = file.whole_numbers(&name("scale_by_complement"), &[&intervals], (0, 1))?;
    let identifiers = file.texts("identifier_minor", "minor_absorber")?;
    let gas_minor = file.texts("gas_minor", "minor_absorber")?;

    let mut absorbers = Vec::with_capacity(names.len());
    for (index, called) in names.into_iter().enumerate() {
        let refuse = |what: String| file.invalid(format!("{what} at {intervals} {index}"));
        let Some(gas) = identifiers.iter().position(|other| *other == called).map(|known| &gas_minor[known]) else {
            return Err(refuse(format!("{} = {called:?} is none of identifier_minor", name("minor_gases"))));
        };
        if !gases.contains(gas) {
            return Err(refuse(format!("gas_minor = {gas:?} of {called:?} is none of gas_names")));
        }
        let scaling_gas = Some(scaling[index].clone()).filter(|gas| !gas.is_empty());
        if let Some(unknown) = scaling_gas.as_ref().filter(|&gas| !gases.contains(gas)) {
            return Err(refuse(format!("{} = {unknown:?} is none of gas_names", name("scaling_gas"))));
        }
        let limits = &limits[2 * index..2 * index + 2];
        let inside = |band: &RrtmgpBand| band.points.contains(&(limits[0] - 1)) && limits[1] <= band.points.end;
        if limits[0] > limits[1] || !bands.iter().any(inside) {
            return Err(refuse(format!(
                "{} = {}, {} is no part of one band",
                name("minor_limits_gpt"),
                limits[0],
                limits[1]
            )));
        }
        let (points, first) = (range(limits), starts[index] - 1);
        if first + points.len() > contributors {
            return Err(refuse(format!(
                "{} = {} and its {} g-points lie outside the {contributors} of {along}",
                name("kminor_start"),
                starts[index],
                points.len()
            )));
        }
        absorbers.push(RrtmgpMinor {
            gas: gas.clone(),
            name: called,
            points,
            first,
            scales_with_density: density[index] == 1,
            scaling_gas,
            by_complement: complement[index] == 1,
        });
    }
    Ok(RrtmgpMinors { absorbers, table, contributors })
}

/// Planck fractions and radiances. Temperatures of the latter are evenly between the ends of `temp_ref`, as RRTMGP
/// takes them: `temperature_Planck` has them in one file and their numbers in another.
fn planck(file: &Dataset, reference: &[f64], bands: &[RrtmgpBand], points: usize) -> Result<RrtmgpPlanck, Error> {
    let grid = ["temperature", "pressure_interp", "mixing_fraction", "gpt"];
    let fraction = numbers(file, "plank_fraction", &grid, "1", Accepted::FRACTION)?;
    let mixtures = file.exact_size("mixing_fraction", 2..=usize::MAX)?;
    let pressures = file.exact_size("pressure_interp", 2..=usize::MAX)?;
    let place = |row: usize| {
        let (temperature, pressure) = (row / mixtures / pressures, row / mixtures % pressures);
        format!("temperature {temperature}, pressure_interp {pressure}, mixing_fraction {}", row % mixtures)
    };
    for (row, values) in fraction.chunks_exact(points).enumerate() {
        for (band, total) in bands.iter().map(|band| values[band.points.clone()].iter().sum::<f64>()).enumerate() {
            if (total - 1.0).abs() > FRACTIONS {
                return Err(file.invalid(format!(
                    "plank_fraction of bnd {band} is {total} in all at {}; expected 1 within {FRACTIONS}",
                    place(row)
                )));
            }
        }
    }
    let count = file.exact_size("temperature_Planck", 2..=usize::MAX)?;
    let radiance = numbers(file, "totplnk", &["bnd", "temperature_Planck"], "W m-2 sr-1", Accepted::POSITIVE)?;
    let (first, last) = (reference[0], reference[reference.len() - 1]);
    let step = (last - first) / (count - 1) as f64;
    let temperature_k: Vec<f64> = (0..count).map(|index| first + step * index as f64).collect();
    for (band, row) in radiance.chunks_exact(count).enumerate() {
        if let Some(index) = row.windows(2).position(|pair| pair[1] <= pair[0]) {
            return Err(file.invalid(format!(
                "totplnk = {} at bnd {band}, temperature_Planck {} follows {}; expected more",
                row[index + 1],
                index + 1,
                row[index]
            )));
        }
    }
    for (index, &temperature) in temperature_k.iter().enumerate() {
        let total = radiance.iter().skip(index).step_by(count).sum();
        check::radiance_below_black_body("totplnk", temperature, total).map_err(|problem| file.invalid(problem))?;
    }
    let secant = if file.has_name("optimal_angle_fit") {
        file.exact_size("fit_coeffs", 2..=2)?;
        let fit = numbers(file, "optimal_angle_fit", &["bnd", "fit_coeffs"], "1", Accepted::FINITE)?;
        fit.chunks_exact(2).map(|fit| [fit[0], fit[1]]).collect()
    } else {
        Vec::new()
    };
    Ok(RrtmgpPlanck { fraction, temperature_k, radiance, secant })
}

fn solar(file: &Dataset) -> Result<RrtmgpSolar, Error> {
    let of = |name: &str, accepted| numbers(file, name, &["gpt"], "W m-2", accepted);
    let quiet = of("solar_source_quiet", Accepted::NOT_NEGATIVE)?;
    let total = quiet.iter().sum();
    check::solar_total("solar_source_quiet", total).map_err(|problem| file.invalid(problem))?;
    let rayleigh = |name: &str| numbers(file, name, &["temperature", "mixing_fraction", "gpt"], "cm2", RAYLEIGH);
    Ok(RrtmgpSolar {
        quiet,
        facular: of("solar_source_facular", Accepted::FINITE)?,
        sunspot: of("solar_source_sunspot", Accepted::FINITE)?,
        facular_index: scalar(file, "mg_default", "1", Accepted::NOT_NEGATIVE)?,
        sunspot_index: scalar(file, "sb_default", "1", Accepted::NOT_NEGATIVE)?,
        rayleigh: [rayleigh("rayl_lower")?, rayleigh("rayl_upper")?],
    })
}
