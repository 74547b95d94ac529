//! Where the Sun stands, from time and place.
//!
//! By the low-accuracy theory of Meeus (1998, Astronomical Algorithms, 2nd edition, chapter 25), whose longitudes of
//! the Sun are within 0.01 degrees between 1900 and 2100. Zenith angles are geometric: without refraction, and from the
//! centre of the Earth, from which a place at the surface differs by 0.0024 degrees at most.

use core::f64::consts::{PI, TAU};

use isobar_core::Real;

/// The Sun at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Sine and cosine of its declination.
    declination: [f64; 2],
    /// The longitude over which it stands, as an angle to the west of Greenwich \[rad\].
    greenwich_hour_angle: f64,
    /// Distance from the Earth \[au\].
    pub distance_au: f64,
}

/// A mean over a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Daylight {
    /// The part of the time at which the Sun is above the horizon.
    pub fraction: f64,
    /// The mean cosine of its zenith angle in that part, 0 where there is none.
    pub cosine_zenith: f64,
    /// The mean of its irradiance, per one at 1 au, over the sunlight: weighted with that cosine; 0 where there is
    /// none. Times the cosine and the fraction it is the mean of the cosine over the distance squared.
    pub irradiance: f64,
}

/// Means are sums over parts of this length, each with the Sun's declination in its middle: with it the mean cosine is
/// within 2e-7.
const PART_S: f64 = 600.0;

fn turns(degrees: f64) -> f64 {
    let turns = degrees / 360.0;
    (turns - turns.floor()) * TAU
}

impl Sun {
    /// At a time \[s since 2000-01-01T00:00Z\].
    #[must_use]
    pub fn at(time_s: f64) -> Self {
        // Since 2000-01-01T12:00 (J2000.0).
        let days = time_s / 86_400.0 - 0.5;
        let t = days / 36_525.0;
        // Mean longitude and anomaly, eccentricity (25.2 to 25.4).
        let longitude = 280.466_46 + t * (36_000.769_83 + t * 0.000_303_2);
        let anomaly = 357.529_11 + t * (35_999.050_29 - t * 0.000_153_7);
        let eccentricity = 0.016_708_634 - t * (0.000_042_037 + t * 0.000_000_126_7);
        // Equation of the centre.
        let m = turns(anomaly);
        let centre = (1.914_602 - t * (0.004_817 + t * 0.000_014)) * Real::sin(m)
            + (0.019_993 - t * 0.000_101) * Real::sin(2.0 * m)
            + 0.000_289 * Real::sin(3.0 * m);
        let true_anomaly = m + centre.to_radians();
        let distance_au =
            1.000_001_018 * (1.0 - eccentricity * eccentricity) / (1.0 + eccentricity * Real::cos(true_anomaly));
        // Aberration and nutation: apparent longitude and obliquity (25.8).
        let node = turns(125.04 - 1934.136 * t);
        let nutation = -0.004_78 * Real::sin(node);
        let apparent = turns(longitude + centre - 0.005_69 + nutation);
        let mean_obliquity = 23.439_291_1 - t * (0.013_004_167 + t * (1.639e-7 - t * 5.036e-7));
        let obliquity = (mean_obliquity + 0.002_56 * Real::cos(node)).to_radians();
        let (sine, cosine) = (Real::sin(apparent), Real::cos(apparent));
        let sine_declination = Real::sin(obliquity) * sine;
        let right_ascension = Real::atan2(Real::cos(obliquity) * sine, cosine);
        // Apparent sidereal time at Greenwich (12.4).
        let sidereal = 280.460_618_37 + 360.985_647_366_29 * days + t * t * (0.000_387_933 - t / 38_710_000.0);
        let sidereal = turns(sidereal + nutation * Real::cos(obliquity));
        Self {
            declination: [sine_declination, (1.0 - sine_declination * sine_declination).sqrt()],
            greenwich_hour_angle: sidereal - right_ascension,
            distance_au,
        }
    }

