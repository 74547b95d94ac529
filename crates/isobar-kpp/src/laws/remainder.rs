//! Remainders of real numbers without a rounding, as Fortran's `MOD` and `MODULO` and C's `fmod` have them.

use isobar_rosenbrock::Operation;

use crate::graph::Value;

/// What is left of `x` when `y` is taken away as often as it goes into it, with the sign of `x`.
///
/// Rounded, the quotient may be one more than it is, and `x - q y` negative. That difference has no more digits than a
/// double, if the product has all of its own, which it has in two numbers. So it is exact where the quotient is below
/// 2^53 and no number is near the ends of the range of doubles.
pub(super) fn remainder<'g>(x: Value<'g>, y: Value<'g>) -> Value<'g> {
    if let (Some(left), Some(right)) = (x.as_constant(), y.as_constant()) {
        return x.constant(left % right);
    }
    let [size, whole] = [x, y].map(|value| value.unary(Operation::Absolute));
    let times = (size / whole).unary(Operation::Truncate);
    let [product, rest] = exact_product(times, whole);
    let left = (size - product) - rest;
    let left = (left + whole).where_true(less(left, x.constant(0.0)), left);
    let signed = (-left).where_true(less(x, x.constant(0.0)), left);
    // What is smaller than y, which may be infinite, stays.
    x.where_true(less(size, whole), signed)
}

/// The same with the sign of `y`.
pub(super) fn modulo<'g>(x: Value<'g>, y: Value<'g>) -> Value<'g> {
    let (left, zero) = (remainder(x, y), x.constant(0.0));
    let [below, above] = [[left, y], [y, left]].map(|[a, b]| less(a, zero).binary(Operation::And, less(zero, b)));
    (left + y).where_true(below.binary(Operation::Or, above), left)
}

fn less<'g>(a: Value<'g>, b: Value<'g>) -> Value<'g> {
    a.binary(Operation::Less, b)
}

/// A product rounded, and what it lacks (Dekker 1971, doi:10.1007/BF01397083).
fn exact_product<'g>(a: Value<'g>, b: Value<'g>) -> [Value<'g>; 2] {
    // Two numbers of half the digits each.
    let halves = |value: Value<'g>| {
        let scaled = 134_217_729.0 * value;
        let high = scaled - (scaled - value);
        [high, value - high]
    };
    let ([a_high, a_low], [b_high, b_low], product) = (halves(a), halves(b), a * b);
    let rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    [product, rest]
}
