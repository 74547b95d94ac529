//! Every layer's reflection, transmission and emission, from its optical depth, single-scattering albedo and phase
//! function.

use isobar_core::{Field, FieldMut, Lanes, Real, Status};

use crate::fields::scattering::ProfileViews;
use crate::limits::{CRTM_LARGEST_ALBEDO, CRTM_SMALLEST_ALBEDO, HARDLY};
use crate::physics::scattering::directions::StreamDirections;
use crate::physics::scattering::doubling;
use crate::physics::scattering::matrix::Matrix;
use crate::physics::scattering::phase::{Directions, Optics, Phase, PhaseMatrices};
use crate::physics::scattering::sun::slant_cosine;
use crate::physics::scattering::thin::Medium;
use crate::schedule::scattering::slab::Pairs;
use crate::schedule::scattering::streams::Streams;

/// Operators of a few layers of neighbouring profiles: an item.
///
/// With the Sun the matrices in registers have one column more. Sunlight is a stream like the viewing angle, of weight
/// 0, that scatters into the others, receives nothing and emits nothing: its column of `R` and `T` is what a layer
/// makes of the beam. That has none of the poles that a particular solution has where `1/mu_0` is an eigenvalue.
///
/// Layers with an albedo of 0 or without a phase matrix are clear, `T = exp(-tau/mu)`, `R = 0`, emission
/// `-B expm1(-tau/mu)`. With [`Self::crtm_limits`] albedos are between [`CRTM_SMALLEST_ALBEDO`], up to which layers are
/// clear, and [`CRTM_LARGEST_ALBEDO`]. CRTM's limit for optical depths below 1e-8 differs by less than `(tau/mu)^2` and
/// is not needed.
///
/// # Accuracy
/// Against CRTM's eigenvalue method: test `reference_sets`. Without absorption: `nothing_is_lost_without_absorption`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LayerOperators<'a, R, const N: usize> {
    /// The streams of a hemisphere: at most `N`, or with the Sun one less.
    pub order: u32,
    /// The profiles.
    pub inputs: ProfileViews<'a, R>,
    /// Have albedos and phase matrices the limits that they have in CRTM? 0 or 1.
    pub crtm_limits: u32,
    /// The streams.
    pub directions: StreamDirections<'a, R>,
    /// How the layers scatter.
    pub phase: Phase<'a, R>,
    /// The Sun's beam at `(level, profile)`, as [`crate::physics::scattering::sun::Beam`] writes it; without items
    /// where there is no Sun.
    pub beam: Field<'a, R>,
    /// Reflection, element of `(layer * order + row, profile * order + column)`.
    pub reflection: FieldMut<'a, R>,
    /// Transmission, likewise.
    pub transmission: FieldMut<'a, R>,
    /// Emission, `(layer, profile * order + stream)`; with the Sun the radiance upward at the top.
    pub source_up: FieldMut<'a, R>,
    /// With the Sun the radiance downward at the bottom; otherwise unused, for emission is the same both ways.
    pub source_down: FieldMut<'a, R>,
}

