//! Phase functions as Legendre moments, and the matrices that they make of streams.

use isobar_core::{Field, Real};

use crate::fields::scattering::ProfileViews;
use crate::limits::CRTM_FLOOR;
use crate::physics::scattering::matrix::{Matrix, row, set_row};
use crate::schedule::scattering::slab::Pairs;

/// How the layers scatter, in one of three forms: matrices, moments or asymmetries. The fields of the other two are
/// without items.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Phase<'a, R> {
    /// Phase matrix into the same hemisphere, normalised: element of `(layer * order + row, profile * order + column)`.
    pub forward: Field<'a, R>,
    /// Phase matrix into the other hemisphere.
    pub backward: Field<'a, R>,
    /// With matrices and the Sun: phase matrix column of the Sun's direction, `(layer, profile * order + row)`, same
    /// hemisphere.
    pub sun_forward: Field<'a, R>,
    /// Phase function of the beam into the other hemisphere.
    pub sun_backward: Field<'a, R>,
    /// Legendre moments, `chi_0 = 1`: `(layer * moments a layer + l, profile)`, [`Phase::terms`] a layer, and one more
    /// with `delta`.
    pub moments: Field<'a, R>,
    /// Asymmetry `g` of `(layer, profile)`, in (-1, 1), for Henyey and Greenstein's `chi_l = g^l`.
    pub asymmetry: Field<'a, R>,
    /// The Legendre terms of the matrices, 1 to twice the nodes.
    pub terms: u32,
    /// Is the forward peak, `chi` of the first term left out, taken as not scattered (delta-M)? 0 or 1.
    pub delta: u32,
}

/// What happens to light along an optical path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Optics<R> {
    /// Optical depth.
    pub depth: R,
    /// The share of it that scatters: the single-scattering albedo.
    pub albedo: R,
    /// The share that absorbs, `1 - albedo`, which would lose its digits as that difference where it is small.
    pub absorption: R,
}

impl<R: Real> Optics<R> {
    /// Those of an optical depth and single-scattering albedo without the share `peak` of what is scattered, which goes
    /// on straight (Wiscombe 1977, doi:10.1175/1520-0469(1977)034<1408:TDMRYA>2.0.CO;2, Eq. 20).
    ///
    /// ```text
    /// tau' = (1 - f omega) tau    omega' = (1 - f) omega / (1 - f omega)    1 - omega' = (1 - omega) / (1 - f omega)
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn without_peak(optical_depth: R, albedo: R, peak: R) -> Self {
        let rest = R::ONE - peak * albedo;
        let (scattered, absorbed) = ((R::ONE - peak) * albedo, R::ONE - albedo);
        let share = |part: R| if rest > R::ZERO { part / rest } else { R::ZERO };
        Self { depth: rest * optical_depth, albedo: share(scattered), absorption: share(absorbed) }
    }
}

impl<'a, R: Real> Phase<'a, R> {
    /// Phase functions of which moments or asymmetries are known.
    #[must_use]
    pub fn expanded_of(inputs: &ProfileViews<'a, R>, terms: u32, delta: bool) -> Self {
        Self {
            forward: Field::empty(),
            backward: Field::empty(),
            sun_forward: Field::empty(),
            sun_backward: Field::empty(),
            moments: inputs.phase_moments,
            asymmetry: inputs.asymmetry,
            terms,
            delta: u32::from(delta),
        }
    }

    /// The share of a layer's scattering that goes on straight: the first moment left out (Wiscombe 1977, Eq. 15).
    #[inline(always)]
    #[must_use]
    pub fn peak(&self, layer: usize, profile: usize) -> R {
        if self.delta == 0 {
            R::ZERO
        } else if self.asymmetry.items() != 0 {
            self.asymmetry.at(layer, profile).powi(self.terms as i32)
        } else if self.moments.items() != 0 {
            self.moments.at(layer * (self.terms as usize + 1) + self.terms as usize, profile)
        } else {
            R::ZERO
        }
    }

