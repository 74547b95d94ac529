//! The order of each method, and of what it gives between steps.

use isobar_rosenbrock::{Method, Options};

use crate::own::{cells, end, exact, integrate, mechanism};

fn largest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a logarithm in a test")]
fn errors_shrink_with_the_steps_as_the_order_says() {
    let exact = exact(0.4);
    for (method, order) in Method::ALL.into_iter().zip([2.0, 3.0, 4.0, 3.0, 4.0, 3.0, 3.0]) {
        let error = |steps: u32| {
            let step = 0.4 / f64::from(steps);
            let mut options = Options::new(method, 1e-3, 1e-6);
            (options.first_step_s, options.min_step_s, options.max_step_s) = (step, step, Some(step));
            largest(&end(&integrate(&mechanism(), &cells(1), &options, 0.0..0.4), 0), &exact)
        };
        let got = (error(128) / error(256)).log2();
        // Terms of the next order are some h = 0.003 times the stiffest rate of 100 a second.
        assert!((got - order).abs() < 0.35, "{}: order {got}", method.name());
    }
}

#[test]
fn dense_output_is_as_good_as_the_steps() {
    let times = vec![0.0, 0.013, 0.1, 0.2, 0.37, 0.4];
    for method in Method::ALL {
        let options = {
            let mut options = Options::new(method, 1e-5, 1e-7);
            options.wanted_times_s.clone_from(&times);
            options
        };
        let done = integrate(&mechanism(), &cells(20), &options, 0.0..0.4);
        let dense = |time: usize, species: usize| done.wanted_concentration[(time * 4 + species) * 20];
        for (number, &time) in times.iter().enumerate() {
            let exact = exact(time);
            for (species, exact) in exact.iter().enumerate().take(4) {
                let got = dense(number, species);
                // Cubics of steps with errors of 1e-5.
                assert!((got - exact).abs() < 1e-4, "{} at {time}: {got} instead of {exact}", method.name());
            }
        }
        // The end of the interval is the end of the last step.
        let last: Vec<f64> = (0..4).map(|species| dense(times.len() - 1, species)).collect();
        assert_eq!(last, end(&done, 0)[..4]);
    }
}
