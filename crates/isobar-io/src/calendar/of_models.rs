//! The calendars of climate models (CF conventions 1.11, 4.4.1).

use super::{days, from_days, text_of};

/// The seconds of a day.
const DAY: f64 = 86_400.0;

/// Which days a year has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calendar {
    /// Gregory's, continued backwards.
    Proleptic,
    /// Julian before 1582-10-15, then Gregory's.
    Standard,
    Julian,
    /// 365 days.
    NoLeap,
    /// 366 days.
    AllLeap,
    /// Twelve months of 30 days.
    Days360,
    /// None: all days are the one on which times begin, as in an experiment of a perpetual July.
    Perpetual,
}

/// Days before each month of a year of 365 days.
const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
/// 1582-10-15, on which Gregory's calendar began, as days of the Gregorian calendar since 1970.
const REFORM: i64 = -141_427;

/// A date: year, month and day.
type Date = (i64, i64, i64);

impl Calendar {
    /// By the value of the attribute `calendar`.
    pub(crate) fn named(text: &str) -> Option<Self> {
        Some(match text.to_lowercase().as_str() {
            "standard" | "gregorian" => Self::Standard,
            "proleptic_gregorian" => Self::Proleptic,
            "julian" => Self::Julian,
            "noleap" | "365_day" => Self::NoLeap,
            "all_leap" | "366_day" => Self::AllLeap,
            "360_day" => Self::Days360,
            "none" => Self::Perpetual,
            _ => return None,
        })
    }

    /// Days of this calendar from a day of its own to a date; nothing where it has no such date.
    pub(super) fn days(self, date: Date) -> Option<i64> {
        let (year, month, day) = date;
        let before = |leap: bool| BEFORE[(month - 1) as usize] + i64::from(leap && month > 2) + day - 1;
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let days = match self {
            Self::Proleptic | Self::Perpetual => days(year, month, day),
            Self::Standard if (year, month, day) >= (1582, 10, 15) => days(year, month, day),
            // Both calendars have the day of the reform: there Julian's is 1582-10-05.
            Self::Standard => julian(date) - julian((1582, 10, 5)) + REFORM,
            Self::Julian => julian(date),
            Self::NoLeap => 365 * year + before(false),
            Self::AllLeap => 366 * year + before(true),
            Self::Days360 => 360 * year + 30 * (month - 1) + day - 1,
        };
        (self.date(days) == date).then_some(days)
    }

    /// The inverse.
    fn date(self, days: i64) -> Date {
        let of_year = |of_year: i64, leap: bool| {
            let start = |month: usize| BEFORE[month] + i64::from(leap && month >= 2);
            let month = (0..12).rev().find(|&month| start(month) <= of_year).unwrap_or(0);
            (month as i64 + 1, of_year - start(month) + 1)
        };
        let of_length = |length: i64| {
            let (month, day) = of_year(days.rem_euclid(length), length == 366);
            (days.div_euclid(length), month, day)
        };
        match self {
            Self::Proleptic | Self::Perpetual => from_days(days),
            Self::Standard if days >= REFORM => from_days(days),
            Self::Standard => from_julian(days - REFORM + julian((1582, 10, 5))),
            Self::Julian => from_julian(days),
            Self::NoLeap => of_length(365),
            Self::AllLeap => of_length(366),
            Self::Days360 => {
                let of_year = days.rem_euclid(360);
                (days.div_euclid(360), of_year / 30 + 1, of_year % 30 + 1)
            }
        }
    }