    /// The phase matrices of each team's layer. Of the streams the first `nodes` have weights, and `own` may be one
    /// more than the streams in memory: the Sun's.
    ///
    /// From moments, with the nodes' cosines `mu`, for the layer's `chi' = (chi - f)/(1 - f)` (Wiscombe 1977, Eq. 14):
    ///
    /// ```text
    /// ff_ij = sum_l (2 l + 1)/2 chi'_l P_l(mu_i) P_l(mu_j),   bb_ij the same with (-1)^l
    /// ```
    ///
    /// The quadrature integrates these terms exactly, so that `sum_j (ff + bb)_ij w_j = 1` up to roundings, which are
    /// put back: see `complete`. Elements may be negative. With CRTM's limits those of 0 or less become
    /// [`CRTM_FLOOR`], and both matrices are scaled, symmetrically, until the sums are 1 again: see `normalise`.
    ///
    /// # Accuracy
    /// Tests `azimuthal_means_of_the_reference`, and with CRTM's limits `phase_matrices_of_the_reference`.
    #[inline(always)]
    pub(crate) fn matrices<const N: usize, const W: usize>(
        &self,
        pairs: &Pairs<N, W>,
        own: &Directions<R, W>,
        crtm_limits: bool,
    ) -> PhaseMatrices<R, N, W> {
        if self.forward.items() != 0 { self.given(pairs, own) } else { self.expanded(pairs, own, crtm_limits) }
    }

    #[inline(always)]
    fn given<const N: usize, const W: usize>(
        &self,
        pairs: &Pairs<N, W>,
        own: &Directions<R, W>,
    ) -> PhaseMatrices<R, N, W> {
        let read = |matrix: &Field<'_, R>, sun: &Field<'_, R>| {
            let mut result = pairs.matrix_of(own.order, matrix);
            for_each_row!(i in pairs, N, W: {
                for (lane, element) in result.rows[i].iter_mut().enumerate() {
                    if i < own.order && pairs.streams.column(lane) >= own.order && pairs.streams.has_column(lane) {
                        *element = sun.at(pairs.row[lane], pairs.profile[lane] * own.order + i);
                    }
                }
            });
            result
        };
        let (forward, backward) = (read(&self.forward, &self.sun_forward), read(&self.backward, &self.sun_backward));
        let both = forward.with(pairs.streams, &backward, |f, b| f.abs() + b.abs());
        let any = pairs.streams.sum(pairs.streams.sums(both.rows));
        PhaseMatrices { forward, backward, scatters: any.map(|any| any != R::ZERO) }
    }

    #[inline(always)]
    fn expanded<const N: usize, const W: usize>(
        &self,
        pairs: &Pairs<N, W>,
        own: &Directions<R, W>,
        crtm_limits: bool,
    ) -> PhaseMatrices<R, N, W> {
        let streams = pairs.streams;
        let peak: [R; W] = core::array::from_fn(|lane| self.peak(pairs.row[lane], pairs.profile[lane]));
        let terms = self.terms as usize;
        // P_(l-1) and P_l of the lane's direction (NIST Digital Library of Mathematical Functions, Eq. 18.9.1 with its
        // table 18.9.1), and g^l.
        let (mut before, mut legendre, mut power) = ([R::ZERO; W], [R::ONE; W], [R::ONE; W]);
        let (mut even, mut odd) = (Matrix::<R, N, W>::ZERO, Matrix::<R, N, W>::ZERO);
        let mut add_term = |l: usize, sum: &mut Matrix<R, N, W>| {
            let number = R::from_f64(l as f64);
            let twice = number + number + R::ONE;
            let factor: [R; W] = core::array::from_fn(|lane| {
                let (layer, profile) = (pairs.row[lane], pairs.profile[lane]);
                let moment = if self.asymmetry.items() != 0 {
                    power[lane]
                } else {
                    self.moments.at(layer * (terms + self.delta as usize) + l, profile)
                };
                let scaled = (moment - peak[lane]) / (R::ONE - peak[lane]);
                R::from_f64(0.5) * twice * scaled * legendre[lane]
            });
            for_each_row!(i in pairs, N, W: {
                let other = streams.from(legendre, i);
                sum.rows[i] = core::array::from_fn(|lane| factor[lane].mul_add(other[lane], sum.rows[i][lane]));
            });
            for lane in 0..W {
                let next = twice * own.cosine[lane] * legendre[lane] - number * before[lane];
                before[lane] = legendre[lane];
                legendre[lane] = next / (number + R::ONE);
                if self.asymmetry.items() != 0 {
                    power[lane] *= self.asymmetry.at(pairs.row[lane], pairs.profile[lane]);
                }
            }
        };
        for l in (0..terms).step_by(2) {
            add_term(l, &mut even);
            if l + 1 < terms {
                add_term(l + 1, &mut odd);
            }
        }
        let positive = |x: R| if crtm_limits && x <= R::ZERO { R::from_f64(CRTM_FLOOR) } else { x };
        let mut forward = even.with(streams, &odd, |e, o| positive(e + o));
        let mut backward = even.with(streams, &odd, |e, o| positive(e - o));
        for_each_row!(i in pairs, N, W: {
            for lane in 0..W {
                if i >= own.order || !streams.has_column(lane) {
                    forward.rows[i][lane] = R::ZERO;
                    backward.rows[i][lane] = R::ZERO;
                }
            }
        });
        if crtm_limits {
            normalise(pairs, own, &mut forward, &mut backward);
        } else {
            complete(pairs, own, &mut forward, &backward);
        }
        PhaseMatrices { forward, backward, scatters: [true; W] }
    }
}

