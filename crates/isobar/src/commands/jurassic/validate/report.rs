//! How far radiances are from those of a reference, as JURASSIC reports it: of limb rays relative differences of
//! radiances, of others differences of brightness temperatures.

use isobar_ega::planck;
use serde_json::{Value, json};

use super::reference::Sight;

/// Ours and the reference's radiance at a wavenumber \[cm^-1\].
pub(super) type Pair = (f64, f64, f64);

/// Sizes of the differences of a ray.
pub(super) struct Difference {
    geometry: String,
    number: usize,
    view_km: f64,
    unit: &'static str,
    channels: usize,
    median: f64,
    percentile_95: f64,
    root_mean_square: f64,
    largest: f64,
    largest_at_per_cm: f64,
}

impl Difference {
    /// Channels without radiance are left out; where none is left, the numbers are NaN.
    pub(super) fn new(sight: &Sight, pairs: &[Pair]) -> Self {
        let limb = sight.geometry == "limb";
        let difference = |&(nu, ours, wanted): &Pair| {
            let kelvin = |radiance| planck::brightness_temperature(radiance, nu);
            let difference = if limb { 100.0 * (ours - wanted) / wanted } else { kelvin(ours) - kelvin(wanted) };
            (difference.abs(), nu)
        };
        let mut all: Vec<(f64, f64)> =
            pairs.iter().filter(|(_, ours, wanted)| *wanted > 0.0 && (limb || *ours > 0.0)).map(difference).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let values: Vec<f64> = all.iter().map(|(value, _)| *value).collect();
        let squares: f64 = values.iter().map(|value| value * value).sum();
        let (largest, largest_at_per_cm) = all.last().copied().unwrap_or((f64::NAN, f64::NAN));
        Self {
            geometry: sight.geometry.clone(),
            number: sight.number,
            view_km: sight.ray.view_point.height_km,
            unit: if limb { "%" } else { "K" },
            channels: values.len(),
            median: percentile(&values, 0.5),
            percentile_95: percentile(&values, 0.95),
            root_mean_square: (squares / values.len() as f64).sqrt(),
            largest,
            largest_at_per_cm,
        }
    }

    /// NaN are null.
    pub(super) fn json(&self) -> Value {
        json!({
            "geometry": self.geometry,
            "ray": self.number,
            "view_km": self.view_km,
            "unit": self.unit,
            "channels": self.channels,
            "median": self.median,
            "percentile_95": self.percentile_95,
            "rms": self.root_mean_square,
            "largest": self.largest,
            "largest_at_per_cm": self.largest_at_per_cm,
        })
    }
}

/// A table, one line a ray.
pub(super) fn print(differences: &[Difference]) {
    let titles = ["geometry", "view [km]", "unit", "channels", "median", "95 %", "rms", "largest", "at [cm^-1]"];
    let widths = [10, 10, 5, 9, 12, 12, 12, 12, 12];
    let line = |words: &[String]| {
        let padded: Vec<String> = words.iter().zip(widths).map(|(word, width)| format!("{word:>width$}")).collect();
        print_line!("{}", padded.join(" "));
    };
    line(&titles.map(str::to_owned));
    for ray in differences {
        line(&[
            ray.geometry.clone(),
            ray.view_km.to_string(),
            ray.unit.to_owned(),
            ray.channels.to_string(),
            format!("{:.4}", ray.median),
            format!("{:.4}", ray.percentile_95),
            format!("{:.4}", ray.root_mean_square),
            format!("{:.4}", ray.largest),
            ray.largest_at_per_cm.to_string(),
        ]);
    }
}

/// The value below which this share of sorted ones lies, between two of them.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let low = place as usize;
    let weight = place - low as f64;
    sorted[low] * (1.0 - weight) + sorted[(low + 1).min(last)] * weight
}
