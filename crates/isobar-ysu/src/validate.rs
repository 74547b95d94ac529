//! What is accepted.

use std::ops;

use isobar_core::Real;

use crate::columns::Columns;
use crate::error::Error;
use crate::version::{Options, Version};

/// A range in words, and as a test that NaN fails.
type Range = (&'static str, fn(f64) -> bool);

const FINITE: Range = ("a finite number", f64::is_finite);
const POSITIVE: Range = ("a positive finite number", |x| x > 0.0 && x < f64::INFINITY);
// Wider than any atmosphere; within them quotients stay plain numbers (`Real::plain_quotient`).
const THICKNESS: Range = ("in [0.001, 1e5] m", |x| (1e-3..=1e5).contains(&x));
const PRESSURE: Range = ("in [1e-6, 1e7] Pa", |x| (1e-6..=1e7).contains(&x));
const INTERFACE_PRESSURE: Range = ("0 or in [1e-6, 1e7] Pa", |x| x == 0.0 || (1e-6..=1e7).contains(&x));
const FRICTION_VELOCITY: Range = ("in (0, 100] m/s", |x| x > 0.0 && x <= 100.0);
const NOT_NEGATIVE: Range = ("a finite number of at least 0", |x| (0.0..f64::INFINITY).contains(&x));
const TEMPERATURE: Range = ("in [100, 400] K", |x| (100.0..=400.0).contains(&x));
const MIXING_RATIO: Range = ("in [-0.001, 1] kg/kg", |x| (-0.001..=1.0).contains(&x));
const WIND: Range = ("in [-1000, 1000] m/s", |x| (-1000.0..=1000.0).contains(&x));
const EXNER: Range = ("in [1e-4, 2]", |x| (1e-4..=2.0).contains(&x));
/// Far beyond what the scheme is for.
const LONGEST_STEP_S: f64 = 1e6;
const LAND_OR_WATER: Range = ("in [1, 2]", |x| (1.0..=2.0).contains(&x));

impl<R: Real> Columns<R> {
    /// Checks sizes and ranges of all columns.
    ///
    /// # Errors
    /// The first size or value that does not fit.
    pub fn validate(&self, options: &Options) -> Result<(), Error> {
        self.validate_sizes(options)?;
        self.invalid(0..self.columns(), options).into_iter().next().map_or(Ok(()), Err)
    }

    /// Checks the options and the sizes.
    ///
    /// # Errors
    /// The first that does not fit.
    pub fn validate_sizes(&self, options: &Options) -> Result<(), Error> {
        valid_options(options)?;
        sizes(self, options)
    }

    /// What is wrong with the columns of a range, one error a bad column, of a batch whose sizes are right.
    ///
    /// # Panics
    /// If the range ends beyond the columns.
    #[must_use]
    pub fn invalid(&self, range: ops::Range<usize>, options: &Options) -> Vec<Error> {
        invalid(self, range, options)
    }

    /// Checks the values of one column, of a batch whose sizes are right.
    ///
    /// # Errors
    /// The first value that does not fit.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn check_column(&self, column: usize, options: &Options) -> Result<(), Error> {
        valid_column(self, column, options)
    }
}

fn valid_options(options: &Options) -> Result<(), Error> {
    let step = options.time_step_s;
    if !(step > 0.0 && step <= LONGEST_STEP_S) {
        return Err(Error::Setup(format!("the time step is {step} s, which is not in (0, {LONGEST_STEP_S}] s")));
    }
    if options.top_down && options.version == Version::Wrf361 {
        return Err(Error::Setup("WRF 3.6.1 has no top-down mixing".to_owned()));
    }
    Ok(())
}

/// Variables of layers with their ranges.
fn air<'a, R: Real>(columns: &'a Columns<R>, options: &Options) -> Vec<(&'static str, &'a [R], Range)> {
    let air = &columns.air;
    let mut all: Vec<(&'static str, &[R], Range)> = vec![
        ("thickness", &air.thickness, THICKNESS),
        ("pressure", &air.pressure, PRESSURE),
        ("temperature", &air.temperature, TEMPERATURE),
        ("exner", &air.exner, EXNER),
        ("u", &air.u, WIND),
        ("v", &air.v, WIND),
        ("vapour", &air.vapour, MIXING_RATIO),
        ("cloud_water", &air.cloud_water, MIXING_RATIO),
        ("cloud_ice", &air.cloud_ice, MIXING_RATIO),
    ];
    if options.top_down {
        all.push(("radiative_heating", &air.radiative_heating, FINITE));
    }
    all
}

/// Variables of the surface with their ranges.
fn surface<'a, R: Real>(columns: &'a Columns<R>, options: &Options) -> Vec<(&'static str, &'a [R], Range)> {
    let surface = &columns.surface;
    let mut all: Vec<(&'static str, &[R], Range)> = vec![
        ("surface pressure", &surface.pressure, PRESSURE),
        ("roughness", &surface.roughness, NOT_NEGATIVE),
        ("friction_velocity", &surface.friction_velocity, FRICTION_VELOCITY),
        ("profile_momentum", &surface.profile_momentum, FINITE),
        ("profile_heat", &surface.profile_heat, POSITIVE),
        ("land_or_water", &surface.land_or_water, LAND_OR_WATER),
        ("sensible_heat_flux", &surface.sensible_heat_flux, FINITE),
        ("moisture_flux", &surface.moisture_flux, FINITE),
        ("wind_speed", &surface.wind_speed, POSITIVE),
        ("richardson", &surface.richardson, FINITE),
        ("u_10m", &surface.u_10m, WIND),
        ("v_10m", &surface.v_10m, WIND),
        ("u_current", &surface.u_current, WIND),
        ("v_current", &surface.v_current, WIND),
    ];
    if options.topographic {
        all.push(("drag_factor", &surface.drag_factor, NOT_NEGATIVE));
        all.push(("wind_weight", &surface.wind_weight, FINITE));
    }
    all
}

