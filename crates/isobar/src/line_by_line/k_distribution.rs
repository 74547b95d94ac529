//! k-distributions from spectra, for `isobar-radiation`.
//!
//! The wavenumbers of a band are sorted by the height at which the column above becomes opaque (Hogan and Matricardi,
//! 2022, doi:10.1029/2022MS003033), all gases together: they overlap as they do line by line. An interval of that
//! order is a g-point; a gas absorbs there what it absorbs in the mean of Planck's function. Fluxes of wavenumbers add
//! up, and so do the errors of g-points: where that of the band is largest, the interval with most of it is halved,
//! until it is small enough. The order of one height is not that of another: some error stays in any case.

use isobar_core::Real;
use isobar_ega::planck;
use isobar_launch::Device;
use isobar_optics::constants::{ECCKD_AIR, ECCKD_WATER, GRAVITY};
use isobar_optics::{Ecckd, EcckdDependence, EcckdGas, EcckdPlanck};
use isobar_radiation::Columns;
use isobar_radiation::constants::ECRAD_SECANT;
use isobar_raytrace::Atmosphere;
use isobar_spectra::launch::Precision;
use isobar_spectra::{Air, Grid, SpectraError};
use rayon::prelude::*;

use super::Source;

/// Molecules in a mole, exact, and m^2 in a cm^2.
const M2_PER_MOL: f64 = 6.022_140_76e23 * 1e-4;
/// Optical depth, along the vertical, of the air above the height by which wavenumbers are sorted.
const OPAQUE: f64 = 0.5;

/// Air in layers, from the surface up, for which fluxes are to be right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Pressure of levels \[Pa\].
    pub level_pressure_pa: Vec<f64>,
    /// Temperature of levels \[K\].
    pub level_temperature_k: Vec<f64>,
    /// Pressure of layers \[Pa\].
    pub pressure_pa: Vec<f64>,
    /// Temperature of layers \[K\].
    pub temperature_k: Vec<f64>,
    /// Temperature of the ground, which is black \[K\].
    pub surface_temperature_k: f64,
    /// Mixing ratio of each gas in each layer, relative to dry air \[mol/mol\].
    pub mixing_ratio: Vec<Vec<f64>>,
    /// Water vapour among the gases.
    pub water: Option<usize>,
}

impl Column {
    /// The profile of an atmosphere: its levels bound layers. The gases in the order of the atmosphere.
    #[must_use]
    pub fn of(atmosphere: &Atmosphere, water: Option<usize>) -> Self {
        let falls = atmosphere.height_km.first() > atmosphere.height_km.last();
        let upward = |values: &[f64]| {
            let mut values = values.to_vec();
            if falls {
                values.reverse();
            }
            values
        };
        let mean = |values: &[f64]| values.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect::<Vec<_>>();
        let level_temperature_k = upward(&atmosphere.temperature_k);
        let level_pressure_pa: Vec<f64> = upward(&atmosphere.pressure_hpa).iter().map(|p| 100.0 * p).collect();
        Self {
            pressure_pa: mean(&level_pressure_pa),
            temperature_k: mean(&level_temperature_k),
            surface_temperature_k: level_temperature_k[0],
            level_temperature_k,
            mixing_ratio: atmosphere.mixing_ratio.iter().map(|ratio| mean(&upward(ratio))).collect(),
            level_pressure_pa,
            water,
        }
    }

    fn layers(&self) -> usize {
        self.pressure_pa.len()
    }

    /// What of the moist air a gas is, as ecCKD counts it.
    fn fraction(&self, gas: usize, layer: usize) -> f64 {
        let water = self.water.map_or(0.0, |water| self.mixing_ratio[water][layer]);
        self.mixing_ratio[gas][layer] / (1.0 + ECCKD_WATER / ECCKD_AIR * water)
    }

    /// Air of a layer \[mol/m^2\].
    fn air(&self, layer: usize) -> f64 {
        (self.level_pressure_pa[layer] - self.level_pressure_pa[layer + 1]) / (GRAVITY * ECCKD_AIR)
    }

    /// The column as `isobar-radiation` takes it, gases by their names.
    #[must_use]
    pub fn to_radiation(&self, gases: &[&str]) -> Columns<f64> {
        let mut columns = Columns {
            level_pressure_pa: self.level_pressure_pa.clone(),
            pressure_pa: self.pressure_pa.clone(),
            temperature_k: self.temperature_k.clone(),
            level_temperature_k: self.level_temperature_k.clone(),
            surface_temperature_k: vec![self.surface_temperature_k],
            emissivity: vec![1.0],
            h2o: vec![0.0],
            ..Columns::default()
        };
        for (gas, ratio) in gases.iter().zip(&self.mixing_ratio) {
            let place = match gas.to_ascii_lowercase().as_str() {
                "h2o" => &mut columns.h2o,
                "co2" => &mut columns.co2,
                "o3" => &mut columns.o3,
                "n2o" => &mut columns.n2o,
                "co" => &mut columns.co,
                "ch4" => &mut columns.ch4,
                _ => continue,
            };
            place.clone_from(ratio);
        }
        columns
    }
}

