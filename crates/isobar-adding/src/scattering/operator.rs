//! Every layer's reflection, transmission and emission, from its optical depth, single-scattering albedo and phase function.

use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use super::doubling;
use super::matrix::Matrix;
use super::phase::{Directions, Phase, without_peak};
use super::slab::Pairs;
use super::streams::Streams;
use super::sun::Sunlight;
use super::thin::Medium;

/// The single-scattering albedo that layers have at most, as in CRTM.
pub const LARGEST_ALBEDO: f64 = 0.999_999;

/// Layers with this albedo or less do not scatter, as in CRTM.
pub const SMALLEST_ALBEDO: f64 = 1e-10;

/// Operators of a few layers of neighbouring profiles: an item.
///
/// `N` is the number of streams, and `M` the order of the matrices in registers: `N`, or with the Sun `N + 1`. Sunlight is then a
/// stream like the viewing angle, of weight 0, that scatters into the others and receives nothing: its column of `R` and `T` is what a layer makes of
/// the beam. That has none of the poles that a particular solution has where `1/mu_0` is an eigenvalue.
///
/// As CRTM: the albedo is at most [`Self::largest_albedo`]; layers with an albedo of at most [`SMALLEST_ALBEDO`] or without a phase
/// matrix are clear, `T = exp(-tau/mu)`, `R = 0`, emission `-B expm1(-tau/mu)`. Its limit for optical depths below 1e-8 differs by less than
/// `(tau/mu)^2` and is not needed.
///
/// # Accuracy
/// Against CRTM's eigenvalue method: test `reference_sets`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LayerOperators<'a, R, const N: usize, const M: usize> {
    /// Optical depth of `(layer, profile)`, zero or more.
    pub optical_depth: Field<'a, R>,
    /// Single-scattering albedo of `(layer, profile)`, 0 to 1.
    pub albedo: Field<'a, R>,
    /// Planck radiance of `(layer, profile)`.
    pub planck: Field<'a, R>,
    /// The albedo that a layer has at most: [`LARGEST_ALBEDO`], or 1.
    pub largest_albedo: R,
    /// Cosine of `(stream, profile)`, in (0, 1]; with an item stride of zero if all profiles have the same.
    pub cosine: Field<'a, R>,
    /// Quadrature weight of `(stream, profile)`; the last one is 0 for a viewing angle.
    pub weight: Field<'a, R>,
    /// The streams that have weights: `N`, or `N - 1` with a viewing angle.
    pub nodes: u32,
    /// How the layers scatter.
    pub phase: Phase<'a, R>,
    /// The Sun, if `M` is `N + 1`; otherwise without items.
    pub sunlight: Sunlight<'a, R>,
    /// Reflection, element of `(layer * N + row, profile * N + column)`.
    pub reflection: FieldMut<'a, R>,
    /// Transmission, likewise.
    pub transmission: FieldMut<'a, R>,
    /// Emission, `(layer, profile * N + stream)`; with the Sun the radiance upward at the top.
    pub source_up: FieldMut<'a, R>,
    /// With the Sun the radiance downward at the bottom; otherwise unused, for emission is the same both ways.
    pub source_down: FieldMut<'a, R>,
}

// SAFETY: an item writes its own layers' operators and reads none.
unsafe impl<R: Real, const N: usize, const M: usize> Kernel for LayerOperators<'_, R, N, M> {
    const NAME: &'static str =
        if N == M { by_order!("layer_operators", N) } else { by_order!("sunlit_layer_operators", N) };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        Pairs::<M, 1>::warps(self.optical_depth.levels(), self.optical_depth.items())
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        const { assert!(M == N || M == N + 1) };
        let streams = Streams::<M, W>::new(lanes);
        let pairs = Pairs::new(streams, index, self.optical_depth.levels(), self.optical_depth.items());
        let own = self.directions(&pairs);
        let secant = own.cosine.map(|cosine| R::ONE / cosine);
        let (optical_depth, albedo) = self.optics(&pairs);

        let (forward, backward) = self.phase.matrices(&pairs, &own);
        let (mut scattered, mut any) = ([[R::ZERO; W]; M], [R::ZERO; W]);
        for_each_stream!(i in M, W: {
            scattered[i] = streams.sum(core::array::from_fn(|lane| {
                (forward.rows[i][lane] + backward.rows[i][lane]) * own.weight[lane]
            }));
            any = core::array::from_fn(|lane| any[lane] + scattered[i][lane].abs());
        });
        let clear: [bool; W] =
            core::array::from_fn(|lane| albedo[lane] <= R::from_f64(SMALLEST_ALBEDO) || any[lane] == R::ZERO);
        let albedo: [R; W] = core::array::from_fn(|lane| if clear[lane] { R::ZERO } else { albedo[lane] });

        let medium = self.medium(&pairs, &own, secant, albedo, &forward, &backward, &scattered);
        let smallest_cosine = streams.largest(secant).map(|secant| R::ONE / secant);
        let depth: [R; W] = core::array::from_fn(|lane| if clear[lane] { R::ZERO } else { optical_depth[lane] });
        let layer = doubling::layer(streams, &medium, depth, smallest_cosine);

        let slant: [R; W] = core::array::from_fn(|lane| optical_depth[lane] * secant[lane]);
        let direct = slant.map(|x| (-x).exp());
        let transmission = layer.diffuse.add_diagonal(streams, direct);
        let emissivity = streams.own(&layer.emissivity);
        let planck = pairs.value(&self.planck);
        let source: [R; W] = core::array::from_fn(|lane| {
            let absorbed = if clear[lane] { -(-slant[lane]).exp_m1() } else { emissivity[lane] };
            absorbed * planck[lane]
        });
        self.write(&pairs, &layer.reflection, &transmission, source);
        let finite = (0..W).all(|lane| !pairs.inside[lane] || source[lane].is_finite());
        if finite { Status::OK } else { Status::NOT_FINITE }
    }
}

