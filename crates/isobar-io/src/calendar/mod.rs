//! Dates, and the seconds since 2000-01-01T00:00Z that JURASSIC's files have.

#[cfg(feature = "netcdf")]
pub(crate) mod of_models;
#[cfg(feature = "netcdf")]
pub(crate) mod units;

/// Days from 1970-01-01 to a date of the Gregorian calendar, continued backwards.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin with March have their leap day at the end.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The inverse: year, month and day.
fn from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + 400 * era + i64::from(month <= 2), month, day)
}

/// `2020-01-31 06:00:00.0`, also with `T` or `_` between, without seconds or a time of day, with `Z` at the end
/// or by how much the clock is ahead (`+02:00`): seconds since 2000-01-01T00:00Z; nothing if it is no such date.
#[must_use]
pub fn seconds_of_date(text: &str) -> Option<f64> {
    let ((year, month, day), second_of_day) = date_and_time(text)?;
    // A day that the month does not have is another date.
    let is_date = from_days(days(year, month, day)) == (year, month, day);
    let since = days(year, month, day) - days(2000, 1, 1);
    is_date.then_some(since as f64 * 86_400.0 + second_of_day)
}

/// Year, month and day of such a text, whatever days its calendar's months have, and the second of the day.
fn date_and_time(text: &str) -> Option<((i64, i64, i64), f64)> {
    let text = text.trim().trim_end_matches('Z').trim_end_matches("UTC").trim_end();
    let (date, time) = text.split_once([' ', 'T', '_']).unwrap_or((text, "0:0:0"));
    let date: Vec<i64> = date.split('-').map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let &[year, month, day] = &date[..] else { return None };
    let time = time.trim();
    let (time, offset) = with_offset(time)?;
    let time: Vec<f64> = time.split(':').map(|word| word.trim().parse().ok()).collect::<Option<_>>()?;
    let is_date = (0..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let ranges = time.iter().zip([24.0, 60.0, 60.0]).all(|(&value, end)| (0.0..end).contains(&value));
    let seconds: f64 = time.iter().zip([3600.0, 60.0, 1.0]).map(|(value, unit)| value * unit).sum();
    (is_date && ranges && time.len() <= 3).then_some(((year, month, day), seconds - offset))
}

/// A time of the day, and by how many seconds its clock is ahead of Greenwich's: `06:00:00 +02:00`, `-5`, `+0530`.
fn with_offset(time: &str) -> Option<(&str, f64)> {
    let Some(at) = time.rfind(['+', '-']) else { return Some((time, 0.0)) };
    let (time, offset) = (time[..at].trim_end(), &time[at..]);
    let sign = if offset.starts_with('-') { -1.0 } else { 1.0 };
    let digits = &offset[1..];
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let number = |text: &str, end: u32| text.parse::<u32>().ok().filter(|&number| number < end).map(f64::from);
    Some((time, sign * (3600.0 * number(hours, 16)? + 60.0 * number(minutes, 60)?)))
}

/// The date that lies `seconds` after 2000-01-01T00:00Z, `2020-01-31T06:00:00.5Z`; nothing beyond the years 0 to 9999.
#[must_use]
pub fn date_of_seconds(seconds: f64) -> Option<String> {
    const DAY: f64 = 86_400.0;
    let whole = (seconds / DAY).floor();
    if whole.is_nan() || whole.abs() > 4e6 {
        return None;
    }
    let (year, month, day) = from_days(whole as i64 + days(2000, 1, 1));
    (0..=9999).contains(&year).then(|| text_of((year, month, day), seconds - whole * DAY))
}

/// `2020-01-31T06:00:00.5Z`, of a date and the second of the day.
fn text_of((year, month, day): (i64, i64, i64), rest: f64) -> String {
    let (hour, minute) = ((rest / 3600.0).floor(), (rest % 3600.0 / 60.0).floor());
    let second = rest - 3600.0 * hour - 60.0 * minute;
    let padded = if second < 10.0 { format!("0{second}") } else { format!("{second}") };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{padded}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_seconds_since_2000() {
        for (text, seconds) in [
            ("2000-01-01", 0.0),
            ("2000-03-01 00:00:00", 60.0 * 86_400.0),
            ("1999-12-31T23:59:59.5Z", -0.5),
            ("2020-02-29_06:30:00", 7364.0 * 86_400.0 + 23_400.0),
            ("2000-01-01 06:00:00 +02:00", 4.0 * 3600.0),
            ("2000-01-01 06:00:00+0530", 1800.0),
            ("2000-01-01T00:00:00-5", 5.0 * 3600.0),
            ("2000-01-01 01:00 +2", -3600.0),
            ("2000-01-01 06:00 +00:00", 6.0 * 3600.0),
            ("1900-1-1 0:0:0.0", -36_524.0 * 86_400.0),
            ("1970-01-01 00:00:00 +00:00", -946_684_800.0),
        ] {
            assert_eq!(seconds_of_date(text), Some(seconds), "{text}");
        }
        for text in [
            "",
            "2000",
            "2000-13-01",
            "2001-02-29",
            "2000-01-01 25:00",
            "yesterday",
            "2000-01-01 00:00 +25:00",
            "2000-01-01 00:00 +x",
        ] {
            assert_eq!(seconds_of_date(text), None, "{text}");
        }
        assert_eq!(date_of_seconds(0.0).unwrap(), "2000-01-01T00:00:00Z");
        assert_eq!(date_of_seconds(-0.5).unwrap(), "1999-12-31T23:59:59.5Z");
        assert_eq!(date_of_seconds(1e300), None);
        // Leap years, centuries and back.
        for seconds in (-400..400).map(|i| f64::from(i) * 7.7e7) {
            assert_eq!(seconds_of_date(&date_of_seconds(seconds).unwrap()), Some(seconds));
        }
    }
}
