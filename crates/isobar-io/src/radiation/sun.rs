//! Where the sun stands over each column.

use isobar_core::fields::Need;
use isobar_radiation::Columns;

use super::derive;
use super::quantity::{ZENITH_ANGLE, field, need};
use super::{RadiationRequest, SunAt};
use crate::columns_file::time::{self, LATITUDE, LONGITUDE, Time};
use crate::columns_file::{Fields, Reading, intervals};
use crate::error::Error;
use crate::sun::{Period, Sun, at_distance};

/// CAM's irradiance of the Sun: at 1 au, whatever the date is.
const AT_ONE_AU: &str = "sol_tsi";

/// How the note begins that there is no mean of a file's sun.
pub const NO_MEAN_SUN: &str = "--mean-sun has no effect";

/// Reads a cosine of its zenith angle, that angle, or when and where the columns are.
pub(super) fn read(reading: &mut Reading, request: &RadiationRequest) -> Result<(), Error> {
    let cosine = field("cosine_zenith");
    if need("cosine_zenith", request) == Need::Ignored {
        return Ok(());
    }
    let is_given = reading.has(&cosine)? || reading.has(&ZENITH_ANGLE)?;
    let given = if reading.has(&cosine)? { cosine } else { ZENITH_ANGLE };
    if request.sun == SunAt::Time && is_given {
        return reading.need(&given);
    }
    let [has_latitude, has_longitude] = [reading.has(&LATITUDE)?, reading.has(&LONGITUDE)?];
    let has_time = has_latitude && has_longitude && time::read(reading)?;
    if has_time {
        reading.need(&LATITUDE)?;
        return reading.need(&LONGITUDE);
    }
    if is_given {
        return reading.need(&given);
    }
    let others = reading.others(&ZENITH_ANGLE).map(|others| format!(" ({others})")).unwrap_or_default();
    let of_no_date = time::of_no_date(reading).map(|said| format!(" ({said})")).unwrap_or_default();
    let instead =
        format!("solar_zenith_angle in \"degree\"{others}, nor all of time, latitude and longitude{of_no_date}");
    reading.need_or(&cosine, &instead)
}

/// Fills in the sun.
pub(super) fn take(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &RadiationRequest,
    derived: &mut Vec<String>,
) -> Result<(), Error> {
    let name = fields.name("cosine_zenith").or_else(|| fields.name(ZENITH_ANGLE.name)).unwrap_or_default();
    columns.cosine_zenith = fields.take(&field("cosine_zenith"));
    let is_at_one_au = fields.name("total_solar_irradiance").is_some_and(|name| name == AT_ONE_AU);
    columns.total_solar_irradiance_w_per_m2 = fields.take(&field("total_solar_irradiance_w_per_m2"));
    let angles = fields.take(&ZENITH_ANGLE);
    if !angles.is_empty() {
        columns.cosine_zenith = derive::cosine(angles);
        derived.push("cosine_zenith = cosine of solar_zenith_angle".to_owned());
    }
    if need("cosine_zenith", request) == Need::Ignored {
        return Ok(());
    }
    if !columns.cosine_zenith.is_empty() {
        if request.sun == SunAt::Mean {
            fields.note(format!(
                "{NO_MEAN_SUN}: there are not all of time, latitude and longitude, and the sun stands as {name} says"
            ));
        }
        return Ok(());
    }
    // Where the columns are: `read` has seen to it that they are somewhere.
    let places = [&LATITUDE, &LONGITUDE].map(|quantity| fields.copy(quantity));
    let given = std::mem::take(&mut columns.total_solar_irradiance_w_per_m2);
    let of_table = request.spectra.gas_optics().find(|optics| !optics.is_longwave());
    let of_table = of_table.map_or(0.0, |optics| optics.solar_irradiance_w_per_m2);
    // At the distance of the Sun, but for what the file has there already.
    let mut put = |index: usize, cosine: f64, fraction: f64, at_distance: &dyn Fn(f64) -> f64| {
        columns.cosine_zenith.push(cosine);
        let irradiance = match given.get(index) {
            Some(&given) if is_at_one_au => at_distance(given),
            Some(&given) => given,
            None => at_distance(of_table),
        };
        columns.total_solar_irradiance_w_per_m2.push(fraction * irradiance);
    };
    let at = |index: usize| [places[0][index], places[1][index]];
    let (how, part) = match request.sun {
        SunAt::Time => {
            let mut sun: Option<(Time, Sun)> = None;
            for (index, now) in time::times(fields)?.into_iter().enumerate() {
                let sun = match sun {
                    Some((time, known)) if time == now => known,
                    _ => sun.insert((now, Sun::at(now.seconds))).1,
                };
                let [latitude, longitude] = at(index);
                let scaled = |irradiance: f64| at_distance(irradiance, sun.distance_au);
                put(index, sun.cosine_zenith(latitude, longitude), 1.0, &scaled);
            }
            ("at the time", "")
        }
        SunAt::Mean => {
            let mut known: Option<([Time; 2], Period)> = None;
            for (index, now) in intervals::periods(fields)?.into_iter().enumerate() {
                if known.as_ref().is_none_or(|(time, _)| *time != now) {
                    known = Some((now, Period::new(now[0].seconds, now[1].seconds)));
                }
                let Some((_, period)) = &known else { continue };
                let [latitude, longitude] = at(index);
                let daylight = period.daylight(latitude, longitude);
                let scaled = |irradiance: f64| irradiance * daylight.irradiance;
                put(index, daylight.cosine_zenith, daylight.fraction, &scaled);
            }
            ("the mean by day of each time's interval", ", times the part of the interval that is day")
        }
    };
    derived.extend(time::of_forecasts_in_words(fields));
    derived.push(format!("cosine_zenith: of the Sun's place by latitude, longitude and time, {how}"));
    let is_scaled = given.is_empty() || is_at_one_au;
    let irradiance = match given.is_empty() {
        true => "that of the k-distribution at the Sun's distance",
        false if is_at_one_au => "sol_tsi of the file, which is at 1 au, at the Sun's distance",
        false => "that of the file",
    };
    let weighted = if is_scaled && request.sun == SunAt::Mean { ", weighted with its light" } else { "" };
    derived.push(format!("total_solar_irradiance: {irradiance}{weighted}{part}"));
    Ok(())
}
