//! The Voigt function against values of 60-digit arithmetic, its limits, and its derivatives.

use isobar_core::{Dual, Real};
use isobar_spectra::voigt::{FAR, w};

/// x, y, Re w, Im w.
fn points() -> Option<Vec<Vec<f64>>> {
    Some(isobar_golden::rows(&isobar_golden::find("spectra")?.join("w_points.txt")))
}

/// The larger one, with where it is.
fn keep(worst: &mut (f64, f64, f64), error: f64, x: f64, y: f64) {
    assert!(error.is_finite(), "x = {x}, y = {y}");
    if error > worst.0 {
        *worst = (error, x, y);
    }
}

/// Is this a point for which the accuracy is stated? Without a width there is nothing far away.
fn stated(x: f64, y: f64, far: f64) -> bool {
    x >= 0.0 && (y >= 1e-12 || (y == 0.0 && x * x < far))
}

#[test]
fn double_precision_keeps_1e_minus_10() {
    let Some(points) = points() else { return };
    let (mut real, mut imaginary, mut count) = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0);
    for point in points {
        let [x, y, re, im] = point[..] else { panic!("four numbers") };
        if stated(x, y, FAR[1][0].0) && re > 1e-300 {
            let got = w(x, y);
            keep(&mut real, (got.0 / re - 1.0).abs(), x, y);
            keep(&mut imaginary, (got.1 - im).abs() / (re * re + im * im).sqrt(), x, y);
            count += 1;
        }
    }
    println!("f64, {count} points: {real:?} {imaginary:?}");
    assert!(count > 1400, "{count}");
    assert!(real.0 < 1e-10, "{real:?}");
    assert!(imaginary.0 < 1e-10, "{imaginary:?}");
}

/// Against f64, whose arguments are the rounded ones: those of the file are no numbers of f32.
#[test]
fn single_precision_keeps_5e_minus_6() {
    let Some(points) = points() else { return };
    let (mut real, mut imaginary, mut count) = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0);
    for point in points {
        let (x, y) = (point[0] as f32, point[1] as f32);
        let exact = w(f64::from(x), f64::from(y));
        if stated(f64::from(x), f64::from(y), FAR[0][0].0) && exact.0 > 1e-30 {
            let got = w(x, y);
            keep(&mut real, (f64::from(got.0) / exact.0 - 1.0).abs(), x.into(), y.into());
            let size = (exact.0 * exact.0 + exact.1 * exact.1).sqrt();
            keep(&mut imaginary, (f64::from(got.1) - exact.1).abs() / size, x.into(), y.into());
            count += 1;
        }
    }
    println!("f32, {count} points: {real:?} {imaginary:?}");
    assert!(count > 1300, "{count}");
    assert!(real.0 < 5e-6, "{real:?}");
    assert!(imaginary.0 < 5e-6, "{imaginary:?}");
}

/// Where one form takes over from another both are within the stated error: on a fine net around each limit.
#[test]
fn forms_meet() {
    for (precision, bound) in [(0, 1e-6), (1, 1e-10)] {
        for (limit, _) in FAR[precision] {
            for i in 0..=90 {
                let angle = f64::from(i) * (core::f64::consts::FRAC_PI_2 / 90.0);
                let radius = limit.sqrt();
                let (x, y) = (radius * Real::cos(angle), (radius * Real::sin(angle)).max(1e-9));
                // f32's forms in double precision: their truncation alone. The near one is exact to 1e-13 there.
                let exact = isobar_spectra::voigt::near(x, y).0;
                let got = match (precision, limit) {
                    (0, l) if l == FAR[0][0].0 => isobar_spectra::voigt::far::<f64, 4>(x, y).0,
                    (0, l) if l == FAR[0][1].0 => isobar_spectra::voigt::far::<f64, 2>(x, y).0,
                    (0, l) if l == FAR[0][2].0 => isobar_spectra::voigt::far::<f64, 1>(x, y).0,
                    (0, _) => isobar_spectra::voigt::far::<f64, 0>(x, y).0,
                    (_, l) if l == FAR[1][0].0 => isobar_spectra::voigt::far::<f64, 5>(x, y).0,
                    (_, l) if l == FAR[1][1].0 => isobar_spectra::voigt::far::<f64, 3>(x, y).0,
                    (_, l) if l == FAR[1][2].0 => isobar_spectra::voigt::far::<f64, 2>(x, y).0,
                    _ => isobar_spectra::voigt::far::<f64, 1>(x, y).0,
                };
                assert!((got / exact - 1.0).abs() < bound, "|z| = {radius}, {i} deg: {got:e} {exact:e}");
            }
        }
    }
}

/// `w' = -2 z w + 2 i/sqrt(pi)`: Dual numbers' derivatives by x are those of the function.
#[test]
fn derivatives_are_those_of_the_function() {
    for (x, y) in [(0.3, 0.01), (2.1, 1.3), (6.0, 0.2), (0.0, 3.0), (20.0, 0.5), (120.0, 4.0), (3.0, 900.0)] {
        let (re, im) = w(Dual::<f64, 2>::variable(x, 0), Dual::variable(y, 1));
        let by_x = -2.0 * (x * re.value - y * im.value);
        let size = (re.value * re.value + im.value * im.value).sqrt() * (1.0 + x + y);
        // The derivative of a truncated series is off by more than the series: a power of |z| less.
        assert!((re.derivative[0] - by_x).abs() < 2e-9 * size, "{x} {y}: {} {by_x}", re.derivative[0]);
        let by_y = 2.0 * (x * im.value + y * re.value) - core::f64::consts::FRAC_2_SQRT_PI;
        assert!((re.derivative[1] - by_y).abs() < 2e-9 * size, "{x} {y}: {} {by_y}", re.derivative[1]);
    }
}
