//! Values of a quantity in all columns.

use isobar_raytrace::constants::EARTH_RADIUS_KM;

/// Values of a quantity, `[column][level]`.
pub(super) type Columns = Vec<Vec<f64>>;

/// The geometric height \[km\] of a geopotential height \[km\].
pub(super) fn geometric(height_km: f64) -> f64 {
    EARTH_RADIUS_KM * height_km / (EARTH_RADIUS_KM - height_km)
}

pub(super) fn each(columns: &[Vec<f64>], f: impl Fn(f64) -> f64) -> Columns {
    columns.iter().map(|column| column.iter().map(|&value| f(value)).collect()).collect()
}

pub(super) fn pairs(first: &[Vec<f64>], second: &[Vec<f64>], f: impl Fn(f64, f64) -> f64) -> Columns {
    let one = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect();
    first.iter().zip(second).map(one).collect()
}
