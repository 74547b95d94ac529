//! Slant paths of straight rays through spherical shells.
//!
//! A ray that arrives at a radius `r` with the cosine `c` of its zenith angle passes a radius `x` with
//! `root(x)^2 = x^2 - r^2 (1 - c^2) = r^2 c^2 + (x - r)(x + r)`; a shell between `a` and `b` it crosses on
//! `root(b) - root(a)`, which is `(b - a)(b + a) / (root(b) + root(a))` without the difference. With the Sun below the
//! horizon it dips below `r`, and crosses shells down there twice.

use isobar_core::Real;

/// The Earth's mean radius \[km\].
const EARTH_KM: f64 = 6371.0;

/// The square of the ray's way from its lowest point to a height \[km^2\]; at most 0 below that.
#[inline(always)]
fn squared_root<R: Real>(height: R, at: R, cosine: R) -> R {
    let radius = R::from_f64(EARTH_KM) + at;
    let beyond = (height - at) * (height + at + R::from_f64(2.0 * EARTH_KM));
    radius * radius * cosine * cosine + beyond
}

/// How many times its thickness the ray that arrives at the height `at` is in the shell between two heights; heights in
/// km, the shell's lower one first, `at` not within it.
#[inline(always)]
pub(crate) fn slant<R: Real>([low, high]: [R; 2], at: R, cosine: R) -> R {
    let (zero, two) = (R::ZERO, R::from_f64(2.0));
    let below = high <= at;
    let (inner, outer) = (squared_root(low, at, cosine).max(zero), squared_root(high, at, cosine).max(zero));
    let roots = (inner.sqrt() + outer.sqrt()).max(R::from_f64(1e-6));
    let way = (outer - inner) / roots;
    let times = if !below {
        R::ONE
    } else if cosine < zero {
        two
    } else {
        zero
    };
    times * way / (high - low)
}

/// Does the ground, at a height, leave the ray that arrives at another one in the dark?
#[inline(always)]
pub(crate) fn is_dark<R: Real>(ground: R, at: R, cosine: R) -> bool {
    cosine < R::ZERO && (at <= ground || squared_root(ground, at, cosine) >= R::ZERO)
}
