//! Between heights, longitudes and latitudes and Cartesian coordinates on a sphere.
//!
//! The origin is the centre of the Earth, x points to 0 E on the equator, z to the north pole.

use isobar_core::Real;
use nalgebra::Vector3;

use crate::constants::EARTH_RADIUS_KM;

const DEGREE: f64 = core::f64::consts::PI / 180.0;

/// The Cartesian position \[km\] of a point given by height \[km\], longitude and latitude \[deg\].
#[inline]
#[must_use]
pub fn to_cartesian<R: Real>(height_km: R, longitude_deg: R, latitude_deg: R) -> Vector3<R> {
    let radius = height_km + R::from_f64(EARTH_RADIUS_KM);
    let (longitude, latitude) = (longitude_deg * R::from_f64(DEGREE), latitude_deg * R::from_f64(DEGREE));
    Vector3::new(
        radius * latitude.cos() * longitude.cos(),
        radius * latitude.cos() * longitude.sin(),
        radius * latitude.sin(),
    )
}

/// The height \[km\], longitude and latitude \[deg\] of a Cartesian position.
#[inline]
#[must_use]
pub fn from_cartesian<R: Real>(x: Vector3<R>) -> (R, R, R) {
    let radius = norm(x);
    let latitude = (x[2] / radius).asin();
    let longitude = x[1].atan2(x[0]);
    let degree = R::from_f64(DEGREE);
    (radius - R::from_f64(EARTH_RADIUS_KM), longitude / degree, latitude / degree)
}

/// The height above the sphere \[km\].
#[inline(always)]
#[must_use]
pub fn height_km<R: Real>(x: Vector3<R>) -> R {
    norm(x) - R::from_f64(EARTH_RADIUS_KM)
}

/// The Euclidean length, with the square root that every backend shares.
#[inline(always)]
#[must_use]
pub fn norm<R: Real>(x: Vector3<R>) -> R {
    dot(x, x).sqrt()
}

/// The scalar product, summed in the order x, y, z.
#[inline(always)]
#[must_use]
pub fn dot<R: Real>(a: Vector3<R>, b: Vector3<R>) -> R {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector of length 1 in the same direction.
#[inline(always)]
#[must_use]
pub fn unit<R: Real>(x: Vector3<R>) -> Vector3<R> {
    x / norm(x)
}