    /// When `seconds` after a date and time of day of this calendar is, as seconds since 2000-01-01T00:00 of Gregory's,
    /// and its year here: the same instant where the calendar is one that people use; else the same time of the same
    /// date. The days of a year of 360 are spread over Gregory's; the 29th of February of a year that has none is the
    /// day after the 28th, and has its sun. Nothing where this calendar has no such date.
    pub(crate) fn gregorian(self, (start, second_of_day): (Date, f64), seconds: f64) -> Option<(f64, i64)> {
        let since = second_of_day + seconds;
        let whole = (since / DAY).floor();
        if !whole.is_finite() || whole.abs() > 4e6 {
            return None;
        }
        let day_number = self.days(start)? + if self == Self::Perpetual { 0 } else { whole as i64 };
        let date @ (year, month, day) = self.date(day_number);
        let rest = since - whole * DAY;
        let from_2000 = |days_since_1970: i64| (days_since_1970 - days(2000, 1, 1)) as f64 * DAY;
        let new_year = days(year, 1, 1);
        let time = match self {
            Self::Proleptic | Self::Standard | Self::Perpetual => from_2000(day_number) + rest,
            Self::Julian => from_2000(day_number - julian((1582, 10, 5)) + REFORM) + rest,
            // Whole days, so that the sun of a time of day stays where it is.
            Self::Days360 => {
                let length = days(year + 1, 1, 1) - new_year;
                from_2000(new_year + (30 * (month - 1) + day - 1) * length / 360) + rest
            }
            Self::NoLeap | Self::AllLeap if from_days(days(year, month, day)) == date => {
                from_2000(days(year, month, day)) + rest
            }
            // The last of February in a year without it.
            Self::NoLeap | Self::AllLeap => from_2000(new_year + 59) + rest,
        };
        Some((time, year))
    }

    /// Seconds of this calendar, from a day of its own to `seconds` after a date and time of day: they rise with time,
    /// as those of [`Self::gregorian`] do not where several days have one date there.
    pub(crate) fn own(self, (start, second_of_day): (Date, f64), seconds: f64) -> Option<f64> {
        Some(DAY * self.days(start)? as f64 + second_of_day + seconds)
    }

    /// The date of such a number of seconds, `2001-02-29T06:00:00Z`.
    pub(crate) fn text(self, own: f64) -> String {
        let whole = (own / DAY).floor();
        text_of(self.date(whole as i64), own - whole * DAY)
    }
}

fn julian((year, month, day): Date) -> i64 {
    let (before, leap) = (year - 1, year.rem_euclid(4) == 0);
    365 * year + before.div_euclid(4) + BEFORE[(month.clamp(1, 12) - 1) as usize] + i64::from(leap && month > 2) + day
        - 1
}

