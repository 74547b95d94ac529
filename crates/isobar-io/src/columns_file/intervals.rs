//! The intervals that times of a file stand for: their bounds, or half the way to their neighbours.

use super::time::{OF_FORECASTS, TIME, Time, decode, read, since};
use super::{Fields, Reading};
use crate::calendar::of_models::Calendar;
use crate::calendar::units::Since;
use crate::error::Error;
use crate::netcdf::{Accepted, Array, Bounds, Field};

/// Shorter intervals have their own length, so that all times of day count as often as in the file; others, as years of
/// 360 days, end at their date.
const MONTH_S: f64 = 28.0 * DAY_S;
const DAY_S: f64 = 86_400.0;

/// When the time of each column begins and ends, as the bounds of its coordinate say it, or else half the way to its
/// neighbours.
pub(crate) fn periods(fields: &Fields) -> Result<Vec<[Time; 2]>, Error> {
    let bounds = fields.name(TIME.name).map_or_else(Vec::new, |name| fields.file().all_bounds(&name));
    let Some((first, others)) = bounds.split_first() else { return periods_by(fields, None) };
    let periods = periods_by(fields, Some(first))?;
    for other in others {
        let differ = |(ours, theirs): (&[Time; 2], &[Time; 2])| {
            (0..2).any(|end| (ours[end].seconds - theirs[end].seconds).abs() > SAME_INSTANT_S)
        };
        if periods.iter().zip(&periods_by(fields, Some(other))?).any(differ) {
            let text = "files that are read together say with two bounds of one time that it is two intervals";
            return Err(fields.refuse(format!("{text}: {} and {}", first.name, other.name)));
        }
    }
    Ok(periods)
}

/// Ends this far apart are the same \[s\]: numbers of days since a far date are rounded by less.
const SAME_INSTANT_S: f64 = 1e-3;

/// By these bounds, if there are some.
fn periods_by(fields: &Fields, bounds: Option<&Bounds>) -> Result<Vec<[Time; 2]>, Error> {
    if let Some(began) = fields.name(OF_FORECASTS.name) {
        return Err(fields.refuse(format!(
            "{began} is when forecasts began: a mean of the Sun needs the times that they are of, with bounds or \
             beside each other"
        )));
    }
    let Some(field) = fields.field(TIME.name).cloned() else {
        return Err(fields.refuse("there is no time whose bounds a mean of the Sun would need"));
    };
    let name = &field.name;
    let of_times = since(fields, name)?;
    if fields.file().text_attribute(name, "climatology").is_some() {
        return Err(fields.refuse(format!(
            "{name} has climatological bounds, parts of several years: a mean of the Sun is taken of one interval"
        )));
    }
    let (since, bounds) = match bounds {
        Some(bounds) => {
            let of_bounds = since_of(fields, (name, of_times), bounds)?;
            of_bounds.counted(read_bounds(fields, &bounds.name, field.values.len())?)
        }
        None => half_the_way(fields, name, of_times)?,
    };
    // Where times fall, so do their bounds.
    let bounds: Vec<[f64; 2]> =
        bounds.chunks_exact(2).map(|pair| [pair[0].min(pair[1]), pair[0].max(pair[1])]).collect();
    if let Some([start, end]) = bounds.iter().find(|[start, end]| start >= end) {
        return Err(fields.refuse(format!("{name}: its bounds from {start} to {end} are no time")));
    }
    // All days are one there, and so is their mean.
    let perpetual = since.calendar() == Calendar::Perpetual;
    let partial = |[start, end]: &&[f64; 2]| {
        let days = since.length(end - start) / DAY_S;
        days > 1.0 && days.fract() != 0.0
    };
    if let Some([start, end]) = bounds.iter().find(|bounds| perpetual && partial(bounds)) {
        let text = "in a perpetual day (calendar none) a mean of the Sun is taken of whole days, or of a part of one";
        return Err(fields.refuse(format!("{name}: its bounds are from {start} to {end}; {text}")));
    }
    let of_columns = |one: &dyn Fn(&[f64; 2]) -> f64| {
        fields.broadcast(Field { values: bounds.iter().map(one).collect(), ..field.clone() }).values
    };
    let dates =
        |which: usize| decode(fields, name, &of_columns(&|bounds| bounds[which]), |&value| since.seconds(value));
    let lengths = of_columns(&|[start, end]| since.length(end - start));
    let one = |((start, end), length): ((Time, Time), f64)| {
        let length = if perpetual { length.min(DAY_S) } else { length };
        let seconds = if length < MONTH_S { start.seconds + length } else { end.seconds };
        [start, Time { seconds, ..end }]
    };
    Ok(dates(0)?.into_iter().zip(dates(1)?).zip(lengths).map(one).collect())
}

