//! Tables of fewer nodes, as JURASSIC's `tblrdc` makes them.

use isobar_core::Real;
use isobar_ega::{Curve, EmissivityTable};

/// How far a node that is left out may lie from the straight line, in logarithms, between its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thinning {
    /// The tolerance of the emissivity, relative.
    pub relative: f64,
    /// The tolerance of the emissivity, absolute; both together count.
    pub absolute: f64,
}

impl Default for Thinning {
    /// Those of `tblrdc`: 1 %, and 1e-9.
    fn default() -> Self {
        Self { relative: 0.01, absolute: 1e-9 }
    }
}

impl Thinning {
    /// The table with the nodes of each curve that it needs. The ends of a curve stay; between two nodes that stay the
    /// one with the largest error stays, too, as long as there is one with too large an error. Without any tolerance
    /// all nodes stay.
    #[must_use]
    pub fn thin(&self, table: &EmissivityTable) -> EmissivityTable {
        let mut table = table.clone();
        // All nodes, those on the line too.
        if (self.relative, self.absolute) == (0.0, 0.0) {
            return table;
        }
        for curve in table.pressures.iter_mut().flat_map(|level| &mut level.curves) {
            let pairs = curve.to_logarithms();
            let mut kept = vec![0];
            if pairs.len() > 2 {
                self.between(&pairs, 0, pairs.len() - 1, &mut kept);
            }
            if pairs.len() > 1 {
                kept.push(pairs.len() - 1);
            }
            *curve = Curve {
                temperature_k: curve.temperature_k,
                column_per_cm2: kept.iter().map(|&i| curve.column_per_cm2[i]).collect(),
                emissivity: kept.iter().map(|&i| curve.emissivity[i]).collect(),
                logarithms: kept.iter().filter_map(|&i| curve.logarithms.get(i).copied()).collect(),
            };
        }
        table
    }

    /// The nodes to keep between two that are kept, in their order.
    fn between(&self, pairs: &[[f32; 2]], left: usize, right: usize, kept: &mut Vec<usize>) {
        let ([x0, y0], [x1, y1]) = (pairs[left], pairs[right]);
        let mut worst = None;
        for (i, &[x, y]) in pairs.iter().enumerate().take(right).skip(left + 1) {
            // Single precision, as JURASSIC has it: the same nodes stay.
            let line = y0 + (y1 - y0) / (x1 - x0) * (x - x0);
            let emissivity = Real::exp(f64::from(y));
            let error = (emissivity - Real::exp(f64::from(line))).abs();
            // A line from a node without emissivity is none.
            let too_large = error.is_nan() || error > self.absolute + self.relative * emissivity;
            if too_large && worst.is_none_or(|(_, most)| error > most || error.is_nan()) {
                worst = Some((i, error));
            }
        }
        let Some((worst, _)) = worst else { return };
        if worst > left + 1 {
            self.between(pairs, left, worst, kept);
        }
        kept.push(worst);
        if right > worst + 1 {
            self.between(pairs, worst, right, kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slopes of 1 and of 1/2 in logarithms, with a node too many on each.
    #[test]
    fn what_lies_on_a_line_goes_and_the_ends_stay() {
        let pairs = [[40.0, -10.0], [41.0, -9.0], [42.0, -8.0], [43.0, -7.5], [44.0, -7.0]];
        let curve = Curve::from_logarithms(250.0, pairs.to_vec());
        let table = |curve: Curve| EmissivityTable {
            pressures: vec![isobar_ega::PressureLevel { pressure_hpa: 1.0, curves: vec![curve] }],
        };
        let thin = Thinning::default().thin(&table(curve.clone()));
        assert_eq!(thin.pressures[0].curves[0].logarithms, [pairs[0], pairs[2], pairs[4]]);
        // The largest error, exp(-8) - exp(-8.5), is 39 % of its emissivity.
        let coarse = Thinning { relative: 0.4, absolute: 0.0 }.thin(&table(curve.clone()));
        assert_eq!(coarse.pressures[0].curves[0].emissivity, [curve.emissivity[0], curve.emissivity[4]]);
        let all = Thinning { relative: 0.0, absolute: 0.0 }.thin(&table(curve.clone()));
        assert_eq!(all, table(curve));
        let zero = Curve { column_per_cm2: vec![1.0, 2.0, 4.0], emissivity: vec![0.0, 0.1, 0.2], ..Curve::default() };
        let zero = Curve { temperature_k: 250.0, ..zero };
        assert_eq!(Thinning::default().thin(&table(zero.clone())), table(zero));
    }
}