/// The numbers of values.
fn sizes<R: Real>(batch: &Columns<R>, options: &Options) -> Result<(), Error> {
    let (columns, layers) = (batch.columns(), batch.layers());
    if columns == 0 {
        return Err(Error::Setup("a batch needs at least one column".to_owned()));
    }
    if layers < 4 {
        return Err(Error::Setup(format!("{layers} layers are too few: at least 4")));
    }
    let check = |variable, got: usize, expected: usize, shape: String| {
        if got == expected { Ok(()) } else { Err(Error::Size { variable, got, expected, shape }) }
    };
    for (variable, values, _) in air(batch, options) {
        check(variable, values.len(), layers * columns, format!("{layers} layers x {columns} columns"))?;
    }
    let shape = format!("{} interfaces x {columns} columns", layers + 1);
    check("interface_pressure", batch.interface_pressure.len(), (layers + 1) * columns, shape)?;
    for (variable, values, _) in surface(batch, options) {
        check(variable, values.len(), columns, format!("{columns} columns"))?;
    }
    let tracers = batch.tracers();
    let shape = format!("{layers} layers x {tracers} tracers x {columns} columns");
    check("tracers", batch.tracers.len(), layers * tracers * columns, shape)
}

/// The first error of each bad column of a range, of a batch whose sizes are right. Row by row, as the values lie in
/// memory.
fn invalid<R: Real>(batch: &Columns<R>, range: ops::Range<usize>, options: &Options) -> Vec<Error> {
    let rows = Rows { columns: batch.columns(), range: range.clone() };
    let mut bad = vec![false; range.len()];
    for (_, values, (_, fits)) in surface(batch, options).into_iter().chain(air(batch, options)) {
        rows.of(values).for_each(|row| mark(&mut bad, row, |value| fits(value.value())));
    }
    rows.of(&batch.tracers).for_each(|row| mark(&mut bad, row, Real::is_finite));
    let (_, fits) = INTERFACE_PRESSURE;
    rows.of(&batch.interface_pressure).for_each(|row| mark(&mut bad, row, |value| fits(value.value())));
    for values in [&batch.air.pressure, &batch.interface_pressure] {
        for (below, row) in rows.of(values).zip(rows.of(values).skip(1)) {
            for ((bad, below), value) in bad.iter_mut().zip(below).zip(row) {
                *bad |= value >= below;
            }
        }
    }
    let bad = range.zip(bad).filter(|(_, bad)| *bad);
    bad.filter_map(|(i, _)| valid_column(batch, i, options).err()).collect()
}

/// The part of each row that belongs to a range of columns.
struct Rows {
    columns: usize,
    range: ops::Range<usize>,
}

impl Rows {
    fn of<'a, R>(&self, values: &'a [R]) -> impl Iterator<Item = &'a [R]> + use<'a, R> {
        let range = self.range.clone();
        values.chunks(self.columns).map(move |row| &row[range.clone()])
    }
}

/// Marks the columns whose values do not fit.
fn mark<R: Real>(bad: &mut [bool], row: &[R], fits: impl Fn(R) -> bool) {
    for (bad, &value) in bad.iter_mut().zip(row) {
        *bad |= !fits(value);
    }
}

/// The values of a column.
fn valid_column<R: Real>(batch: &Columns<R>, column: usize, options: &Options) -> Result<(), Error> {
    let (columns, layers) = (batch.columns(), batch.layers());
    let at = |values: &[R], level: usize| values[level * columns + column].value();
    let fails = |variable, layer, value, range| Err(Error::Value { variable, column, layer, value, range });
    for (variable, values, (range, fits)) in surface(batch, options) {
        let value = at(values, 0);
        if !fits(value) {
            return fails(variable, None, value, range);
        }
    }
    for (variable, values, (range, fits)) in air(batch, options) {
        for layer in 0..layers {
            let value = at(values, layer);
            if !fits(value) {
                return fails(variable, Some(layer), value, range);
            }
        }
    }
    let mut pressures = vec![("pressure", &batch.air.pressure, layers)];
    pressures.push(("interface_pressure", &batch.interface_pressure, layers + 1));
    for (variable, values, levels) in pressures {
        for layer in 0..levels {
            let value = at(values, layer);
            let (range, fits) = INTERFACE_PRESSURE;
            if !fits(value) {
                return fails(variable, Some(layer), value, range);
            }
            if layer > 0 && value >= at(values, layer - 1) {
                return Err(Error::Pressure { variable, column, layer, value, below: at(values, layer - 1) });
            }
        }
    }
    for (i, value) in batch.tracers.iter().enumerate().skip(column).step_by(columns) {
        if !value.is_finite() {
            let layer = i / (columns * batch.tracers());
            return fails("tracers", Some(layer), value.value(), FINITE.0);
        }
    }
    Ok(())
}
