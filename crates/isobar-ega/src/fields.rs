//! What goes into the forward model besides its atmosphere, and what comes out.
#![allow(unsafe_code, reason = "views of rays where they lie")]

use core::mem::offset_of;

use isobar_core::Column;
use isobar_core::fields::{CHANNEL, Dimension};
use isobar_raytrace::{Position, Ray};

/// The gases of the setup.
pub const GAS: Dimension = Dimension("gas");

/// What a ray is called in messages.
pub const ITEM: &str = "ray";

isobar_core::fields! {
    /// Lines of sight from an observer towards a view point: for a limb ray its geometric tangent point, for a nadir
    /// ray a point on the ground. A ray through the ground or without a direction spoils no other: its status says so.
    inputs Rays, RayViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Time of the measurement, since 2000-01-01T00:00Z.
        time_s: Real [] "s" .cf(&["time"]);
        /// Height of the observer.
        observer_height_km: Real [] "km";
        /// Longitude of the observer.
        observer_longitude_deg: Real [] "degrees_east";
        /// Latitude of the observer.
        observer_latitude_deg: Real [] "degrees_north";
        /// Height of the view point.
        view_point_height_km: Real [] "km";
        /// Longitude of the view point.
        view_point_longitude_deg: Real [] "degrees_east";
        /// Latitude of the view point.
        view_point_latitude_deg: Real [] "degrees_north";
    }
}

isobar_core::fields! {
    /// What pencil beams see.
    outputs Beams, BeamViews
    with #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))] {
        /// Radiance; NaN for a ray that cannot be traced.
        radiance: Real [CHANNEL] "W m-2 sr-1 (cm-1)-1";
        /// Transmittance of the path; NaN for a ray that cannot be traced.
        transmittance: Real [CHANNEL] "1";
        /// Height of the tangent point.
        tangent_height_km: Real [] "km";
        /// Longitude of the tangent point.
        tangent_longitude_deg: Real [] "degrees_east";
        /// Latitude of the tangent point.
        tangent_latitude_deg: Real [] "degrees_north";
        /// Points of the path; 0 where the ray misses the atmosphere.
        points: Word [] "1";
        /// 1 where some channel ended early.
        cut_short: Word [] "1";
        /// Points of the path outside the tables of each gas.
        outside_points: Word [GAS] "1";
        /// Pressure at the first of them.
        outside_pressure_hpa: Real [GAS] "hPa";
        /// Temperature there.
        outside_temperature_k: Real [GAS] "K";
        /// What became of the ray: 0 if it was computed.
        status: Word [] "1";
    }
}

impl RayViews<'_, f64> {
    /// A ray by its number.
    #[must_use]
    pub fn ray(&self, number: usize) -> Ray {
        let [observer, view_point] = [
            [self.observer_height_km, self.observer_longitude_deg, self.observer_latitude_deg],
            [self.view_point_height_km, self.view_point_longitude_deg, self.view_point_latitude_deg],
        ]
        .map(|place| place.map(|column| column.at(number)))
        .map(|[height_km, longitude_deg, latitude_deg]| Position { height_km, longitude_deg, latitude_deg });
        Ray { time_s: self.time_s.at(number), observer, view_point }
    }
}

/// Rays where they lie.
impl<'a> From<&'a [Ray]> for RayViews<'a, f64> {
    fn from(rays: &'a [Ray]) -> Self {
        macro_rules! column {
            ($($field:tt)*) => {{
                let (offset, stride) = (offset_of!(Ray, $($field)*), size_of::<Ray>() / size_of::<f64>());
                let start = rays.as_ptr().wrapping_byte_add(offset).cast::<f64>();
                // SAFETY: each ray has the value, as many doubles behind that of the ray before as a ray is long.
                unsafe { Column::from_raw(start, rays.len(), stride as isize) }
            }};
        }
        Self {
            time_s: column!(time_s),
            observer_height_km: column!(observer.height_km),
            observer_longitude_deg: column!(observer.longitude_deg),
            observer_latitude_deg: column!(observer.latitude_deg),
            view_point_height_km: column!(view_point.height_km),
            view_point_longitude_deg: column!(view_point.longitude_deg),
            view_point_latitude_deg: column!(view_point.latitude_deg),
        }
    }
}

impl From<&[Ray]> for Rays<f64> {
    fn from(rays: &[Ray]) -> Self {
        let all = |value: fn(&Ray) -> f64| rays.iter().map(value).collect();
        Self {
            time_s: all(|ray| ray.time_s),
            observer_height_km: all(|ray| ray.observer.height_km),
            observer_longitude_deg: all(|ray| ray.observer.longitude_deg),
            observer_latitude_deg: all(|ray| ray.observer.latitude_deg),
            view_point_height_km: all(|ray| ray.view_point.height_km),
            view_point_longitude_deg: all(|ray| ray.view_point.longitude_deg),
            view_point_latitude_deg: all(|ray| ray.view_point.latitude_deg),
        }
    }
}

/// There are as many rays as heights of view points.
impl<'a> TryFrom<&'a Rays<f64>> for RayViews<'a, f64> {
    type Error = isobar_core::fields::Error;

    fn try_from(rays: &'a Rays<f64>) -> Result<Self, Self::Error> {
        use isobar_core::fields::{Extents, OwnedInputs};
        rays.views(&Extents::new(rays.view_point_height_km.len()), ITEM)
    }
}