/// The phase matrices of each team's layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhaseMatrices<R, const N: usize, const W: usize> {
    /// Into the same hemisphere.
    pub(crate) forward: Matrix<R, N, W>,
    /// Into the other one.
    pub(crate) backward: Matrix<R, N, W>,
    /// Is there anything in them?
    pub(crate) scatters: [bool; W],
}

/// The directions of the matrices in registers, each lane that of its column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Directions<R, const W: usize> {
    /// The cosine against the vertical.
    pub(crate) cosine: [R; W],
    /// The quadrature weight; zero for the viewing angle, the Sun, and lanes without a column.
    pub(crate) weight: [R; W],
    /// The streams that have weights.
    pub(crate) nodes: usize,
    /// All streams; the Sun, if there, has the next column.
    pub(crate) order: usize,
}

/// Adds to a forward phase matrix what roundings have left of `sum_j (ff + bb)_ij w_j = 1`: where nothing is absorbed
/// it would count as absorption once an order of scattering. A node gets it on the diagonal, so that the matrix stays
/// symmetric, the viewing angle from all nodes alike. All light from the Sun goes somewhere: in its column
/// `sum_i w_i (ff + bb)_i = 1`.
#[inline(always)]
fn complete<R: Real, const N: usize, const W: usize>(
    pairs: &Pairs<N, W>,
    own: &Directions<R, W>,
    forward: &mut Matrix<R, N, W>,
    backward: &Matrix<R, N, W>,
) {
    let streams = pairs.streams;
    let both = forward.with(streams, backward, |f, b| f + b);
    let missing = streams.sums(both.scale_columns(streams, own.weight).rows).map(|sum| R::ONE - sum);
    let of_view = if own.nodes < own.order { streams.from(missing, own.nodes) } else { [R::ZERO; W] };
    let of_sun =
        if own.order < pairs.order() { sun_light(pairs, own, &both).map(|sent| R::ONE - sent) } else { [R::ZERO; W] };
    for_each_row!(i in pairs, N, W: {
        for lane in 0..W {
            let column = streams.column(lane);
            let more = if i < own.nodes && column == i {
                missing[lane] / own.weight[lane]
            } else if i == own.nodes && column < own.nodes {
                of_view[lane]
            } else if i < own.nodes && column == own.order && streams.has_column(lane) {
                of_sun[lane]
            } else {
                R::ZERO
            };
            forward.rows[i][lane] += more;
        }
    });
}

