//! What the tracer leaves behind: the points of each path and a summary of each ray.

use isobar_core::{FieldMut, Real};
use nalgebra::Vector3;

use crate::constants::BOLTZMANN_J_PER_K;

/// One point of a path, and the segment of the path that it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Point<R> {
    /// Cartesian position \[km\].
    pub position_km: Vector3<R>,
    /// Height \[km\].
    pub height_km: R,
    /// Pressure \[hPa\].
    pub pressure_hpa: R,
    /// Temperature \[K\].
    pub temperature_k: R,
    /// Step from this point to the next \[km\].
    pub step_km: R,
}

/// The paths of many rays: each field is `(point, ray)`.
///
/// `position_km` may have no levels, where positions are not wanted.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Paths<'a, R> {
    /// Height of each point \[km\].
    pub height_km: FieldMut<'a, R>,
    /// Pressure \[hPa\].
    pub pressure_hpa: FieldMut<'a, R>,
    /// Temperature \[K\].
    pub temperature_k: FieldMut<'a, R>,
    /// Length of the segment around the point \[km\]: trapezoidal weights along the path.
    pub length_km: FieldMut<'a, R>,
    /// Molecules of air in the segment \[molecules/cm^2\]; times a mixing ratio, the column density of a gas.
    pub air_column_per_cm2: FieldMut<'a, R>,
    /// Volume mixing ratio \[mol/mol\], `(point, gas * rays + ray)`.
    pub mixing_ratio: FieldMut<'a, R>,
    /// Extinction \[1/km\], `(point, window * rays + ray)`.
    pub extinction_per_km: FieldMut<'a, R>,
    /// Cartesian position \[km\], `(point, axis * rays + ray)`.
    pub position_km: FieldMut<'a, R>,
}

/// Length of the segment around a point \[km\], from the steps that arrive and leave: trapezoidal weights.
#[inline(always)]
#[must_use]
pub fn segment_length_km<R: Real>(arriving_km: R, leaving_km: R) -> R {
    R::from_f64(0.5) * (arriving_km + leaving_km)
}

/// Molecules of air in a segment \[molecules/cm^2\], from pressure, temperature and length.
#[inline(always)]
#[must_use]
pub fn air_column_per_cm2<R: Real>(pressure_hpa: R, temperature_k: R, length_km: R) -> R {
    // 10 = 100 Pa/hPa * 1e-6 m^3/cm^3 * 1e5 cm/km
    R::from_f64(10.0 / BOLTZMANN_J_PER_K) * (pressure_hpa / temperature_k * length_km)
}

/// What became of one ray.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct PathSummary<R> {
    /// The number of points; zero for a ray that misses the atmosphere.
    pub points: u32,
    /// 1 where the path ends on the ground, 0 where it leaves into space.
    pub hits_ground: u32,
    /// Height of the tangent point \[km\]: of the lowest point where the path has no tangent.
    pub tangent_height_km: R,
    /// Longitude of the tangent point \[deg\].
    pub tangent_longitude_deg: R,
    /// Latitude of the tangent point \[deg\].
    pub tangent_latitude_deg: R,
    /// Temperature of the air at the last point \[K\].
    pub last_temperature_k: R,
    /// Longitude of the last point \[deg\].
    pub last_longitude_deg: R,
    /// Latitude of the last point \[deg\].
    pub last_latitude_deg: R,
    /// Cosine of the angle between the local vertical at the last point and the straight line to the first.
    pub cos_incidence: R,
}
