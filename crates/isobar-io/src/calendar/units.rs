//! `hours since 1900-01-01 00:00:00`.

use super::date_and_time;
use super::of_models::Calendar;
use crate::netcdf::Unit;

/// Seconds a step, and the text of the date at zero.
fn parts(units: &str, calendar: Calendar) -> Option<(f64, &str)> {
    let (unit, start) = units.split_once(" since ")?;
    let unit = unit.trim().to_lowercase();
    // Elsewhere a month has no length.
    if calendar == Calendar::Days360 && ["month", "months"].contains(&&*unit) {
        return Some((30.0 * 86_400.0, start));
    }
    let seconds: Unit = "s".parse().ok()?;
    let step = unit.parse::<Unit>().ok()?.conversion(&seconds)?.apply(1.0);
    Some((step, start))
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
                    "calendar {text:?} is none of standard, proleptic_gregorian, julian, noleap, all_leap, 360_day \
                     and none"
                )
            })?,
        };
        let wanted = || format!("units {units:?}; expected such as \"hours since 1900-01-01 00:00:00\"");
        let (step, start) = parts(units, calendar).ok_or_else(wanted)?;
        let this = Self { calendar, step, start: date_and_time(start).ok_or_else(wanted)? };
        this.seconds(0.0).map(|_| this).ok_or_else(|| format!("{}, a date of its calendar", wanted()))
    }

    /// How numbers of another become numbers of this: times the first, plus the second, over the third; nothing where
    /// calendars differ.
    pub(crate) fn factors(&self, other: &Self) -> Option<[f64; 3]> {
        if self == other {
            return Some([1.0, 0.0, 1.0]);
        }
        // Without a calendar times count from the beginning of an experiment, and of another it is another.
        if self.calendar == Calendar::Perpetual && self.start != other.start {
            return None;
        }
        let start = |since: &Self| since.own(0.0);
        (self.calendar == other.calendar).then_some([other.step, start(other)? - start(self)?, self.step])
    }

    /// The seconds of so many steps.
    pub(crate) fn length(&self, steps: f64) -> f64 {
        steps * self.step
    }

    /// The calendar.
    pub(crate) fn calendar(&self) -> Calendar {
        self.calendar
    }

    /// Seconds of its calendar, which rise with time.
    pub(crate) fn own(&self, value: f64) -> Option<f64> {
        self.calendar.own(self.start, value * self.step)
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
        let of = |units: &str| {
            let since = Since::of(units, None).ok()?;
            Some([since.length(1.0), since.seconds(0.0)?.0])
        };
        assert_eq!(of("hours since 1970-01-01"), Some([3600.0, -946_684_800.0]));
        assert_eq!(of("minutes since 2000-01-01 00:01"), Some([60.0, 60.0]));
        assert_eq!(of("Days since 2000-01-02"), Some([86_400.0, 86_400.0]));
        assert_eq!(of("metres since 2000-01-02"), None);
        assert_eq!(of("hours"), None);
        // A month has a length where all have the same.
        assert_eq!(of("months since 2000-01-02"), None);
        let months = Since::of("months since 2000-01-01", Some("360_day")).unwrap();
        assert_eq!((months.length(2.0), months.seconds(13.0).unwrap().1), (60.0 * 86_400.0, 2001));
    }

    /// Before the reform of 1582 the standard calendar is Julian, as NCEP's `hours since 1-1-1` has it: cftime has
    /// 730,121 days to 2000, and 730,119 of the proleptic one.
    #[test]
    fn old_references_are_those_of_their_calendar() {
        for (calendar, days) in
            [(None, 730_121.0), (Some("gregorian"), 730_121.0), (Some("proleptic_gregorian"), 730_119.0)]
        {
            let since = Since::of("hours since 1-1-1 00:00:0.0", calendar).unwrap();
            assert_eq!(since.seconds(24.0 * days), Some((0.0, 2000)), "{calendar:?}");
        }
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
        let july = since("days since 1-7-15", "none");
        assert_eq!(july.factors(&july), Some([1.0, 0.0, 1.0]));
        assert_eq!(july.factors(&since("days since 1-7-16", "none")), None);
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
