//! The scheme computes its own derivatives: fluxes by temperature and gases against central differences.

use isobar_core::fields::OwnedInputs;
use isobar_core::{Dual, Real};
use isobar_radiation::{Columns, Device, Fluxes, Options, Radiation, Spectra, analytic, rrtmg};

use crate::rrtmg::case::views;

/// Inputs by which fluxes are differentiated.
const VARIABLES: usize = 7;
const LAYERS: usize = 12;

/// The first of variable `number` and its size.
fn variable<R: Real>(columns: &mut Columns<R>, number: usize) -> (&mut R, f64) {
    match number {
        0 => (&mut columns.temperature_k[2], 250.0),
        1 => (&mut columns.level_temperature_k[3], 250.0),
        2 => (&mut columns.surface_temperature_k[0], 280.0),
        3 => (&mut columns.h2o[1], 1e-3),
        4 => (&mut columns.h2o[5], 1e-5),
        5 => (&mut columns.o3[9], 1e-6),
        _ => (&mut columns.temperature_k[10], 250.0),
    }
}

fn sides<R>(Fluxes { longwave_up_w_per_m2, longwave_down_w_per_m2, .. }: Fluxes<R>) -> Vec<R> {
    longwave_up_w_per_m2.into_iter().chain(longwave_down_w_per_m2).collect()
}

#[test]
fn fluxes_differentiate() {
    let k = rrtmg::analytic::k_distribution();
    let mut columns = analytic::columns::<f64>(1, LAYERS, false);
    // Planck radiances have kinks at whole kelvins.
    let Columns { temperature_k, level_temperature_k, surface_temperature_k, .. } = &mut columns;
    let temperatures = temperature_k.iter_mut().chain(level_temperature_k).chain(surface_temperature_k);
    temperatures.for_each(|t| *t = t.floor() + 0.4);
    let model = Radiation::<f64>::new().with_rrtmg(&k).unwrap().on(&[Device::Thread]);
    let run = |columns: &Columns<f64>| sides(model.run(columns, &Options::of_rrtmg()).expect("a valid column"));
    let plain = run(&columns);
    let spectra = Spectra::default().with_rrtmg(&k).unwrap();
    for number in 0..VARIABLES {
        // One at a time: of another number of derivatives all would be compiled again.
        let mut dual = columns.rounded::<Dual<f64, 1>>();
        let x = variable(&mut dual, number).0;
        *x = Dual::variable(x.value, 0);
        let exact = rrtmg::compute(&spectra, &views(&dual), &Options::of_rrtmg());
        let exact = sides(exact.expect("a valid column"));
        for (exact, plain) in exact.iter().zip(&plain) {
            assert_eq!(exact.value.to_bits(), plain.to_bits(), "values are those of plain numbers");
        }
        // Differences of fourth order: a smooth function is wrong by the fourth power of the step, and by the rounding
        // of a flux over it.
        let step = 1e-4 * variable(&mut columns.clone(), number).1;
        let at = |steps: f64| {
            let mut columns = columns.clone();
            *variable(&mut columns, number).0 += steps * step;
            run(&columns)
        };
        let (near, far) = ([at(1.0), at(-1.0)], [at(2.0), at(-2.0)]);
        let largest = exact.iter().map(|flux| flux.derivative[0].abs()).fold(0.0, f64::max);
        assert!(largest > 0.0, "no flux depends on variable {number}");
        for i in 0..plain.len() {
            let slope = (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * step);
            let rounding = 1e-13 * plain[i].abs() / step;
            let error = (exact[i].derivative[0] - slope).abs();
            assert!(error <= 1e-7 * largest + rounding, "variable {number}, flux {i}: {error:e} of {largest:e}");
        }
    }
}
