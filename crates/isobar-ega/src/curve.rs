//! One curve of a table, emissivity against column density, and the search in it.
#![allow(unsafe_code, reason = "a curve is followed without the checks of a view")]

use isobar_core::Real;

use crate::limits::MOST_STEPS_OF_SEARCH;

/// Where a curve lies in the pools of [`crate::tables::Tables`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct CurveHead {
    /// The first emissivity, counted from the first of its table.
    pub emissivity: u32,
    /// The first column density in its pool.
    pub column: u32,
    /// The number of nodes.
    pub len: u32,
    /// `1 / ln(u[i + 1] / u[i])` where the column densities grow by a constant factor, otherwise 0.
    pub inverse_log_step: f32,
}

/// A curve in memory: `len` pairs of column density and emissivity, both strictly ascending, at least one. Before the
/// emissivities stands a negative infinity, after them a positive one, so that a search ends by itself.
///
/// Node -1 stands for the origin: below its first node a curve is a straight line from (0, 0). Beyond
/// its last node it saturates exponentially.
#[derive(Clone, Copy, Debug)]
pub struct CurveView {
    column: Nodes<f32>,
    inverse_width: Nodes<f64>,
    inverse_width_f32: Nodes<f32>,
    emissivity: Nodes<f32>,
    len: i32,
    inverse_log_step: f32,
}

/// Where the values at the nodes of a curve begin in memory.
#[derive(Clone, Copy, Debug)]
struct Nodes<T>(*const T);

impl<T: Copy> Nodes<T> {
    /// The value at a node of the curve, which the functions of this file ask for no other; of emissivities those
    /// before the first and after the last, too.
    #[inline(always)]
    fn at(self, node: i32) -> T {
        // SAFETY: node is from 0 to below the curve's len, or one beyond, for which `CurveView::new` vouched.
        unsafe { *self.0.offset(node as isize) }
    }
}

impl CurveView {
    /// # Safety
    /// The pointers are valid for `head.len` values as long as the view is used; that to the emissivities has an
    /// infinity on either side.
    #[inline(always)]
    pub(crate) unsafe fn new(
        column: *const f32,
        inverse_width: *const f64,
        inverse_width_f32: *const f32,
        emissivity: *const f32,
        head: &CurveHead,
    ) -> Self {
        let (column, emissivity) = (Nodes(column), Nodes(emissivity));
        let (inverse_width, inverse_width_f32) = (Nodes(inverse_width), Nodes(inverse_width_f32));
        let (len, inverse_log_step) = (head.len as i32, head.inverse_log_step);
        Self { column, inverse_width, inverse_width_f32, emissivity, len, inverse_log_step }
    }

    /// The number of the last node; from there on the curve is an exponential.
    #[inline(always)]
    pub(crate) fn last(&self) -> i32 {
        self.len - 1
    }

    /// The column density at a node, 0 at node -1.
    #[inline(always)]
    pub(crate) fn column(&self, node: i32) -> f32 {
        debug_assert!(node < self.len);
        if node < 0 { 0.0 } else { self.column.at(node) }
    }

    /// The slope from a node, whose emissivity and the next one's are given: infinite from the last on.
    #[inline(always)]
    pub(crate) fn slope<R: Real>(&self, node: i32, low: f32, high: f32) -> R {
        debug_assert!(node < self.len);
        let inverse_width = if node < 0 {
            R::ONE / R::from_f32(self.column(0))
        } else if size_of::<R>() == size_of::<f32>() {
            R::from_f32(self.inverse_width_f32.at(node))
        } else {
            R::from_f64(self.inverse_width.at(node))
        };
        (R::from_f32(high) - R::from_f32(low)) * inverse_width
    }

    /// One over the column density at a node, on a curve of logarithms.
    #[inline(always)]
    pub(crate) fn inverse_column<R: Real>(&self, node: i32) -> R {
        debug_assert!(0 <= node && node < self.len);
        R::from_f64(self.inverse_width.at(node))
    }

    /// The emissivity at a node, 0 at node -1, infinite beyond the last node.
    #[inline(always)]
    pub(crate) fn emissivity(&self, node: i32) -> f32 {
        debug_assert!(node <= self.len);
        if node < 0 { 0.0 } else { self.emissivity.at(node) }
    }

    /// `a` of `1 - exp(a u)`, the exponential through the last node \[cm^2/molecule\].
    #[inline(always)]
    pub(crate) fn saturation_rate<R: Real>(&self) -> R {
        let last = self.last();
        (R::ONE - R::from_f32(self.emissivity(last))).ln() / R::from_f32(self.column(last))
    }

    /// The last node whose emissivity is not above `x`, found from `guess`.
    #[inline(always)]
    pub(crate) fn find_emissivity<R: Real>(&self, x: R, guess: i32) -> i32 {
        self.find_piece(floor_f32(x), guess).0
    }

    /// The last node whose emissivity is not above `x`, found from `guess`; its emissivity, negative infinity at node
    /// -1; and that of the next, positive infinity beyond the last.
    #[inline(always)]
    pub(crate) fn find_piece(&self, x: f32, guess: i32) -> (i32, f32, f32) {
        let mut node = guess.clamp(-1, self.last());
        let (mut low, mut high) = (self.emissivity.at(node), self.emissivity.at(node + 1));
        let mut steps = 0;
        while !(low <= x && x < high) {
            if steps == MOST_STEPS_OF_SEARCH {
                node = bisect(self.emissivity, -1, self.len, x);
                return (node, self.emissivity.at(node), self.emissivity.at(node + 1));
            }
            steps += 1;
            if low > x {
                node -= 1;
                (low, high) = (self.emissivity.at(node), low);
            } else if high <= x && node < self.last() {
                node += 1;
                (low, high) = (high, self.emissivity.at(node + 1));
            } else {
                break; // not a number, or infinite
            }
        }
        (node, low, high)
    }

