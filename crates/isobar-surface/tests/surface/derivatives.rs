//! Derivatives by dual numbers, against differences of converged roots.

use isobar_core::fields::OwnedInputs;
use isobar_core::{Dual, Real};
use isobar_surface::{ColumnViews, Columns, Options, Results, Root, analytic, compute};

type Number = Dual<f64, 1>;

fn computed<R: Real>(columns: &Columns<R>) -> Results<R> {
    let options = Options { root: Root::Converged, ..Options::default() };
    compute(&ColumnViews::try_from(columns).expect("sizes fit"), &options).expect("they are valid")
}

/// What the fluxes change by with the surface's temperature.
#[test]
fn fluxes_have_exact_derivatives() {
    let columns = analytic::columns::<f64>(64);
    let mut duals = columns.rounded::<Number>();
    for temperature in &mut duals.surface_temperature_k {
        *temperature = Number::variable(temperature.value(), 0);
    }
    let exact = computed(&duals);
    let plain = computed(&columns);
    let shifted = |by: f64| {
        let mut shifted = columns.clone();
        shifted.surface_temperature_k.iter_mut().for_each(|temperature| *temperature += by);
        computed(&shifted)
    };
    let step = 1e-5;
    let (above, below) = (shifted(step), shifted(-step));
    let mut compared = 0;
    for i in 0..64 {
        assert_eq!(exact.sensible_heat_flux_w_per_m2[i].value(), plain.sensible_heat_flux_w_per_m2[i]);
        let flux = |results: &Results<f64>| results.sensible_heat_flux_w_per_m2[i];
        let difference = (flux(&above) - flux(&below)) / (2.0 * step);
        let derivative = exact.sensible_heat_flux_w_per_m2[i].derivative[0];
        // Between two nodes of the table.
        let kink = (flux(&above) - flux(&plain)) - (flux(&plain) - flux(&below));
        if kink.abs() > 1e-4 * (flux(&above) - flux(&below)).abs() {
            continue;
        }
        assert!((derivative / difference - 1.0).abs() < 1e-4, "column {i}: {derivative} {difference}");
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}
