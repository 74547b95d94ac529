//! Line lists and absorption spectra.

use std::collections::BTreeMap;

use isobar_spectra::lists::ListSummary;

use super::figure::{Error, Figure};
pub(crate) use super::panel::CURVES;
use super::panel::{Axis, Curve, Panel, draw};

/// More points than this show no more.
const POINTS: usize = 1000;

/// Draws what a list holds: the intensity in each part of the spectrum, and lines by decade of their intensity, a curve
/// a molecule.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn list(summary: &ListSummary) -> Result<Figure, Error> {
    let name = |molecule: u32| {
        let known = summary.isotopologues.iter().find(|of| of.isotopologue.molecule == molecule);
        known.map_or_else(String::new, |of| of.isotopologue.molecule_name.clone().into_owned())
    };
    let spectrum =
        |(&molecule, sums): (&u32, &BTreeMap<u32, f64>)| Curve { name: name(molecule), points: coarser(sums) };
    let decades = |molecule: u32| {
        let mut lines: BTreeMap<i32, usize> = BTreeMap::new();
        for of in summary.isotopologues.iter().filter(|of| of.isotopologue.molecule == molecule) {
            of.decades.iter().for_each(|(&decade, &count)| *lines.entry(decade).or_default() += count);
        }
        let points = lines.into_iter().map(|(decade, count)| (f64::from(decade), count as f64)).collect();
        Curve { name: name(molecule), points }
    };
    draw(&[
        Panel {
            title: "Intensity at 296 K".into(),
            x: Axis::linear("wavenumber [cm⁻¹]"),
            y: Axis { name: "sum [cm⁻¹/(molecule cm⁻²)]".into(), logarithmic: true },
            curves: summary.by_wavenumber.iter().take(CURVES).map(spectrum).collect(),
            wide: true,
        },
        Panel {
            title: "Lines by intensity".into(),
            x: Axis::linear("power of ten of the intensity"),
            y: Axis { name: "lines".into(), logarithmic: true },
            curves: summary.by_wavenumber.keys().take(CURVES).map(|&molecule| decades(molecule)).collect(),
            wide: false,
        },
    ])
}

/// Sums within intervals wide enough that there are not too many points; parts without lines are gaps.
fn coarser(sums: &BTreeMap<u32, f64>) -> Vec<(f64, f64)> {
    let (Some((&first, _)), Some((&last, _))) = (sums.first_key_value(), sums.last_key_value()) else {
        return Vec::new();
    };
    let width = (last - first) / POINTS as u32 + 1;
    let mut points: Vec<(f64, f64)> = (0..=(last - first) / width)
        .map(|part| (f64::from(first + part * width) + 0.5 * f64::from(width), 0.0))
        .collect();
    sums.iter().for_each(|(&nu, sum)| points[((nu - first) / width) as usize].1 += sum);
    points
}

/// Draws absorption spectra: wavenumbers \[cm^-1\], and a name and values for each curve, of which the first are drawn.
/// Where there are many points, each part of the spectrum shows its smallest and largest.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn absorption(wavenumbers_per_cm: &[f64], axis: &str, spectra: &[(String, &[f64])]) -> Result<Figure, Error> {
    let curve =
        |(name, values): &(String, &[f64])| Curve { name: name.clone(), points: extremes(wavenumbers_per_cm, values) };
    draw(&[Panel {
        title: "Absorption".into(),
        x: Axis::linear("wavenumber [cm⁻¹]"),
        y: Axis { name: axis.into(), logarithmic: true },
        curves: spectra.iter().take(CURVES).map(curve).collect(),
        wide: true,
    }])
}

fn extremes(x: &[f64], y: &[f64]) -> Vec<(f64, f64)> {
    let part = x.len().div_ceil(POINTS).max(1);
    let each = |(x, y): (&[f64], &[f64])| {
        let order = |a: &usize, b: &usize| y[*a].total_cmp(&y[*b]);
        let (low, high) = ((0..y.len()).min_by(order).unwrap_or(0), (0..y.len()).max_by(order).unwrap_or(0));
        let mut both = vec![low.min(high), low.max(high)];
        both.dedup();
        both.into_iter().map(|i| (x[i], y[i])).collect::<Vec<_>>()
    };
    x.chunks(part).zip(y.chunks(part)).flat_map(each).collect()
}