/// Whether the time of each column, which is read, has bounds in the file that has a variable.
pub(crate) fn has_bounds(reading: &mut Reading, variable: &str) -> Result<bool, Error> {
    read(reading)?;
    let name = reading.field(&TIME).map(|field| &field.name);
    Ok(name.is_some_and(|name| reading.file.bounds_for(variable, name).is_some()))
}

/// How long the interval of each column's time is in the file that has a variable, where it has bounds \[s\].
pub(crate) fn lengths(fields: &Fields, variable: &str) -> Result<Vec<f64>, Error> {
    let bounds = fields.name(TIME.name).and_then(|name| fields.file().bounds_for(variable, &name));
    let periods = periods_by(fields, bounds.as_ref())?;
    Ok(periods.iter().map(|[start, end]| end.seconds - start.seconds).collect())
}

/// From half the way to the time before to half the way to the time after, and beyond the first and the last as far as
/// on their other side: by all times of the file, whatever part of it is read; and how these are times.
fn half_the_way(fields: &Fields, name: &str, since: Since) -> Result<(Since, Vec<f64>), Error> {
    let whole = fields.file().whole_along(name).filter(|(times, _)| times.len() > 1);
    let Some((times, range)) = whole else {
        return Err(fields.refuse(format!("{name} has no bounds, and no other time beside it to say how long it is")));
    };
    let (since, times) = since.counted(times);
    let last = times.len() - 1;
    let rises = times[0] < times[last];
    if let Some(pair) = times.windows(2).find(|pair| pair[0] == pair[1] || (pair[0] < pair[1]) != rises) {
        return Err(fields.refuse(format!(
            "{name} has no bounds, and goes from {} to {}: where times neither rise nor fall throughout, what lies \
             half the way between them is no interval",
            pair[0], pair[1]
        )));
    }
    let half = |i: usize| 0.5 * (times[i + 1] - times[i]);
    let around = |i: usize| [times[i] - half(i.max(1) - 1), times[i] + half(i.min(last - 1))];
    Ok((since, range.flat_map(around).collect()))
}

/// How the numbers of bounds are times: in their own unit since their own date, if they have one, in the calendar of
/// what they bound.
fn since_of(fields: &Fields, (name, of_time): (&str, Since), bounds: &Bounds) -> Result<Since, Error> {
    let Bounds { name: of, units, calendar } = bounds;
    let refuse = |text: String| fields.file().invalid_in(of, format!("{of}, the bounds of {name}, {text}"));
    let since = Since::of(units, calendar.as_deref()).map_err(|problem| refuse(format!("has {problem}")))?;
    if of_time.factors(&since).is_none() {
        return Err(refuse(format!(
            "is in {units:?} of another calendar than it, {:?}",
            calendar.as_deref().unwrap_or_default()
        )));
    }
    Ok(since)
}

/// Beginning and end of each in turn.
fn read_bounds(fields: &Fields, name: &str, times: usize) -> Result<Vec<f64>, Error> {
    let dimensions = fields.file().dimensions_of(name).unwrap_or_default();
    let names: Vec<&str> = dimensions.iter().map(|(name, _)| name.as_str()).collect();
    let array = Array { name, dimensions: &names, unit: "1", states_unit: false, accepted: Accepted::FINITE };
    let values = fields.file().numbers(&array)?;
    if values.len() != 2 * times {
        let text = format!("{name} has {} values for {times} times; expected two each", values.len());
        return Err(fields.file().invalid_in(name, text));
    }
    Ok(values)
}
