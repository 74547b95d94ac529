//! Pressure, temperature, height and gases of the columns of a file.
//!
//! Heights are those of geopotential in a field of gravity that falls with the square of the distance from the centre:
//! `z = R H / (R - H)` with `H = geopotential / g`, which is what models with a shallow atmosphere solve for. Where
//! hybrid levels come without heights, these follow from hydrostatics as ECMWF's model has them (Simmons and Burridge
//! 1981): from the surface up, `d(geopotential) = R T_v d(ln p)` a layer.

use isobar_core::{Real, bracket, interpolate};
use isobar_raytrace::constants::{
    EARTH_RADIUS_KM, GAS_CONSTANT_J_PER_MOL_K, GRAVITY_M_PER_S2, MOLAR_MASS_AIR_KG_PER_MOL as AIR,
    MOLAR_MASS_WATER_KG_PER_MOL as WATER,
};
use isobar_raytrace::{Atmosphere, Horizontal};

use super::gas::{self, not_negative, of_mixing_ratio, of_specific_humidity};
use super::source::{Node, Source, TEMPERATURE};
use super::{GridPlace, GridRequest};
use crate::control::Control;
use crate::error::Error;

/// WRF's gravity \[m/s^2\], the temperature that it subtracts \[K\], and the pressure of its potential temperature
/// \[Pa\].
const WRF_GRAVITY: f64 = 9.81;
const WRF_TEMPERATURE: f64 = 300.0;
const WRF_PRESSURE: f64 = 1e5;
/// R / c_p of WRF.
const KAPPA: f64 = 2.0 / 7.0;

/// A column, the lowest level first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    height_km: Vec<f64>,
    pressure_hpa: Vec<f64>,
    temperature_k: Vec<f64>,
    /// `[emitter][level]`, a single level where it is a constant; none where the background has it.
    gases: Vec<Option<Vec<f64>>>,
}

fn mix(here: &[f64], there: &[f64], share: f64) -> Vec<f64> {
    // Between equals nothing is rounded.
    here.iter().zip(there).map(|(here, there)| here + share * (there - here)).collect()
}

impl Column {
    /// Level by level between this column and another one, which counts `share`.
    pub(super) fn mix(&self, other: &Self, share: f64) -> Self {
        if share == 0.0 {
            return self.clone();
        }
        let gas = |(here, there): (&Option<Vec<f64>>, &Option<Vec<f64>>)| {
            here.as_ref().zip(there.as_ref()).map(|(here, there)| mix(here, there, share))
        };
        Self {
            height_km: mix(&self.height_km, &other.height_km, share),
            pressure_hpa: mix(&self.pressure_hpa, &other.pressure_hpa, share),
            temperature_k: mix(&self.temperature_k, &other.temperature_k, share),
            gases: self.gases.iter().zip(&other.gases).map(gas).collect(),
        }
    }

