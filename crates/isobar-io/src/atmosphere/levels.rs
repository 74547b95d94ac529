//! The levels of an atmosphere in rows of columns, one profile or several: what they hold, and what they must not.

use std::path::Path;

use isobar_core::Real;
use isobar_raytrace::{Atmosphere, CloudLayer, Horizontal, SurfaceLayer};

use super::layers::{FIXED, Layers};
use crate::column::{Column, TIME};
use crate::control::Control;
use crate::error::{Error, Place};
use crate::number::{Number, Range};

/// Those of time and place.
pub(super) const PLACES: usize = 4;
const KELVIN_MOST: f64 = 1000.0;
const KELVIN: Range = Range::above_to(0.0, KELVIN_MOST);

/// The columns that the control file asks for.
pub(super) fn columns(control: &Control) -> Vec<Column> {
    let mut columns = vec![
        Column::new(TIME, "", Range::FINITE),
        Column::new("altitude", "km", Range::FINITE),
        Column::new("longitude", "deg", Range::FINITE),
        Column::new("latitude", "deg", Range::LATITUDE),
        Column::new("pressure", "hPa", Range::PRESSURE),
        Column::new("temperature", "K", KELVIN),
    ];
    let mut add = |name: String, unit, range| columns.push(Column::new(name, unit, range));
    for gas in &control.emitters {
        add(format!("{gas} volume mixing ratio"), "ppv", Range::FRACTION);
    }
    for window in 0..control.window_count {
        add(format!("extinction (window {window})"), "km^-1", Range::NOT_NEGATIVE);
    }
    if !control.cloud_wavenumbers_per_cm.is_empty() {
        add("cloud layer height".into(), "km", Range::FINITE);
        add("cloud layer depth".into(), "km", Range::FINITE);
        for nu in &control.cloud_wavenumbers_per_cm {
            add(format!("cloud layer extinction ({nu:.4} cm^-1)"), "km^-1", Range::NOT_NEGATIVE);
        }
    }
    if !control.surface_wavenumbers_per_cm.is_empty() {
        add("surface layer height".into(), "km", Range::FINITE);
        add("surface layer pressure".into(), "hPa", Range::FINITE);
        // Not positive: that of the lowest air.
        add("surface layer temperature".into(), "K", Range::above_to(f64::NEG_INFINITY, KELVIN_MOST));
        for nu in &control.surface_wavenumbers_per_cm {
            add(format!("surface layer emissivity ({nu:.4} cm^-1)"), "", Range::FRACTION);
        }
    }
    columns
}

/// Is the pressure of an atmosphere used as it is read, and not made hydrostatic?
pub(super) fn pressure_counts(control: &Control) -> bool {
    control.hydrostatic_reference_km.is_none()
}

/// The levels of a file, one profile or several.
pub(super) struct Levels {
    track: bool,
    /// Is the pressure used as it is read?
    pressure_counts: bool,
    pub(super) rows: Vec<Vec<f64>>,
    /// The first of the latest profile.
    first: usize,
    layers: Layers,
}

impl Levels {
    pub(super) fn new(control: &Control) -> Self {
        let (track, pressure_counts) = (control.horizontal == Horizontal::Track, pressure_counts(control));
        let layers = Layers::new(columns(control), control);
        Self { track, pressure_counts, rows: Vec::new(), first: 0, layers }
    }

    pub(super) fn push(&mut self, level: Vec<f64>) -> Result<(), String> {
        if self.track && self.rows.last().is_some_and(|last| last[2..4] != level[2..4]) {
            self.first = self.rows.len();
        }
        let contradiction = || self.layers.contradiction(&self.rows, &level, self.first == self.rows.len());
        match level_problem(&self.rows, self.first, &level, self.pressure_counts).or_else(contradiction) {
            Some(problem) => Err(problem),
            None => {
                self.rows.push(level);
                Ok(())
            }
        }
    }

    pub(super) fn assemble(&self, path: &Path, control: &Control) -> Result<Atmosphere, Error> {
        if self.rows.len() < 2 {
            let problem = format!("an atmosphere needs at least 2 levels, the file has {}", self.rows.len());
            return Err(Error::invalid(Place::File(path.to_owned()), problem));
        }
        checked(path, assemble(&self.rows, control), control)
    }
}

/// What is wrong with the profiles of a track, if anything.
pub(super) fn checked(path: &Path, mut atmosphere: Atmosphere, control: &Control) -> Result<Atmosphere, Error> {
    atmosphere.horizontal = control.horizontal;
    if atmosphere.horizontal == Horizontal::Track {
        let wrong = |problem: isobar_raytrace::Error| Error::invalid(Place::File(path.to_owned()), problem.to_string());
        atmosphere.validate().map_err(wrong)?;
    }
    Ok(atmosphere)
}

/// An altitude above this \[km\] is one in metres if the pressure falls no faster than this says.
const HIGH_KM: f64 = 1000.0;
/// A scale height that no planet's air reaches; the Earth's is 4 to 9 km, 60 at most in the thermosphere.
const SCALE_HEIGHT_KM: f64 = 500.0;