/// Gases that a k-distribution of this module may have: those of [`Column::to_radiation`].
pub const GASES: [&str; 6] = ["h2o", "co2", "o3", "n2o", "co", "ch4"];

/// What is wanted of a k-distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Limits of the bands \[cm^-1\].
    pub bands: Vec<[f64; 2]>,
    /// Step of the spectra \[cm^-1\].
    pub step_per_cm: f64,
    /// The error of a band's fluxes at any level that is accepted \[W/m^2\].
    pub error_w_per_m2: f64,
    /// The most g-points of a band.
    pub most: usize,
    /// Pressures of the tables \[Pa\], rising by a factor.
    pub pressures_pa: Vec<f64>,
    /// Temperatures of the tables \[K\], rising by a step.
    pub temperatures_k: Vec<f64>,
    /// Mole fractions of water vapour in its table, rising by a factor.
    pub water: Vec<f64>,
}

/// Fluxes at levels, from the surface up \[W/m^2\].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fluxes {
    /// Upward.
    pub up: Vec<f64>,
    /// Downward.
    pub down: Vec<f64>,
}

impl Fluxes {
    fn none(levels: usize) -> Self {
        Self { up: vec![0.0; levels], down: vec![0.0; levels] }
    }

    fn add(&mut self, other: &Self, times: f64) {
        self.up.iter_mut().zip(&other.up).for_each(|(sum, value)| *sum += times * value);
        self.down.iter_mut().zip(&other.down).for_each(|(sum, value)| *sum += times * value);
    }

    /// The one with this number: upward fluxes first.
    fn value(&self, number: usize) -> f64 {
        let levels = self.up.len();
        if number < levels { self.up[number] } else { self.down[number - levels] }
    }

    /// The largest of all, whatever its sign, and its number.
    fn worst(&self) -> (usize, f64) {
        let all = (0..2 * self.up.len()).map(|number| (number, self.value(number)));
        all.fold((0, 0.0_f64), |most, one| if one.1.abs() > most.1.abs() { one } else { most })
    }

    /// The largest of all, whatever its sign.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.up.iter().chain(&self.down).fold(0.0, |most, value| value.abs().max(most))
    }
}

/// What became of a band.
#[derive(Clone, Debug, PartialEq)]
pub struct OfBand {
    /// Its g-points.
    pub points: usize,
    /// Its fluxes line by line.
    pub line_by_line: Fluxes,
    /// By how much those by its g-points are off at most, with absorption at the layers' own states \[W/m^2\].
    pub error_w_per_m2: f64,
}

/// The absorption and Planck's functions of part of a band.
struct Part {
    /// Optical depth of each layer.
    depth: Vec<f64>,
    /// Of black bodies at the temperature of layers, of levels, and of the ground \[W/m^2\].
    layers: Vec<f64>,
    levels: Vec<f64>,
    ground: f64,
}

impl Part {
    /// Along one slant path, with a source linear in optical depth, as `isobar-radiation` has it for ecCKD's models.
    fn fluxes(&self) -> Fluxes {
        let layers = self.depth.len();
        let mut fluxes = Fluxes::none(layers + 1);
        let passes: Vec<(f64, f64)> = self.depth.iter().map(|depth| passage(ECRAD_SECANT * depth)).collect();
        for (layer, &(absorbed, shape)) in passes.iter().enumerate().rev() {
            let below = self.levels[layer];
            let emitted = absorbed * below + shape * (self.layers[layer] - below);
            fluxes.down[layer] = fluxes.down[layer + 1] * (1.0 - absorbed) + emitted;
        }
        fluxes.up[0] = self.ground;
        for (layer, (absorbed, shape)) in passes.into_iter().enumerate() {
            let above = self.levels[layer + 1];
            let emitted = absorbed * above + shape * (self.layers[layer] - above);
            fluxes.up[layer + 1] = fluxes.up[layer] * (1.0 - absorbed) + emitted;
        }
        fluxes
    }
}

/// What is absorbed, and twice the weight of the layer's middle against its boundary.
fn passage(depth: f64) -> (f64, f64) {
    let absorbed = -Real::exp_m1(-depth);
    // The quotient loses digits where it is a difference of near numbers.
    let shape = if depth > 1e-3 {
        absorbed / depth - (1.0 - absorbed)
    } else {
        depth * (0.5 + depth * (-1.0 / 3.0 + depth * 0.125))
    };
    (absorbed, 2.0 * shape)
}

/// A band in its order.
struct Band<'a> {
    column: &'a Column,
    wavenumbers: &'a [f64],
    step_per_cm: f64,
    /// Cross-sections of each gas in each layer \[cm^2/molecule\].
    sections: &'a [Vec<Vec<f64>>],
    /// Points, the most opaque last.
    order: Vec<usize>,
    /// Fluxes of each point, in the order of the points.
    fluxes: Vec<Fluxes>,
}

