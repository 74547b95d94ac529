//! Partition sums between the temperatures of a table: `ln Q` against `ln T`, a cubic through the two neighbouring
//! nodes with the slopes of parabolas through three (Hermite's form).
//!
//! TIPS (Gamache et al., 2021) at steps of 10 K gives values between them to 2e-6 (150 to 350 K, `tests/partition.rs`);
//! files with steps of 1 K, as HITRAN's, to round-off of what they print.

use isobar_core::{Column, Real, bracket};

/// `Q(T)` of a table of `ln T` (ascending) and `ln Q`; outside of the table the cubic of its end goes on, so a host
/// checks the temperature before. A table has at least two nodes.
#[inline(always)]
#[must_use]
pub fn partition_sum<R: Real>(ln_temperature: Column<'_, f64>, ln_sum: Column<'_, f64>, temperature_k: R) -> R {
    let x = temperature_k.ln();
    let i = bracket::ascending(ln_temperature, x.value());
    let last = ln_temperature.len() - 1;
    let node = |k: usize| (ln_temperature.at(k), ln_sum.at(k));
    let secant = |k: usize| (node(k + 1).1 - node(k).1) / (node(k + 1).0 - node(k).0);
    // The slope at a node of the parabola through it and its neighbours; at an end the next secant.
    let slope = |k: usize| match k {
        0 => secant(0),
        k if k == last => secant(last - 1),
        k => {
            let (before, after) = (node(k).0 - node(k - 1).0, node(k + 1).0 - node(k).0);
            (secant(k - 1) * after + secant(k) * before) / (before + after)
        }
    };
    let (x0, y0) = node(i);
    let (x1, y1) = node(i + 1);
    let width = x1 - x0;
    let t = (x - R::from_f64(x0)) / R::from_f64(width);
    let rise = y1 - y0;
    // y0 + t (rise + (1 - t) (a (1 - t) + b t)), a and b the slopes' excess over the secant.
    let (a, b) = (R::from_f64(slope(i) * width - rise), R::from_f64(rise - slope(i + 1) * width));
    let s = R::ONE - t;
    (R::from_f64(y0) + t * (R::from_f64(rise) + s * (a * s + b * t))).exp()
}