    /// Its declination \[rad\].
    #[must_use]
    pub fn declination(&self) -> f64 {
        let [sine, cosine] = self.declination;
        Real::atan2(sine, cosine)
    }

    /// Its hour angle at a longitude \[rad\], in `[-pi, pi)`, 0 at noon.
    #[must_use]
    pub fn hour_angle_at(&self, longitude_deg: f64) -> f64 {
        self.hour_angle(longitude_deg)
    }

    /// Cosine of the zenith angle at a place.
    #[must_use]
    pub fn cosine_zenith(&self, latitude_deg: f64, longitude_deg: f64) -> f64 {
        let [constant, amplitude] = self.amplitudes(latitude_deg);
        (constant + amplitude * Real::cos(self.hour_angle(longitude_deg))).clamp(-1.0, 1.0)
    }

    /// The cosine of the zenith angle is the first, plus the second times that of the hour angle.
    fn amplitudes(&self, latitude_deg: f64) -> [f64; 2] {
        let latitude = latitude_deg.to_radians();
        let [sine, cosine] = self.declination;
        // Exactly 0 at the poles, where a cosine would not be.
        let cosine_latitude = if latitude_deg.abs() == 90.0 { 0.0 } else { Real::cos(latitude) };
        [Real::sin(latitude) * sine, cosine_latitude * cosine]
    }

    /// In `[-pi, pi)`, 0 at noon.
    fn hour_angle(&self, longitude_deg: f64) -> f64 {
        let turns = (self.greenwich_hour_angle + longitude_deg.to_radians()) / TAU + 0.5;
        (turns - turns.floor()) * TAU - PI
    }
}

/// The Sun in the parts of a time, from one time to another \[s since 2000-01-01T00:00Z\].
#[derive(Clone, Debug)]
pub struct Period {
    parts: Vec<Sun>,
    /// Half of the angle by which the hour angle grows in a part.
    half_part: f64,
}

impl Period {
    /// From `start_s` to `end_s`, which is later.
    #[must_use]
    pub fn new(start_s: f64, end_s: f64) -> Self {
        let count = ((end_s - start_s) / PART_S).ceil().max(1.0);
        let part = (end_s - start_s) / count;
        let parts = (0..count as usize).map(|i| Sun::at(start_s + (i as f64 + 0.5) * part)).collect();
        Self { parts, half_part: 0.5 * part / 86_400.0 * TAU }
    }

    /// Means at a place.
    #[must_use]
    pub fn daylight(&self, latitude_deg: f64, longitude_deg: f64) -> Daylight {
        let (mut lit, mut sum, mut light) = (0.0, 0.0, 0.0);
        for sun in &self.parts {
            let [constant, amplitude] = sun.amplitudes(latitude_deg);
            let irradiance = at_distance(1.0, sun.distance_au);
            // The hour angle at which it sets.
            let set = if constant >= amplitude {
                PI
            } else if constant <= -amplitude {
                0.0
            } else {
                Real::acos(-constant / amplitude)
            };
            let middle = sun.hour_angle(longitude_deg);
            // Where the part reaches beyond midnight, its end is in the next day.
            for day in [-TAU, 0.0, TAU] {
                let from = (middle - self.half_part).max(day - set);
                let to = (middle + self.half_part).min(day + set);
                if to > from {
                    let cosine = constant * (to - from) + amplitude * (Real::sin(to) - Real::sin(from));
                    lit += to - from;
                    sum += cosine;
                    light += irradiance * cosine;
                }
            }
        }
        let whole = 2.0 * self.half_part * self.parts.len() as f64;
        let cosine_zenith = if lit > 0.0 { (sum / lit).clamp(0.0, 1.0) } else { 0.0 };
        let irradiance = if sum > 0.0 { light / sum } else { 0.0 };
        Daylight { fraction: (lit / whole).min(1.0), cosine_zenith, irradiance }
    }
}