impl<'a> Band<'a> {
    fn new(column: &'a Column, (grid, step_per_cm): (&'a Grid, f64), sections: &'a [Vec<Vec<f64>>]) -> Self {
        let wavenumbers = grid.wavenumbers_per_cm();
        let mut band = Self { column, wavenumbers, step_per_cm, sections, order: Vec::new(), fluxes: Vec::new() };
        let (fluxes, heights): (Vec<_>, Vec<_>) = (0..wavenumbers.len())
            .into_par_iter()
            .map(|point| {
                let part = band.part(&[point]);
                (part.fluxes(), opaque_at(column, &part.depth))
            })
            .unzip();
        band.fluxes = fluxes;
        band.order = (0..wavenumbers.len()).collect();
        band.order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
        band
    }

    /// Flux of a black body at a point \[W/m^2\].
    fn black(&self, point: usize, temperature_k: f64) -> f64 {
        core::f64::consts::PI * self.step_per_cm * planck::radiance(temperature_k, self.wavenumbers[point])
    }

    fn black_of(&self, points: &[usize], temperature_k: f64) -> f64 {
        points.iter().map(|&point| self.black(point, temperature_k)).sum()
    }

    fn part(&self, points: &[usize]) -> Part {
        let column = self.column;
        let depth = |layer: usize| {
            let t = column.temperature_k[layer];
            let of_gas = |gas: usize| {
                let mean = mean_section(points, &self.sections[gas][layer], |point| self.black(point, t));
                column.air(layer) * column.fraction(gas, layer) * M2_PER_MOL * mean
            };
            (0..self.sections.len()).map(of_gas).sum()
        };
        let black = |temperatures: &[f64]| temperatures.iter().map(|&t| self.black_of(points, t)).collect();
        Part {
            depth: (0..column.layers()).map(depth).collect(),
            layers: black(&column.temperature_k),
            levels: black(&column.level_temperature_k),
            ground: self.black_of(points, column.surface_temperature_k),
        }
    }

    /// Fluxes of an interval by one g-point, less those line by line.
    fn error(&self, interval: std::ops::Range<usize>) -> Fluxes {
        let points = &self.order[interval];
        let mut error = self.part(points).fluxes();
        points.iter().for_each(|&point| error.add(&self.fluxes[point], -1.0));
        error
    }

    /// Where intervals end, so that the band's fluxes are off by no more than is accepted, if that many are enough; and
    /// the error.
    fn divide(&self, wanted: &Wanted) -> (Vec<std::ops::Range<usize>>, f64) {
        let mut parts = vec![(0..self.order.len(), self.error(0..self.order.len()))];
        loop {
            let mut total = Fluxes::none(self.column.layers() + 1);
            parts.iter().for_each(|(_, error)| total.add(error, 1.0));
            let (number, left) = total.worst();
            // What makes the error where it is largest.
            let share = |(_, error): &(std::ops::Range<usize>, Fluxes)| error.value(number) * left.signum();
            let can = (0..parts.len()).filter(|&place| parts[place].0.len() > 1);
            let worst = can.max_by(|&a, &b| share(&parts[a]).total_cmp(&share(&parts[b])));
            let left = left.abs();
            let (true, true, Some(place)) = (left > wanted.error_w_per_m2, parts.len() < wanted.most, worst) else {
                return (parts.into_iter().map(|(interval, _)| interval).collect(), left);
            };
            let interval = parts[place].0.clone();
            let middle = interval.start + interval.len() / 2;
            let halves = [interval.start..middle, middle..interval.end].map(|half| (half.clone(), self.error(half)));
            parts.splice(place..=place, halves);
        }
    }
}

/// The mean of cross-sections with weights.
fn mean_section(points: &[usize], sections: &[f64], weight: impl Fn(usize) -> f64) -> f64 {
    let (sum, total) = points.iter().fold((0.0, 0.0), |(sum, total), &point| {
        let weight = weight(point);
        (sum + weight * sections[point], total + weight)
    });
    sum / total
}

/// A number that grows with the height at which the column above is opaque; for a column that is so nowhere, its
/// optical depth, as a number below those.
fn opaque_at(column: &Column, depth: &[f64]) -> f64 {
    let mut above = 0.0;
    for layer in (0..depth.len()).rev() {
        if above + depth[layer] >= OPAQUE {
            let share = (OPAQUE - above) / depth[layer];
            let (top, bottom) = (column.level_pressure_pa[layer + 1], column.level_pressure_pa[layer]);
            return -Real::ln(top + share * (bottom - top));
        }
        above += depth[layer];
    }
    // No pressure is above 1e6 Pa, whose logarithm is below 14.
    above / OPAQUE - 20.0
}

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
