//! Where the Sun is, and how strong photolysis is.

use isobar_core::{Column, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::constants::DAY_S;

/// The Sun's declination \[rad\] on a day of the year, from 1.0 at the start of January (Spencer 1971, Search 2, 172):
/// within 0.0006 rad.
#[must_use]
pub fn declination<R: Real>(day_of_year: R) -> R {
    let angle = R::from_f64(2.0 * core::f64::consts::PI / 365.0) * (day_of_year - R::ONE);
    let mut sum = R::from_f64(0.006_918);
    let terms = [(-0.399_912, 0.070_257), (-0.006_758, 0.000_907), (-0.002_697, 0.001_48)];
    for (i, (cosine, sine)) in terms.into_iter().enumerate() {
        let multiple = R::from_f64((i + 1) as f64) * angle;
        sum += R::from_f64(cosine) * multiple.cos() + R::from_f64(sine) * multiple.sin();
    }
    sum
}

/// The square of the mean distance of the Sun by that on a day of the year, likewise: what multiplies its mean
/// irradiance, within 0.0001.
#[must_use]
pub fn nearness<R: Real>(day_of_year: R) -> R {
    let angle = R::from_f64(2.0 * core::f64::consts::PI / 365.0) * (day_of_year - R::ONE);
    let mut sum = R::from_f64(1.000_11);
    for (i, (cosine, sine)) in [(0.034_221, 0.001_28), (0.000_719, 0.000_077)].into_iter().enumerate() {
        let multiple = R::from_f64((i + 1) as f64) * angle;
        sum += R::from_f64(cosine) * multiple.cos() + R::from_f64(sine) * multiple.sin();
    }
    sum
}

/// The hour angle at longitude 0 \[rad\], 0 at noon, within a turn of it, for a time of day in seconds.
#[must_use]
pub fn hour_angle(time_s: f64) -> f64 {
    let days = time_s / DAY_S;
    // Towards zero: one more where time is negative. There is no `floor` without std.
    let part = days - (days as i64) as f64;
    let part = if part < 0.0 { part + 1.0 } else { part };
    2.0 * core::f64::consts::PI * (part - 0.5)
}

/// Half of the daylight \[rad\]: the hour angle of sunset, from 0 (polar night) to pi (polar day).
#[inline(always)]
#[must_use]
pub fn half_day<R: Real>(latitude: R, declination: R) -> R {
    let cosine = -(latitude.sin() * declination.sin()) / (latitude.cos() * declination.cos()).max(R::from_f64(1e-6));
    cosine.clamp(-R::ONE, R::ONE).acos()
}

/// The cosine of the zenith angle, negative by night.
#[inline(always)]
#[must_use]
pub fn cosine_of_zenith<R: Real>(latitude: R, declination: R, hour_angle: R) -> R {
    latitude.sin() * declination.sin() + latitude.cos() * declination.cos() * hour_angle.cos()
}

/// The factor SUN of KPP's mechanisms: 0 by night, 1 at noon, `(1 + cos(pi x |x|)) / 2` with x running from -1 at
/// sunrise to 1 at sunset. KPP has sunrise at 4:30 and sunset at 19:30; here they are those of latitude and day.
#[inline(always)]
#[must_use]
pub fn photolysis_factor<R: Real>(hour_angle: R, half_day: R) -> R {
    if hour_angle.abs() >= half_day {
        return R::ZERO;
    }
    let x = hour_angle / half_day;
    R::from_f64(0.5) * (R::ONE + (R::from_f64(core::f64::consts::PI) * (x * x.abs())).cos())
}

/// The Sun over each column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sun<'a, R> {
    /// Latitude \[degrees\].
    pub latitude_deg: Column<'a, R>,
    /// Longitude \[degrees\]: local solar time is ahead by 4 minutes a degree.
    pub longitude_deg: Column<'a, R>,
    /// [`declination`] \[rad\].
    pub declination_rad: R,
    /// [`hour_angle`] at longitude 0 \[rad\].
    pub hour_angle_rad: R,
    /// Cosine of the zenith angle, one level.
    pub cosine_of_zenith: FieldMut<'a, R>,
    /// [`photolysis_factor`], one level.
    pub photolysis_factor: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for Sun<'_, R> {
    const NAME: &'static str = "column_sun";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.latitude_deg.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let degree = R::from_f64(core::f64::consts::PI / 180.0);
        let latitude = degree * self.latitude_deg.at(column);
        let pi = R::from_f64(core::f64::consts::PI);
        let turn = R::from_f64(2.0 * core::f64::consts::PI);
        let mut angle = self.hour_angle_rad + degree * self.longitude_deg.at(column);
        angle = if angle > pi { angle - turn } else { angle };
        angle = if angle < -pi { angle + turn } else { angle };
        let half = half_day(latitude, self.declination_rad);
        self.cosine_of_zenith.set(0, column, cosine_of_zenith(latitude, self.declination_rad, angle));
        self.photolysis_factor.set(0, column, photolysis_factor(angle, half));
        Status::OK
    }
}
