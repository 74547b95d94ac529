//! How much of the light between two equal layers gets out, where that is little.

use isobar_core::Real;

use crate::limits::THICK;
use crate::physics::scattering::matrix::Matrix;
use crate::physics::scattering::thin::{Layer, Medium};
use crate::schedule::scattering::streams::Streams;

/// Pivots of `a = 1 - R R`, two equal layers, as sums.
///
/// A thick layer that absorbs nothing reflects nearly everything; `a` is nearly singular, and its pivots are small
/// differences of numbers near 1, the error of each larger by that of the one before. But nothing is lost: what is not
/// reflected is let through or absorbed, and the layer has both as sums of their own. With the unit radiance from
/// everywhere, 1,
///
/// ```text
/// e = (1 - R) 1 = T 1 + emissivity,   a 1 = e + R e .
/// ```
///
/// Elimination changes these sums of rows as it does any right side, by numbers of one sign; and a pivot is its row's
/// sum less the elements behind it, which are negative. So it is done for Markov chains (Grassmann, Taksar and Heyman
/// 1985, doi:10.1287/opre.33.5.1107), where sums of rows are known and diagonals are not.
///
/// # Accuracy
/// A few roundings, however thick the layer: test `a_thick_layer_without_absorption_diffuses`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Escape<R, const W: usize> {
    /// The streams that have weights, which come first.
    nodes: usize,
    /// Teams with pivots made of sums.
    wanted: [bool; W],
    /// The sum of the row of the lane's own number, over the nodes' columns.
    sums: [R; W],
}

impl<R: Real, const W: usize> Escape<R, W> {
    /// Does any team of the warp want it between layers of at most these optical depths?
    #[inline(always)]
    pub(crate) fn is_wanted_of<const N: usize>(
        streams: Streams<N, W>,
        medium: &Medium<R, N, W>,
        depth: [R; W],
    ) -> bool {
        let wanted = Self::wanted(medium, depth).map(|wanted| if wanted { R::ONE } else { R::ZERO });
        streams.largest_of_warp(wanted) > R::ZERO
    }

    #[inline(always)]
    fn wanted<const N: usize>(medium: &Medium<R, N, W>, depth: [R; W]) -> [bool; W] {
        core::array::from_fn(|lane| medium.hardly_absorbs[lane] && depth[lane] > R::from_f64(THICK))
    }

    /// Between two layers of optical depth `depth`, each of which lets through `direct` without scattering.
    #[inline(always)]
    pub(crate) fn between<const N: usize>(
        streams: Streams<N, W>,
        medium: &Medium<R, N, W>,
        layer: &Layer<R, N, W>,
        depth: [R; W],
        direct: [R; W],
    ) -> Self {
        let of_nodes = |own: [R; W]| -> [R; W] {
            core::array::from_fn(|lane| if streams.column(lane) < medium.nodes { own[lane] } else { R::ZERO })
        };
        let not_scattered = core::array::from_fn(|lane| layer.emissivity[lane] + direct[lane]);
        let escapes = of_nodes(layer.diffuse.apply(streams, of_nodes([R::ONE; W]), not_scattered));
        let sums = layer.reflection.apply(streams, escapes, escapes);
        Self { nodes: medium.nodes, wanted: Self::wanted(medium, depth), sums }
    }

    /// What to take for `pivot` number `k`, of the row `row`, when the columns before it are eliminated from `a`.
    #[inline(always)]
    pub(crate) fn pivot<const N: usize>(
        &mut self,
        streams: Streams<N, W>,
        a: &Matrix<R, N, W>,
        row: &[R; W],
        k: usize,
        pivot: [R; W],
    ) -> [R; W] {
        if k >= self.nodes {
            return pivot;
        }
        let behind = |lane: usize| streams.column(lane) > k && streams.column(lane) < self.nodes;
        let rest = streams.sum(core::array::from_fn(|lane| if behind(lane) { row[lane] } else { R::ZERO }));
        let sum = streams.from(self.sums, k);
        let pivot: [R; W] =
            core::array::from_fn(|lane| if self.wanted[lane] { sum[lane] - rest[lane] } else { pivot[lane] });
        let own: [R; W] = core::array::from_fn(|lane| sum[lane] / pivot[lane]);
        for_each_row!(i in streams, N, W: {
            let element = streams.from(a.rows[i], k);
            for lane in 0..W {
                if i > k && i < self.nodes && streams.column(lane) == i {
                    self.sums[lane] = (-element[lane]).mul_add(own[lane], self.sums[lane]);
                }
            }
        });
        pivot
    }
}
