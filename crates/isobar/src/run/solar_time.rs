//! By which time the Sun of a run stands.

use isobar_column::stages::{SolarTime, equation_of_time};
use isobar_column::sun::hour_angle;
use isobar_io::Whereabouts;
use isobar_io::sun::Sun;

use super::description::{Description, GroundKind};
use super::processes::SolarTimeKey;
use super::reader::CaseFile;
use super::start_file::when;

/// Does anything see the Sun?
pub(super) fn has_sun(case: &Description) -> bool {
    case.shortwave.is_some() || case.chemistry.is_some() || case.ground.kind == GroundKind::Slab
}

/// Its declination and its hour angle at longitude 0 \[rad\] at a time \[s since 2000\].
fn position(time_s: f64) -> [f64; 2] {
    let sun = Sun::at(time_s);
    [sun.declination(), sun.hour_angle_at(0.0)]
}

/// By how much the Sun of a date is ahead of mean solar time, by the time of that day \[s\].
fn minutes_ahead(date: f64, time_s: f64) -> f64 {
    let [_, apparent] = position(date);
    let turns = (apparent - hour_angle(time_s)) / core::f64::consts::TAU;
    1440.0 * (turns - turns.round())
}

/// The time of a case: by the date where a file has one that the case does not change, and what there is to say of it.
pub(super) fn solar_time(
    file: &CaseFile,
    case: &Description,
    whereabouts: Option<&Whereabouts>,
) -> (SolarTime, Option<String>) {
    let (day, hour) = when(case, whereabouts);
    let own = case.day_of_year.is_some() || case.start_hour.is_some();
    let date = whereabouts.and_then(|whereabouts| whereabouts.time_s).filter(|_| !own);
    let minutes = match date {
        Some(date) => minutes_ahead(date, 3600.0 * hour),
        None => equation_of_time(day + hour / 24.0) / 60.0,
    };
    let (path, direction) = (file.path.display(), if minutes < 0.0 { "behind" } else { "ahead of" });
    let minutes = minutes.abs();
    let say = |what: String| has_sun(case).then_some(what);
    match (case.solar_time, date) {
        (Some(SolarTimeKey::Mean), _) => (SolarTime::Mean, None),
        (Some(SolarTimeKey::Apparent), None) => (SolarTime::Apparent, None),
        (key, Some(date)) => {
            let what = format!(
                "{path}: the Sun is that of the file's date, {minutes:.1} min {direction} mean solar time \
                 (`solar_time = \"mean\"` has that)"
            );
            let of_date = SolarTime::Date { position, start_s: date - 3600.0 * hour };
            (of_date, say(what).filter(|_| key.is_none()))
        }
        (None, None) => {
            let what = format!(
                "{path}: the Sun is by mean solar time; by `solar_time = \"apparent\"` it would be {minutes:.1} min \
                 {direction} that"
            );
            (SolarTime::Mean, say(what))
        }
    }
}
