//! A boundary layer over ground that warms it more and more. `cargo run -p isobar-ysu --example 01_warm_ground`

use std::fmt::Write as _;

use isobar_ysu::{AirColumns, Batch, Columns, Options, SurfaceColumns};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    // Five columns of 20 layers of 100 m: well mixed up to 800 m, stable above. The column is the fastest index.
    let (layers, flux) = (20, [0.0, 50.0, 100.0, 200.0, 400.0]);
    let each = |value: f64| vec![value; flux.len()];
    let spread = |value: fn(f64) -> f64| -> Vec<f64> {
        (0..layers).flat_map(|k| each(value(50.0 + 100.0 * f64::from(k)))).collect()
    };
    let columns = Columns {
        air: AirColumns {
            u: spread(|_| 5.0),
            v: spread(|_| 0.0),
            temperature: spread(|z| (300.0 + (0.01 * (z - 800.0)).max(0.0)) * (1.0 - 3.2e-5 * z)),
            vapour: spread(|_| 0.008),
            cloud_water: spread(|_| 0.0),
            cloud_ice: spread(|_| 0.0),
            pressure: spread(|z| 1e5 - 11.0 * z),
            exner: spread(|z| 1.0 - 3.2e-5 * z),
            thickness: spread(|_| 100.0),
            radiative_heating: vec![],
        },
        interface_pressure: (0..=layers).flat_map(|k| each(1e5 - 1100.0 * f64::from(k))).collect(),
        surface: SurfaceColumns {
            pressure: each(1e5),
            roughness: each(0.1),
            friction_velocity: each(0.4),
            profile_momentum: each(5.0),
            profile_heat: each(5.0),
            land_or_water: each(1.0),
            sensible_heat_flux: flux.to_vec(),
            moisture_flux: each(1e-4),
            wind_speed: each(5.0),
            richardson: flux.map(|flux| 0.01 - 0.002 * flux).to_vec(),
            u_10m: each(4.0),
            v_10m: each(0.0),
            u_current: each(0.0),
            v_current: each(0.0),
            ..SurfaceColumns::default()
        },
        tracers: vec![],
    };
    let mut batch = Batch::new(columns, Options::new(60.0))?;
    batch.compute();
    let result = batch.outputs();
    let mut text = String::from("flux [W/m2]   height [m]   heat that the air gains [W/m2]\n");
    for (column, flux) in flux.iter().enumerate() {
        writeln!(text, "{flux:>11}   {:>10.4}   {:>30.6}", result.height[column], result.heat[column])?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
