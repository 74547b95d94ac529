//! The directions in which light is counted.

use crate::limits::NEWTON_STEPS;

/// The nodes of a hemisphere.
#[derive(Clone, Debug, PartialEq)]
pub struct Quadrature {
    /// Cosine of each, in (0, 1), ascending.
    pub cosine: Vec<f64>,
    /// Weight of each; their sum is 1.
    pub weight: Vec<f64>,
    /// How many there are.
    pub nodes: usize,
}

impl Quadrature {
    /// The double-Gauss quadrature: Gauss and Legendre's of `nodes` points on (0, 1).
    ///
    /// ```
    /// let streams = isobar_adding::azimuth::quadrature::Quadrature::double_gauss(2);
    /// assert!((streams.cosine[0] - 0.211_324_865_405_187_1).abs() < 1e-15);
    /// assert!((streams.weight[0] - 0.5).abs() < 1e-15);
    /// ```
    ///
    /// # Accuracy
    /// 1e-15: test `nodes_and_weights_of_the_reference`.
    #[must_use]
    pub fn double_gauss(nodes: usize) -> Self {
        let (cosine, weight) = (0..nodes).map(|i| node(nodes, nodes - 1 - i)).unzip();
        Self { cosine, weight, nodes }
    }
}

/// Node `i` of `n` on (0, 1), counted from the largest, and its weight.
fn node(n: usize, i: usize) -> (f64, f64) {
    let angle = std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5);
    let mut x = isobar_core::math::double::cos(angle);
    let (mut value, mut slope) = legendre(n, x);
    for _ in 0..NEWTON_STEPS {
        x -= value / slope;
        (value, slope) = legendre(n, x);
    }
    (0.5 + 0.5 * x, 1.0 / ((1.0 - x * x) * slope * slope))
}

/// The Legendre polynomial of degree `n` at `x` and its derivative (DLMF, Eq. 18.9.1 and Eq. 18.9.17).
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for l in 2..=n {
        let l = l as f64;
        (before, value) = (value, ((2.0 * l - 1.0) * x * value - (l - 1.0) * before) / l);
    }
    (value, n as f64 * (x * value - before) / (x * x - 1.0))
}
