//! Phase functions by tables: against moments in closed form, and against a rule with as many points as are exact.

use isobar_adding::azimuth::phase_function::{
    Part, ScatteringAngles, double_henyey_greenstein, henyey_greenstein, mixture, moments_until, rayleigh,
};
use isobar_adding::azimuth::quadrature::Quadrature;

/// Angles of equal distance.
fn degrees(parts: usize) -> Vec<f64> {
    (0..=parts).map(|i| 180.0 * i as f64 / parts as f64).collect()
}

fn table(degrees: &[f64], function: impl Fn(f64) -> f64) -> Vec<f64> {
    degrees.iter().map(|angle| function(isobar_core::math::double::cos(angle.to_radians()))).collect()
}

fn henyey(asymmetry: f64, x: f64) -> f64 {
    (1.0 - asymmetry * asymmetry) / isobar_core::math::double::powf(1.0 + asymmetry * (asymmetry - 2.0 * x), 1.5)
}

fn worst(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()))
}

/// A line in the cosine is taken as it is: its moments are exact whatever the angles.
#[test]
fn what_is_linear_is_exact() {
    let degrees = [0.0, 0.001, 7.0, 65.0, 66.0, 120.0, 180.0];
    let angles = ScatteringAngles::new(&degrees, 40).expect("angles");
    let mut expected = vec![0.0; 40];
    (expected[0], expected[1]) = (1.0, 0.2);
    let found = angles.moments(&table(&degrees, |x| 1.0 + 0.6 * x)).expect("a table");
    assert!(worst(&found.moments, &expected) < 1e-15 && (found.mean - 1.0).abs() < 1e-15, "{found:?}");
}