    /// The profile at a place, with what the background has: gases that the grid lacks, and all above its top, where
    /// the background's pressure is scaled to that of the top.
    pub(super) fn atmosphere(
        mut self,
        source: &Source,
        control: &Control,
        place: &GridPlace,
        time_s: f64,
        request: &GridRequest,
    ) -> Result<Atmosphere, Error> {
        let background = request.background.as_ref();
        let needs = [("NCL", &control.cloud_wavenumbers_per_cm), ("NSF", &control.surface_wavenumbers_per_cm)];
        if let (None, Some((key, _))) = (background, needs.iter().find(|(_, nodes)| !nodes.is_empty())) {
            let text = format!("{key} asks for what a grid has not: give a profile that has it with --background FILE");
            return Err(source.invalid(text));
        }
        let levels = self.height_km.len();
        if let Some(profile) = background {
            let view = Sorted::new(profile);
            let (top, scale) = (self.height_km[levels - 1], self.pressure_hpa[levels - 1]);
            let there = view.pressure(top);
            for (i, &height) in view.height_km.iter().enumerate().filter(|(_, height)| **height > top) {
                self.height_km.push(height);
                self.pressure_hpa.push(view.pressure_hpa[i] / there * scale);
                self.temperature_k.push(view.temperature_k[i]);
            }
        }
        let all = &self.height_km;
        let gas = |(number, gas): (usize, &Option<Vec<f64>>)| -> Vec<f64> {
            let above = |height: f64| {
                background.map(|profile| Sorted::new(profile).linear(&profile.mixing_ratio[number], height))
            };
            let one = |(level, &height): (usize, &f64)| match gas.as_deref() {
                Some([constant]) => *constant,
                Some(values) if level < levels => values[level],
                _ => above(height).unwrap_or(0.0),
            };
            all.iter().enumerate().map(one).collect()
        };
        let window = |number: usize| -> Vec<f64> {
            let of = |&height: &f64| match background {
                Some(profile) => Sorted::new(profile).linear(&profile.extinction_per_km[number], height),
                None => 0.0,
            };
            all.iter().map(of).collect()
        };
        let same = |value: f64| vec![value; all.len()];
        Ok(Atmosphere {
            horizontal: Horizontal::Uniform,
            time_s: same(time_s),
            height_km: all.clone(),
            longitude_deg: same(place.longitude_deg),
            latitude_deg: same(place.latitude_deg),
            pressure_hpa: self.pressure_hpa.clone(),
            temperature_k: self.temperature_k.clone(),
            mixing_ratio: self.gases.iter().enumerate().map(gas).collect(),
            extinction_per_km: (0..control.window_count.max(1)).map(window).collect(),
            cloud: background.and_then(|profile| profile.cloud.clone()),
            surface: background.and_then(|profile| profile.surface.clone()),
        })
    }
}

/// A profile by height, whichever way its levels go.
struct Sorted {
    order: Vec<usize>,
    height_km: Vec<f64>,
    pressure_hpa: Vec<f64>,
    temperature_k: Vec<f64>,
}

impl Sorted {
    fn new(profile: &Atmosphere) -> Self {
        let mut order: Vec<usize> = (0..profile.levels()).collect();
        order.sort_by(|&a, &b| profile.height_km[a].total_cmp(&profile.height_km[b]));
        let of = |values: &[f64]| order.iter().map(|&i| values[i]).collect();
        Self {
            height_km: of(&profile.height_km),
            pressure_hpa: of(&profile.pressure_hpa),
            temperature_k: of(&profile.temperature_k),
            order,
        }
    }

    fn pressure(&self, height: f64) -> f64 {
        let (z, p) = (&self.height_km, &self.pressure_hpa);
        let i = bracket::bisect(z.len(), |i| z[i], height);
        interpolate::log_y(z[i], p[i], z[i + 1], p[i + 1], height)
    }

    /// Linear in height, beyond the ends what is there.
    fn linear(&self, values: &[f64], height: f64) -> f64 {
        let z = &self.height_km;
        let height = height.clamp(z[0], z[z.len() - 1]);
        let i = bracket::bisect(z.len(), |i| z[i], height);
        interpolate::linear(z[i], values[self.order[i]], z[i + 1], values[self.order[i + 1]], height)
    }
}

/// Values of a quantity, `[column][level]`.
type Columns = Vec<Vec<f64>>;

/// What a layout gives: pressure \[Pa\], temperature \[K\], geopotential height \[km\], and moles of water a mole.
struct Raw {
    pressure: Columns,
    temperature: Columns,
    height_km: Columns,
    vapour: Option<Columns>,
}

