//! The nodes of a hemisphere as numbers for the kernels.

use core::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use crate::azimuth::Surface;
use crate::physics::azimuth::quadrature::Quadrature;

/// What [`crate::azimuth::medium::Nodes`] views, in double precision.
#[derive(Clone, Debug)]
pub struct NodeTables {
    /// `sqrt(w/mu) Y_l^m` at `(m * terms + l) * nodes + node`, turned for `m = 0`.
    pub functions: Vec<f64>,
    /// `1/mu`, turned, at `row * nodes + column`.
    pub turned_secant: Vec<f64>,
    /// `1/mu`.
    pub secant: Vec<f64>,
    /// `sqrt(w mu)`.
    pub flux: Vec<f64>,
    /// `sqrt(w/mu)`, turned.
    pub mean: Vec<f64>,
    /// `v` of the turn `1 - v v`.
    pub axis: Vec<f64>,
    /// `sqrt((2m - 1)!!/(2m)!!)`.
    pub first: Vec<f64>,
    /// `(2 l - 1)/sqrt(l^2 - m^2)` at `m * terms + l`.
    pub ahead: Vec<f64>,
    /// `sqrt((l - 1)^2 - m^2)/sqrt(l^2 - m^2)` at `m * terms + l`.
    pub back: Vec<f64>,
}

impl NodeTables {
    /// All, in the order of the fields.
    #[must_use]
    pub fn all(&self) -> [&Vec<f64>; 9] {
        let Self { functions, turned_secant, secant, flux, mean, axis, first, ahead, back } = self;
        [functions, turned_secant, secant, flux, mean, axis, first, ahead, back]
    }

    /// Of the double-Gauss quadrature of `nodes` points, the steepest first: the turn takes the flux to the first,
    /// which loses the digits that its own flux is smaller.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        let Quadrature { mut cosine, mut weight, .. } = Quadrature::double_gauss(nodes);
        cosine.reverse();
        weight.reverse();
        let terms = 2 * nodes;
        let of_nodes = |f: &dyn Fn(usize) -> f64| (0..nodes).map(f).collect::<Vec<f64>>();
        let flux = of_nodes(&|i| (weight[i] * cosine[i]).sqrt());
        // `flux` has the length sqrt(1/2): the turn takes it to the first axis.
        let mut axis = of_nodes(&|i| flux[i] / FRAC_1_SQRT_2 - f64::from(u8::from(i == 0)));
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        for x in &mut axis {
            *x = if nodes > 1 { *x * (SQRT_2 / length) } else { 0.0 };
        }
        let turned = |values: &[f64]| {
            let along: f64 = values.iter().zip(&axis).map(|(x, v)| x * v).sum();
            values.iter().zip(&axis).map(|(x, v)| x - along * v).collect::<Vec<f64>>()
        };
        let number = |l: usize| l as f64;
        let root = |l: usize, m: usize| ((number(l) - number(m)) * (number(l) + number(m))).sqrt();
        let of_terms = |f: &dyn Fn(usize, usize) -> f64| {
            (0..terms * terms).map(|i| if i % terms > i / terms { f(i / terms, i % terms) } else { 0.0 }).collect()
        };
        let first: Vec<f64> = (0..terms)
            .scan(1.0, |value, m| {
                *value *= if m == 0 { 1.0 } else { ((2.0 * number(m) - 1.0) / (2.0 * number(m))).sqrt() };
                Some(*value)
            })
            .collect();
        let ahead: Vec<f64> = of_terms(&|m, l| (2.0 * number(l) - 1.0) / root(l, m));
        let back: Vec<f64> = of_terms(&|m, l| if l > m + 1 { root(l - 1, m) / root(l, m) } else { 0.0 });
        let mut functions = vec![0.0; terms * terms * nodes];
        for m in 0..terms {
            let sine = |i: usize| ((1.0 - cosine[i]) * (1.0 + cosine[i])).sqrt();
            let mut before = vec![0.0; nodes];
            let mut now = of_nodes(&|i| (0..m).fold(first[m], |value, _| value * sine(i)));
            for l in m..terms {
                if l > m {
                    let (ahead, back) = (ahead[m * terms + l], back[m * terms + l]);
                    let next = of_nodes(&|i| ahead * cosine[i] * now[i] - back * before[i]);
                    before = core::mem::replace(&mut now, next);
                }
                let mut own = of_nodes(&|i| (weight[i] / cosine[i]).sqrt() * now[i]);
                if m == 0 {
                    own = turned(&own);
                    // The quadrature integrates even polynomials exactly: but for the first they have no flux.
                    if l % 2 == 0 {
                        own[0] = if l == 0 { SQRT_2 } else { 0.0 };
                    }
                }
                functions[(m * terms + l) * nodes..][..nodes].copy_from_slice(&own);
            }
        }
        let diagonal = |i: usize| of_nodes(&|j| if i == j { 1.0 / cosine[i] } else { 0.0 });
        let rows: Vec<Vec<f64>> = (0..nodes).map(|i| turned(&diagonal(i))).collect();
        let mut turned_secant = vec![0.0; nodes * nodes];
        for j in 0..nodes {
            for (i, x) in turned(&of_nodes(&|i| rows[i][j])).into_iter().enumerate() {
                turned_secant[i * nodes + j] = x;
            }
        }
        Self {
            functions,
            turned_secant,
            secant: of_nodes(&|i| 1.0 / cosine[i]),
            mean: turned(&of_nodes(&|i| (weight[i] / cosine[i]).sqrt())),
            flux,
            axis,
            first,
            ahead,
            back,
        }
    }
}

/// Azimuths at which the reflectance of a surface is taken: squares of the cosines of their halves, and weights, whose
/// sum is 1.
///
/// Gauss and Legendre's rule, for the reflectances are smooth but for a cusp where light goes back, at its end: 256
/// points have an error of 1e-13. Of Rahman, Pinty and Verstraete's it is 512 points in the middle of equal parts, as
/// in other codes and the reference, whose error is 1e-8 where light goes back. A Lambertian surface needs none.
pub(crate) fn azimuths(surface: Surface) -> [Vec<f64>; 2] {
    /// Equal parts.
    const PARTS: usize = 512;
    let (share, weight): (Vec<f64>, Vec<f64>) = if surface == Surface::Lambertian {
        (vec![0.0], vec![1.0])
    } else if surface == Surface::Rpv {
        (0..PARTS).map(|i| ((i as f64 + 0.5) / PARTS as f64, 1.0 / PARTS as f64)).unzip()
    } else {
        let rule = Quadrature::double_gauss(PARTS / 2);
        (rule.cosine, rule.weight)
    };
    let half = |share: &f64| isobar_core::math::double::cos(core::f64::consts::FRAC_PI_2 * share);
    [share.iter().map(half).map(|cosine| cosine * cosine).collect(), weight]
}