/// Scales phase matrices so that `sum_j (ff + bb)_ij w_j = 1` for every row, and keeps them symmetric.
///
/// For each node `i` in turn, elements from the diagonal on are scaled to fill what the sum has left, and copied to
/// column `i`. The viewing angle's column is divided by the sum of its row and copied to that. The Sun's column is
/// scaled so that all its light goes somewhere, `sum_i w_i (ff + bb)_i = 1`.
#[inline(always)]
fn normalise<R: Real, const N: usize, const W: usize>(
    pairs: &Pairs<N, W>,
    own: &Directions<R, W>,
    forward: &mut Matrix<R, N, W>,
    backward: &mut Matrix<R, N, W>,
) {
    let streams = pairs.streams;
    let column: [usize; W] = core::array::from_fn(|lane| streams.column(lane));
    let weighted =
        |f: &[R; W], b: &[R; W]| -> [R; W] { core::array::from_fn(|lane| (f[lane] + b[lane]) * own.weight[lane]) };
    let copy_to_column = |matrix: &mut Matrix<R, N, W>, i: usize, row: [R; W]| {
        for_each_row!(j in pairs, N, W: {
            let element = streams.from(row, j);
            for lane in 0..W {
                if column[lane] == i && j > i && j < own.order {
                    matrix.rows[j][lane] = element[lane];
                }
            }
        });
    };

    let mut filled = [R::ZERO; W];
    for i in 0..own.nodes {
        let (mut f, mut b) = (row(streams, &forward.rows, i), row(streams, &backward.rows, i));
        let parts = weighted(&f, &b);
        let rest = streams.sum(core::array::from_fn(|lane| if column[lane] >= i { parts[lane] } else { R::ZERO }));
        for lane in 0..W {
            if column[lane] >= i && column[lane] < own.order {
                let scale = (R::ONE - filled[lane]) / rest[lane];
                f[lane] *= scale;
                b[lane] *= scale;
            }
        }
        set_row(streams, &mut forward.rows, i, f);
        set_row(streams, &mut backward.rows, i, b);
        copy_to_column(forward, i, f);
        copy_to_column(backward, i, b);
        if i + 1 < pairs.order() {
            let parts = weighted(&row(streams, &forward.rows, i + 1), &row(streams, &backward.rows, i + 1));
            filled = streams.sum(core::array::from_fn(|lane| if column[lane] <= i { parts[lane] } else { R::ZERO }));
        }
    }
    // The viewing angle has the last stream's place; `filled` is the sum of its row.
    let viewing = |lane: usize| own.nodes < own.order && column[lane] == own.nodes;
    let sun = |lane: usize| column[lane] >= own.order && streams.has_column(lane);
    let sent = sun_light(pairs, own, &forward.with(streams, backward, |f, b| f + b));
    for_each_row!(i in pairs, N, W: {
        for lane in 0..W {
            let scale = if viewing(lane) {
                R::ONE / filled[lane]
            } else if sun(lane) {
                R::ONE / sent[lane]
            } else {
                R::ONE
            };
            forward.rows[i][lane] *= scale;
            backward.rows[i][lane] *= scale;
        }
    });
    if own.nodes < own.order {
        row_from_column(pairs, own, own.nodes, forward);
        row_from_column(pairs, own, own.nodes, backward);
    }
}

/// `sum_i w_i (ff + bb)_i` of each lane's column of `ff + bb`.
#[inline(always)]
fn sun_light<R: Real, const N: usize, const W: usize>(
    pairs: &Pairs<N, W>,
    own: &Directions<R, W>,
    both: &Matrix<R, N, W>,
) -> [R; W] {
    let weight = pairs.streams.all::<R>(own.weight);
    let mut sent = [R::ZERO; W];
    for_each_row!(i in pairs, N, W: {
        for lane in 0..W {
            sent[lane] = weight[i][lane].mul_add(both.rows[i][lane], sent[lane]);
        }
    });
    sent
}

/// Copies column `i`, which is one lane's, to row `i`, of which each lane has an element. The Sun's lane keeps its own:
/// what the beam scatters into that direction, while nothing is scattered into the Sun's.
#[inline(always)]
fn row_from_column<R: Real, const N: usize, const W: usize>(
    pairs: &Pairs<N, W>,
    own: &Directions<R, W>,
    i: usize,
    matrix: &mut Matrix<R, N, W>,
) {
    let streams = pairs.streams;
    let mut row = row(streams, &matrix.rows, i);
    for_each_row!(j in pairs, N, W: {
        let element = streams.from(matrix.rows[j], i);
        for lane in 0..W {
            if streams.column(lane) == j && j < own.order {
                row[lane] = element[lane];
            }
        }
    });
    set_row(streams, &mut matrix.rows, i, row);
}
