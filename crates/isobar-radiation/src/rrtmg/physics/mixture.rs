//! Positions and weights on the binary mixture of two key gases.

use isobar_core::Real;

use crate::rrtmg::constants::MOST_MIXTURE;

/// The sum of two columns, the second times the ratio of the gases, and the first's share of it in steps between
/// `nodes` nodes.
#[inline(always)]
pub(crate) fn share<R: Real>(a: R, b: R, ratio: R, nodes: u32) -> (R, R) {
    let sum = a + ratio * b;
    let share = a / sum;
    let most = R::from_f64(MOST_MIXTURE);
    let share = if share < most { share } else { most };
    (sum, R::from_f64(f64::from(nodes - 1)) * share)
}

/// The node below a position between `count` nodes and how far the position is from it.
#[inline(always)]
pub(crate) fn node<R: Real>(position: R, count: u32) -> (u32, R) {
    // A column that will be refused may have less than nothing of a gas.
    let node = position.index(0, count as i32 - 2);
    (node as u32, position - R::from_f64(f64::from(node)))
}

/// The first of three nodes and their weights: linear between two of them, a quartic near either end of nine.
#[inline(always)]
pub(crate) fn nodes<R: Real>(position: R, count: u32) -> (u32, [R; 3]) {
    let (node, f) = node(position, count);
    let (one, last) = (R::ONE, R::from_f64(7.0));
    let (first, final_) = (position < one, position > last);
    let q = if first { f - one } else { -f };
    let q2 = q * q;
    let q4 = q2 * q2;
    let (middle, far) = (one - q - (q4 + q4), q + q4);
    let edge = if first { [q4, middle, far] } else { [far, middle, q4] };
    if count == 9 && (first || final_) {
        (if first { node } else { node - 1 }, edge)
    } else {
        (node, [one - f, f, R::ZERO])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_nodes_stay_inside() {
        for i in 0..8000 {
            let position = f64::from(i) / 1000.0;
            let (first, weights) = nodes(position, 9);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            let top = if weights[2] == 0.0 { 1 } else { 2 };
            assert!(first + top <= 8, "{position}");
        }
        for i in 0..4000 {
            let (first, weights) = nodes(f64::from(i) / 1000.0, 5);
            assert_eq!(weights[2], 0.0);
            assert!(first < 4);
        }
    }

    #[test]
    fn a_pure_gas_stays_below_the_last_node() {
        let (sum, position) = share(1.0_f32, 0.0, 3.0, 9);
        assert_eq!(sum, 1.0);
        assert!(position < 8.0);
        assert_eq!(share(0.0, 2.0, 3.0, 9), (6.0, 0.0));
    }
}
