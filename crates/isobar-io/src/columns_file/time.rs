//! When the columns of a file are, and at which places.

use super::{Fields, Per, Quantity, Reading, between};
use crate::calendar::of_models::Calendar;
use crate::calendar::units::{Since, are_of_times};
use crate::error::Error;
use crate::netcdf::{AS_STORED, Accepted, Dataset, Dimension, Field};

/// Numbers of steps since a date.
pub(super) const TIME: Quantity =
    Quantity::new("time", &["valid_time", "XTIME", "Time"], &["time"], AS_STORED, Per::Column, Accepted::FINITE);
/// The same, where a file of forecasts calls `time` when they began.
const VALID: Quantity = Quantity::new("valid_time", &[], &["time"], AS_STORED, Per::Column, Accepted::FINITE);
/// How long after their beginning forecasts are of.
const PERIOD: Quantity = Quantity::new(
    "forecast_period",
    &["step", "leadtime", "lead_time"],
    &["forecast_period"],
    "s",
    Per::Column,
    Accepted::FINITE,
);
/// When forecasts began and how long after that they are of, together.
pub(super) const OF_FORECASTS: Quantity =
    Quantity::new("time of forecasts", &[], &[], AS_STORED, Per::Column, Accepted::FINITE);
/// What the seconds since 2000-01-01T00:00Z of texts are called here.
const OF_TEXTS: Quantity = Quantity::new("times of texts", &[], &[], "s", Per::Column, Accepted::FINITE);
/// Texts of dates, as WRF and MPAS have them.
const TEXTS: [&str; 2] = ["Times", "xtime"];

/// By the names of CF, WRF, ICON and MPAS.
pub(crate) const LATITUDE: Quantity = Quantity::new(
    "latitude",
    &["lat", "XLAT", "clat", "latCell"],
    &["latitude"],
    "degree",
    Per::Column,
    between(-90.0, 90.0),
);
pub(crate) const LONGITUDE: Quantity = Quantity::new(
    "longitude",
    &["lon", "XLONG", "clon", "lonCell"],
    &["longitude"],
    "degree",
    Per::Column,
    between(-720.0, 720.0),
);

/// A time of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Time {
    /// Since 2000-01-01T00:00Z, of the same date of the Gregorian calendar.
    pub(crate) seconds: f64,
    pub(crate) year: i64,
}

/// Reads the times, if they are there; says whether they are.
pub(crate) fn read(reading: &mut Reading) -> Result<bool, Error> {
    if [TIME, OF_FORECASTS, OF_TEXTS].iter().any(|quantity| reading.found(quantity)) {
        return Ok(true);
    }
    let counts_since = |quantity: &Quantity| {
        let found = reading.file.name_and_units(&quantity.spec(reading.layout));
        found.is_some_and(|(_, units)| are_of_times(&units))
    };
    if counts_since(&TIME) {
        let begins = reading.standard_name(&TIME).is_some_and(|name| name == "forecast_reference_time");
        let may_be_other = !reading.file.is_named(TIME.name);
        let has_valid = reading.name(&VALID) != reading.name(&TIME) && counts_since(&VALID);
        if may_be_other && has_valid && (begins || runs_beyond_time(reading, &VALID)?) {
            let field = reading.file.read(&VALID.spec(reading.layout))?;
            reading.put(&TIME, field);
        } else if may_be_other && (begins || runs_beyond_time(reading, &PERIOD)?) {
            read_forecasts(reading)?;
        } else {
            reading.need(&TIME)?;
        }
        return Ok(true);
    }
    let Some(name) = TEXTS.into_iter().find(|name| reading.file.has_name(name)) else { return Ok(false) };
    let field = of_texts(reading, name)?;
    reading.put(&OF_TEXTS, field);
    Ok(true)
}

/// What there is that goes by the name of a time and counts from no date, in words.
pub(crate) fn of_no_date(reading: &Reading) -> Option<String> {
    let (name, units) = reading.file.name_and_units(&TIME.spec(reading.layout))?;
    let text = || format!("{name} has units {units:?}, and none such as \"hours since 1900-01-01 00:00:00\"");
    (!are_of_times(&units)).then(text)
}

/// Whether a quantity is there and runs along a dimension of the columns along which the time does not: then this is
/// that of something else, as of the beginning of forecasts.
fn runs_beyond_time(reading: &Reading, quantity: &Quantity) -> Result<bool, Error> {
    if !reading.fits(quantity)? || !reading.converts(quantity)? {
        return Ok(false);
    }
    let dimensions = |quantity: &Quantity| {
        let name = reading.name(quantity);
        name.and_then(|name| reading.file.dimensions_of(&name)).unwrap_or_default()
    };
    let of_time = dimensions(&TIME);
    Ok(dimensions(quantity).iter().any(|one| one.1 > 1 && !of_time.contains(one)))
}

