//! `hours since 1900-01-01 00:00:00`.

use super::of_models::Calendar;
use super::{date_and_time, seconds_of_date};
use crate::netcdf::Unit;

/// Seconds a step, and the text of the date at zero.
fn parts(units: &str) -> Option<(f64, &str)> {
    let (unit, start) = units.split_once(" since ")?;
    let seconds: Unit = "s".parse().ok()?;
    let step = unit.trim().to_lowercase().parse::<Unit>().ok()?.conversion(&seconds)?.apply(1.0);
    Some((step, start))
}

/// Seconds a step, and seconds since 2000-01-01T00:00Z of its zero, in the Gregorian calendar.
pub(crate) fn since(units: &str) -> Option<[f64; 2]> {
    let (step, start) = parts(units)?;
    Some([step, seconds_of_date(start)?])
}

/// How numbers of a file are times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Since {
    calendar: Calendar,
    step: f64,
    start: ((i64, i64, i64), f64),
}

impl Since {
    /// By the attributes `units` and `calendar`.
    pub(crate) fn of(units: &str, calendar: Option<&str>) -> Result<Self, String> {
        let calendar = match calendar {
            None => Calendar::Standard,
            Some(text) => Calendar::named(text).ok_or_else(|| {
                format!(
                    "calendar {text:?} is none of standard, proleptic_gregorian, julian, noleap, all_leap and 360_day"
                )
            })?,
        };
        let wanted = || format!("units {units:?}; expected such as \"hours since 1900-01-01 00:00:00\"");
        let (step, start) = parts(units).ok_or_else(wanted)?;
        let this = Self { calendar, step, start: date_and_time(start).ok_or_else(wanted)? };
        this.seconds(0.0).map(|_| this).ok_or_else(|| format!("{}, a date of its calendar", wanted()))
    }

    /// How numbers of another become numbers of this: times the first, plus the second, over the third; nothing where
    /// calendars differ.
    pub(crate) fn factors(&self, other: &Self) -> Option<[f64; 3]> {
        if self == other {
            return Some([1.0, 0.0, 1.0]);
        }
        let start = |since: &Self| Some(86_400.0 * since.calendar.days(since.start.0)? as f64 + since.start.1);
        (self.calendar == other.calendar).then_some([other.step, start(other)? - start(self)?, self.step])
    }

    /// The seconds of so many steps.
    pub(crate) fn length(&self, steps: f64) -> f64 {
        steps * self.step
    }

    /// Seconds since 2000-01-01T00:00Z of the same date of Gregory's, and the year.
    pub(crate) fn seconds(&self, value: f64) -> Option<(f64, i64)> {
        self.calendar.gregorian(self.start, value * self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_say_what_zero_is() {
        assert_eq!(since("hours since 1970-01-01"), Some([3600.0, -946_684_800.0]));
        assert_eq!(since("minutes since 2000-01-01 00:01"), Some([60.0, 60.0]));
        assert_eq!(since("Days since 2000-01-02"), Some([86_400.0, 86_400.0]));
        assert_eq!(since("months since 2000-01-02").filter(|[step, _]| *step == 30.0 * 86_400.0), None);
        assert_eq!(since("metres since 2000-01-02"), None);
        assert_eq!(since("hours"), None);
    }

    #[test]
    fn numbers_since_one_date_are_numbers_since_another() {
        let since = |units: &str, calendar| Since::of(units, Some(calendar)).unwrap();
        let first = since("hours since 2020-02-28 12:00", "noleap");
        let [step, shift, unit] = first.factors(&since("days since 2020-03-01", "noleap")).unwrap();
        assert_eq!((2.0 * step + shift) / unit, 48.0 + 12.0);
        let [step, shift, unit] = first.factors(&first).unwrap();
        assert_eq!((2.5 * step + shift) / unit, 2.5);
        assert_eq!(first.factors(&since("hours since 2020-02-28", "standard")), None);
    }

    #[test]
    fn calendars_count_their_own_days() {
        let at = |calendar, value| Since::of("days since 1999-01-01 06:00", calendar).unwrap().seconds(value).unwrap();
        assert_eq!(at(None, 365.0), (21_600.0, 2000));
        assert_eq!(at(Some("noleap"), 730.0), (366.0 * 86_400.0 + 21_600.0, 2001));
        assert_eq!(at(Some("360_day"), 360.0).1, 2000);
        let refused = Since::of("days since 2000-01-01", Some("lunar")).unwrap_err();
        assert!(refused.contains("\"lunar\" is none of"), "{refused}");
        let refused = Since::of("days since 2001-02-29", None).unwrap_err();
        assert!(refused.contains("a date of its calendar"), "{refused}");
        assert!(Since::of("days since 2000-02-30", Some("360_day")).is_ok());
        assert!(Since::of("fortnights", None).is_err());
    }
}