    /// The last node whose column density is not above `x`, found from `guess`.
    #[inline(always)]
    pub(crate) fn find_column<R: Real>(&self, x: R, guess: i32) -> i32 {
        seek(self.column, self.len, floor_f32(x), guess)
    }

    /// The last node whose column density is not above an `x` far from `guess`: by direct index where the grid is
    /// logarithmic.
    #[inline(always)]
    pub(crate) fn index_column<R: Real>(&self, x: R, guess: i32) -> i32 {
        let ratio = x.to_f32() / self.column(0);
        if self.inverse_log_step > 0.0 && ratio > 1.0 {
            self.find_column(x, Real::to_i32(Real::ln(ratio) * self.inverse_log_step))
        } else {
            self.find_column(x, guess)
        }
    }
}

/// The largest `f32` not above `x`, so that comparisons with `f32` nodes decide as in full precision.
#[inline(always)]
pub(crate) fn floor_f32<R: Real>(x: R) -> f32 {
    let nearest = x.to_f32();
    if R::from_f32(nearest) > x { nearest.next_down() } else { nearest }
}

/// The last of `len` ascending values that is not above `x`, -1 if all are: a walk from `guess`, then bisection.
#[inline(always)]
fn seek(values: Nodes<f32>, len: i32, x: f32, guess: i32) -> i32 {
    let at = |i: i32| values.at(i);
    let mut node = guess.clamp(-1, len - 1);
    let mut steps = 0;
    let (low, high); // values[low] <= x < values[high]
    if node >= 0 && at(node) > x {
        loop {
            node -= 1;
            if node < 0 || at(node) <= x {
                return node;
            }
            steps += 1;
            if steps == MOST_STEPS_OF_SEARCH {
                break;
            }
        }
        low = -1;
        high = node;
    } else {
        loop {
            if node + 1 >= len || at(node + 1) > x {
                return node;
            }
            node += 1;
            steps += 1;
            if steps == MOST_STEPS_OF_SEARCH {
                break;
            }
        }
        low = node;
        high = len;
    }
    bisect(values, low, high, x)
}

/// The last value not above `x` between two nodes: the value at `low` is not above `x`, that at `high` is.
#[inline(always)]
fn bisect(values: Nodes<f32>, mut low: i32, mut high: i32, x: f32) -> i32 {
    while high - low > 1 {
        let middle = (low + high) / 2;
        if values.at(middle) > x {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last node not above `x`, one after the other.
    fn scan(values: &[f32], x: f64) -> i32 {
        values.iter().take_while(|&&value| f64::from(value) <= x).count() as i32 - 1
    }

    #[test]
    fn every_search_finds_what_a_scan_finds_from_any_guess() {
        let logarithmic: Vec<f32> = (0..120).map(|i| 1e17 * Real::powf(1.122_f32, i as f32)).collect();
        let irregular: Vec<f32> = (0..120).map(|i| 1e17 + 3e15 * ((i * i) as f32)).collect();
        let emissivity: Vec<f32> = (1..=120).map(|i| 1.0 - Real::exp(-1e-3 * (i * i) as f32)).collect();
        let [below, above] = [f32::NEG_INFINITY, f32::INFINITY].map(|end| [end]);
        let stored = [&below[..], &emissivity, &above].concat();
        let (inverse_width, inverse_width_f32) = (vec![0.0; 120], vec![0.0; 120]);
        for (column, inverse_log_step) in [(&logarithmic, (1.0 / Real::ln(1.122_f64)) as f32), (&irregular, 0.0)] {
            let head = CurveHead { emissivity: 0, column: 0, len: 120, inverse_log_step };
            let (f64s, f32s) = (inverse_width.as_ptr(), inverse_width_f32.as_ptr());
            // SAFETY: 120 values each, alive until the end of the test.
            let curve = unsafe { CurveView::new(column.as_ptr(), f64s, f32s, stored.as_ptr().add(1), &head) };
            // Below, on, just beside, between and beyond the nodes.
            let around =
                |u: f32| [f64::from(u.next_down()), f64::from(u), f64::from(u) * (1.0 + 1e-12), f64::from(u) * 1.05];
            let infinite = [f64::INFINITY, -f64::INFINITY];
            let columns = column.iter().flat_map(|&u| around(u)).chain([0.0, 1e3, 1e30]).chain(infinite);
            for x in columns {
                for guess in [-5, -1, 0, 7, 60, 119, 500] {
                    assert_eq!(curve.find_column(x, guess), scan(column, x), "column {x:e} from {guess}");
                    assert_eq!(curve.index_column(x, guess), scan(column, x), "index of {x:e} from {guess}");
                }
            }
            for x in emissivity.iter().flat_map(|&e| around(e)).chain([0.0, 1.0, f64::INFINITY, -f64::INFINITY]) {
                for guess in [-1, 0, 60, 119] {
                    assert_eq!(curve.find_emissivity(x, guess), scan(&emissivity, x), "emissivity {x:e} from {guess}");
                }
            }
            // Where NaN is found means nothing, but it is a node.
            for guess in [-5, -1, 0, 60, 119, 500] {
                let nan = f64::NAN;
                let found =
                    [curve.find_column(nan, guess), curve.index_column(nan, guess), curve.find_emissivity(nan, guess)];
                assert!(found.iter().all(|node| (-1..120).contains(node)), "{found:?} from {guess}");
            }
        }
    }
}
