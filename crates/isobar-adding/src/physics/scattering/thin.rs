//! A homogeneous layer that is thin along every stream: where doubling begins.

use isobar_core::Real;

use crate::physics::scattering::matrix::Matrix;
use crate::physics::scattering::solve::{solve, solve_right};
use crate::schedule::scattering::streams::Streams;

/// What a layer does to the radiance of each stream.
#[derive(Clone, Copy, Debug)]
pub struct Layer<R, const N: usize, const W: usize> {
    /// Reflection, the same from above and below.
    pub reflection: Matrix<R, N, W>,
    /// Transmission of what was scattered; what was not scattered is apart, for it is nearly all in a thin layer and
    /// would cost the rest its digits.
    pub diffuse: Matrix<R, N, W>,
    /// Emission upward and downward, over the Planck radiance, each lane its element: `1 - sum_j (R_ij + T_ij)`, never
    /// computed as such.
    pub emissivity: [R; W],
}

/// A layer of the optical depth 1 as seen from its streams: rates per optical depth.
#[derive(Clone, Copy, Debug)]
pub struct Medium<R, const N: usize, const W: usize> {
    /// Scattering into the same hemisphere: `omega ff_ij w_j / mu_i`.
    pub forward: Matrix<R, N, W>,
    /// Scattering into the other one: `omega bb_ij w_j / mu_i`.
    pub backward: Matrix<R, N, W>,
    /// `1 / mu_j` of the lane's stream.
    pub secant: [R; W],
    /// Absorption into the lane's stream, `(1 - omega) / mu_i`, where `sum_j (ff + bb)_ij w_j = 1`.
    pub absorption: [R; W],
    /// Is what scatters hardly absorbed?
    pub hardly_absorbs: [bool; W],
    /// The streams that have weights.
    pub nodes: usize,
}

/// A layer of optical depth `depth` at most [`THIN`](crate::limits::THIN) times the smallest cosine.
///
/// With `P+ = forward - 1/mu` and `P- = backward`, the sum of both directions and their difference obey `s' = X d`,
/// `d' = Y s`, `X = P+ - P-`, `Y = P+ + P-`. Light that enters alike (or opposite) from both sides leaves as `T + R`
/// (or `T - R`) times it, and about the layer's middle `s` is even and `d` odd. So, with `x tanh(x depth / 2)`-like
/// functions of `H = depth^2 Y X` as quotients `p/q` of the Pade approximant of order 6 of the exponential,
///
/// ```text
/// T + R = 1 + 2 (q - p Y)^-1 p Y,   T - R = 1 + 2 X p (q - X p)^-1,   emissivity = 2 (q - p Y)^-1 p absorption
/// p = 1/2 + H/66 + H^2/15840,   q = 1 + 5 H/44 + H^2/792 + H^3/665280
/// ```
///
/// `absorption = -Y 1` has no cancellation, and so neither has the emissivity.
///
/// # Accuracy
/// The approximant's error is `1.7e-13 x^13`, of `x = depth / mu`. Test
/// `a_layer_agrees_with_the_exponential_of_its_transfer_matrix`.
#[inline(always)]
#[must_use]
pub fn thin<R: Real, const N: usize, const W: usize>(
    streams: Streams<N, W>,
    medium: &Medium<R, N, W>,
    depth: [R; W],
) -> Layer<R, N, W> {
    let slant: [R; W] = core::array::from_fn(|lane| depth[lane] * medium.secant[lane]);
    let loss = slant.map(|x| -x);
    let constant = |c: f64| [R::from_f64(c); W];
    let scaled = |matrix: &Matrix<R, N, W>, c: f64| matrix.map(streams, |x| R::from_f64(c) * x);

    let x = medium
        .forward
        .with(streams, &medium.backward, |f, b| f - b)
        .scale_columns(streams, depth)
        .add_diagonal(streams, loss);
    let y = medium
        .forward
        .with(streams, &medium.backward, |f, b| f + b)
        .scale_columns(streams, depth)
        .add_diagonal(streams, loss);
    let h = y.times(streams, &x);
    let square = h.times(streams, &h);
    let high = scaled(&h, 1.0 / 665_280.0).add_diagonal(streams, constant(1.0 / 792.0));
    let q = scaled(&h, 5.0 / 44.0).add_diagonal(streams, constant(1.0)).add_product(streams, &square, &high);
    let p = scaled(&h, 1.0 / 66.0)
        .with(streams, &square, |low, s| R::from_f64(1.0 / 15_840.0).mul_add(s, low))
        .add_diagonal(streams, constant(0.5));

    let absorbed = core::array::from_fn(|lane| depth[lane] * medium.absorption[lane]);
    let mut emissivity = streams.all(p.apply(streams, absorbed, [R::ZERO; W]));
    let mut plus = [p.times(streams, &y)];
    solve(streams, q.with(streams, &plus[0], |q, p| q - p), &mut plus, &mut emissivity);
    let [plus] = plus;

    let minus = x.times(streams, &p);
    let minus = solve_right(streams, q.with(streams, &minus, |q, m| q - m), minus);

    let absorbed = slant.map(|x| -(-x).exp_m1());
    Layer {
        reflection: plus.with(streams, &minus, |p, m| p - m),
        diffuse: plus.with(streams, &minus, |p, m| p + m).add_diagonal(streams, absorbed),
        emissivity: streams.own(&emissivity).map(|e| e + e),
    }
}
