//! The Sun over the ground.

use isobar_core::Real;

use crate::limits::SUN_LAST_ZENITH_DEG;

const DEGREE: f64 = core::f64::consts::PI / 180.0;

/// The solar zenith angle \[deg\] at a time \[s since 2000-01-01T00:00Z\] and place \[deg\], with the low-precision
/// solar coordinates of the Astronomical Almanac (0.01 deg between 1950 and 2050).
#[inline(always)]
#[must_use]
pub fn zenith_deg<R: Real>(time_s: R, longitude_deg: R, latitude_deg: R) -> R {
    let c = R::from_f64;
    let days = time_s / c(86_400.0) - c(0.5);
    let anomaly = (c(357.529) + c(0.985_600_28) * days) * c(DEGREE);
    let mean_longitude = c(280.459) + c(0.985_647_36) * days;
    let longitude = (mean_longitude + c(1.915) * anomaly.sin() + c(0.020) * (c(2.0) * anomaly).sin()) * c(DEGREE);
    let obliquity = (c(23.439) - c(3.6e-7) * days) * c(DEGREE);
    let sine = longitude.sin();
    let declination = (obliquity.sin() * sine).asin();
    let right_ascension = (obliquity.cos() * sine).atan2(longitude.cos());
    let sidereal_h = c(18.697_374_558) + c(24.065_709_824_419_08) * days;
    let hour_angle = (sidereal_h + longitude_deg / c(15.0)) * c(core::f64::consts::PI / 12.0) - right_ascension;
    let latitude = latitude_deg * c(DEGREE);
    let cosine = latitude.sin() * declination.sin() + latitude.cos() * declination.cos() * hour_angle.cos();
    cosine.acos() / c(DEGREE)
}

/// How much of the Sun's light the end point of a ray, at a longitude and latitude \[deg\], reflects towards the ray:
/// the cosine of the zenith angle \[deg\], which a negative one leaves to time and place; 0 at night.
///
/// The ground scatters it as Lambert's does, the same towards all directions. JURASSIC's share is half the cosine of
/// the ray's incidence, over the cosine of the Sun's zenith angle.
#[inline(always)]
#[must_use]
pub fn share<R: Real>(
    given_zenith_deg: R,
    time_s: R,
    (longitude_deg, latitude_deg): (R, R),
    cos_incidence: R,
    jurassic: bool,
) -> R {
    let zenith =
        if given_zenith_deg < R::ZERO { zenith_deg(time_s, longitude_deg, latitude_deg) } else { given_zenith_deg };
    if zenith < R::from_f64(SUN_LAST_ZENITH_DEG) {
        let cosine = (zenith * R::from_f64(DEGREE)).cos();
        if jurassic { R::from_f64(0.5) * (cos_incidence / cosine) } else { cosine }
    } else {
        R::ZERO
    }
}
