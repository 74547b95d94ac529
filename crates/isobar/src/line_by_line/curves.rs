//! Curves of growth at columns that are whole powers of a factor.
//!
//! Columns and classes are both equidistant in logarithms, a whole number of classes to a column. So `ln(sigma u)` of
//! all classes and columns takes few values, whose emissivities are computed once: a curve is sums of products.

use isobar_core::Real;
use isobar_ega::Curve;

use super::Band;
use super::emissivity::{WIDEST_CLASS, growth};

/// Readers of text drop columns above.
const MOST_COLUMN_PER_CM2: f32 = 1e30;
/// The emissivity at that column of a curve that stands for none: 1e-36 cm^2/molecule, below 1e-10 in any atmosphere.
const THINNEST: f32 = 1e-6;
/// Classes beyond this optical depth, in logarithms, are opaque: the rest is below 1e-23.
const OPAQUE: f64 = 4.0;
/// Classes thinner than the smallest emissivity by this, in logarithms, count nothing: 2e-9 of it.
const NOTHING: f64 = 20.0;
/// Sums that are added up side by side, in one order whatever the processor's vectors are.
const LANES: usize = 8;

/// The nodes of a table's curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nodes {
    /// From one column density to the next; all are whole powers of it.
    pub factor: f64,
    /// The smallest and the largest emissivity.
    pub emissivities: (f64, f64),
}

impl Default for Nodes {
    /// Those of JURASSIC's `tblgen`.
    fn default() -> Self {
        Self { factor: 1.122, emissivities: (1e-6, 0.999_999) }
    }
}

/// The curve of a gas that does not absorb, as thin as all formats can say: tables have a curve at each temperature of
/// a pressure, and none without emissivities. It has two nodes, as JURASSIC needs them.
#[must_use]
pub fn transparent(temperature_k: f64) -> Curve {
    let half = |value: f32| vec![0.5 * value, value];
    Curve {
        temperature_k,
        column_per_cm2: half(MOST_COLUMN_PER_CM2),
        emissivity: half(THINNEST),
        logarithms: Vec::new(),
    }
}

/// What all curves of a table share.
#[derive(Clone, Debug)]
pub struct Curves {
    nodes: Nodes,
    /// Classes from a column to the next.
    per_column: i64,
    /// The width of a class.
    width: f64,
    /// The number of the first of `growth`: number `n` is at `ln(sigma u) = (n + 1/2) width`.
    first: i64,
    growth: [Vec<f64>; 3],
}

impl Curves {
    /// Those of a table's nodes.
    #[must_use]
    pub fn new(nodes: Nodes) -> Self {
        let step = Real::ln(nodes.factor);
        let per_column = (step / WIDEST_CLASS).ceil().max(1.0);
        let width = step / per_column;
        let first = ((Real::ln(nodes.emissivities.0) - NOTHING) / width).floor();
        let last = (OPAQUE / width).ceil();
        let mut all = [const { Vec::new() }; 3];
        for number in first as i64..=last as i64 {
            let values = growth((number as f64 + 0.5) * width);
            all.iter_mut().zip(values).for_each(|(all, value)| all.push(value));
        }
        Self { nodes, per_column: per_column as i64, width, first: first as i64, growth: all }
    }

    /// A spectrum \[cm^2/molecule\] as these curves take it, with the filter at its points.
    #[must_use]
    pub fn band(&self, weights: &[f64], cross_sections: &[f64]) -> Band {
        Band::by_classes(weights, cross_sections, self.width)
    }