/// Reads columns (ascending).
pub(super) fn read(
    source: &Source,
    control: &Control,
    nodes: &[Node],
    request: &GridRequest,
) -> Result<Vec<Column>, Error> {
    let raw = if source.is_wrf() { wrf(source, nodes)? } else { regular(source, nodes)? };
    let gases = gas::read(source, control, nodes, raw.vapour.as_deref(), request)?;
    let mut columns = Vec::with_capacity(nodes.len());
    for (i, node) in nodes.iter().enumerate() {
        let (p, t, z) = (&raw.pressure[i], &raw.temperature[i], &raw.height_km[i]);
        if p.len() < 2 {
            return Err(source.invalid(format!("a column has {} level, it needs at least 2", p.len())));
        }
        // The lowest first.
        let turned = p[0] < p[p.len() - 1];
        let turn = |values: &[f64]| -> Vec<f64> {
            if turned { values.iter().rev().copied().collect() } else { values.to_vec() }
        };
        let column = Column {
            height_km: turn(z),
            pressure_hpa: turn(p).into_iter().map(|pressure| pressure / 100.0).collect(),
            temperature_k: turn(t),
            gases: gases.iter().map(|gas| gas.as_ref().map(|gas| turn(&gas[i]))).collect(),
        };
        check(source, &column, node, turned)?;
        columns.push(column);
    }
    Ok(columns)
}

/// Pressure falls, and height rises.
fn check(source: &Source, column: &Column, node: &Node, turned: bool) -> Result<(), Error> {
    let (p, z, last) = (&column.pressure_hpa, &column.height_km, column.height_km.len() - 1);
    let level = |i: usize| if turned { last - i } else { i };
    let place = |i: usize| {
        let Node { time, row, column } = node;
        format!("level {}, time {time}, row {row}, column {column} (counted from 0)", level(i))
    };
    for i in 1..=last {
        if p[i] <= 0.0 || p[i] >= p[i - 1] {
            let text = format!("pressure {} hPa at {} does not lie below {} hPa", p[i], place(i), p[i - 1]);
            return Err(source.invalid(text));
        }
        // All are finite.
        if z[i] <= z[i - 1] {
            let text = format!("height {} km at {} does not lie above {} km", z[i], place(i), z[i - 1]);
            return Err(source.invalid(text));
        }
    }
    match column.temperature_k.iter().position(|t| !(100.0..=400.0).contains(t)) {
        Some(i) => {
            let text = format!("temperature {} K at {} lies outside [100, 400]", column.temperature_k[i], place(i));
            Err(source.invalid(text))
        }
        None => Ok(()),
    }
}

/// The geometric height \[km\] of a geopotential height \[km\].
fn geometric(height_km: f64) -> f64 {
    EARTH_RADIUS_KM * height_km / (EARTH_RADIUS_KM - height_km)
}

fn each(columns: &[Vec<f64>], f: impl Fn(f64) -> f64) -> Columns {
    columns.iter().map(|column| column.iter().map(|&value| f(value)).collect()).collect()
}

fn pairs(first: &[Vec<f64>], second: &[Vec<f64>], f: impl Fn(f64, f64) -> f64) -> Columns {
    let one = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect();
    first.iter().zip(second).map(one).collect()
}

fn wrf(source: &Source, nodes: &[Node]) -> Result<Raw, Error> {
    let get = |name: &'static str, unit: &str| source.gather(source.need(&[name], &[])?, unit, nodes);
    let pressure = pairs(&get("P", "Pa")?, &get("PB", "Pa")?, |p, base| p + base);
    let temperature =
        pairs(&get("T", "K")?, &pressure, |theta, p| (theta + WRF_TEMPERATURE) * Real::powf(p / WRF_PRESSURE, KAPPA));
    let geopotential = pairs(&get("PH", "m2 s-2")?, &get("PHB", "m2 s-2")?, |ph, base| ph + base);
    // Layers lie in the middle of their boundaries.
    let middle = |pair: &[f64]| geometric(0.5 * (pair[0] + pair[1]) / WRF_GRAVITY / 1e3);
    let height_km = geopotential.iter().map(|column| column.windows(2).map(middle).collect()).collect();
    let vapour = each(&get("QVAPOR", "kg kg-1")?, |r| of_mixing_ratio(not_negative(r)));
    let raw = Raw { pressure, temperature, height_km, vapour: Some(vapour) };
    let sizes = |columns: &Columns| columns[0].len();
    let (p, z) = (sizes(&raw.pressure), sizes(&raw.height_km));
    if p != z {
        return Err(source.invalid(format!("PH has {} boundaries for {p} layers; expected {}", z + 1, p + 1)));
    }
    Ok(raw)
}