/// Reads when forecasts are of, from when they began and how long after that.
fn read_forecasts(reading: &mut Reading) -> Result<(), Error> {
    let spec = |quantity: &Quantity| quantity.spec(reading.layout);
    let (began, period) = (spec(&TIME), spec(&PERIOD));
    let Some(period) = reading.file.read_optional(&period)? else {
        let name = reading.name(&TIME).unwrap_or_default();
        return Err(reading.file.invalid(format!(
            "{name} is when forecasts began, as its standard_name says, and neither valid_time nor forecast_period \
             (step) says what time they are of; --name time={name} takes it for that"
        )));
    };
    let began = reading.file.read(&began)?;
    let since = since_in(&reading.file, &began.name)?;
    if since.are_dates() {
        let name = &began.name;
        return Err(reading.file.invalid(format!(
            "{name} is when forecasts began, by numbers that are dates, to which no forecast_period is added: \
             valid_time says what time they are of"
        )));
    }
    let step_s = since.length(1.0);
    let [began, period] = [began, period].map(|field| reading.file.broadcast(field));
    let values = began.values.iter().zip(&period.values).map(|(began, period)| began + period / step_s).collect();
    reading.put(&OF_FORECASTS, Field { values, ..began });
    Ok(())
}

/// How the times of forecasts follow, in words, if they do.
pub(crate) fn of_forecasts_in_words(fields: &Fields) -> Option<String> {
    let began = fields.name(OF_FORECASTS.name)?;
    Some(format!("time = {began}, when forecasts began, + how long after that they are of"))
}

/// Texts of dates along one dimension, or one text.
fn of_texts(reading: &mut Reading, name: &str) -> Result<Field, Error> {
    let file = &mut reading.file;
    file.uses(name);
    let dimensions = file.dimensions_of(name).unwrap_or_default();
    let along = dimensions.first().map_or("", |(name, _)| name.as_str());
    let texts = file.texts(name, along)?;
    let role = file.role(along);
    let seconds = |(index, text): (usize, &String)| {
        crate::seconds_of_date(text)
            .ok_or_else(|| file.invalid(format!("{name}: {text:?} at {along} {index} is no date")))
    };
    let values: Vec<f64> = texts.iter().enumerate().map(seconds).collect::<Result<_, _>>()?;
    let axes = OF_TEXTS.spec(reading.layout).axes;
    let dimensions: Vec<Dimension> = axes.iter().map(|axis| axis.dimension).collect();
    let size = |dimension: &Dimension| if Some(*dimension) == role { values.len() } else { 1 };
    let shape: Vec<usize> = dimensions.iter().map(size).collect();
    if shape.iter().product::<usize>() != values.len() {
        return Err(file.invalid(format!("{name} has dates along {along}, along which there are no columns")));
    }
    Ok(Field { name: name.to_owned(), dimensions, shape, values })
}

/// The times of all columns; none where none were read.
pub(crate) fn times(fields: &Fields) -> Result<Vec<Time>, Error> {
    let full = |name: &str| fields.field(name).map(|field| fields.broadcast(field.clone()));
    if let Some(field) = full(OF_TEXTS.name) {
        let of_gregory = |&seconds: &f64| Calendar::Proleptic.gregorian(((2000, 1, 1), 0.0), seconds);
        return decode(fields, &field.name, &field.values, of_gregory);
    }
    let Some(field) = full(TIME.name).or_else(|| full(OF_FORECASTS.name)) else { return Ok(Vec::new()) };
    let since = since(fields, &field.name)?;
    decode(fields, &field.name, &field.values, |&value| since.seconds(value))
}

pub(super) fn since(fields: &Fields, name: &str) -> Result<Since, Error> {
    since_in(fields.file(), name)
}

fn since_in(file: &Dataset, name: &str) -> Result<Since, Error> {
    let units = file.units_of(name).unwrap_or_default();
    let calendar = file.text_attribute(name, "calendar");
    Since::of(&units, calendar.as_deref()).map_err(|problem| file.invalid(format!("{name} has {problem}")))
}

pub(super) fn decode(
    fields: &Fields,
    name: &str,
    values: &[f64],
    seconds: impl Fn(&f64) -> Option<(f64, i64)>,
) -> Result<Vec<Time>, Error> {
    let one = |value: &f64| {
        let (seconds, year) =
            seconds(value).ok_or_else(|| fields.refuse(format!("{name} = {value} is no time of its calendar")))?;
        Ok(Time { seconds, year })
    };
    values.iter().map(one).collect()
}
