//! Every search finds what a linear scan finds.

use isobar_core::Column;
use isobar_core::bracket::{ascending, ascending_near, log_regular, regular};
use proptest::prelude::*;

/// The last interval whose lower node is not above `x`, or the first.
fn scan(grid: &[f64], x: f64) -> usize {
    (0..grid.len().saturating_sub(1)).rev().find(|&i| grid[i] <= x).unwrap_or(0)
}

/// An ascending grid, and a value in, at a node of, or beyond it.
fn grids() -> impl Strategy<Value = (Vec<f64>, f64)> {
    (prop::collection::vec(1e-3..10.0, 1..80), -100.0..100.0, any::<prop::sample::Index>(), -0.2..1.2, any::<bool>())
        .prop_map(|(steps, start, node, part, at_node)| {
            let grid: Vec<f64> = steps
                .iter()
                .scan(start, |x, step| {
                    *x += step;
                    Some(*x)
                })
                .collect();
            let (first, last) = (grid[0], grid[grid.len() - 1]);
            let x = if at_node { grid[node.index(grid.len())] } else { first + part * (last - first + 1.0) };
            (grid, x)
        })
}

proptest! {
    #[test]
    fn bisection_and_walking_agree_with_a_scan((grid, x) in grids(), guess in 0_usize..100) {
        let expected = scan(&grid, x);
        let column = Column::from(&grid[..]);
        prop_assert_eq!(ascending(column, x), expected);
        prop_assert_eq!(ascending_near(column, x, guess), expected);
    }

    #[test]
    fn arithmetic_finds_the_interval_of_a_regular_grid(start in -1000_i32..1000, n in 1_usize..200, step in 1_i32..9,
        x in -3000_i32..3000) {
        // Quarters are exact, and so is the arithmetic on them.
        let node = |i: usize| f64::from(start) + 0.25 * f64::from(step) * i as f64;
        let grid: Vec<f64> = (0..n).map(node).collect();
        for x in [f64::from(x) * 0.25, node(n / 2), node(n - 1)] {
            prop_assert_eq!(regular(Column::from(&grid[..]), x), scan(&grid, x));
        }
    }

    #[test]
    fn arithmetic_finds_the_interval_of_a_logarithmic_grid(start in 1e-6..1e3, ratio in 1.001..3.0, n in 1_usize..200,
        part in -0.1..1.1, at in any::<prop::sample::Index>()) {
        let grid: Vec<f64> = (0..n).scan(start, |x, _| { let node = *x; *x *= ratio; Some(node) }).collect();
        let inside = grid[0] + part * (grid[n - 1] - grid[0]);
        for x in [inside, grid[at.index(n)], 0.0, -1.0] {
            prop_assert_eq!(log_regular(Column::from(&grid[..]), x), scan(&grid, x));
        }
    }
}
