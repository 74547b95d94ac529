//! `hours since 1900-01-01 00:00:00`, and `day as %Y%m%d.%f`, as ICON and CDO have it.

use super::date_and_time;
use super::of_models::Calendar;
use crate::netcdf::Unit;

/// Seconds a step, and the text of the date at zero.
fn parts(units: &str, calendar: Calendar) -> Option<(f64, &str)> {
    let (unit, start) = split(units)?;
    let unit = unit.trim().to_lowercase();
    // Elsewhere a month has no length.
    if calendar == Calendar::Days360 && ["month", "months"].contains(&&*unit) {
        return Some((30.0 * 86_400.0, start));
    }
    let seconds: Unit = "s".parse().ok()?;
    let step = unit.parse::<Unit>().ok()?.conversion(&seconds)?.apply(1.0);
    Some((step, start))
}

/// The unit of steps, and the text of the date that they are counted from; the case of the word between does not
/// matter, as to UDUNITS.
fn split(units: &str) -> Option<(&str, &str)> {
    const SINCE: &str = " since ";
    let at = units.to_ascii_lowercase().find(SINCE)?;
    Some((&units[..at], &units[at + SINCE.len()..]))
}

/// Whether units say that numbers are times.
pub(crate) fn are_of_times(units: &str) -> bool {
    split(units).is_some() || units.contains(" as %")
}

/// Units of numbers such as 20200621.75, which is 18:00 on the 21st of June 2020.
const DATES: [&str; 2] = ["day as %Y%m%d.%f", "day as %Y%m%d"];
const DAY: f64 = 86_400.0;

/// Year, month and day, and seconds of the day.
type DateAndSecond = ((i64, i64, i64), f64);

/// Year, month and day of such a number, and the second of the day, to a millisecond: more digits a double has not.
fn of_number(number: f64) -> Option<DateAndSecond> {
    let day = number.floor();
    let is_date = (0.0..1e8).contains(&day);
    let seconds = ((number - day) * DAY * 1e3).round() / 1e3;
    let day = day as i64;
    is_date.then_some(((day / 10_000, day / 100 % 100, day % 100), seconds))
}

/// How numbers of a file are times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Since {
    calendar: Calendar,
    step: f64,
    /// The date at zero; none where numbers are dates themselves.
    start: Option<DateAndSecond>,
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
        if DATES.contains(&units.trim()) {
            return Ok(Self { calendar, step: DAY, start: None });
        }
        let wanted =
            || format!("units {units:?}; expected such as \"hours since 1900-01-01 00:00:00\" or {:?}", DATES[0]);
        let (step, start) = parts(units, calendar).ok_or_else(wanted)?;
        let this = Self { calendar, step, start: Some(date_and_time(start).ok_or_else(wanted)?) };
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
        let start = |since: &Self| since.start.and_then(|_| since.own(0.0));
        (self.calendar == other.calendar).then_some([other.step, start(other)? - start(self)?, self.step])
    }

    /// Whether numbers are dates, and no counts since one.
    pub(crate) fn are_dates(&self) -> bool {
        self.start.is_none()
    }

    /// Numbers that count days, where they are dates, and how these are times; others as they are. What is no date is
    /// not a number.
    pub(crate) fn counted(self, mut numbers: Vec<f64>) -> (Self, Vec<f64>) {
        if !self.are_dates() {
            return (self, numbers);
        }
        let since = Self { start: Some(((1970, 1, 1), 0.0)), ..self };
        let zero = since.own(0.0).unwrap_or(f64::NAN);
        numbers.iter_mut().for_each(|number| *number = self.own(*number).map_or(f64::NAN, |own| (own - zero) / DAY));
        (since, numbers)
    }

    /// The seconds of so many steps, which are no dates.
    pub(crate) fn length(&self, steps: f64) -> f64 {
        steps * self.step
    }

    /// The calendar.
    pub(crate) fn calendar(&self) -> Calendar {
        self.calendar
    }

    /// Seconds of its calendar, which rise with time.
    pub(crate) fn own(&self, value: f64) -> Option<f64> {
        let (start, seconds) = self.start_and_seconds(value)?;
        self.calendar.own(start, seconds)
    }

    /// Seconds since 2000-01-01T00:00Z of the same date of Gregory's, and the year.
    pub(crate) fn seconds(&self, value: f64) -> Option<(f64, i64)> {
        let (start, seconds) = self.start_and_seconds(value)?;
        self.calendar.gregorian(start, seconds)
    }

    /// A date and time of day, and the seconds from there to a time.
    fn start_and_seconds(&self, value: f64) -> Option<(DateAndSecond, f64)> {
        match self.start {
            Some(start) => Some((start, value * self.step)),
            None => of_number(value).map(|(date, seconds)| ((date, 0.0), seconds)),
        }
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
    fn numbers_may_be_dates() {
        let of = |calendar| Since::of("day as %Y%m%d.%f", calendar).unwrap();
        let days = |number: f64| of(Some("proleptic_gregorian")).seconds(number);
        assert_eq!(days(20_000_101.25), Some((21_600.0, 2000)));
        assert_eq!(days(20_200_229.75), Some((7364.0 * DAY + 64_800.0, 2020)));
        assert_eq!([20_210_229.0, 20_211_301.0, -1.0, f64::NAN].map(days), [None; 4]);
        assert_eq!(of(Some("360_day")).own(20_200_230.0), of(Some("360_day")).own(20_200_229.0).map(|own| own + DAY));
        let (since, days) = of(None).counted(vec![20_200_229.5, 20_200_301.0, 20_200_230.0]);
        assert_eq!((days[1] - days[0], since.length(1.0)), (0.5, DAY));
        assert!(days[2].is_nan() && since.seconds(days[1]) == of(None).seconds(20_200_301.0));
        let others = Since::of("days since 2020-01-01", None).unwrap();
        assert!(of(None).factors(&of(None)).is_some() && of(None).factors(&others).is_none());
        assert!(others.factors(&of(None)).is_none());
        let refused = Since::of("month as %Y%m.%f", None).unwrap_err();
        assert!(refused.contains("\"month as %Y%m.%f\"; expected such as"), "{refused}");
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