fn regular(source: &Source, nodes: &[Node]) -> Result<Raw, Error> {
    source.check_levels()?;
    let temperature = source.gather(source.need(&TEMPERATURE, &["air_temperature"])?, "K", nodes)?;
    let levels = temperature[0].len();
    let full = |variable: &netcdf_reader::NcVariable| source.has_levels(variable);
    let vapour = match source.find(&["q", "QV", "hus"], &["specific_humidity"]).filter(|q| full(q)) {
        Some(q) => Some(each(&source.gather(q, "kg kg-1", nodes)?, |q| of_specific_humidity(not_negative(q)))),
        None => match source.find(&["mr", "qv"], &["humidity_mixing_ratio"]).filter(|r| full(r)) {
            Some(r) => Some(each(&source.gather(r, "kg kg-1", nodes)?, |r| of_mixing_ratio(not_negative(r)))),
            None => None,
        },
    };
    let hybrid = Hybrid::find(source, nodes, levels)?;
    let coordinate = source.levels()?;
    let by_coordinate = coordinate.as_ref().and_then(|(variable, values)| {
        let units = crate::netcdf::text_of(variable, "units")?;
        let to_pa = source.converts(&units, "Pa")?;
        Some(values.iter().map(|&value| to_pa.apply(value)).collect::<Vec<f64>>())
    });
    let pressure = match (source.find(&["p", "pres", "pressure"], &["air_pressure"]).filter(|p| full(p)), by_coordinate)
    {
        (_, Some(values)) => vec![values; nodes.len()],
        // A coordinate of the levels is none of the columns.
        (Some(p), None) if p.dimensions.len() > 1 => source.gather(p, "Pa", nodes)?,
        _ => match &hybrid {
            Some(hybrid) => hybrid.pressure(),
            None => {
                let text = "there is neither a coordinate of pressures, nor a pressure of all levels, nor hybrid \
                            coefficients (hyai, hybi) with the pressure of the surface (lnsp, sp)";
                return Err(source.invalid(text));
            }
        },
    };
    let height_km = match heights(source, nodes)? {
        Some(heights) => heights,
        None => match &hybrid {
            Some(hybrid) => hybrid.heights(source, nodes, &temperature, vapour.as_deref())?,
            None => {
                return Err(source
                    .need(&["z", "gh", "zg"], &["geopotential", "geopotential_height"])
                    .err()
                    .unwrap_or_else(|| {
                        source.invalid(
                            "z has no levels, and there are no hybrid coefficients (hyai, hybi) to find heights by",
                        )
                    }));
            }
        },
    };
    for (name, columns) in [("pressure", &pressure), ("height", &height_km)] {
        let found = columns[0].len();
        if found != levels {
            return Err(source.invalid(format!("{name} has {found} levels, temperature {levels}")));
        }
    }
    Ok(Raw { pressure, temperature, height_km, vapour })
}

/// Geometric heights \[km\] of all levels, if the file has them.
fn heights(source: &Source, nodes: &[Node]) -> Result<Option<Columns>, Error> {
    let full = |variable: &&netcdf_reader::NcVariable| source.has_levels(variable);
    if let Some(z) = source.find(&["z"], &["geopotential"]).filter(full) {
        let geopotential = source.gather(z, "m2 s-2", nodes)?;
        return Ok(Some(each(&geopotential, |value| geometric(value / GRAVITY_M_PER_S2 / 1e3))));
    }
    if let Some(height) = source.find(&["gh", "zg"], &["geopotential_height"]).filter(full) {
        return Ok(Some(each(&source.gather(height, "km", nodes)?, geometric)));
    }
    match source.find(&[], &["altitude", "height_above_mean_sea_level"]).filter(full) {
        Some(height) => Ok(Some(source.gather(height, "km", nodes)?)),
        None => Ok(None),
    }
}

/// Levels at pressures `a + b * surface pressure`.
struct Hybrid {
    /// `a` \[Pa\] and `b` at the boundaries of the layers.
    boundaries: Vec<[f64; 2]>,
    /// Of each column \[Pa\].
    surface: Vec<f64>,
}