/// What is wrong with the next level after those of the profile that begins with level `start`, if anything.
/// `pressure_counts`: it is not made hydrostatic.
pub(super) fn level_problem(levels: &[Vec<f64>], start: usize, level: &[f64], pressure_counts: bool) -> Option<String> {
    order_problem(levels, start, level[1])
        .or_else(|| pressure_problem(levels, start, (level[1], level[4])).filter(|_| pressure_counts))
}

/// Pressures fall with height, and do so within kilometres.
fn pressure_problem(levels: &[Vec<f64>], start: usize, (z, pressure): (f64, f64)) -> Option<String> {
    let n = levels.len();
    let last = levels.get(start..)?.last()?;
    let (last_z, last_pressure) = (last[1], last[4]);
    if (z > last_z && pressure > last_pressure) || (z < last_z && pressure < last_pressure) {
        let ((low, low_hpa), (high, high_hpa)) = match z > last_z {
            true => ((last_z, last_pressure), (z, pressure)),
            false => ((z, pressure), (last_z, last_pressure)),
        };
        return Some(format!(
            "pressure {} hPa of level {n} rises with height: {} hPa at {low} km, {} hPa at {high} km",
            Number(pressure),
            Number(low_hpa),
            Number(high_hpa)
        ));
    }
    let away = (z - levels[start][1]).abs();
    let falls = Real::ln(levels[start][4] / pressure).abs();
    if away > HIGH_KM && falls > 0.0 && away > SCALE_HEIGHT_KM * falls {
        let scale = away / falls;
        return Some(format!(
            "altitude {z} km of level {n}: the pressure falls to 1/e of its value in {scale:.0} km; altitudes are \
             wanted in km, are these in metres?"
        ));
    }
    None
}

/// Whether the next height continues the profile that begins with level `start`.
fn order_problem(levels: &[Vec<f64>], start: usize, z: f64) -> Option<String> {
    let (first, last) = (levels.get(start)?[1], levels.last()?[1]);
    let n = levels.len();
    if z == first {
        return Some(format!(
            "altitude {z} km of level {n} is that of level {start}: several profiles in one file need IP = 2, and \
             places that differ"
        ));
    }
    let ascending = levels.get(start + 1).map_or(z > first, |second| second[1] > first);
    if (z > last) == ascending && z != last {
        return None;
    }
    let order = if ascending { "ascending" } else { "descending" };
    Some(format!(
        "altitude {z} km of level {n} breaks the {order} order: level {} lies at {last} km \
         (several profiles in one file need IP = 2, and places that differ)",
        n - 1
    ))
}

pub(super) fn assemble(levels: &[Vec<f64>], control: &Control) -> Atmosphere {
    let column = |i: usize| levels.iter().map(|level| level[i]).collect::<Vec<f64>>();
    let gases = FIXED + control.emitters.len();
    let windows = gases + control.window_count;
    let mut extinction: Vec<Vec<f64>> = (gases..windows).map(column).collect();
    if extinction.is_empty() {
        extinction.push(vec![0.0; levels.len()]);
    }
    let mut rest = &levels[0][windows..];
    let mut layer = |fixed: usize, nodes: usize| {
        let (values, others) = rest.split_at(if nodes == 0 { 0 } else { fixed + nodes });
        rest = others;
        (nodes > 0).then_some(values)
    };
    Atmosphere {
        horizontal: Horizontal::Uniform,
        time_s: column(0),
        height_km: column(1),
        longitude_deg: column(2),
        latitude_deg: column(3),
        pressure_hpa: column(4),
        temperature_k: column(5),
        mixing_ratio: (FIXED..gases).map(column).collect(),
        extinction_per_km: extinction,
        cloud: layer(2, control.cloud_wavenumbers_per_cm.len()).map(|values| CloudLayer {
            height_km: values[0],
            depth_km: values[1],
            extinction_per_km: values[2..].to_vec(),
        }),
        surface: layer(3, control.surface_wavenumbers_per_cm.len()).map(|values| SurfaceLayer {
            height_km: values[0],
            pressure_hpa: values[1],
            temperature_k: values[2],
            emissivity: values[3..].to_vec(),
        }),
    }
}

/// The values of each level, a column each.
pub(super) fn table(atmosphere: &Atmosphere, control: &Control, columns: usize) -> Result<Vec<Vec<f64>>, String> {
    let mut layers = Vec::new();
    if let Some(cloud) = &atmosphere.cloud {
        layers.extend([cloud.height_km, cloud.depth_km]);
        layers.extend(&cloud.extinction_per_km);
    }
    if let Some(surface) = &atmosphere.surface {
        layers.extend([surface.height_km, surface.pressure_hpa, surface.temperature_k]);
        layers.extend(&surface.emissivity);
    }
    let row = |i: usize| {
        let mut row = vec![
            atmosphere.time_s[i],
            atmosphere.height_km[i],
            atmosphere.longitude_deg[i],
            atmosphere.latitude_deg[i],
            atmosphere.pressure_hpa[i],
            atmosphere.temperature_k[i],
        ];
        row.extend(atmosphere.mixing_ratio.iter().map(|gas| gas[i]));
        row.extend(atmosphere.extinction_per_km.iter().take(control.window_count).map(|window| window[i]));
        row.extend(&layers);
        match row.len() {
            found if found == columns => Ok(row),
            found => Err(format!("the atmosphere fills {found} of {columns} columns")),
        }
    };
    (0..atmosphere.height_km.len()).map(row).collect()
}
