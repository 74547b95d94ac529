//! Interpolation: nodes, the functions that each form reproduces, and its fallbacks.

use isobar_core::Real;
use isobar_core::interpolate::{linear, log_x, log_y};
use proptest::prelude::*;

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (1.0 + a.abs().max(b.abs()))
}

proptest! {
    #[test]
    fn each_form_reproduces_its_function(x0 in 0.1..10.0, step in 0.1..10.0, part in -0.5..1.5, slope in -1.0..1.0,
        level in 0.5..5.0) {
        let x1 = x0 + step;
        let x: f64 = x0 + part * step;
        let x = x.max(0.01);
        let line = |x: f64| level + slope * x;
        prop_assert!(near(linear(x0, line(x0), x1, line(x1), x), line(x)));
        let exponential = |x: f64| level * Real::exp(slope * x);
        let (found, true_value) = (log_y(x0, exponential(x0), x1, exponential(x1), x), exponential(x));
        prop_assert!((found / true_value - 1.0).abs() < 1e-12);
        let logarithm = |x: f64| level + slope * Real::ln(x);
        prop_assert!((log_x(x0, logarithm(x0), x1, logarithm(x1), x) - logarithm(x)).abs() < 1e-11);
    }

    #[test]
    fn nodes_give_their_values(x0 in 0.1..10.0, step in 0.1..10.0, y0 in 0.1..10.0, y1 in 0.1..10.0) {
        let x1 = x0 + step;
        for form in [linear::<f64>, log_x, log_y] {
            prop_assert_eq!(form(x0, y0, x1, y1, x0), y0);
            prop_assert!(near(form(x0, y0, x1, y1, x1), y1));
        }
    }
}

#[test]
fn logarithms_of_what_has_none_fall_back_to_lines() {
    assert_eq!(log_y(0.0, 1.0, 1.0, -1.0, 0.5), linear(0.0, 1.0, 1.0, -1.0, 0.5));
    assert_eq!(log_y(0.0, 1.0, 1.0, 0.0, 0.5), 0.5);
    assert_eq!(log_x(-1.0, 1.0, 1.0, 3.0, 0.0), 2.0);
    assert_eq!(log_x(1.0_f32, 1.0, 2.0, 3.0, -1.0), -3.0);
}
