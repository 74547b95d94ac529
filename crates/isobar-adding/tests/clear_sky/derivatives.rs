//! Adding computes its own derivatives: radiances by depths, sources and the surface, against differences of fourth
//! order.

use isobar_core::{Dual, Real};

use crate::case::Case;

const VARIABLES: usize = 5;
const LAYERS: usize = 11;

/// One profile over a mirror, two angles.
fn case<R: Real>() -> Case<R> {
    let values =
        |count: usize, f: &dyn Fn(f64) -> f64| (0..count).map(|i| R::from_f64(f(i as f64))).collect::<Vec<R>>();
    Case {
        profiles: 1,
        layers: LAYERS,
        cosine: vec![1.0, 0.4],
        optical_depth: values(LAYERS, &|i| 0.01 + 0.03 * i),
        transmittance: Vec::new(),
        planck: values(LAYERS + 1, &|i| 0.03 + 0.004 * i),
        linear: true,
        specular: true,
        surface_planck: values(1, &|_| 0.09),
        emissivity: values(2, &|i| 0.9 - 0.1 * i),
        cosmic: values(1, &|_| 1e-3),
    }
}

fn variable<R: Real>(case: &mut Case<R>, number: usize) -> &mut R {
    match number {
        0 => &mut case.optical_depth[4],
        1 => &mut case.planck[7],
        2 => &mut case.surface_planck[0],
        3 => &mut case.emissivity[1],
        _ => &mut case.optical_depth[LAYERS - 1],
    }
}

fn radiances<R: Real>(case: &Case<R>, levels: bool) -> Vec<R> {
    let found = case.on_cpu(levels);
    [found.top, found.surface_down, found.level_up, found.level_down].concat()
}

#[test]
fn radiances_differentiate() {
    for levels in [false, true] {
        let plain = radiances(&case::<f64>(), levels);
        for number in 0..VARIABLES {
            // One variable at a time: kernels of numbers with five derivatives take minutes to compile.
            let mut dual = case::<Dual<f64, 1>>();
            let x = variable(&mut dual, number);
            *x = Dual::variable(x.value, 0);
            let exact = radiances(&dual, levels);
            for (exact, plain) in exact.iter().zip(&plain) {
                assert_eq!(exact.value.to_bits(), plain.to_bits(), "values are those of plain numbers");
            }
            // Smooth: the error is the fourth power of the step, and rounding over it.
            let step = 1e-3 * *variable(&mut case::<f64>(), number);
            let at = |steps: f64| {
                let mut case = case::<f64>();
                *variable(&mut case, number) += steps * step;
                radiances(&case, levels)
            };
            let [a, b, c, d] = [at(-2.0), at(-1.0), at(1.0), at(2.0)];
            let largest = exact.iter().map(|x| x.derivative[0].abs()).fold(0.0, f64::max);
            assert!(largest > 0.0, "variable {number} counts");
            for (i, exact) in exact.iter().enumerate() {
                let slope = (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * step);
                let error = (exact.derivative[0] - slope).abs();
                assert!(
                    error <= 1e-8 * largest + 1e-15 * plain[i] / step,
                    "levels {levels}, variable {number}, radiance {i}: {error:e} of {largest:e}"
                );
            }
        }
    }
}
