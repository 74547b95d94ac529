//! Spectra have the same bits on every device, with any number of threads.

mod common;

use isobar_golden::{Outputs, conformance};
use isobar_launch::{Error, Queue};
use isobar_spectra::launch::Precision;
use isobar_spectra::{Absorber, Air, Grid, Method, Options, SpectraError, Wings};

use common::random_gas;

conformance!(exact, trees, weakened_wings, line_mixing);

fn airs() -> [Air<f64>; 4] {
    let air = |pressure_hpa, temperature_k, mole_fraction| Air { pressure_hpa, temperature_k, mole_fraction };
    [air(0.0, 200.0, 0.0), air(0.01, 180.0, 1e-4), air(50.0, 220.0, 0.0), air(1013.25, 296.0, 0.4)]
}

fn spectra<R: Precision>(outputs: Outputs, queue: &Queue, grid: &Grid, options: Options) -> Result<Outputs, Error> {
    let gas = random_gas("CO2", 1500, (2280.0, 2345.0));
    let mut outputs = outputs;
    let unwrap = |error| match error {
        SpectraError::Device(error) => error,
        other => panic!("{other}"),
    };
    let mut absorber = Absorber::<R>::new(queue.another()?, &gas, grid, options).map_err(unwrap)?;
    for air in airs() {
        let found = absorber.cross_sections(&air).map_err(unwrap)?;
        assert!(found.iter().all(|value| value.is_finite()) && found.iter().any(|&value| value > 0.0));
        outputs = outputs.reals(&format!("{air:?}"), &found);
    }
    Ok(outputs)
}

/// Not a multiple of a tile.
fn regular() -> Grid {
    Grid::regular(2300.0, 2309.37, 0.002).expect("a grid")
}

fn exact<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let points = (0..1003).map(|i| 2300.0 + 1e-5 * f64::from(i * i)).collect();
    let options = Options { method: Method::Exact, without_pedestal: true, ..Options::default() };
    spectra::<R>(Outputs::default(), queue, &Grid::of(points).expect("a grid"), options)
}

fn trees<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let near = spectra::<R>(Outputs::default(), queue, &regular(), Options::default())?;
    spectra::<R>(near, queue, &regular(), Options { cut_per_cm: f64::INFINITY, ..Options::default() })
}

fn weakened_wings<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    spectra::<R>(Outputs::default(), queue, &regular(), Options { wings: Wings::CarbonDioxide, ..Options::default() })
}

fn line_mixing<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let points = (0..500).map(|i| 2310.0 + 0.004 * f64::from(i)).collect();
    let options = Options { mixing: true, method: Method::Exact, ..Options::default() };
    spectra::<R>(Outputs::default(), queue, &Grid::of(points).expect("a grid"), options)
}
