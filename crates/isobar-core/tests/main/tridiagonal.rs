//! The tridiagonal solver against a dense solution and by its residual.

use isobar_core::tridiagonal::Tridiagonal;
use isobar_core::{Column, FieldMut};
use proptest::prelude::*;

/// Gaussian elimination with pivoting of the full matrix.
fn dense(lower: &[f64], diagonal: &[f64], upper: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut row = vec![0.0; n + 1];
            row[i] = diagonal[i];
            if i > 0 {
                row[i - 1] = lower[i];
            }
            if i + 1 < n {
                row[i + 1] = upper[i];
            }
            row[n] = right[i];
            row
        })
        .collect();
    for k in 0..n {
        let best = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).expect("a row");
        rows.swap(k, best);
        let pivot = rows[k].clone();
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k] / pivot[k];
            for (x, p) in row.iter_mut().zip(&pivot) {
                *x -= factor * p;
            }
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - known) / rows[k][k];
    }
    x
}

/// A diagonally dominant system: lower, diagonal, upper and two right-hand sides.
fn systems() -> impl Strategy<Value = Vec<[f64; 5]>> {
    let row = (-5.0..5.0, -5.0..5.0, 0.01..3.0, any::<bool>(), -1e3..1e3, -1e3..1e3);
    prop::collection::vec(
        row.prop_map(|(a, c, excess, negative, d, e): (f64, f64, f64, bool, f64, f64)| {
            let b = a.abs() + c.abs() + excess;
            [a, if negative { -b } else { b }, c, d, e]
        }),
        1..60,
    )
}

fn pick(rows: &[[f64; 5]], k: usize) -> Vec<f64> {
    rows.iter().map(|row| row[k]).collect()
}

proptest! {
    #[test]
    fn the_solution_is_the_dense_one_for_each_right_hand_side(rows in systems()) {
        let [lower, diagonal, upper, first, second] = core::array::from_fn(|k| pick(&rows, k));
        let matrix = Tridiagonal { lower: Column::from(&lower[..]), diagonal: Column::from(&diagonal[..]),
            upper: Column::from(&upper[..]) };
        let n = rows.len();
        let (mut x, mut y, mut scratch) = (first.clone(), second.clone(), vec![0.0; n]);
        matrix.solve(
            [FieldMut::level_fastest(&mut x, n, 1), FieldMut::level_fastest(&mut y, n, 1)],
            FieldMut::level_fastest(&mut scratch, n, 1),
            0,
        );
        for (solution, right) in [(&x, &first), (&y, &second)] {
            let expected = dense(&lower, &diagonal, &upper, right);
            let size = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            for (a, b) in solution.iter().zip(&expected) {
                // The condition number is below 13 / 0.01.
                prop_assert!((a - b).abs() <= 1e4 * f64::EPSILON * size, "{a} {b}");
            }
        }
    }

    #[test]
    fn the_residual_is_rounding_error(rows in systems()) {
        let [lower, diagonal, upper, right, _] = core::array::from_fn(|k| pick(&rows,
            k).iter().map(|v| *v as f32).collect::<Vec<f32>>());
        let matrix = Tridiagonal { lower: Column::from(&lower[..]), diagonal: Column::from(&diagonal[..]),
            upper: Column::from(&upper[..]) };
        let n = rows.len();
        let (mut x, mut scratch) = (right.clone(), vec![0.0; n]);
        matrix.solve([FieldMut::level_fastest(&mut x, n, 1)], FieldMut::level_fastest(&mut scratch, n, 1), 0);
        let size = x.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
        for i in 0..n {
            let mut sum = f64::from(diagonal[i]) * f64::from(x[i]);
            if i > 0 {
                sum += f64::from(lower[i]) * f64::from(x[i - 1]);
            }
            if i + 1 < n {
                sum += f64::from(upper[i]) * f64::from(x[i + 1]);
            }
            let allowed = f64::from(8.0 * f32::EPSILON * (2.0 * diagonal[i].abs() * size + right[i].abs()));
            prop_assert!((sum - f64::from(right[i])).abs() <= allowed, "level {i}: {sum} {}", right[i]);
        }
    }

    #[test]
    fn strides_and_company_do_not_change_bits(rows in systems()) {
        let n = rows.len();
        let items = 3;
        let [lower, diagonal, upper, first, second] = core::array::from_fn(|k| pick(&rows, k));
        let matrix = Tridiagonal { lower: Column::from(&lower[..]), diagonal: Column::from(&diagonal[..]),
            upper: Column::from(&upper[..]) };
        let (mut alone, mut scratch) = (second.clone(), vec![0.0; n]);
        matrix.solve([FieldMut::level_fastest(&mut alone, n, 1)], FieldMut::level_fastest(&mut scratch, n, 1), 0);
        // Item 1 of 3, item-fastest, after another right-hand side.
        let spread = |values: &[f64]| values.iter().flat_map(|v| [7.0, *v, 7.0]).collect::<Vec<f64>>();
        let (mut x, mut y, mut scratch) = (spread(&first), spread(&second), vec![7.0; items * n]);
        matrix.solve(
            [FieldMut::item_fastest(&mut x, n, items), FieldMut::item_fastest(&mut y, n, items)],
            FieldMut::item_fastest(&mut scratch, n, items),
            1,
        );
        for (level, expected) in alone.iter().enumerate() {
            prop_assert_eq!(y[level * items + 1].to_bits(), expected.to_bits());
            for other in [0, 2] {
                prop_assert_eq!(y[level * items + other], 7.0);
                prop_assert_eq!(x[level * items + other], 7.0);
                prop_assert_eq!(scratch[level * items + other], 7.0);
            }
        }
    }
}

#[test]
fn one_level_is_a_division() {
    let (mut x, mut scratch) = ([6.0], [0.0]);
    let column = |v: &'static [f64]| Column::from(v);
    let matrix = Tridiagonal { lower: column(&[f64::NAN]), diagonal: column(&[2.0]), upper: column(&[f64::NAN]) };
    matrix.solve([FieldMut::level_fastest(&mut x, 1, 1)], FieldMut::level_fastest(&mut scratch, 1, 1), 0);
    assert_eq!(x, [3.0]);
}