impl<R: Real, const N: usize, const M: usize> LayerOperators<'_, R, N, M> {
    /// The direction of each lane's column.
    #[inline(always)]
    fn directions<const W: usize>(&self, pairs: &Pairs<M, W>) -> Directions<R, W> {
        let stream = |lane: usize| pairs.streams.column(lane).min(N - 1);
        let is_stream = |lane: usize| pairs.streams.column(lane) < N;
        Directions {
            cosine: core::array::from_fn(|lane| {
                if M > N && !is_stream(lane) {
                    self.sunlight.slant_cosine(pairs.profile[lane])
                } else {
                    self.cosine.at(stream(lane), pairs.profile[lane])
                }
            }),
            weight: core::array::from_fn(|lane| {
                let weight = self.weight.at(stream(lane), pairs.profile[lane]);
                if is_stream(lane) { weight } else { R::ZERO }
            }),
            nodes: self.nodes as usize,
            order: N,
        }
    }

    /// Optical depth and single-scattering albedo, without the forward peak, and the latter within its bounds.
    #[inline(always)]
    fn optics<const W: usize>(&self, pairs: &Pairs<M, W>) -> ([R; W], [R; W]) {
        let (mut depth, mut albedo) = (pairs.value(&self.optical_depth), pairs.value(&self.albedo));
        for lane in 0..W {
            let peak = self.phase.peak(pairs.row[lane], pairs.profile[lane]);
            (depth[lane], albedo[lane]) = without_peak(depth[lane], albedo[lane], peak);
            albedo[lane] = albedo[lane].at_most(self.largest_albedo);
        }
        (depth, albedo)
    }

    /// The rates of scattering and absorption.
    #[inline(always)]
    fn medium<const W: usize>(
        &self,
        pairs: &Pairs<M, W>,
        own: &Directions<R, W>,
        secant: [R; W],
        albedo: [R; W],
        forward: &Matrix<R, M, W>,
        backward: &Matrix<R, M, W>,
        scattered: &[[R; W]; M],
    ) -> Medium<R, M, W> {
        let streams = pairs.streams;
        // Half of the Sun's light is in the component that does not depend on azimuth.
        let into: [R; W] = core::array::from_fn(|lane| {
            let share = if M > N && streams.column(lane) == N { R::from_f64(0.5) } else { own.weight[lane] };
            share * albedo[lane]
        });
        let rates = |phase: &Matrix<R, M, W>| Matrix::ZERO.add_scaled_rows(streams, secant, &phase.scale_columns(into));
        let all_secants = streams.all(secant);
        let mut absorption = [[R::ZERO; W]; M];
        for_each_stream!(i in N, W: {
            for lane in 0..W {
                // 1 - albedo * scattered: two small numbers, where the difference would cancel.
                let lost = albedo[lane].mul_add(R::ONE - scattered[i][lane], R::ONE - albedo[lane]);
                absorption[i][lane] = lost * all_secants[i][lane];
            }
        });
        Medium { forward: rates(forward), backward: rates(backward), secant, absorption }
    }

    /// Writes the operators: the Sun's column is a source.
    #[inline(always)]
    fn write<const W: usize>(
        &self,
        pairs: &Pairs<M, W>,
        reflection: &Matrix<R, M, W>,
        transmission: &Matrix<R, M, W>,
        source: [R; W],
    ) {
        let streams = pairs.streams;
        let is_stream = |lane: usize| pairs.inside[lane] && streams.column(lane) < N;
        for (field, matrix) in [(&self.reflection, reflection), (&self.transmission, transmission)] {
            for_each_stream!(i in M, W: {
                for (lane, &value) in matrix.rows[i].iter().enumerate() {
                    if i < N && is_stream(lane) {
                        field.set(pairs.row[lane] * N + i, pairs.profile[lane] * N + streams.column(lane), value);
                    }
                }
            });
        }
        let (mut up, mut down) = (source, source);
        if M > N {
            let beam: [R; W] = core::array::from_fn(|lane| self.sunlight.beam(pairs.row[lane], pairs.profile[lane]));
            for (sum, matrix) in [(&mut up, reflection), (&mut down, transmission)] {
                let mut light = [R::ZERO; W];
                for_each_stream!(i in M, W: {
                    let element = streams.from(matrix.rows[i], N);
                    light = core::array::from_fn(|lane| if streams.column(lane) == i { element[lane] } else { light[lane] });
                });
                *sum = core::array::from_fn(|lane| beam[lane].mul_add(light[lane], sum[lane]));
            }
        }
        for lane in 0..W {
            if is_stream(lane) {
                let item = pairs.profile[lane] * N + streams.column(lane);
                self.source_up.set(pairs.row[lane], item, up[lane]);
                if M > N {
                    self.source_down.set(pairs.row[lane], item, down[lane]);
                }
            }
        }
    }
}
