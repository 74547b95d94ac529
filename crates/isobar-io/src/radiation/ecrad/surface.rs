//! Properties of the surface: of ECMWF's intervals of the spectrum as means at g-points, as ecRad has them (its
//! `radiation_spectral_definition.F90`).

use isobar_core::fields::Need;
use isobar_optics::{EcckdSpectrum, GasOptics};
use isobar_radiation::Columns;

use super::super::RadiationRequest;
use super::super::common::spectral_sizes;
use super::super::quantity::{field, need, read};
use crate::columns_file::{Fields, Reading};
use crate::error::{Error, Place};

/// Intervals of the spectrum, the shortest wavelength first.
struct Intervals {
    /// Wavelengths \[cm\] between them.
    limits: &'static [f64],
    /// The file's band of each.
    bands: &'static [usize],
}

/// The intervals of ECMWF's model, told by the number of bands; ecRad's own examples name them in
/// `configCY49R1_ecckd.nam`.
const EMISSIVITY: Intervals = Intervals { limits: &[8e-4, 13e-4], bands: &[0, 1, 0] };
const ALBEDO: Intervals =
    Intervals { limits: &[0.25e-4, 0.44e-4, 0.69e-4, 1.19e-4, 2.38e-4], bands: &[0, 1, 2, 3, 4, 5] };

/// Reads albedos, of which the one for the beam may be missing.
pub(super) fn read_albedo(reading: &mut Reading, request: &RadiationRequest) -> Result<(), Error> {
    if need("surface_albedo_direct", request) == Need::Ignored {
        return Ok(());
    }
    let has_direct = reading.has(&field("surface_albedo_direct"))?;
    if !has_direct && !reading.has(&field("surface_albedo_diffuse"))? {
        return Err(reading.file.invalid("there is neither sw_albedo nor sw_albedo_direct"));
    }
    if has_direct {
        read(reading, "surface_albedo_direct", request)?;
    }
    read(reading, "surface_albedo_diffuse", request)
}

/// Fills in what the spectra need.
pub(super) fn take(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &RadiationRequest,
    derived: &mut Vec<String>,
) -> Result<(), Error> {
    for optics in request.spectra.gas_optics() {
        if optics.is_longwave() {
            columns.emissivity = spectral(fields, "emissivity", (optics, &EMISSIVITY), derived)?;
            continue;
        }
        columns.surface_albedo_direct = spectral(fields, "surface_albedo_direct", (optics, &ALBEDO), derived)?;
        columns.surface_albedo_diffuse = spectral(fields, "surface_albedo_diffuse", (optics, &ALBEDO), derived)?;
        if columns.surface_albedo_direct.is_empty() {
            columns.surface_albedo_direct.clone_from(&columns.surface_albedo_diffuse);
            derived.push("surface_albedo_direct = sw_albedo".to_owned());
        }
    }
    Ok(())
}

/// A property of the surface as the k-distribution wants it; none where it was not there.
fn spectral(
    fields: &mut Fields,
    name: &str,
    (optics, intervals): (&GasOptics, &Intervals),
    derived: &mut Vec<String>,
) -> Result<Vec<f64>, Error> {
    let count = fields.grid().columns();
    let Some(field) = fields.take_field(field(name).name) else { return Ok(Vec::new()) };
    let rows = field.values.len() / count;
    let (sizes, in_words) = spectral_sizes(optics);
    if rows == 1 {
        return Ok(field.values.repeat(sizes[0]));
    }
    if sizes.contains(&rows) {
        return Ok(field.values);
    }
    let refuse = |why: String| {
        let problem = format!("{} has {rows} bands: the k-distribution has {in_words}, {why}", field.name);
        Err(Error::invalid(Place::File(fields.path().to_owned()), problem))
    };
    let bands = intervals.bands.iter().max().map_or(0, |last| last + 1);
    if rows != bands {
        return refuse(format!("and ECMWF's model has {bands}"));
    }
    let Some(spectrum) = &optics.spectrum else {
        return refuse("and does not say where its g-points are, which means of ECMWF's bands need".to_owned());
    };
    derived.push(format!("{}: means of ECMWF's {bands} bands at the g-points", field.name));
    let mut means = Vec::with_capacity(optics.points * count);
    for weights in intervals.weights(spectrum, optics.is_longwave()).chunks_exact(bands) {
        for column in 0..count {
            means.push(
                weights.iter().enumerate().map(|(band, weight)| weight * field.values[band * count + column]).sum(),
            );
        }
    }
    Ok(means)
}

