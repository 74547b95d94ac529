//! How fields are changed: which are, and by what law.

use isobar_core::Real;
use isobar_core::fields::{Accepted, Declared, Kind};
use isobar_radiation::ColumnViews;

/// How a number is changed by a deviation, of mean 0 and standard deviation 1 where it is normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    /// The spread is a standard deviation: `x + spread n`.
    Normal,
    /// That of the logarithm: `x exp(spread n)`.
    LogNormal,
    /// That of the logarithm of the odds, by which 0 and 1 stay.
    Odds,
    /// Anywhere in `x - spread ..= x + spread`, folded at -1 and 1.
    Uniform,
}

/// Fields that change together with another: the same deviations.
const TOGETHER: [[&str; 2]; 2] =
    [["level_temperature_k", "temperature_k"], ["surface_albedo_diffuse", "surface_albedo_direct"]];

/// What is not changed: coordinates, and what would no longer fit the rest of the column.
const HELD: [&str; 9] = [
    "pressure_pa",
    "level_pressure_pa",
    "dry_column_per_cm2",
    "broadening_column_per_cm2",
    "overlap_parameter",
    "thickness_m",
    "latitude_deg",
    "cloud_share",
    "fractional_standard_deviation",
];

impl Law {
    /// That of a field; none of what is not changed.
    pub(super) fn of(declared: &Declared) -> Option<Self> {
        let follows = TOGETHER.iter().any(|[one, _]| *one == declared.name);
        if declared.kind != Kind::Real || follows || HELD.contains(&declared.name) {
            return None;
        }
        match (declared.name, declared.unit, declared.accepted) {
            ("cosine_zenith", ..) => Some(Self::Uniform),
            (_, "K", _) => Some(Self::Normal),
            (_, "1", Accepted::Within(0.0, 1.0)) => Some(Self::Odds),
            // Asymmetries.
            (_, "1", Accepted::Within(-1.0, _)) => None,
            _ => Some(Self::LogNormal),
        }
    }

    /// The changed number.
    pub(super) fn apply(self, value: f64, spread: f64, deviation: f64) -> f64 {
        let change = spread * deviation;
        match self {
            Self::Normal => value + change,
            Self::LogNormal => value * Real::exp(change),
            // x e / (1 - x + x e), in which nothing overflows.
            Self::Odds if change > 0.0 => value / ((1.0 - value) * Real::exp(-change) + value),
            Self::Odds => {
                let odds = value * Real::exp(change);
                odds / ((1.0 - value) + odds)
            }
            Self::Uniform => fold(value + change),
        }
    }
}

/// A number folded at -1 and 1, as often as needed.
fn fold(value: f64) -> f64 {
    let turned = (value + 1.0).rem_euclid(4.0);
    if turned <= 2.0 { turned - 1.0 } else { 3.0 - turned }
}

/// The field whose deviations a field has: its own, unless it goes together with another.
pub(super) fn leader(name: &str) -> &str {
    TOGETHER.iter().find(|[one, _]| *one == name).map_or(name, |[_, leader]| leader)
}

/// What can be changed.
pub(super) fn all() -> String {
    let names = ColumnViews::<f64>::DECLARED.iter().filter(|declared| Law::of(declared).is_some());
    names.map(|declared| declared.file_name).collect::<Vec<_>>().join(", ")
}
