//! What is accepted.

use isobar_core::Real;

use crate::angles::slants;
use crate::host::columns::{CloudColumns, Columns};
use crate::host::error::Error;
use crate::host::options::{Options, Solver};
use crate::host::outside::TableRange;
use crate::host::overlap::{Decorrelation, Generator, Subcolumns};

impl<R: Real> Columns<R> {
    /// Checks options, sizes and values for a k-distribution of so many bands and g-points.
    ///
    /// # Errors
    /// The first option, variable or value that does not fit.
    pub fn validate(&self, (bands, points): (usize, usize), options: &Options) -> Result<(), Error> {
        self.validate_sizes((bands, points), options)?;
        self.validate_range(0..self.columns(), bands, options)
    }

    /// Checks options and sizes alone.
    ///
    /// # Errors
    /// The first that does not fit.
    pub fn validate_sizes(&self, (bands, points): (usize, usize), options: &Options) -> Result<(), Error> {
        sizes(self, bands, points)?;
        if slants(options.slants).is_none() {
            return Err(Error::Setup(format!("{} slants: there are quadratures of 1 to 4", options.slants)));
        }
        match &self.clouds {
            Some(clouds) if options.solver == Solver::Subcolumns && clouds.mask.is_empty() => {
                subcolumns(&options.subcolumns, self, clouds)
            }
            _ => Ok(()),
        }
    }

    /// Checks the values of some columns, whose sizes are valid.
    ///
    /// # Errors
    /// The first value that does not fit.
    pub fn validate_range(
        &self,
        columns: std::ops::Range<usize>,
        bands: usize,
        options: &Options,
    ) -> Result<(), Error> {
        let ends = TableRange::get().pressure_pa();
        columns.into_iter().try_for_each(|number| column(self, number, bands, options, ends))
    }
}