fn from_julian(days: i64) -> Date {
    let mut year = days.div_euclid(365);
    while julian((year, 1, 1)) > days {
        year -= 1;
    }
    let month = (1..=12).rev().find(|&month| julian((year, month, 1)) <= days).unwrap_or(1);
    (year, month, days - julian((year, month, 1)) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Calendar; 7] = [
        Calendar::Proleptic,
        Calendar::Standard,
        Calendar::Julian,
        Calendar::NoLeap,
        Calendar::AllLeap,
        Calendar::Days360,
        Calendar::Perpetual,
    ];

    /// Numbers of days that others give in closed form: Julian day numbers (Fliegel and van Flandern 1968; Julian:
    /// the Explanatory Supplement to the Astronomical Almanac 1992, 12.95), which divide towards 0, and sums of months.
    fn closed_form(calendar: Calendar, (y, m, d): Date) -> i64 {
        let months = |lengths: [i64; 12]| lengths[..m as usize - 1].iter().sum::<i64>() + d;
        let gregorian = || {
            let a = (m - 14) / 12;
            (1461 * (y + 4800 + a)) / 4 + (367 * (m - 2 - 12 * a)) / 12 - (3 * ((y + 4900 + a) / 100)) / 4 + d - 32_075
        };
        let julian = || 367 * y - (7 * (y + 5001 + (m - 9) / 7)) / 4 + (275 * m) / 9 + d + 1_729_777;
        match calendar {
            Calendar::Proleptic | Calendar::Perpetual => gregorian(),
            Calendar::Standard if (y, m, d) >= (1582, 10, 15) => gregorian(),
            Calendar::Standard | Calendar::Julian => julian(),
            Calendar::NoLeap => 365 * y + months([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]),
            Calendar::AllLeap => 366 * y + months([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]),
            Calendar::Days360 => 360 * y + months([30; 12]),
        }
    }

    /// All dates of a calendar of twelve months, those that no year has among them.
    fn dates(years: std::ops::Range<i64>) -> impl Iterator<Item = Date> {
        years.flat_map(|year| (1..=12).flat_map(move |month| (1..=31).map(move |day| (year, month, day))))
    }

    #[test]
    fn days_are_counted_as_closed_forms_count_them() {
        for calendar in ALL {
            let start = (1850, 1, 1);
            let [ours, theirs] = [calendar.days(start).unwrap(), closed_form(calendar, start)];
            for date in dates(1..9).chain(dates(1575..1605)).chain(dates(1895..2105)) {
                if let Some(days) = calendar.days(date) {
                    assert_eq!(days - ours, closed_form(calendar, date) - theirs, "{calendar:?} {date:?}");
                }
            }
        }
    }

    /// Which dates there are: months of their lengths, leap days in the years that have them.
    #[test]
    fn months_have_the_days_of_their_calendar() {
        for calendar in ALL {
            for year in [1, 4, 100, 400, 1500, 1583, 1600, 1700, 1900, 2000, 2001, 2004, 2100] {
                let fourth = year % 4 == 0;
                let is_leap = match calendar {
                    Calendar::Julian => fourth,
                    Calendar::Standard if year < 1582 => fourth,
                    Calendar::NoLeap => false,
                    Calendar::AllLeap => true,
                    _ => fourth && (year % 100 != 0 || year % 400 == 0),
                };
                for month in 1..=12 {
                    let length = match month {
                        _ if calendar == Calendar::Days360 => 30,
                        2 => 28 + usize::from(is_leap),
                        4 | 6 | 9 | 11 => 30,
                        _ => 31,
                    };
                    let has = (1..=31).filter(|&day| calendar.days((year, month, day)).is_some());
                    assert!(has.eq(1..=length as i64), "{calendar:?} {year} {month}");
                }
            }
        }
    }

    /// As the CF conventions name them, in any letters.
    #[test]
    fn calendars_have_the_names_of_the_conventions() {
        for (names, calendar) in [
            (&["standard", "gregorian", "Gregorian"][..], Calendar::Standard),
            (&["proleptic_gregorian"], Calendar::Proleptic),
            (&["julian"], Calendar::Julian),
            (&["noleap", "365_day", "NOLEAP"], Calendar::NoLeap),
            (&["all_leap", "366_day"], Calendar::AllLeap),
            (&["360_day"], Calendar::Days360),
            (&["none"], Calendar::Perpetual),
        ] {
            assert!(names.iter().all(|name| Calendar::named(name) == Some(calendar)), "{calendar:?}");
        }
        assert_eq!(Calendar::named("utc"), None);
    }

    /// Their own seconds rise where dates of Gregory's calendar stand still: the 29th of February of 2001 and the day
    /// after it.
    #[test]
    fn own_seconds_rise_with_time() {
        for calendar in ALL {
            let start = ((2000, 2, 27), 64_800.0);
            let at = |hours: i32| calendar.own(start, 3600.0 * f64::from(hours)).unwrap();
            assert!((0..10_000).all(|hours| at(hours + 1) - at(hours) == 3600.0), "{calendar:?}");
        }
        let own = Calendar::AllLeap.own(((2001, 2, 28), 64_800.0), 43_200.0).unwrap();
        assert_eq!(Calendar::AllLeap.text(own), "2001-02-29T06:00:00Z");
    }

    #[test]
    fn days_and_dates_are_inverse() {
        for calendar in ALL {
            let start = calendar.days((1500, 1, 1)).unwrap();
            let mut before = calendar.date(start - 1);
            for day in start..start + 220_000 {
                let date = calendar.date(day);
                assert!(date > before, "{calendar:?} {date:?} {before:?}");
                assert_eq!(calendar.days(date), Some(day), "{calendar:?} {date:?}");
                before = date;
            }
        }
    }

    /// Numbers of days between dates, as the cftime library counts them.
    #[test]
    fn lengths_are_those_of_the_calendars() {
        let between =
            |calendar: Calendar, from: Date, to: Date| calendar.days(to).unwrap() - calendar.days(from).unwrap();
        for (calendar, from, to, expected) in [
            (Calendar::Standard, (1582, 10, 4), (1582, 10, 15), 1),
            (Calendar::Proleptic, (1582, 10, 4), (1582, 10, 15), 11),
            (Calendar::Standard, (1, 1, 1), (2000, 1, 1), 730_121),
            (Calendar::Proleptic, (1, 1, 1), (2000, 1, 1), 730_119),
            (Calendar::Julian, (1900, 2, 28), (1900, 3, 1), 2),
            (Calendar::NoLeap, (2000, 2, 28), (2000, 3, 1), 1),
            (Calendar::AllLeap, (2001, 2, 28), (2001, 3, 1), 2),
            (Calendar::Days360, (2001, 2, 28), (2001, 3, 1), 3),
        ] {
            assert_eq!(between(calendar, from, to), expected, "{calendar:?} {from:?} {to:?}");
        }
        for (calendar, date) in [
            (Calendar::NoLeap, (2000, 2, 29)),
            (Calendar::Days360, (2000, 1, 31)),
            (Calendar::Standard, (1582, 10, 10)),
            (Calendar::Standard, (2001, 2, 29)),
        ] {
            assert_eq!(calendar.days(date), None, "{calendar:?} {date:?}");
        }
    }

    #[test]
    fn times_are_those_of_gregory() {
        let noon = |date| (date, 43_200.0);
        for (calendar, start, seconds, expected, year) in [
            (Calendar::NoLeap, noon((2000, 2, 28)), 86_400.0, "2000-03-01T12:00:00Z", 2000),
            // 180 of 360 days are 182.5 of 365, and noon is noon.
            (Calendar::Days360, noon((2001, 1, 1)), 180.0 * 86_400.0, "2001-07-02T12:00:00Z", 2001),
            (Calendar::Days360, noon((2001, 1, 1)), 180.25 * 86_400.0, "2001-07-02T18:00:00Z", 2001),
            (Calendar::Days360, noon((2000, 12, 30)), 0.0, "2000-12-30T12:00:00Z", 2000),
            (Calendar::AllLeap, noon((2001, 2, 28)), 2.0 * 86_400.0, "2001-03-01T12:00:00Z", 2001),
            (Calendar::AllLeap, noon((2001, 2, 28)), 86_400.0, "2001-03-01T12:00:00Z", 2001),
            (Calendar::AllLeap, noon((2001, 2, 28)), 0.75 * 86_400.0, "2001-03-01T06:00:00Z", 2001),
            (Calendar::Standard, noon((1582, 10, 4)), 86_400.0, "1582-10-15T12:00:00Z", 1582),
            (Calendar::Julian, noon((1917, 10, 25)), 0.0, "1917-11-07T12:00:00Z", 1917),
            // A reference in another year, and times before it.
            (Calendar::AllLeap, noon((1999, 12, 31)), -366.0 * 86_400.0, "1998-12-31T12:00:00Z", 1998),
            (Calendar::NoLeap, noon((2001, 3, 1)), -366.0 * 86_400.0, "2000-02-28T12:00:00Z", 2000),
            (Calendar::Days360, noon((2001, 1, 1)), -0.75 * 86_400.0, "2000-12-30T18:00:00Z", 2000),
            // Always the day of July on which it begins.
            (Calendar::Perpetual, noon((1979, 7, 15)), 40.25 * 86_400.0, "1979-07-15T18:00:00Z", 1979),
            (Calendar::Perpetual, noon((1979, 7, 15)), -0.75 * 86_400.0, "1979-07-15T18:00:00Z", 1979),
        ] {
            let (found, of_year) = calendar.gregorian(start, seconds).unwrap();
            let expected = super::super::seconds_of_date(expected).unwrap();
            assert!((found - expected).abs() < 1e-5 && of_year == year, "{calendar:?} {found} {expected}");
        }
    }
}
