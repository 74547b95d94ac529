//! Emissivity look-up tables as a host owns them.

use std::borrow::Cow;

use isobar_core::Real;

/// The band emissivity of one gas in one channel as a function of pressure, temperature and column density.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EmissivityTable {
    /// One entry a pressure level, in the order of the file.
    pub pressures: Vec<PressureLevel>,
}

/// The curves of one pressure.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PressureLevel {
    /// Pressure \[hPa\].
    pub pressure_hpa: f64,
    /// One entry a temperature, in the order of the file.
    pub curves: Vec<Curve>,
}

/// Emissivity against column density at one pressure and temperature.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Curve {
    /// Temperature \[K\].
    pub temperature_k: f64,
    /// Column density \[molecules/cm^2\], strictly ascending.
    pub column_per_cm2: Vec<f32>,
    /// Emissivity, strictly ascending, in `[0, 1]`.
    pub emissivity: Vec<f32>,
    /// The natural logarithms of both, node by node, as a file of logarithms has them; empty where they are to be
    /// taken of the values above.
    pub logarithms: Vec<[f32; 2]>,
}

impl Curve {
    /// A curve whose file has logarithms of column density \[molecules/cm^2\] and emissivity.
    #[must_use]
    pub fn from_logarithms(temperature_k: f64, logarithms: Vec<[f32; 2]>) -> Self {
        let values = |axis: usize| logarithms.iter().map(|pair| Real::exp(f64::from(pair[axis])) as f32).collect();
        Self { temperature_k, column_per_cm2: values(0), emissivity: values(1), logarithms }
    }

    /// The natural logarithms of column density and emissivity, node by node: those of the file, or those of the
    /// values. Of an emissivity of 0, minus infinity.
    #[must_use]
    pub fn to_logarithms(&self) -> Cow<'_, [[f32; 2]]> {
        if !self.logarithms.is_empty() {
            return Cow::Borrowed(&self.logarithms);
        }
        let ln = |x: f32| Real::ln(f64::from(x)) as f32;
        Cow::Owned(self.column_per_cm2.iter().zip(&self.emissivity).map(|(&u, &e)| [ln(u), ln(e)]).collect())
    }
}

/// Why a table was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TableError {
    /// An axis is not monotone.
    #[error("{axis} {value} at index {index} breaks the order of the axis{place}")]
    Order {
        /// Which axis.
        axis: &'static str,
        /// Where on it.
        index: usize,
        /// The value found there.
        value: f64,
        /// The curve, where it is the axis of one.
        place: String,
    },
    /// A value is not finite or out of range.
    #[error("{axis} {value} at index {index} lies outside {range}{place}")]
    Range {
        /// Which axis.
        axis: &'static str,
        /// Where on it.
        index: usize,
        /// The value found there.
        value: f64,
        /// The accepted range.
        range: &'static str,
        /// The curve, where it is the axis of one.
        place: String,
    },
    /// A curve has unequal numbers of column densities and emissivities, or none.
    #[error("a curve has {columns} column densities and {emissivities} emissivities{place}")]
    Length {
        /// Its column densities.
        columns: usize,
        /// Its emissivities.
        emissivities: usize,
        /// The curve.
        place: String,
    },
    /// More distinct column densities than can be numbered.
    #[error("the tables have {0} distinct column densities, at most 2147483647 can be held")]
    TooManyColumns(usize),
    /// A table has more emissivities than can be numbered.
    #[error("a table has more than 4294967295 emissivities")]
    TooLarge,
}

impl EmissivityTable {
    /// Checks the axes: pressures strictly monotone in either direction, temperatures, column densities and
    /// emissivities strictly ascending, everything finite and not negative, emissivities in `[0, 1]`.
    ///
    /// # Errors
    /// The first value that breaks a rule, with its place.
    pub fn validate(&self) -> Result<(), TableError> {
        let pressures: Vec<f64> = self.pressures.iter().map(|level| level.pressure_hpa).collect();
        let descending = pressures.len() > 1 && pressures[1] < pressures[0];
        axis("pressure [hPa]", &pressures, descending, "(0, inf)", |p| p > 0.0, &String::new)?;
        for level in &self.pressures {
            let temperatures: Vec<f64> = level.curves.iter().map(|curve| curve.temperature_k).collect();
            let place = || format!(" at {} hPa", level.pressure_hpa);
            axis("temperature [K]", &temperatures, false, "(0, inf)", |t| t > 0.0, &place)?;
            for curve in &level.curves {
                let place = || format!(" at {} hPa, {} K", level.pressure_hpa, curve.temperature_k);
                let (columns, emissivities) = (curve.column_per_cm2.len(), curve.emissivity.len());
                if columns != emissivities || columns == 0 {
                    return Err(TableError::Length { columns, emissivities, place: place() });
                }
                if !curve.logarithms.is_empty() {
                    Self::check_logarithms(curve, &place)?;
                    continue;
                }
                axis("column density", &curve.column_per_cm2, false, "(0, inf)", |u| u > 0.0, &place)?;
                axis("emissivity", &curve.emissivity, false, "[0, 1]", |e| (0.0..=1.0).contains(&e), &place)?;
            }
        }
        Ok(())
    }

    /// Logarithms tell apart what their values in single precision may not.
    fn check_logarithms(curve: &Curve, place: &dyn Fn() -> String) -> Result<(), TableError> {
        let (columns, emissivities) = (curve.logarithms.len(), curve.emissivity.len());
        if columns != emissivities {
            return Err(TableError::Length { columns, emissivities, place: place() });
        }
        let of = |axis: usize| curve.logarithms.iter().map(|pair| pair[axis]).collect::<Vec<f32>>();
        axis("ln of column density", &of(0), false, LN_COLUMN.1, |u| LN_COLUMN.0.contains(&u), place)?;
        axis("ln of emissivity", &of(1), false, "(-inf, 0]", |e| e <= 0.0, place)
    }
}

/// Single precision holds column densities with these logarithms.
const LN_COLUMN: (core::ops::RangeInclusive<f64>, &str) = (-87.0..=88.0, "[-87, 88]");

fn axis<T: Copy + PartialOrd + Into<f64>>(
    name: &'static str,
    values: &[T],
    descending: bool,
    range: &'static str,
    ok: impl Fn(f64) -> bool,
    place: &dyn Fn() -> String,
) -> Result<(), TableError> {
    for (index, &value) in values.iter().enumerate() {
        if !(value.into().is_finite() && ok(value.into())) {
            return Err(TableError::Range { axis: name, index, value: value.into(), range, place: place() });
        }
        if index > 0 && !(if descending { value < values[index - 1] } else { value > values[index - 1] }) {
            return Err(TableError::Order { axis: name, index, value: value.into(), place: place() });
        }
    }
    Ok(())
}
