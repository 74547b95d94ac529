//! Random numbers, and how alike they are along a column.

use std::f64::consts::TAU;

use isobar_core::Real;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// Of a column the correlation of each level and layer with the one below, and the part that is its own, from the
/// pressures of levels and layers; their number, and that of the columns.
pub(super) fn likeness(
    [levels, layers]: [&[f64]; 2],
    column: usize,
    [count, columns]: [usize; 2],
    correlation: f64,
) -> Vec<[f64; 2]> {
    let at = |values: &[f64], row: usize| if values.len() == 1 { values[0] } else { values[row * columns + column] };
    // Space has no logarithm.
    let points = (0..2 * count + 1)
        .map(|point| Real::ln(Real::max(at(if point % 2 == 0 { levels } else { layers }, point / 2), 1e-3)));
    let points: Vec<f64> = points.collect();
    let of = |pair: &[f64]| {
        let alike = Real::exp(-Real::abs(pair[1] - pair[0]) / correlation);
        [alike, Real::sqrt(1.0 - alike * alike)]
    };
    points.windows(2).map(of).collect()
}

/// A number in (0, 1), with 53 bits.
pub(super) fn unit(random: &mut ChaCha8Rng) -> f64 {
    ((random.next_u64() >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64)
}

/// Normal numbers, two at a time (Box and Muller 1958).
pub(super) struct Normal<'a> {
    random: &'a mut ChaCha8Rng,
    other: Option<f64>,
}

impl<'a> Normal<'a> {
    pub(super) fn new(random: &'a mut ChaCha8Rng) -> Self {
        Self { random, other: None }
    }

    pub(super) fn next(&mut self) -> f64 {
        if let Some(other) = self.other.take() {
            return other;
        }
        let radius = Real::sqrt(-2.0 * Real::ln(unit(self.random)));
        let angle = TAU * unit(self.random);
        self.other = Some(radius * Real::sin(angle));
        radius * Real::cos(angle)
    }
}
