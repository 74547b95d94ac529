//! Which band is which, where a file says where its bands lie.

use super::RadiationRequest;
use crate::columns_file::Reading;
use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dimension};

/// Limits by the names that results have, of the long wave and the short wave.
const NAMES: [[&str; 2]; 2] = [
    ["longwave_band_lower_wavenumber", "longwave_band_upper_wavenumber"],
    ["shortwave_band_lower_wavenumber", "shortwave_band_upper_wavenumber"],
];
const DIMENSIONS: [Dimension; 2] = [Dimension::LongwaveBand, Dimension::ShortwaveBand];

/// How far files are from the limits of a k-distribution by rounding \[cm^-1\].
const ROUNDING: f64 = 1.0;

/// Reads limits, and from now on has bands in the order of the k-distributions.
///
/// # Errors
/// Limits that are not those of the k-distribution.
pub(super) fn read(reading: &mut Reading, request: &RadiationRequest) -> Result<(), Error> {
    let spectra = request.spectra;
    let of_tables = |longwave: bool| {
        let mut optics = spectra.gas_optics().filter(move |optics| optics.is_longwave() == longwave);
        optics.next().map(|optics| optics.band_limits_per_cm.clone())
    };
    let known = [of_tables(true).or_else(|| spectra.rrtmg_band_limits()), of_tables(false)];
    for (wave, known) in known.into_iter().enumerate() {
        let Some(known) = known else { continue };
        let Some((dimension, found)) = limits(reading, wave, request)? else { continue };
        // Of g-points there are no limits; another number of bands is refused by its size.
        if found.len() != known.len() {
            continue;
        }
        let [lower, upper] = NAMES[wave];
        let name = |band: usize| {
            let [low, high] = found[band];
            format!("{lower} = {low} and {upper} = {high} cm-1 at {dimension} {band}")
        };
        let mut order = vec![None; known.len()];
        for (band, limits) in found.iter().enumerate() {
            let is_near = |known: &[f64; 2]| known.iter().zip(limits).all(|(a, b)| (a - b).abs() < ROUNDING);
            let Some(place) = known.iter().position(is_near) else {
                let all: Vec<String> = known.iter().map(|[low, high]| format!("{low} to {high}")).collect();
                let text = format!("{} are no band of the k-distribution, which has {}", name(band), all.join(", "));
                return Err(reading.file.invalid(text));
            };
            if let Some(first) = order[place].replace(band) {
                return Err(reading.file.invalid(format!("{}, as at {dimension} {first}", name(band))));
            }
        }
        let order: Vec<usize> = order.into_iter().flatten().collect();
        if order.iter().enumerate().any(|(place, band)| place != *band) {
            reading.order_bands(dimension, order);
        }
    }
    Ok(())
}

/// The dimension of bands, and their limits \[cm^-1\].
type Bands = (Dimension, Vec<[f64; 2]>);

/// The bands of a wave, if the file has their limits.
fn limits(reading: &mut Reading, wave: usize, request: &RadiationRequest) -> Result<Option<Bands>, Error> {
    let names = NAMES[wave];
    let Some(name) = names.into_iter().find(|name| reading.file.has_name(name)) else { return Ok(None) };
    let Some([(along, _)]) = reading.file.dimensions_of(name).and_then(|all| <[_; 1]>::try_from(all).ok()) else {
        return Ok(None);
    };
    let is_bands =
        |role: &Dimension| *role == DIMENSIONS[wave] || (*role == Dimension::Band && request.spectra.count() == 1);
    let Some(dimension) = reading.file.role(&along).filter(is_bands) else { return Ok(None) };
    let mut values = Vec::new();
    for name in names {
        if !reading.file.has_name(name) {
            return Err(reading.file.invalid(format!("{name} is missing, and there is the other limit of the bands")));
        }
        reading.file.uses(name);
        let dimensions = [along.as_str()];
        let array =
            Array { name, dimensions: &dimensions, unit: "cm-1", states_unit: true, accepted: Accepted::NOT_NEGATIVE };
        values.push(reading.file.numbers(&array)?);
    }
    let limits = values[0].iter().zip(&values[1]).map(|(&low, &high)| [low, high]);
    Ok(Some((dimension, limits.collect())))
}