/// The irradiance at this distance of one that is given at 1 au.
#[must_use]
pub fn at_distance(irradiance: f64, distance_au: f64) -> f64 {
    irradiance / (distance_au * distance_au)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seconds_of_date;

    fn zenith(date: &str, latitude: f64, longitude: f64) -> f64 {
        Real::acos(Sun::at(seconds_of_date(date).unwrap()).cosine_zenith(latitude, longitude)).to_degrees()
    }

    /// Reda and Andreas (2004, NREL/TP-560-34302), Table A5.1: the topocentric elevation without refraction is
    /// 39.872046 degrees; parallax is 8.794 arc seconds times the sine of the zenith angle.
    #[test]
    fn the_test_point_of_nrel() {
        let parallax = 8.794 / 3600.0 * Real::sin(50.0_f64.to_radians());
        let found = zenith("2003-10-17T19:30:30Z", 39.742_476, -105.1786) + parallax;
        assert!((found - (90.0 - 39.872_046)).abs() < 0.003, "{found}");
        let distance = Sun::at(seconds_of_date("2003-10-17T19:30:30Z").unwrap()).distance_au;
        assert!((distance - 0.996_542_297_4).abs() < 2e-5, "{distance}");
    }

    /// Equinoxes and solstices of 2024 (USNO): the declination there.
    #[test]
    fn seasons_begin_when_they_do() {
        for (date, declination, error) in [
            ("2024-03-20T03:06:00Z", 0.0, 0.005),
            ("2024-06-20T20:51:00Z", 23.438, 0.002),
            ("2024-09-22T12:44:00Z", 0.0, 0.005),
            ("2024-12-21T09:21:00Z", -23.438, 0.002),
        ] {
            let found = 90.0 - zenith(date, 90.0, 0.0);
            assert!((found - declination).abs() < error, "{date}: {found}");
        }
    }

    /// Means against the sum over ten thousand times.
    #[test]
    fn means_are_those_of_quadrature() {
        const STEPS: usize = 20_000;
        for (date, hours, latitude, longitude) in [
            ("2020-03-20T00:00:00Z", 3.0, 40.0, 100.0),
            ("2020-06-01T21:00:00Z", 6.0, 70.0, -150.0),
            ("2020-12-21T00:00:00Z", 24.0, 30.0, 10.0),
            ("2020-12-21T06:00:00Z", 1.0, -89.9, 10.0),
            ("2020-12-21T06:00:00Z", 24.0, 89.0, 10.0),
            ("2020-10-01T05:00:00Z", 48.0, 5.0, 179.0),
            ("2020-02-11T05:20:00Z", 1.0, 51.0, 15.0),
            // A month, and a year in which the Sun is nearer by 3 % while it shines on a pole.
            ("2020-03-01T00:00:00Z", 31.0 * 24.0, 45.0, 7.0),
            ("2020-01-01T00:00:00Z", 366.0 * 24.0, -90.0, 0.0),
        ] {
            let start = seconds_of_date(date).unwrap();
            let (mut lit, mut sum, mut light) = (0.0, 0.0, 0.0);
            for i in 0..STEPS {
                let time = start + (i as f64 + 0.5) / STEPS as f64 * hours * 3600.0;
                let sun = Sun::at(time);
                let cosine = sun.cosine_zenith(latitude, longitude);
                if cosine > 0.0 {
                    (lit, sum) = (lit + 1.0, sum + cosine);
                    light += cosine / (sun.distance_au * sun.distance_au);
                }
            }
            let found = Period::new(start, start + hours * 3600.0).daylight(latitude, longitude);
            let mean = sum / STEPS as f64;
            assert!((found.fraction * found.cosine_zenith - mean).abs() < 3e-7, "{date}: {found:?} {mean}");
            assert!((found.fraction - lit / STEPS as f64).abs() < 2e-4, "{date}: {found:?} {lit}");
            let light = light / STEPS as f64;
            let mean = found.fraction * found.cosine_zenith * found.irradiance;
            assert!((mean - light).abs() < 3e-7, "{date}: {found:?} {light}");
        }
    }
}
