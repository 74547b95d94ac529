//! k-distributions from spectra, for `isobar-radiation`.
//!
//! The wavenumbers of a band are sorted by the height at which the column above becomes opaque (Hogan and Matricardi,
//! 2022, doi:10.1029/2022MS003033), all gases together: they overlap as they do line by line. An interval of that
//! order is a g-point; a gas absorbs there what it absorbs in the mean of Planck's function. Fluxes of wavenumbers add
//! up, and so do the errors of g-points: where that of the band is largest, the interval with most of it is halved,
//! until it is small enough. The order of one height is not that of another: some error stays in any case.

mod band;
mod column;
mod fluxes;
mod wanted;

use isobar_launch::Device;
use isobar_optics::{Ecckd, EcckdDependence, EcckdGas, EcckdPlanck};
use isobar_spectra::launch::Precision;
use isobar_spectra::{Air, Grid, SpectraError};
use rayon::prelude::*;

use super::Source;
use band::{Band, M2_PER_MOL, mean_section};

pub use column::{Column, GASES};
pub use fluxes::Fluxes;
pub use wanted::{OfBand, Wanted};

/// Makes a long-wave k-distribution of gases, in the order of the column's.
///
/// # Errors
/// A gas that is not among [`GASES`]; those of [`Source::cross_sections`].
pub fn make<R: Precision>(
    sources: &[Source],
    column: &Column,
    wanted: &Wanted,
    devices: &[Device],
    progress: &(dyn Fn(usize) + Sync),
) -> Result<(Ecckd, Vec<OfBand>), SpectraError> {
    for source in sources {
        if !GASES.contains(&source.name.to_ascii_lowercase().as_str()) {
            let why = format!("a k-distribution has the gases {}, not {}", GASES.join(", "), source.name);
            return Err(SpectraError::Options(why));
        }
    }
    let (temperatures, pressures) = (wanted.temperatures_k.len(), wanted.pressures_pa.len());
    let planck_k: Vec<f64> = (120..=350).map(f64::from).collect();
    let mut model = Ecckd {
        pressure_pa: wanted.pressures_pa.clone(),
        temperature_k: wanted.temperatures_k.iter().flat_map(|&t| vec![t; pressures]).collect(),
        bands: wanted.bands.clone(),
        ..Ecckd::default()
    };
    // Of each gas, state and g-point; states are fractions, temperatures, pressures.
    let states: Vec<usize> =
        sources.iter().map(|source| temperatures * pressures * fractions(source, wanted).len()).collect();
    let mut absorption: Vec<Vec<Vec<f64>>> = states.iter().map(|&states| vec![Vec::new(); states]).collect();
    let mut black: Vec<Vec<f64>> = vec![Vec::new(); planck_k.len()];
    let mut of_bands = Vec::new();
    for (number, &[low, high]) in wanted.bands.iter().enumerate() {
        // The middles of equal parts of the band.
        let parts = ((high - low) / wanted.step_per_cm).round().max(1.0);
        let step = (high - low) / parts;
        let grid = Grid::regular(low + 0.5 * step, high - 0.5 * step, step)?;
        let sections = sources.iter().enumerate().map(|(gas, source)| {
            let air = |layer: usize| Air {
                pressure_hpa: 0.01 * column.pressure_pa[layer],
                temperature_k: column.temperature_k[layer],
                mole_fraction: column.fraction(gas, layer),
            };
            let airs: Vec<_> = (0..column.layers()).map(air).collect();
            source.cross_sections::<R>(devices, &grid, &airs, &|_| ())
        });
        let sections = sections.collect::<Result<Vec<_>, _>>()?;
        let band = Band::new(column, (&grid, step), &sections);
        let (intervals, error) = band.divide(wanted);
        let mut line_by_line = Fluxes::none(column.layers() + 1);
        band.fluxes.iter().for_each(|fluxes| line_by_line.add(fluxes, 1.0));
        of_bands.push(OfBand { points: intervals.len(), line_by_line, error_w_per_m2: error });
        model.band_of_point.extend(vec![number; intervals.len()]);
        for (row, &t) in black.iter_mut().zip(&planck_k) {
            row.extend(intervals.iter().map(|interval| band.black_of(&band.order[interval.clone()], t)));
        }
        for ((gas, source), absorption) in sources.iter().enumerate().zip(&mut absorption) {
            for (place, fraction) in fractions(source, wanted).iter().enumerate() {
                for (t, &temperature_k) in wanted.temperatures_k.iter().enumerate() {
                    let air = |&pressure_pa: &f64| Air {
                        pressure_hpa: 0.01 * pressure_pa,
                        temperature_k,
                        mole_fraction: fraction.unwrap_or_else(|| typical(column, gas, pressure_pa)),
                    };
                    let airs: Vec<_> = wanted.pressures_pa.iter().map(air).collect();
                    let spectra = source.cross_sections::<R>(devices, &grid, &airs, &|_| ())?;
                    let first = (place * temperatures + t) * pressures;
                    let mean = |(spectrum, row): (&Vec<f64>, &mut Vec<f64>)| {
                        row.extend(intervals.iter().map(|interval| {
                            let points = &band.order[interval.clone()];
                            let weight = |point| band.black(point, temperature_k);
                            M2_PER_MOL * mean_section(points, spectrum, weight)
                        }));
                    };
                    spectra.par_iter().zip(&mut absorption[first..first + pressures]).for_each(mean);
                }
            }
        }
        progress(number + 1);
    }
    model.points = model.band_of_point.len();
    for (source, absorption) in sources.iter().zip(absorption) {
        let water = source.name.eq_ignore_ascii_case("H2O");
        let dependence = if water { EcckdDependence::LookUp(wanted.water.clone()) } else { EcckdDependence::Linear };
        model.gases.push(EcckdGas {
            name: source.name.to_ascii_lowercase(),
            dependence,
            absorption: absorption.concat(),
        });
    }
    if !model.gases.iter().any(|gas| gas.name == "h2o") {
        // Its readers look for water vapour; this one absorbs nothing.
        let count = wanted.water.len() * temperatures * pressures * model.points;
        let dependence = EcckdDependence::LookUp(wanted.water.clone());
        model.gases.push(EcckdGas { name: "h2o".into(), dependence, absorption: vec![0.0; count] });
    }
    model.planck = Some(EcckdPlanck { temperature_k: planck_k, irradiance: black.concat() });
    Ok((model, of_bands))
}

/// Mole fractions of a gas's table: those of water vapour; of another gas one, that of the column.
fn fractions(source: &Source, wanted: &Wanted) -> Vec<Option<f64>> {
    if source.name.eq_ignore_ascii_case("H2O") { wanted.water.iter().copied().map(Some).collect() } else { vec![None] }
}

/// The mole fraction of a gas in the layer of the nearest pressure.
fn typical(column: &Column, gas: usize, pressure_pa: f64) -> f64 {
    let distance = |layer: &usize| (column.pressure_pa[*layer] - pressure_pa).abs();
    let nearest = (0..column.layers()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.map_or(0.0, |layer| column.fraction(gas, layer))
}
