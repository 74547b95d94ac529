//! The same bits on all devices, in both precisions.

use isobar_golden::{Outputs, same_bits_everywhere};
use isobar_launch::{Error, Queue};
use isobar_photolysis::{Columns, Options, Photolysis, Precision, RunError, Tables, formulas};

fn tables() -> Tables {
    let edges: Vec<f64> = (0..=40).map(|i| 200.0 + 8.0 * f64::from(i)).collect();
    let sun = (0..40).map(|i| 1e12 * f64::from(1 + i * i)).collect();
    let tables = Tables::new(edges, sun).unwrap();
    let tables = tables.ozone(|l, t| 1e-17 / (1.0 + (l - 255.0) * (l - 255.0) / 400.0) * (t / 300.0)).unwrap();
    let tables = tables.oxygen(|l| if l < 242.0 { 1e-23 } else { 0.0 }).unwrap();
    let tables = tables.reaction("O(1D)", |l, t| (1e-19 * formulas::singlet_oxygen_of_ozone(l, t), 0.0)).unwrap();
    tables.reaction("H2O2", |l, t| (formulas::hydrogen_peroxide(l, t), 1e-20)).unwrap()
}

fn columns<R: isobar_core::Real>(count: usize, layers: usize) -> Columns<R> {
    let of = |rows: usize, f: &dyn Fn(usize, usize) -> f64| -> Vec<R> {
        (0..rows)
            .flat_map(|row| (0..count).map(move |column| (row, column)))
            .map(|(r, c)| R::from_f64(f(r, c)))
            .collect()
    };
    Columns {
        height_km: of(layers + 1, &|r, c| (2.0 + 0.01 * c as f64) * r as f64),
        temperature_k: of(layers, &|r, c| 290.0 - 3.0 * r as f64 + 0.3 * c as f64),
        air_per_cm2: of(layers, &|r, c| 5e24 / (1.0 + (r * r) as f64 + 0.1 * c as f64)),
        ozone_per_cm2: of(layers, &|r, _| 1e17 * (1 + r % 7) as f64),
        cloud_optical_depth: of(layers, &|r, c| if r == 2 { c as f64 } else { 0.0 }),
        cosine_of_zenith: of(1, &|_, c| -0.2 + 1.2 * c as f64 / count as f64),
        albedo: of(1, &|_, c| c as f64 / count as f64),
        nearness: of(1, &|_, _| 1.02),
    }
}

fn run<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let model = Photolysis::<R>::new(&tables()).unwrap().on(&[queue.device()]).items_per_chunk(17);
    let rates = model.run(&columns(41, 23), &Options::default()).map_err(|error| match error {
        RunError::Device(error) | RunError::Interrupted { source: error, .. } => error,
        other => panic!("{other}"),
    })?;
    assert!(rates.rate_per_s.iter().all(|rate| rate.is_finite()) && rates.rate_per_s[40].value() > 0.0);
    Ok(Outputs::default()
        .reals("rates", &rates.rate_per_s)
        .reals("actinic flux", &rates.actinic_flux_per_cm2_s)
        .counts("status", &rates.status))
}

#[test]
fn rates_in_double_precision() {
    same_bits_everywhere(run::<f64>);
}

#[test]
fn rates_in_single_precision() {
    same_bits_everywhere(run::<f32>);
}