    /// Emissivities of a band, where they lie within the limits and grow in single precision, as tables have them; none
    /// if the gas does not absorb, or less than the smallest emissivity at 1e30 cm^-2. The largest emissivity is at
    /// least a factor above the smallest: no column's then lies on either side. The band is one of [`Curves::band`].
    #[must_use]
    pub fn curve(&self, band: &Band, temperature_k: f64) -> Option<Curve> {
        let (factor, (least, most)) = (self.nodes.factor, self.nodes.emissivities);
        if !(band.mean > 0.0 && band.mean.is_finite()) {
            return None;
        }
        let mut curve = Curve { temperature_k, ..Curve::default() };
        // Classes from the last down, for the sum of those that are opaque.
        let mut opaque = vec![0.0; band.moments[0].len() + 1];
        for class in (0..band.moments[0].len()).rev() {
            opaque[class] = opaque[class + 1] + band.moments[0][class];
        }
        // No column absorbs more than in proportion.
        let begin = (Real::ln(least / band.mean) / Real::ln(factor)).floor();
        for k in 0.. {
            let power = begin + f64::from(k);
            let column = Real::exp(power * Real::ln(factor)) as f32;
            if column > MOST_COLUMN_PER_CM2 {
                break;
            }
            let emissivity = self.emissivity(band, &opaque, power as i64);
            if emissivity > most {
                break;
            }
            let grows = curve.emissivity.last().is_none_or(|&before| emissivity as f32 > before);
            if column > 0.0 && emissivity >= least && grows {
                curve.column_per_cm2.push(column);
                curve.emissivity.push(emissivity as f32);
            }
        }
        (!curve.emissivity.is_empty()).then_some(curve)
    }

    /// The emissivity of the column that is this power of the factor.
    fn emissivity(&self, band: &Band, opaque: &[f64], power: i64) -> f64 {
        let classes = band.moments[0].len() as i64;
        // Class c of the band is number c + shift of the growth.
        let shift = band.first + power * self.per_column - self.first;
        let low = (-shift).clamp(0, classes);
        let high = (self.growth[0].len() as i64 - shift).clamp(low, classes);
        let of_band = |order: usize| &band.moments[order][low as usize..high as usize];
        let of_growth = |order: usize| &self.growth[order][(low + shift) as usize..(high + shift) as usize];
        let products: [f64; 3] = std::array::from_fn(|order| {
            // An empty range begins anywhere.
            if low == high { 0.0 } else { product(of_band(order), of_growth(order)) }
        });
        opaque[high as usize] + (products[0] + products[1] + products[2])
    }
}

/// The sum of products, lane by lane.
fn product(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (mut left, mut right) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    for (a, b) in left.by_ref().zip(right.by_ref()) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    for (lane, (a, b)) in left.remainder().iter().zip(right.remainder()).enumerate() {
        sums[lane] += a * b;
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every node what the plain sum over the points is, within the classes' 6e-7 and single precision's two
    /// roundings, of the column and of the emissivity.
    #[test]
    fn curves_are_the_plain_sum() {
        for (factor, least, decades) in [(1.122, 1e-6, 12.0), (1.122, 1e-9, 2.0), (2.0, 1e-3, 30.0), (1.02, 1e-6, 5.0)]
        {
            let nodes = Nodes { factor, emissivities: (least, 0.999_999) };
            let curves = Curves::new(nodes);
            let sigma = |i: i32| 1e-30 * Real::powf(10.0, decades * f64::from(i * 617 % 1501) / 1500.0);
            let sigma: Vec<f64> = (0..1501).map(sigma).collect();
            let weights: Vec<f64> = (0..1501).map(|i| 1.0 + f64::from(i % 3)).collect();
            let curve = curves.curve(&curves.band(&weights, &sigma), 250.0).unwrap();
            assert!(curve.emissivity.len() > 10, "{factor}");
            for (&column, &emissivity) in curve.column_per_cm2.iter().zip(&curve.emissivity) {
                let each = |(f, sigma): (&f64, &f64)| -f * Real::exp_m1(-sigma * f64::from(column));
                let plain = weights.iter().zip(&sigma).map(each).sum::<f64>() / weights.iter().sum::<f64>();
                assert!((f64::from(emissivity) / plain - 1.0).abs() < 6e-7 + 1.2e-7, "{factor} {column:e}");
            }
            let last = *curve.column_per_cm2.last().unwrap();
            let (first, end) = (curve.emissivity[0], *curve.emissivity.last().unwrap());
            assert!(f64::from(first) < least * factor * factor);
            assert!(end > 0.999_99 || last * factor as f32 > MOST_COLUMN_PER_CM2, "{end} {last:e}");
        }
        let curves = Curves::new(Nodes::default());
        assert!(curves.curve(&curves.band(&[1.0], &[0.0]), 250.0).is_none());
    }
}
