//! The surface as what lies below the last level.

use isobar_core::{Field, Real};

use crate::fields::scattering::ProfileViews;
use crate::physics::scattering::below::Below;
use crate::physics::scattering::directions::StreamDirections;
use crate::physics::scattering::matrix::Matrix;
use crate::schedule::scattering::slab::Pairs;

/// Each stream into itself, with 1 less the emissivity.
pub const SPECULAR: u32 = 0;
/// Into all streams alike, `(1 - emissivity_j) mu_j w_j / sum mu w`.
pub const LAMBERTIAN: u32 = 1;
/// By given matrices.
pub const GIVEN: u32 = 2;

/// What the surface of each profile reflects and emits.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Surface<'a, R> {
    /// [`SPECULAR`], [`LAMBERTIAN`] or [`GIVEN`].
    pub kind: u32,
    /// Reflection matrix, element of `(row, profile * order + column)`, if [`GIVEN`].
    pub reflection: Field<'a, R>,
    /// The profiles.
    pub inputs: ProfileViews<'a, R>,
    /// What else leaves upward for `(stream, profile)`, as reflected sunlight; without items where there is nothing.
    pub source: Field<'a, R>,
    /// The streams, if [`LAMBERTIAN`].
    pub directions: StreamDirections<'a, R>,
}

impl<R: Real> Surface<'_, R> {
    /// The surface below each team's profile.
    #[inline(always)]
    #[must_use]
    pub fn below<const N: usize, const W: usize>(&self, pairs: &Pairs<N, W>) -> Below<R, N, W> {
        let streams = pairs.streams;
        let within: [bool; W] = core::array::from_fn(|lane| streams.has_column(lane));
        let emissivity = pairs.of_stream(&self.inputs.emissivity);
        let reflectivity: [R; W] =
            core::array::from_fn(|lane| if within[lane] { R::ONE - emissivity[lane] } else { R::ZERO });
        let reflection = match self.kind {
            SPECULAR => Matrix::diagonal(streams, reflectivity),
            LAMBERTIAN => {
                let flux: [R; W] = core::array::from_fn(|lane| {
                    let (stream, profile) = (pairs.stream(lane), pairs.profile[lane]);
                    let flux = self.directions.cosine(stream, profile) * self.directions.weight(stream);
                    if within[lane] { flux } else { R::ZERO }
                });
                let total = streams.sum(flux);
                Matrix { rows: [core::array::from_fn(|lane| reflectivity[lane] * flux[lane] / total[lane]); N] }
            }
            _ => pairs.at(|_| 0).matrix(&self.reflection),
        };
        let extra = if self.source.items() == 0 { [R::ZERO; W] } else { pairs.of_stream(&self.source) };
        let source = core::array::from_fn(|lane| {
            let emitted =
                emissivity[lane].mul_add(self.inputs.surface_planck_radiance.at(pairs.profile[lane]), extra[lane]);
            if within[lane] { emitted } else { R::ZERO }
        });
        Below { reflection, source }
    }
}