impl<R: Real, const N: usize> LayerOperators<'_, R, N> {
    /// The operators of the layers of warp number `index`.
    #[inline(always)]
    pub(crate) fn run<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let streams = Streams::<N, W>::new(lanes, self.order_with_sun());
        let pairs = Pairs::new(streams, index, self.inputs.optical_depth.levels(), self.inputs.optical_depth.items());
        let own = self.directions(&pairs);
        let secant = own.cosine.map(|cosine| R::ONE / cosine);
        let optics = self.optics(&pairs);

        let crtm_limits = self.crtm_limits != 0;
        let phase = self.phase.matrices(&pairs, &own, crtm_limits);
        let smallest = R::from_f64(if crtm_limits { CRTM_SMALLEST_ALBEDO } else { 0.0 });
        let clear: [bool; W] = core::array::from_fn(|lane| optics[lane].albedo <= smallest || !phase.scatters[lane]);

        let medium = self.medium(&pairs, &own, secant, &optics, &clear, &phase);
        let smallest_cosine = streams.largest(secant).map(|secant| R::ONE / secant);
        let depth: [R; W] = core::array::from_fn(|lane| if clear[lane] { R::ZERO } else { optics[lane].depth });
        let layer = doubling::layer(streams, &medium, depth, smallest_cosine);

        let slant: [R; W] = core::array::from_fn(|lane| optics[lane].depth * secant[lane]);
        let direct = slant.map(|x| (-x).exp());
        let transmission = layer.diffuse.add_diagonal(streams, direct);
        let emissivity = layer.emissivity;
        let planck = pairs.value(&self.inputs.planck_radiance);
        let source: [R; W] = core::array::from_fn(|lane| {
            let absorbed = if clear[lane] { -(-slant[lane]).exp_m1() } else { emissivity[lane] };
            absorbed * planck[lane]
        });
        self.write(&pairs, &layer.reflection, &transmission, source);
        let finite = (0..W).all(|lane| !pairs.inside[lane] || source[lane].is_finite());
        if finite { Status::OK } else { Status::NOT_FINITE }
    }

    #[inline(always)]
    fn order(&self) -> usize {
        (self.order as usize).max(1)
    }

    /// The order of the matrices in registers.
    #[inline(always)]
    pub(crate) fn order_with_sun(&self) -> usize {
        self.order() + usize::from(self.sunlit())
    }

    #[inline(always)]
    fn sunlit(&self) -> bool {
        !self.beam.is_empty()
    }

    /// The direction of each lane's column.
    #[inline(always)]
    fn directions<const W: usize>(&self, pairs: &Pairs<N, W>) -> Directions<R, W> {
        let stream = |lane: usize| pairs.streams.column(lane).min(self.order() - 1);
        let is_stream = |lane: usize| pairs.streams.column(lane) < self.order();
        Directions {
            cosine: core::array::from_fn(|lane| {
                if self.sunlit() && !is_stream(lane) {
                    slant_cosine(self.inputs.sun_cosine.at(pairs.profile[lane]))
                } else {
                    self.directions.cosine(stream(lane), pairs.profile[lane])
                }
            }),
            weight: core::array::from_fn(|lane| {
                let weight = self.directions.weight(stream(lane));
                if is_stream(lane) { weight } else { R::ZERO }
            }),
            nodes: self.directions.nodes(),
            order: self.order(),
        }
    }

    /// The layers' optics without the forward peak, and within CRTM's limit if that is wanted.
    #[inline(always)]
    fn optics<const W: usize>(&self, pairs: &Pairs<N, W>) -> [Optics<R>; W] {
        let (depth, albedo) =
            (pairs.value(&self.inputs.optical_depth), pairs.value(&self.inputs.single_scattering_albedo));
        core::array::from_fn(|lane| {
            let peak = self.phase.peak(pairs.row[lane], pairs.profile[lane]);
            let optics = Optics::without_peak(depth[lane], albedo[lane], peak);
            if self.crtm_limits == 0 {
                return optics;
            }
            let albedo = optics.albedo.at_most(R::from_f64(CRTM_LARGEST_ALBEDO));
            Optics { albedo, absorption: R::ONE - albedo, ..optics }
        })
    }

    /// The rates of scattering and absorption.
    #[inline(always)]
    fn medium<const W: usize>(
        &self,
        pairs: &Pairs<N, W>,
        own: &Directions<R, W>,
        secant: [R; W],
        optics: &[Optics<R>; W],
        clear: &[bool; W],
        phase: &PhaseMatrices<R, N, W>,
    ) -> Medium<R, N, W> {
        let streams = pairs.streams;
        // Half of the Sun's light is in the component that does not depend on azimuth.
        let into: [R; W] = core::array::from_fn(|lane| {
            let share =
                if self.sunlit() && streams.column(lane) == self.order() { R::from_f64(0.5) } else { own.weight[lane] };
            if clear[lane] { R::ZERO } else { share * optics[lane].albedo }
        });
        let rates = |phase: &Matrix<R, N, W>| {
            Matrix::ZERO.add_scaled_rows(streams, secant, &phase.scale_columns(streams, into))
        };
        // The Sun is no direction into which a layer emits.
        let absorption = core::array::from_fn(|lane| {
            if streams.column(lane) < self.order() { optics[lane].absorption * secant[lane] } else { R::ZERO }
        });
        let hardly_absorbs = core::array::from_fn(|lane| optics[lane].absorption < R::from_f64(HARDLY));
        let (forward, backward) = (rates(&phase.forward), rates(&phase.backward));
        Medium { forward, backward, secant, absorption, hardly_absorbs, nodes: own.nodes }
    }

    /// Writes the operators: the Sun's column is a source.
    #[inline(always)]
    fn write<const W: usize>(
        &self,
        pairs: &Pairs<N, W>,
        reflection: &Matrix<R, N, W>,
        transmission: &Matrix<R, N, W>,
        source: [R; W],
    ) {
        let (streams, order) = (pairs.streams, self.order());
        let is_stream = |lane: usize| pairs.inside[lane] && streams.column(lane) < order;
        pairs.put_of(order, &self.reflection, reflection);
        pairs.put_of(order, &self.transmission, transmission);
        let (mut up, mut down) = (source, source);
        if self.sunlit() {
            let beam: [R; W] = core::array::from_fn(|lane| self.beam.at(pairs.row[lane], pairs.profile[lane]));
            let with_beam = |emitted: [R; W], matrix: &Matrix<R, N, W>| -> [R; W] {
                let mut light = [R::ZERO; W];
                for_each_row!(i in streams, N, W: {
                    let element = streams.from(matrix.rows[i], order);
                    light = core::array::from_fn(|lane| {
                        if streams.column(lane) == i { element[lane] } else { light[lane] }
                    });
                });
                core::array::from_fn(|lane| beam[lane].mul_add(light[lane], emitted[lane]))
            };
            up = with_beam(up, reflection);
            down = with_beam(down, transmission);
        }
        for lane in 0..W {
            if is_stream(lane) {
                let item = pairs.profile[lane] * order + streams.column(lane);
                self.source_up.set(pairs.row[lane], item, up[lane]);
                if self.sunlit() {
                    self.source_down.set(pairs.row[lane], item, down[lane]);
                }
            }
        }
    }
}
