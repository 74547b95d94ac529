//! A band in the order of its opacity, and its intervals.

use super::column::Column;
use super::fluxes::{Fluxes, Part};
use super::wanted::Wanted;
use isobar_core::Real;
use isobar_ega::planck;
use isobar_spectra::Grid;
use rayon::prelude::*;

/// Molecules in a mole, exact, and m^2 in a cm^2.
pub(super) const M2_PER_MOL: f64 = 6.022_140_76e23 * 1e-4;
/// Optical depth, along the vertical, of the air above the height by which wavenumbers are sorted.
const OPAQUE: f64 = 0.5;

/// A band in its order.
pub(super) struct Band<'a> {
    column: &'a Column,
    wavenumbers: &'a [f64],
    step_per_cm: f64,
    /// Cross-sections of each gas in each layer \[cm^2/molecule\].
    sections: &'a [Vec<Vec<f64>>],
    /// Points, the most opaque last.
    pub(super) order: Vec<usize>,
    /// Fluxes of each point, in the order of the points.
    pub(super) fluxes: Vec<Fluxes>,
}

impl<'a> Band<'a> {
    pub(super) fn new(column: &'a Column, (grid, step_per_cm): (&'a Grid, f64), sections: &'a [Vec<Vec<f64>>]) -> Self {
        let wavenumbers = grid.wavenumbers_per_cm();
        let mut band = Self { column, wavenumbers, step_per_cm, sections, order: Vec::new(), fluxes: Vec::new() };
        let (fluxes, heights): (Vec<_>, Vec<_>) = (0..wavenumbers.len())
            .into_par_iter()
            .map(|point| {
                let part = band.part(&[point]);
                (part.fluxes(), opaque_at(column, &part.depth))
            })
            .unzip();
        band.fluxes = fluxes;
        band.order = (0..wavenumbers.len()).collect();
        band.order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
        band
    }

    /// Flux of a black body at a point \[W/m^2\].
    pub(super) fn black(&self, point: usize, temperature_k: f64) -> f64 {
        core::f64::consts::PI * self.step_per_cm * planck::radiance(temperature_k, self.wavenumbers[point])
    }

    pub(super) fn black_of(&self, points: &[usize], temperature_k: f64) -> f64 {
        points.iter().map(|&point| self.black(point, temperature_k)).sum()
    }

    fn part(&self, points: &[usize]) -> Part {
        let column = self.column;
        let depth = |layer: usize| {
            let t = column.temperature_k[layer];
            let of_gas = |gas: usize| {
                let mean = mean_section(points, &self.sections[gas][layer], |point| self.black(point, t));
                column.air(layer) * column.fraction(gas, layer) * M2_PER_MOL * mean
            };
            (0..self.sections.len()).map(of_gas).sum()
        };
        let black = |temperatures: &[f64]| temperatures.iter().map(|&t| self.black_of(points, t)).collect();
        Part {
            depth: (0..column.layers()).map(depth).collect(),
            layers: black(&column.temperature_k),
            levels: black(&column.level_temperature_k),
            ground: self.black_of(points, column.surface_temperature_k),
        }
    }

    /// Fluxes of an interval by one g-point, less those line by line.
    fn error(&self, interval: std::ops::Range<usize>) -> Fluxes {
        let points = &self.order[interval];
        let mut error = self.part(points).fluxes();
        points.iter().for_each(|&point| error.add(&self.fluxes[point], -1.0));
        error
    }

    /// Where intervals end, so that the band's fluxes are off by no more than is accepted, if that many are enough; and
    /// the error.
    pub(super) fn divide(&self, wanted: &Wanted) -> (Vec<std::ops::Range<usize>>, f64) {
        let mut parts = vec![(0..self.order.len(), self.error(0..self.order.len()))];
        loop {
            let mut total = Fluxes::none(self.column.layers() + 1);
            parts.iter().for_each(|(_, error)| total.add(error, 1.0));
            let (number, left) = total.worst();
            // What makes the error where it is largest.
            let share = |(_, error): &(std::ops::Range<usize>, Fluxes)| error.value(number) * left.signum();
            let can = (0..parts.len()).filter(|&place| parts[place].0.len() > 1);
            let worst = can.max_by(|&a, &b| share(&parts[a]).total_cmp(&share(&parts[b])));
            let left = left.abs();
            let (true, true, Some(place)) = (left > wanted.error_w_per_m2, parts.len() < wanted.most, worst) else {
                return (parts.into_iter().map(|(interval, _)| interval).collect(), left);
            };
            let interval = parts[place].0.clone();
            let middle = interval.start + interval.len() / 2;
            let halves = [interval.start..middle, middle..interval.end].map(|half| (half.clone(), self.error(half)));
            parts.splice(place..=place, halves);
        }
    }
}

/// The mean of cross-sections with weights.
pub(super) fn mean_section(points: &[usize], sections: &[f64], weight: impl Fn(usize) -> f64) -> f64 {
    let (sum, total) = points.iter().fold((0.0, 0.0), |(sum, total), &point| {
        let weight = weight(point);
        (sum + weight * sections[point], total + weight)
    });
    sum / total
}

/// A number that grows with the height at which the column above is opaque; for a column that is so nowhere, its
/// optical depth, as a number below those.
fn opaque_at(column: &Column, depth: &[f64]) -> f64 {
    let mut above = 0.0;
    for layer in (0..depth.len()).rev() {
        if above + depth[layer] >= OPAQUE {
            let share = (OPAQUE - above) / depth[layer];
            let (top, bottom) = (column.level_pressure_pa[layer + 1], column.level_pressure_pa[layer]);
            return -Real::ln(top + share * (bottom - top));
        }
        above += depth[layer];
    }
    // No pressure is above 1e6 Pa, whose logarithm is below 14.
    above / OPAQUE - 20.0
}
