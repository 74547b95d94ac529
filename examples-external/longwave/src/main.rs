//! Long-wave fluxes of a model's columns in a time loop: `cargo run --release [k-distribution file]`.

use isobar_radiation::{Columns, Device, Fluxes, Options, Radiation, rrtmg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Coefficients as they come with WRF; without a file, some that have no meaning.
    let k = match std::env::args().nth(1) {
        Some(file) => isobar_io::read_rrtmg_lw(file.as_ref())?,
        None => rrtmg::analytic::k_distribution(),
    };
    let (columns, layers) = (2_000, 40);
    let field = |rows: usize, value: &dyn Fn(f32) -> f32| -> Vec<f32> {
        (0..rows * columns).map(|i| value((i / columns) as f32 / layers as f32)).collect()
    };
    let mut air = Columns {
        level_pressure_pa: field(layers + 1, &|height| 1e5 * (1.0 - height)),
        pressure_pa: field(layers, &|height| 1e5 * (0.9875 - height)),
        temperature_k: field(layers, &|height| 288.0 - 70.0 * height),
        level_temperature_k: field(layers + 1, &|height| 289.0 - 70.0 * height),
        surface_temperature_k: vec![290.0; columns],
        h2o: field(layers, &|height| 0.012 * (1.0 - height) * (1.0 - height) * (1.0 - height)),
        co2: vec![4.2e-4], // one value for all
        emissivity: vec![0.98],
        ..Columns::default()
    };
    let model = Radiation::<f32>::new().with_rrtmg(&k)?.on(&[Device::Cpu]);
    let (mut fluxes, start) = (Fluxes::default(), std::time::Instant::now());
    for _step in 0..5 {
        model.run_into(&air, &Options::of_rrtmg(), &mut fluxes)?;
        let heating = air.temperature_k.iter_mut().zip(&fluxes.longwave_heating_k_per_day);
        heating.for_each(|(t, rate)| *t += rate / 24.0);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "outgoing {:.3} W/m2; {:.0} columns/s",
        fluxes.longwave_up_w_per_m2[layers * columns],
        5.0 * columns as f64 / seconds
    );
    Ok(())
}
