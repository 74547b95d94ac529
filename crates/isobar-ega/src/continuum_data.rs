//! The continuum coefficients of a channel, interpolated from the tables in `data/`.

use std::sync::LazyLock;

use isobar_core::{Column, Real, bracket, interpolate::linear};

use crate::physics::continuum::Continuum;

/// How the continuum of N2 counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NitrogenContinuum {
    /// Not at all.
    Off,
    /// As in JURASSIC: [`JURASSIC_N2_FACTOR`] of what was measured.
    #[default]
    Jurassic,
    /// As measured by Lafferty et al. (1996).
    Measured,
}

/// JURASSIC's continuum of N2 over the measured one: its table is in cm^-1 and its factor for a table in 1e-6 cm^-1.
pub const JURASSIC_N2_FACTOR: f64 = 1e-6;

/// First and last wavenumber of the continuum of N2 \[cm^-1\].
pub const N2_PER_CM: (f64, f64) = (2120.0, 2605.0);

/// Where there is a continuum of O2 \[cm^-1\].
pub const O2_PER_CM: (f64, f64) = (1360.0, 1805.0);

/// Which continua count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Continua {
    /// CO2, 0 to 4000 cm^-1.
    pub co2: bool,
    /// H2O, 0 to 20000 cm^-1.
    pub h2o: bool,
    /// N2, 2120 to 2605 cm^-1.
    pub n2: NitrogenContinuum,
    /// O2, 1360 to 1805 cm^-1.
    pub o2: bool,
}

impl Default for Continua {
    fn default() -> Self {
        Self { co2: true, h2o: true, n2: NitrogenContinuum::Jurassic, o2: true }
    }
}

impl<R: Real> Continuum<R> {
    /// The coefficients at a wavenumber \[cm^-1\]. CO2 and H2O count only where they are among the gases: the caller
    /// says so in `continua`.
    #[must_use]
    pub fn at(wavenumber_per_cm: f64, continua: Continua) -> Self {
        let nu = wavenumber_per_cm;
        let mut result = Self { wavenumber_per_cm: R::from_f64(nu), ..Self::default() };
        if continua.co2 && (0.0..4000.0).contains(&nu) {
            result.co2 = CO2.at::<3>(nu).map(R::from_f64);
        }
        if continua.h2o && (0.0..20_000.0).contains(&nu) {
            let [at_296, at_260, foreign] = H2O.at(nu);
            let correction = if nu > 820.0 && nu < 960.0 { H2O_SELF_WINDOW.at::<1>(nu)[0] } else { 1.0 };
            let v2 = (nu - 370.0) * (nu - 370.0);
            let far = 1.0 - 0.25 * 36_100.0 / (v2 + 1e-8 * v2 * v2 * v2 + 36_100.0);
            result.h2o_self = R::from_f64(correction * at_296);
            result.h2o_self_log_ratio = R::from_f64(Real::ln(at_260 / at_296));
            result.h2o_foreign = R::from_f64(foreign * far);
        }
        if continua.n2 != NitrogenContinuum::Off && (N2_PER_CM.0..=N2_PER_CM.1).contains(&nu) {
            let [strength, beta_k] = N2.at(nu);
            let factor = if continua.n2 == NitrogenContinuum::Measured { 1.0 / JURASSIC_N2_FACTOR } else { 1.0 };
            result.n2 = [strength * factor, beta_k].map(R::from_f64);
        }
        if continua.o2 && (O2_PER_CM.0..=O2_PER_CM.1).contains(&nu) {
            result.o2 = O2.at(nu).map(R::from_f64);
        }
        result
    }
}

static CO2: LazyLock<Coefficients<4>> = LazyLock::new(|| read(include_str!("../data/co2.txt")));
static H2O: LazyLock<Coefficients<4>> = LazyLock::new(|| read(include_str!("../data/h2o.txt")));
static H2O_SELF_WINDOW: LazyLock<Coefficients<2>> = LazyLock::new(|| read(include_str!("../data/h2o_self_window.txt")));
static N2: LazyLock<Coefficients<3>> = LazyLock::new(|| read(include_str!("../data/n2.txt")));
static O2: LazyLock<Coefficients<3>> = LazyLock::new(|| read(include_str!("../data/o2.txt")));

/// A table of `N - 1` coefficients against wavenumber.
struct Coefficients<const N: usize> {
    columns: [Vec<f64>; N],
}

impl<const N: usize> Coefficients<N> {
    /// Linear between the nodes.
    fn at<const M: usize>(&self, nu: f64) -> [f64; M] {
        let x = &self.columns[0];
        let i = bracket::ascending(Column::from(x.as_slice()), nu);
        core::array::from_fn(|k| {
            let y = &self.columns[k + 1];
            linear(x[i], y[i], x[i + 1], y[i + 1], nu)
        })
    }
}

/// Parses one of our own files: `#` comments, then numbers in columns.
fn read<const N: usize>(text: &str) -> Coefficients<N> {
    let mut columns = core::array::from_fn(|_| Vec::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let values = line.split_ascii_whitespace().map(|word| word.parse().expect("a number in a file of the crate"));
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
    }
    Coefficients { columns }
}
