//! Pressure, temperature, height and gases of the columns of a file.
//!
//! Heights are those of geopotential in a field of gravity that falls with the square of the distance from the centre:
//! `z = R H / (R - H)` with `H = geopotential / g`, which is what models with a shallow atmosphere solve for. Where
//! hybrid levels come without heights, these follow from hydrostatics as ECMWF's model has them (Simmons and Burridge
//! 1981): from the surface up, `d(geopotential) = R T_v d(ln p)` a layer.

use isobar_core::Real;
use isobar_raytrace::constants::GRAVITY_M_PER_S2;
use netcdf_reader::NcVariable;

use super::GridRequest;
use super::column::Column;
use super::gas::{self, not_negative, of_mixing_ratio, of_specific_humidity};
use super::hybrid::Hybrid;
use super::quantities::{Columns, each, geometric, pairs};
use super::source::{Node, Source, TEMPERATURE};
use crate::control::Control;
use crate::error::Error;
use crate::netcdf::text_of;

/// WRF's gravity \[m/s^2\], the temperature that it subtracts \[K\], and the pressure of its potential temperature
/// \[Pa\].
const WRF_GRAVITY: f64 = 9.81;
const WRF_TEMPERATURE: f64 = 300.0;
const WRF_PRESSURE: f64 = 1e5;
/// R / c_p of WRF.
const KAPPA: f64 = 2.0 / 7.0;

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
    let full = |variable: &NcVariable| source.has_levels(variable);
    let vapour = vapour(source, nodes)?;
    let hybrid = Hybrid::find(source, nodes, levels)?;
    let coordinate = source.levels()?;
    let by_coordinate = coordinate.as_ref().and_then(|(variable, values)| {
        let units = text_of(variable, "units")?;
        let to_pa = source.converts(&units, "Pa")?;
        Some(values.iter().map(|&value| to_pa.apply(value)).collect::<Vec<f64>>())
    });
    // A coordinate of the levels is none of the columns.
    let of_columns = source.find(&["p", "pres", "pressure"], &["air_pressure"]).filter(|p| full(p));
    let of_columns = of_columns.filter(|p| p.dimensions.len() > 1);
    let pressure = match (of_columns, &hybrid, by_coordinate) {
        // Beside coefficients the coordinate has reference pressures.
        (None, Some(hybrid), _) => hybrid.pressure(),
        (_, None, Some(values)) => vec![values; nodes.len()],
        (Some(p), ..) => source.gather(p, "Pa", nodes)?,
        (None, None, None) => {
            let text = "there is neither a coordinate of pressures, nor a pressure of all levels, nor hybrid \
                        coefficients (hyai, hybi) with the pressure of the surface (lnsp, sp)";
            return Err(source.invalid(text));
        }
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

/// Moles of water in a mole of moist air, if the file has them: a standard name says of what a ratio is.
fn vapour(source: &Source, nodes: &[Node]) -> Result<Option<Columns>, Error> {
    const SPECIFIC: &str = "specific_humidity";
    const RATIO: &str = "humidity_mixing_ratio";
    let full = |variable: &&NcVariable| source.has_levels(variable);
    let by_name = |names: &[&str], standard: &str| {
        let is_other = |name: String| name != standard;
        source.find(names, &[]).filter(|variable| !text_of(variable, "standard_name").is_some_and(is_other))
    };
    let specific = by_name(&["q", "QV", "hus"], SPECIFIC).or_else(|| source.find(&[], &[SPECIFIC]));
    if let Some(q) = specific.filter(full) {
        return Ok(Some(each(&source.gather(q, "kg kg-1", nodes)?, |q| of_specific_humidity(not_negative(q)))));
    }
    let ratio = by_name(&["mr", "qv"], RATIO).or_else(|| source.find(&[], &[RATIO]));
    if let Some(ratio) = ratio.filter(full) {
        return Ok(Some(each(&source.gather(ratio, "kg kg-1", nodes)?, |r| of_mixing_ratio(not_negative(r)))));
    }
    let Some(moles) = gas::find(source, "H2O") else { return Ok(None) };
    let ratio = gas::conversion(source, moles, "H2O")?;
    let values = each(&source.gather(moles, ratio.unit, nodes)?, not_negative);
    Ok(Some(if ratio.mass.is_some() { each(&values, of_specific_humidity) } else { values }))
}

/// Geometric heights \[km\] of all levels, if the file has them.
fn heights(source: &Source, nodes: &[Node]) -> Result<Option<Columns>, Error> {
    let full = |variable: &&NcVariable| source.has_levels(variable);
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
