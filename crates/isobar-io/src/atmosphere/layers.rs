//! Cloud and surface, of which an atmosphere has one each: what rows and profiles say against the first one.

use crate::column::Column;
use crate::control::Control;
use crate::number::Number;

/// Columns before the gases: time, z, longitude, latitude, pressure, temperature.
pub(super) const FIXED: usize = 6;

/// The columns of cloud and surface.
#[derive(Debug)]
pub(super) struct Layers {
    columns: Vec<Column>,
    first: usize,
}

impl Layers {
    pub(super) fn new(columns: Vec<Column>, control: &Control) -> Self {
        Self { columns, first: FIXED + control.emitters.len() + control.window_count }
    }

    /// What the next row says against the first one, if anything. Rows that are not the first of a profile may be 0 in
    /// all these columns, since JURASSIC reads them in the first row alone.
    pub(super) fn contradiction(&self, rows: &[Vec<f64>], row: &[f64], begins: bool) -> Option<String> {
        let before = rows.first()?;
        if !begins && row[self.first..].iter().all(|value| *value == 0.0) {
            return None;
        }
        let column = (self.first..self.columns.len()).find(|&column| row[column] != before[column])?;
        let what = self.columns[column].describe(row[column], "level", rows.len());
        let first = Number(before[column]);
        Some(format!("{what} is {first} in the first row: cloud and surface are one for all levels and profiles"))
    }
}

/// The first profile whose cloud or surface is not that of the first one. Surfaces without a height of their own are at
/// the lowest levels of their profiles, which may differ.
#[cfg(feature = "netcdf")]
pub(super) fn differing(profiles: &[isobar_raytrace::Atmosphere]) -> Option<usize> {
    let lowest = |one: &isobar_raytrace::Atmosphere| one.height_km.iter().copied().fold(f64::INFINITY, f64::min);
    let surface = |one: &isobar_raytrace::Atmosphere| {
        one.surface.clone().map(|mut surface| {
            if surface.height_km == lowest(one) {
                surface.height_km = 0.0;
            }
            surface
        })
    };
    let first = profiles.first()?;
    let has_others = |one: &isobar_raytrace::Atmosphere| one.cloud != first.cloud || surface(one) != surface(first);
    profiles.iter().position(has_others)
}