impl Intervals {
    /// What each band counts at each g-point, `[g-point][band]`, 1 in all of a g-point's.
    fn weights(&self, spectrum: &EcckdSpectrum, longwave: bool) -> Vec<f64> {
        let power = spectrum.power(longwave);
        let bands = self.bands.iter().max().map_or(0, |last| last + 1);
        let mut weights = Vec::new();
        for fractions in spectrum.fraction.chunks_exact(spectrum.intervals.len()) {
            let mut of_point = vec![0.0; bands];
            for (index, &band) in self.bands.iter().enumerate() {
                let high = if index == 0 { f64::INFINITY } else { 1.0 / self.limits[index - 1] };
                let low = self.limits.get(index).map_or(0.0, |limit| 1.0 / limit);
                for ((limits, power), fraction) in spectrum.intervals.iter().zip(&power).zip(fractions) {
                    let part = (high.min(limits[1]) - low.max(limits[0])).max(0.0) / (limits[1] - limits[0]);
                    of_point[band] += part * power * fraction;
                }
            }
            let total: f64 = of_point.iter().sum();
            weights.extend(of_point.iter().map(|weight| weight / total));
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use isobar_core::Real;

    use super::*;

    /// Two g-points in three intervals of the same power: weights are the parts of the spectrum.
    #[test]
    fn g_points_see_the_bands_where_they_are() {
        let spectrum = EcckdSpectrum {
            intervals: vec![[0.0, 769.0], [769.0, 1250.0], [1250.0, 3000.0]],
            fraction: vec![0.5, 0.0, 0.5, 0.25, 0.5, 0.25],
            solar_irradiance: Some(vec![1.0; 3]),
        };
        let weights = EMISSIVITY.weights(&spectrum, true);
        // 13 um are 769.23 cm^-1: of the second interval 0.23 / 481 are still beyond.
        let beyond = (1.0 / 13e-4 - 769.0) / 481.0;
        let expected = [1.0, 0.0, 0.5 + 0.5 * beyond, 0.5 - 0.5 * beyond];
        for (found, expected) in weights.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15, "{weights:?}");
        }
    }
    /// The part of a black body's radiation at shorter wavelengths, by the series of Planck's integral: `x` is `h c /
    /// (k T)` times the wavenumber.
    fn part_beyond(x: f64) -> f64 {
        let term = |n: i32| {
            let n = f64::from(n);
            Real::exp(-n * x) / n * (x * x * x + 3.0 * x * x / n + 6.0 * x / (n * n) + 6.0 / (n * n * n))
        };
        let pi_2 = std::f64::consts::PI * std::f64::consts::PI;
        15.0 / (pi_2 * pi_2) * (1..400).map(term).sum::<f64>()
    }

    /// Without a spectrum of the sun, albedos of bands count as much as a black body of 5777 K radiates there, and
    /// emissivities as one of 273.15 K: Planck's integrals.
    #[test]
    fn bands_count_what_black_bodies_radiate() {
        for (of, longwave, temperature, (first, step, count)) in
            [(&ALBEDO, false, 5777.0, (250.0, 50.0, 995)), (&EMISSIVITY, true, 273.15, (0.0, 10.0, 326))]
        {
            let limit = |index: u32| first + step * f64::from(index);
            let spectrum = EcckdSpectrum {
                intervals: (0..count).map(|index| [limit(index), limit(index + 1)]).collect(),
                fraction: vec![1.0 / f64::from(count); count as usize],
                solar_irradiance: None,
            };
            let x = |wavenumber: f64| 1.438_777 * wavenumber / temperature;
            let between = |low: f64, high: f64| part_beyond(x(low)) - part_beyond(x(high));
            let [all_low, all_high] = [first, limit(count)];
            let weights = of.weights(&spectrum, longwave);
            let mut expected = vec![0.0; weights.len()];
            for (index, &band) in of.bands.iter().enumerate() {
                let high = if index == 0 { all_high } else { 1.0 / of.limits[index - 1] };
                let low = of.limits.get(index).map_or(all_low, |limit| 1.0 / limit);
                expected[band] += between(low.max(all_low), high) / between(all_low, all_high);
            }
            for (found, expected) in weights.iter().zip(&expected) {
                // The middle of intervals stands for their mean: an error of (step / scale of the curve)^2 / 24, where
                // the scale is k T / (h c), 190 and 4015 cm^-1: 1e-4 and 6e-6; limits of bands cut some intervals.
                assert!((found - expected).abs() < 2e-4, "{longwave}: {weights:?} {expected:?}");
            }
        }
    }
}
