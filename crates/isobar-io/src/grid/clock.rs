//! Times of a file.

use super::source::Source;
use crate::error::Error;
use crate::netcdf::Unit;

/// The times of a file \[s since 2000-01-01T00:00Z\], rising.
pub(super) struct Clock(pub(super) Vec<f64>);

/// The two times around one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Instant {
    pub(super) steps: [usize; 2],
    /// What the second one counts.
    pub(super) share: f64,
    pub(super) time_s: f64,
}

impl Clock {
    pub(super) fn is_single(&self) -> bool {
        self.0.len() == 1
    }

    pub(super) fn locate(&self, source: &Source, wanted: Option<f64>) -> Result<Instant, Error> {
        let times = &self.0;
        let last = times.len() - 1;
        let (low, high) = (times[0], times[last]);
        let Some(time_s) = wanted.or((last == 0).then_some(low)) else {
            let text = format!("there are {} times from {low} to {high} s since 2000: name one", times.len());
            return Err(source.invalid(text));
        };
        if !(low..=high).contains(&time_s) {
            return Err(source.invalid(format!("time {time_s} s since 2000 lies outside [{low}, {high}], the file's")));
        }
        let next = times.partition_point(|&time| time <= time_s).min(last);
        let first = next.saturating_sub(1);
        if times[next] == time_s || first == next {
            return Ok(Instant { steps: [next, next], share: 0.0, time_s });
        }
        let share = (time_s - times[first]) / (times[next] - times[first]);
        let steps = if share == 0.0 { [first, first] } else { [first, next] };
        Ok(Instant { steps, share, time_s })
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar, continued backwards.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin with March have their leap day at the end.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// `2020-01-31 06:00:00.0`, also with `T` or `_` between, without seconds or a time of day, with `Z` at the end: seconds
/// since 2000-01-01T00:00Z.
pub(super) fn date(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches('Z').trim_end_matches("UTC").trim_end();
    let (date, time) = text.split_once([' ', 'T', '_']).unwrap_or((text, "0:0:0"));
    let date: Vec<i64> = date.split('-').map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let &[year, month, day] = &date[..] else { return None };
    let time = time.trim();
    let time = time.strip_suffix("+00:00").or(time.strip_suffix("+0:00")).unwrap_or(time);
    let time: Vec<f64> = time.split(':').map(|word| word.trim().parse().ok()).collect::<Option<_>>()?;
    let in_range = (1..=12).contains(&month) && (1..=31).contains(&day) && (1..=3).contains(&time.len());
    let ranges = time.iter().zip([24.0, 60.0, 61.0]).all(|(&value, end)| (0.0..end).contains(&value));
    let seconds: f64 = time.iter().zip([3600.0, 60.0, 1.0]).map(|(value, unit)| value * unit).sum();
    let since = days(year, month, day) - days(2000, 1, 1);
    (in_range && ranges).then_some(since as f64 * 86_400.0 + seconds)
}

/// `hours since 1900-01-01 00:00:00.0`: seconds a step, and seconds since 2000-01-01T00:00Z of its zero.
pub(super) fn since(units: &str) -> Option<[f64; 2]> {
    let (unit, start) = units.split_once(" since ")?;
    let seconds: Unit = "s".parse().ok()?;
    let step = unit.trim().to_lowercase().parse::<Unit>().ok()?.conversion(&seconds)?.apply(1.0);
    Some([step, date(start)?])
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
            ("1900-1-1 0:0:0.0", -36_524.0 * 86_400.0),
            ("1970-01-01 00:00:00 +00:00", -946_684_800.0),
        ] {
            assert_eq!(date(text), Some(seconds), "{text}");
        }
        for text in ["", "2000", "2000-13-01", "2000-01-01 25:00", "yesterday", "2000-01-01 00:00 +01:00"] {
            assert_eq!(date(text), None, "{text}");
        }
        assert_eq!(since("hours since 1970-01-01"), Some([3600.0, -946_684_800.0]));
        assert_eq!(since("minutes since 2000-01-01 00:01"), Some([60.0, 60.0]));
        assert_eq!(since("Days since 2000-01-02"), Some([86_400.0, 86_400.0]));
        assert_eq!(since("months since 2000-01-02").filter(|[step, _]| *step == 30.0 * 86_400.0), None);
        assert_eq!(since("metres since 2000-01-02"), None);
        assert_eq!(since("hours"), None);
    }
}
