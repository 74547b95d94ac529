//! A homogeneous layer of any thickness: half of it upon itself, again and again.

use isobar_core::Real;

use crate::limits::{MOST_DOUBLINGS, THIN};
use crate::physics::scattering::escape::Escape;
use crate::physics::scattering::solve::solve_with;
use crate::physics::scattering::thin::{Layer, Medium, thin};
use crate::schedule::scattering::streams::Streams;

/// A layer of optical depth `depth`, zero or more, of each team; `smallest_cosine` is that of its streams.
///
/// All teams of a warp double as often as the thickest layer needs, and keep what they had once they are done.
///
/// # Accuracy
/// Nothing cancels: reflection, diffuse transmission and emissivity are sums of products of non-negative numbers (but
/// for negative elements of phase matrices), unscattered light is computed from the optical depth each time, and what
/// gets out between two layers that reflect nearly everything is a sum, too (`escape`). A relative error of
/// the thin layer stays one, whatever the number of doublings. Tests: `reference_sets`,
/// `nothing_is_lost_without_absorption`, `a_thick_layer_without_absorption_diffuses`.
#[inline(always)]
#[must_use]
pub fn layer<R: Real, const N: usize, const W: usize>(
    streams: Streams<N, W>,
    medium: &Medium<R, N, W>,
    depth: [R; W],
    smallest_cosine: [R; W],
) -> Layer<R, N, W> {
    let half = R::from_f64(0.5);
    let mut part = depth;
    let mut doublings = [R::ZERO; W];
    let thinnest = smallest_cosine.map(|cosine| R::from_f64(THIN) * cosine);
    for _ in 0..MOST_DOUBLINGS {
        let thick: [bool; W] = core::array::from_fn(|lane| part[lane] > thinnest[lane]);
        if !thick.contains(&true) {
            break;
        }
        for lane in 0..W {
            doublings[lane] += if thick[lane] { R::ONE } else { R::ZERO };
            part[lane] = if thick[lane] { part[lane] * half } else { part[lane] };
        }
    }
    for lane in 0..W {
        part[lane] = part[lane].at_most(thinnest[lane]);
    }
    let mut layer = thin(streams, medium, part);
    let any_escape = Escape::is_wanted_of(streams, medium, depth.map(|depth| depth * half));
    let most = streams.largest_of_warp(doublings).to_i32();
    for step in 0..most {
        let step = R::from_f64(f64::from(step));
        let twice = double(streams, medium, &layer, part, any_escape);
        let more: [bool; W] = core::array::from_fn(|lane| step < doublings[lane]);
        part = core::array::from_fn(|lane| if more[lane] { part[lane] + part[lane] } else { part[lane] });
        for_each_row!(i in streams, N, W: {
            keep(&mut layer.reflection.rows[i], &twice.reflection.rows[i], &more);
            keep(&mut layer.diffuse.rows[i], &twice.diffuse.rows[i], &more);
        });
        keep(&mut layer.emissivity, &twice.emissivity, &more);
    }
    layer
}

/// Takes the new values where there are more doublings to do.
#[inline(always)]
fn keep<R: Real, const W: usize>(values: &mut [R; W], new: &[R; W], more: &[bool; W]) {
    for lane in 0..W {
        values[lane] = if more[lane] { new[lane] } else { values[lane] };
    }
}

/// Two layers, each of optical depth `depth`. With `T = E + D`, `E` what is not scattered, and `M = (1 - R R)^-1`:
///
/// ```text
/// M T = E + Y:          (1 - R R) Y = D + R R E
/// R2 = R + T R (E + Y)
/// D2 = E Y + D E + D Y
/// emissivity2 = emissivity + T M (emissivity + R emissivity)
/// ```
#[inline(always)]
fn double<R: Real, const N: usize, const W: usize>(
    streams: Streams<N, W>,
    medium: &Medium<R, N, W>,
    layer: &Layer<R, N, W>,
    depth: [R; W],
    any_escape: bool,
) -> Layer<R, N, W> {
    let Layer { reflection, diffuse, emissivity } = layer;
    let direct: [R; W] = core::array::from_fn(|lane| (-depth[lane] * medium.secant[lane]).exp());

    let twice = reflection.times(streams, reflection);
    let mut y = [diffuse.with(streams, &twice.scale_columns(streams, direct), |d, r| d + r)];
    let mut from_inside = streams.all(reflection.apply(streams, *emissivity, *emissivity));
    let one_less = twice.map(streams, |x| -x).add_diagonal(streams, [R::ONE; W]);
    if any_escape {
        let mut escape = Escape::between(streams, medium, layer, depth, direct);
        let pivot = |a: &_, row: &_, k, pivot| escape.pivot(streams, a, row, k, pivot);
        solve_with(streams, one_less, &mut y, &mut from_inside, pivot);
    } else {
        solve_with(streams, one_less, &mut y, &mut from_inside, |_, _, _, pivot| pivot);
    }
    let [y] = y;

    let back = reflection.scale_columns(streams, direct).add_product(streams, reflection, &y);
    let from_inside = streams.own(&from_inside);
    let outside = core::array::from_fn(|lane| emissivity[lane] + direct[lane] * from_inside[lane]);
    Layer {
        reflection: reflection.add_scaled_rows(streams, direct, &back).add_product(streams, diffuse, &back),
        diffuse: diffuse
            .scale_columns(streams, direct)
            .add_scaled_rows(streams, direct, &y)
            .add_product(streams, diffuse, &y),
        emissivity: diffuse.apply(streams, from_inside, outside),
    }
}