/// The interpolation's error is of the second order of the distance of the angles; the moments are those of the closed
/// form.
#[test]
fn closed_forms_are_met_in_the_second_order() {
    let air = rayleigh(0.03);
    let function = |x: f64| 1.0 + 5.0 * air[2] * 0.5 * (3.0 * x * x - 1.0);
    for (expected, function) in [
        (henyey_greenstein(0.85, 64), &(|x| henyey(0.85, x)) as &dyn Fn(f64) -> f64),
        (double_henyey_greenstein(0.8, -0.5, 0.9, 64), &|x| 0.9 * henyey(0.8, x) + 0.1 * henyey(-0.5, x)),
        ([&air[..], &[0.0; 61]].concat(), &function),
    ] {
        let error = |parts: usize| {
            let degrees = degrees(parts);
            let angles = ScatteringAngles::new(&degrees, 64).expect("angles");
            worst(&angles.moments(&table(&degrees, function)).expect("a table").moments, &expected)
        };
        let (coarse, fine) = (error(900), error(1800));
        assert!(fine < 3e-5, "{fine:e}");
        assert!((3.5..4.5).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
    }
}

/// Few points where a segment holds little of a wave give what the exact rule gives: 600 moments, with segments of a
/// hundredth of a degree to 60.
#[test]
fn the_rule_is_exact_to_rounding() {
    let mut degrees: Vec<f64> = (0..100).map(|i| 0.01 * f64::from(i)).collect();
    degrees.extend([1.0, 2.0, 3.5, 5.0, 10.0, 30.0, 90.0, 120.0, 180.0]);
    let values = table(&degrees, |x| henyey(0.5, x));
    let count = 600;
    let cosine = table(&degrees, |x| x);
    let rule = Quadrature::double_gauss(count / 2 + 1);
    let mut expected = vec![0.0; count];
    for i in 0..degrees.len() - 1 {
        for (share, weight) in rule.cosine.iter().zip(&rule.weight) {
            let x = cosine[i + 1] + share * (cosine[i] - cosine[i + 1]);
            let value = values[i + 1] + share * (values[i] - values[i + 1]);
            let (mut before, mut now) = (0.0, 1.0);
            for (l, sum) in expected.iter_mut().enumerate() {
                *sum += 0.5 * weight * (cosine[i] - cosine[i + 1]) * value * now;
                let number = l as f64;
                (before, now) = (now, ((2.0 * number + 1.0) * x * now - number * before) / (number + 1.0));
            }
        }
    }
    // Coarse as it is, its mean is not 1.
    let mean = expected[0];
    let values: Vec<f64> = values.iter().map(|value| value / mean).collect();
    let expected: Vec<f64> = expected.iter().map(|value| value / mean).collect();
    let found = ScatteringAngles::new(&degrees, count).expect("angles").moments(&values).expect("a table");
    assert!(worst(&found.moments, &expected) < 1e-13, "{:e}", worst(&found.moments, &expected));
}

#[test]
fn tables_that_are_none_are_refused() {
    let error = |degrees: &[f64], values: &[f64]| {
        let angles = ScatteringAngles::new(degrees, 4);
        angles.and_then(|angles| angles.moments(values)).expect_err("refused").to_string()
    };
    for (degrees, values, words) in [
        (&[0.0, 90.0, 180.0][..], &[1.0; 3][..], ""),
        (&[0.0, 90.0, 80.0, 180.0], &[1.0; 4], "is 80, which is not more than the angle before it, 90 degree"),
        (&[1.0, 90.0, 180.0], &[1.0; 3], "0: a phase function is known from 0 to 180 degrees"),
        (&[0.0, 90.0], &[1.0; 2], "180: a phase function is known"),
        (&[], &[], "0: a phase function is known"),
        (&[0.0, f64::NAN, 180.0], &[1.0; 3], "more than the angle before it"),
        (&[180.0, 80.0, 90.0, 0.0], &[1.0; 4], "is 90, which is not less than the angle before it, 80 degree"),
        (&[180.0, 90.0, 1.0], &[1.0; 3], "0: a phase function is known from 180 to 0 degrees"),
        (&[0.0, 170.0], &[1.0; 2], "is 170, which is not 180: a phase function is known from 0 to 180 degrees"),
        (&[180.0, f64::NAN, 0.0], &[1.0; 3], "less than the angle before it"),
        (&[0.0, 180.0], &[1.0; 3], "3 values, but 2 scattering angles"),
        (&[0.0, 90.0, 180.0], &[1.5, -0.1, 1.5], "0 or more"),
        (&[0.0, 180.0], &[2.0; 2], "which is not 1 within 0.01"),
    ] {
        if words.is_empty() {
            assert!(ScatteringAngles::new(degrees, 4).and_then(|angles| angles.moments(values)).is_ok());
            continue;
        }
        let text = error(degrees, values);
        assert!(text.contains(words) && !text.ends_with("degrees degree"), "{text}: {words}");
    }
    assert!(ScatteringAngles::new(&[0.0, 180.0], 0).is_err());
}

/// A table listed from 180 degrees down is the same table: its sums are taken the other way round.
#[test]
fn tables_may_descend() {
    let mut degrees = degrees(180);
    let mut values = table(&degrees, |x| henyey(0.3, x));
    let moments = |degrees: &[f64], values: &[f64]| {
        ScatteringAngles::new(degrees, 24).and_then(|angles| angles.moments(values)).expect("a table").moments
    };
    let ascending = moments(&degrees, &values);
    degrees.reverse();
    values.reverse();
    assert!(worst(&moments(&degrees, &values), &ascending) < 1e-14);
}

/// Species in one layer scatter as they do side by side: half of each is the mean.
#[test]
fn mixtures_are_means() {
    let (one, other) = (henyey_greenstein(0.8, 12), rayleigh(0.0));
    let part =
        |optical_depth, single_scattering_albedo, moments| Part { optical_depth, single_scattering_albedo, moments };
    let mixed = mixture(&[part(0.2, 0.5, &one), part(0.1, 1.0, &other), part(0.7, 0.0, &[])], 12);
    assert!((mixed.optical_depth - 1.0).abs() < 1e-15 && (mixed.single_scattering_albedo - 0.2).abs() < 1e-15);
    let expected: Vec<f64> = (0..12).map(|l| 0.5 * (one[l] + other.get(l).copied().unwrap_or(0.0))).collect();
    assert!(worst(&mixed.moments, &expected) < 1e-15);
    let clear = mixture(&[part(0.7, 0.0, &one)], 3);
    assert_eq!((clear.single_scattering_albedo, clear.moments), (0.0, vec![1.0, 0.0, 0.0]));
    assert_eq!(mixture(&[], 2).optical_depth, 0.0);
}

#[test]
fn moments_end_where_they_are_small() {
    assert_eq!(moments_until(0.5, 0.3, 100), 2);
    assert_eq!(moments_until(0.0, 1e-12, 100), 1);
    assert_eq!(moments_until(-0.99, 1e-12, 100), 100);
}
