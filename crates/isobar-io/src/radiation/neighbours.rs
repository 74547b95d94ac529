//! The two layers of a file between which a level lies, or a part of the lowest layer above the ground.

use isobar_core::Real;
use isobar_radiation::Columns;

use crate::columns_file::{BelowGround, Temperatures};

/// How temperature changes with pressure between layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    /// As RTE has it: temperature times pressure is linear in pressure; at the ends, temperature is.
    Pressure,
    /// As RRTMG_LW is given it: linear in ln(pressure), also at the surface; at the top that of the uppermost layer.
    Logarithm,
}

impl Law {
    pub(super) fn temperatures(self) -> Temperatures {
        match self {
            Self::Pressure => Temperatures::LayersByPressure,
            Self::Logarithm => Temperatures::LayersByLogarithm,
        }
    }

    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Pressure => "times pressure, linear in pressure between layers; linear in pressure at the ends",
            Self::Logarithm => "linear in ln(pressure) between layers, that of the uppermost at the top",
        }
    }
}

/// The layers of columns.
#[derive(Clone, Copy)]
pub(super) struct Neighbours<'a> {
    levels: &'a [f64],
    layers: &'a [f64],
    below_ground: &'a BelowGround,
    count: usize,
}

/// Two layers one upon the other, and something between or beside them.
pub(super) struct Pair {
    /// The index of the lower one's values, and of the upper one's.
    pub(super) at: [usize; 2],
    /// Their pressures in the file \[Pa\].
    pub(super) of_layers: [f64; 2],
    /// That of what is between them \[Pa\].
    pub(super) pressure: f64,
    /// Whether it lies at an end of the column, beside both.
    is_end: bool,
    is_top: bool,
}

impl<'a> Neighbours<'a> {
    pub(super) fn of(columns: &'a Columns<f64>, below_ground: &'a BelowGround) -> Self {
        let Columns { level_pressure_pa: levels, pressure_pa: layers, .. } = columns;
        Self { levels, layers, below_ground, count: levels.len() - layers.len() }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn of_level(&self, level: usize, column: usize) -> Pair {
        let pair = self.pair(level, column, self.levels[level * self.count + column]);
        let is_top = level == self.layers.len() / self.count;
        Pair { is_end: pair.is_end || level == 0 || is_top, is_top, ..pair }
    }

    /// Of a part of the lowest layer above the ground; nothing of other layers.
    pub(super) fn of_part(&self, layer: usize, column: usize) -> Option<Pair> {
        let below = self.below(column);
        let is_part = below > 0 && layer <= below;
        is_part.then(|| self.pair(layer, column, self.layers[layer * self.count + column]))
    }

    /// Whether these are the values of a layer above the ground, the parts of which have others.
    pub(super) fn is_divided(&self, at: usize) -> bool {
        let below = self.below(at % self.count);
        below > 0 && at / self.count == below
    }

    /// Temperatures of layers as the file has them, where those of parts follow from it.
    pub(super) fn temperatures_of_file(&self, columns: &Columns<f64>) -> Vec<f64> {
        let mut temperatures = columns.temperature_k.clone();
        for (column, &temperature) in self.below_ground.temperature.iter().enumerate() {
            let at = self.below(column) * self.count + column;
            if self.is_divided(at) {
                temperatures[at] = temperature;
            }
        }
        temperatures
    }

    fn below(&self, column: usize) -> usize {
        self.below_ground.layers.get(column).copied().unwrap_or(0)
    }

    fn pair(&self, row: usize, column: usize, pressure: f64) -> Pair {
        let (count, below) = (self.count, self.below(column));
        let upper = row.max(below + 1).min(self.layers.len() / count - 1) * count + column;
        let at = [upper - count, upper];
        let mut of_layers = at.map(|at| self.layers[at]);
        if self.is_divided(at[0]) {
            of_layers[0] = self.below_ground.pressure[column];
        }
        let is_end = row <= below && pressure >= of_layers[0];
        Pair { at, of_layers, pressure, is_end, is_top: false }
    }
}

impl Pair {
    /// The temperature \[K\] by those of all layers.
    pub(super) fn temperature(&self, law: Law, temperature: &[f64]) -> f64 {
        let (&Self { pressure, of_layers: [below, above], .. }, [lower, upper]) = (self, self.at);
        match law {
            Law::Logarithm if self.is_top => temperature[upper],
            Law::Logarithm => {
                let (below, above) = (Real::ln(below), Real::ln(above));
                let share = (Real::ln(pressure) - below) / (above - below);
                temperature[lower] + share * (temperature[upper] - temperature[lower])
            }
            Law::Pressure if self.is_end => {
                let slope = (temperature[upper] - temperature[lower]) / (above - below);
                temperature[lower] + (pressure - below) * slope
            }
            Law::Pressure => {
                let weighted =
                    below * temperature[lower] * (pressure - above) + above * temperature[upper] * (below - pressure);
                weighted / (pressure * (below - above))
            }
        }
    }

    /// Slopes of the temperature \[K/Pa\] by its own pressure, by that of the lower layer and by that of the upper one.
    pub(super) fn slopes(&self, law: Law, temperature: &[f64]) -> [f64; 3] {
        let (t, p) = (self.at.map(|at| temperature[at]), self.of_layers);
        match law {
            Law::Logarithm if self.is_top => [0.0; 3],
            Law::Logarithm => of_logarithm(t, p, self.pressure),
            Law::Pressure if self.is_end => of_line(t, p, self.pressure),
            Law::Pressure => of_weighted_line(t, p, self.pressure),
        }
    }
}

/// Slopes of a temperature at a pressure by this, by the pressure below and by that above, where these have
/// temperatures: linear in pressure.
fn of_line([t0, t1]: [f64; 2], [p0, p1]: [f64; 2], p: f64) -> [f64; 3] {
    let slope = (t1 - t0) / (p1 - p0);
    let share = (p - p0) / (p1 - p0);
    [slope, slope * (share - 1.0), -slope * share]
}

/// Temperature times pressure is linear in pressure.
fn of_weighted_line([t0, t1]: [f64; 2], [p0, p1]: [f64; 2], p: f64) -> [f64; 3] {
    let t = (p0 * t0 * (p - p1) + p1 * t1 * (p0 - p)) / (p * (p0 - p1));
    let whole = p * (p0 - p1);
    let by_p = p0 * t0 - p1 * t1 - t * (p0 - p1);
    let by_p0 = t0 * (p - p1) + p1 * t1 - t * p;
    let by_p1 = t1 * (p0 - p) - p0 * t0 + t * p;
    [by_p / whole, by_p0 / whole, by_p1 / whole]
}

/// Temperature is linear in the logarithm of pressure.
fn of_logarithm(t: [f64; 2], p: [f64; 2], at: f64) -> [f64; 3] {
    let [by_at, by_below, by_above] = of_line(t, p.map(Real::ln), Real::ln(at));
    [by_at / at, by_below / p[0], by_above / p[1]]
}
