//! Emissivity look-up tables as a host owns them.

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
                axis("column density", &curve.column_per_cm2, false, "(0, inf)", |u| u > 0.0, &place)?;
                axis("emissivity", &curve.emissivity, false, "[0, 1]", |e| (0.0..=1.0).contains(&e), &place)?;
            }
        }
        Ok(())
    }
}

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