impl Hybrid {
    /// What the file has, of the levels that it has.
    fn find(source: &Source, nodes: &[Node], levels: usize) -> Result<Option<Self>, Error> {
        let (Some(a), Some(b)) = (source.find(&["hyai", "ap_bnds"], &[]), source.find(&["hybi"], &[])) else {
            return Ok(None);
        };
        let to_pa = source.conversion(a, "Pa")?;
        let a: Vec<f64> = source.values(a)?.into_iter().map(|value| to_pa.apply(value)).collect();
        let b = source.values(b)?;
        if a.len() != b.len() || a.len() < levels + 1 {
            let text = format!("hyai has {} values and hybi {}; {levels} levels need {}", a.len(), b.len(), levels + 1);
            return Err(source.invalid(text));
        }
        // Some levels of all: their numbers count from 1.
        if a.len() > levels + 1 {
            let text = format!("hyai has {} values for {levels} levels: expected {}", a.len(), levels + 1);
            return Err(source.invalid(text));
        }
        let surface = match source.find(&["lnsp"], &[]) {
            // Of Pa.
            Some(logarithm) => source.gather_by(logarithm, Real::exp, nodes)?,
            None => {
                let pressure = source.need(&["sp", "ps", "PS", "aps"], &["surface_air_pressure"])?;
                source.gather(pressure, "Pa", nodes)?
            }
        };
        let boundaries = a.into_iter().zip(b).map(|(a, b)| [a, b]).collect();
        Ok(Some(Self { boundaries, surface: surface.into_iter().map(|column| column[0]).collect() }))
    }

    fn boundaries(&self, column: usize) -> Vec<f64> {
        self.boundaries.iter().map(|[a, b]| a + b * self.surface[column]).collect()
    }

    /// Means of the boundaries \[Pa\].
    fn pressure(&self) -> Columns {
        let middles = |column| self.boundaries(column).windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        (0..self.surface.len()).map(middles).collect()
    }

    /// Geometric heights \[km\] by hydrostatics.
    fn heights(
        &self,
        source: &Source,
        nodes: &[Node],
        temperature: &[Vec<f64>],
        vapour: Option<&[Vec<f64>]>,
    ) -> Result<Columns, Error> {
        const GAS_CONSTANT: f64 = GAS_CONSTANT_J_PER_MOL_K / AIR;
        let ground = match source.find(&["z", "phis", "PHIS"], &["surface_geopotential", "geopotential"]) {
            Some(z) => source.gather(z, "m2 s-2", nodes)?,
            None => {
                let height = source.need(&["orog", "HGT"], &["surface_altitude"])?;
                each(&source.gather(height, "m", nodes)?, |height| height * GRAVITY_M_PER_S2)
            }
        };
        let one = |column: usize| {
            let boundaries = self.boundaries(column);
            let top_first = boundaries[0] < boundaries[boundaries.len() - 1];
            let levels = boundaries.len() - 1;
            let mut heights = vec![0.0; levels];
            let mut geopotential = ground[column][0];
            for step in 0..levels {
                let level = if top_first { levels - 1 - step } else { step };
                let (above, below) = if top_first { (level, level + 1) } else { (level + 1, level) };
                let (above, below) = (boundaries[above], boundaries[below]);
                let water = vapour.map_or(0.0, |vapour| vapour[column][level]);
                // Moist air is lighter.
                let virtual_k = temperature[column][level] / (1.0 - water * (1.0 - WATER / AIR));
                let (share, thickness) = if above > 0.0 {
                    let thickness = Real::ln(below / above);
                    (1.0 - above / (below - above) * thickness, thickness)
                } else {
                    (core::f64::consts::LN_2, 0.0)
                };
                let middle = geopotential + share * GAS_CONSTANT * virtual_k;
                heights[level] = geometric(middle / GRAVITY_M_PER_S2 / 1e3);
                geopotential += GAS_CONSTANT * virtual_k * thickness;
            }
            heights
        };
        Ok((0..nodes.len()).map(one).collect())
    }
}