/// A range in words, and as a test that NaN fails.
type Range = (&'static str, fn(f64) -> bool);

const TEMPERATURE: Range = ("in [100, 400] K", |x| (100.0..=400.0).contains(&x));
const MIXING_RATIO: Range = ("in [0, 1] mol/mol", |x| (0.0..=1.0).contains(&x));
const NOT_NEGATIVE: Range = ("a finite number of at least 0", |x| (0.0..f64::INFINITY).contains(&x));
const POSITIVE: Range = ("a positive finite number", |x| x > 0.0 && x < f64::INFINITY);
const ZERO_TO_ONE: Range = ("in [0, 1]", |x| (0.0..=1.0).contains(&x));
/// A surface at less is higher than any mountain on Earth, and more likely in hPa.
const SURFACE_PRESSURE: Range = ("in [20000, 200000] Pa (is it in hPa?)", |x| (20_000.0..=200_000.0).contains(&x));

/// The numbers of values.
pub(crate) fn sizes<R: Real>(batch: &Columns<R>, bands: usize, points: usize) -> Result<(), Error> {
    let (columns, layers) = (batch.columns(), batch.layers());
    if columns == 0 {
        return Err(Error::Setup("a batch needs at least one column".to_owned()));
    }
    if layers == 0 {
        return Err(Error::Setup("a column needs at least one layer".to_owned()));
    }
    let check = |variable, got: usize, expected: usize, shape: String| {
        if got == expected { Ok(()) } else { Err(Error::Size { variable, got, expected, shape }) }
    };
    let of_layers = || format!("{layers} layers x {columns} columns");
    let of_levels = || format!("{} levels x {columns} columns", layers + 1);
    check("temperature", batch.temperature.len(), layers * columns, of_layers())?;
    check("pressure", batch.pressure.len(), layers * columns, of_layers())?;
    check("level_pressure", batch.level_pressure.len(), (layers + 1) * columns, of_levels())?;
    check("level_temperature", batch.level_temperature.len(), (layers + 1) * columns, of_levels())?;
    for (variable, values) in batch.amounts() {
        if values.len() > 1 {
            check(variable, values.len(), layers * columns, of_layers())?;
        }
    }
    if batch.dry_column.is_empty() != batch.broadening_column.is_empty() {
        return Err(Error::Setup("columns of dry air and broadening columns come together".to_owned()));
    }
    if !batch.dry_column.is_empty() {
        check("dry_column", batch.dry_column.len(), layers * columns, of_layers())?;
        check("broadening_column", batch.broadening_column.len(), layers * columns, of_layers())?;
    }
    if batch.emissivity.len() != 1 {
        check("emissivity", batch.emissivity.len(), bands * columns, format!("{bands} bands x {columns} columns"))?;
    }
    let of_bands = || format!("{layers} layers x {bands} bands x {columns} columns");
    if !batch.aerosol.is_empty() {
        check("aerosol", batch.aerosol.len(), layers * bands * columns, of_bands())?;
    }
    let Some(clouds) = &batch.clouds else { return Ok(()) };
    check("cloud fraction", clouds.fraction.len(), layers * columns, of_layers())?;
    if clouds.optical_depth.is_empty() {
        for (variable, values) in water(clouds) {
            check(variable, values.len(), layers * columns, of_layers())?;
        }
    } else {
        check("cloud optical depth", clouds.optical_depth.len(), layers * bands * columns, of_bands())?;
    }
    if !clouds.share.is_empty() {
        let shape = format!("{layers} layers x {points} g-points x {columns} columns");
        check("cloud share", clouds.share.len(), layers * points * columns, shape)?;
    }
    if !clouds.mask.is_empty() {
        let words = points.div_ceil(32);
        let shape = format!("{layers} layers x {words} words x {columns} columns");
        check("cloud mask", clouds.mask.len(), layers * words * columns, shape)?;
    }
    Ok(())
}

fn water<R>(clouds: &CloudColumns<R>) -> [(&'static str, &Vec<R>); 4] {
    [
        ("ice_path", &clouds.ice_path),
        ("liquid_path", &clouds.liquid_path),
        ("ice_size", &clouds.ice_size),
        ("liquid_radius", &clouds.liquid_radius),
    ]
}

/// A column's values of one variable, level by level.
struct Check {
    column: usize,
    columns: usize,
}

impl Check {
    fn value<R: Real>(&self, variable: &'static str, values: &[R], level: usize) -> (f64, &'static str) {
        (values[level * self.columns + self.column].value(), variable)
    }

    fn all<R: Real>(&self, variable: &'static str, values: &[R], (range, fits): Range) -> Result<(), Error> {
        for level in 0..values.len() / self.columns {
            let (value, variable) = self.value(variable, values, level);
            if !fits(value) {
                let layer = (values.len() > self.columns).then_some(level);
                return Err(Error::Value { variable, column: self.column, layer, value, range: range.to_owned() });
            }
        }
        Ok(())
    }
}

/// The values of a column.
pub(crate) fn column<R: Real>(
    batch: &Columns<R>,
    column: usize,
    bands: usize,
    options: &Options,
    ends: [f64; 2],
) -> Result<(), Error> {
    let check = Check { column, columns: batch.columns() };
    check.all("level_pressure", &batch.level_pressure, NOT_NEGATIVE)?;
    check.all("pressure", &batch.pressure, POSITIVE)?;
    pressures(batch, &check, ends)?;
    check.all("surface pressure", &batch.level_pressure[..check.columns], SURFACE_PRESSURE)?;
    // After pressures, from which temperatures of levels may have been derived.
    check.all("surface_temperature", &batch.surface_temperature, TEMPERATURE)?;
    check.all("temperature", &batch.temperature, TEMPERATURE)?;
    check.all("level_temperature", &batch.level_temperature, TEMPERATURE)?;
    let amount = if batch.dry_column.is_empty() { MIXING_RATIO } else { NOT_NEGATIVE };
    for (variable, values) in batch.amounts() {
        let everywhere = Check { column: 0, columns: 1 };
        let check = if values.len() == 1 { &everywhere } else { &check };
        check.all(variable, values, amount)?;
    }
    check.all("dry_column", &batch.dry_column, POSITIVE)?;
    check.all("broadening_column", &batch.broadening_column, NOT_NEGATIVE)?;
    if batch.emissivity.len() == 1 {
        Check { column: 0, columns: 1 }.all("emissivity", &batch.emissivity, ZERO_TO_ONE)?;
    } else {
        check.all("emissivity", &batch.emissivity, ZERO_TO_ONE)?;
    }
    check.all("aerosol", &batch.aerosol, NOT_NEGATIVE)?;
    batch.clouds.as_ref().map_or(Ok(()), |clouds| cloud(clouds, &check, bands, options))
}

/// Pressure falls from level to level, and layers lie between theirs.
///
/// But for a layer at the end of the tables' pressures, to which it was clamped.
fn pressures<R: Real>(batch: &Columns<R>, check: &Check, ends: [f64; 2]) -> Result<(), Error> {
    let ends = ends.map(|end| R::from_f64(end).value());
    let level = |level: usize| check.value("level_pressure", &batch.level_pressure, level).0;
    let column = check.column;
    for layer in 0..batch.layers() {
        let (value, variable) = check.value("pressure", &batch.pressure, layer);
        let (below, above) = (level(layer), level(layer + 1));
        if above >= below {
            let under = "the level under it";
            let (variable, layer) = ("level_pressure", layer + 1);
            return Err(Error::Pressure { variable, column, layer, value: above, below, under });
        }
        if (value > below || value < above) && !ends.contains(&value) {
            let range = format!("between the {below} and {above} Pa of the levels around it");
            return Err(Error::Value { variable, column, layer: Some(layer), value, range });
        }
    }
    Ok(())
}

fn cloud<R: Real>(clouds: &CloudColumns<R>, check: &Check, bands: usize, options: &Options) -> Result<(), Error> {
    check.all("cloud fraction", &clouds.fraction, ZERO_TO_ONE)?;
    check.all("cloud share", &clouds.share, NOT_NEGATIVE)?;
    if !clouds.optical_depth.is_empty() {
        debug_assert_eq!(clouds.optical_depth.len(), clouds.fraction.len() * bands);
        return check.all("cloud optical depth", &clouds.optical_depth, NOT_NEGATIVE);
    }
    check.all("ice_path", &clouds.ice_path, NOT_NEGATIVE)?;
    check.all("liquid_path", &clouds.liquid_path, NOT_NEGATIVE)?;
    let sizes = [
        ("ice_size", &clouds.ice_path, &clouds.ice_size, options.ice.range_um()),
        ("liquid_radius", &clouds.liquid_path, &clouds.liquid_radius, options.liquid.range_um()),
    ];
    for (variable, paths, sizes, [least, most]) in sizes {
        for layer in 0..paths.len() / check.columns {
            let (value, variable) = check.value(variable, sizes, layer);
            let (path, _) = check.value(variable, paths, layer);
            let (fraction, _) = check.value(variable, &clouds.fraction, layer);
            if path > 0.0 && fraction > 0.0 && !(least..=most).contains(&value) {
                let most = if most == f64::MAX { "any".to_owned() } else { most.to_string() };
                let range = format!("in [{least}, {most}] um, for which the chosen optics are");
                return Err(Error::Value { variable, column: check.column, layer: Some(layer), value, range });
            }
        }
    }
    Ok(())
}

/// Is there all that masks are generated from?
pub(crate) fn subcolumns<R: Real>(
    choice: &Subcolumns,
    columns: &Columns<R>,
    clouds: &CloudColumns<R>,
) -> Result<(), Error> {
    let (count, layers) = (columns.columns(), columns.layers());
    if choice.overlap.is_exponential() && clouds.thickness_m.len() != layers * count {
        return Err(Error::Size {
            variable: "thickness_m",
            got: clouds.thickness_m.len(),
            expected: layers * count,
            shape: format!("{layers} layers x {count} columns"),
        });
    }
    if choice.overlap.is_exponential() && ![0, 1, count].contains(&clouds.latitude_deg.len()) {
        let (variable, got) = ("latitude_deg", clouds.latitude_deg.len());
        return Err(Error::Size { variable, got, expected: count, shape: format!("{count} columns") });
    }
    if let Decorrelation::Length(length) = choice.decorrelation
        && choice.overlap.is_exponential()
        && (length.is_nan() || length <= 0.0)
    {
        return Err(Error::Setup(format!("a decorrelation length of {length} m is not positive")));
    }
    if choice.generator == Generator::Kiss && layers < 4 {
        return Err(Error::Setup(format!("{layers} layers are too few to seed KISS: 4, or the Mersenne twister")));
    }
    Ok(())
}
