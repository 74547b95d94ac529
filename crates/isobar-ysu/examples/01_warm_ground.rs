//! A boundary layer over ground that warms it more and more. `cargo run -p isobar-ysu --example 01_warm_ground`

use std::fmt::Write as _;

use isobar_ysu::{Columns, Device, Options, Ysu};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    // Five columns of 20 layers of 100 m: well mixed up to 800 m, stable above. The column is the fastest index; a
    // single value is that of all.
    let (layers, flux) = (20, [0.0, 50.0, 100.0, 200.0, 400.0]);
    let profile = |value: fn(f64) -> f64| -> Vec<f64> {
        (0..layers).flat_map(|k| [value(50.0 + 100.0 * f64::from(k)); 5]).collect()
    };
    let columns = Columns {
        u_m_per_s: vec![5.0],
        v_m_per_s: vec![0.0],
        temperature_k: profile(|z| (300.0 + (0.01 * (z - 800.0)).max(0.0)) * (1.0 - 3.2e-5 * z)),
        vapour_kg_per_kg: vec![0.008],
        cloud_water_kg_per_kg: vec![0.0],
        cloud_ice_kg_per_kg: vec![0.0],
        pressure_pa: profile(|z| 1e5 - 11.0 * z),
        exner: profile(|z| 1.0 - 3.2e-5 * z),
        thickness_m: vec![100.0],
        interface_pressure_pa: (0..=layers).flat_map(|k| [1e5 - 1100.0 * f64::from(k); 5]).collect(),
        surface_pressure_pa: vec![1e5; 5],
        roughness_m: vec![0.1],
        friction_velocity_m_per_s: vec![0.4],
        profile_momentum: vec![5.0],
        profile_heat: vec![5.0],
        land_or_water: vec![1.0],
        sensible_heat_flux_w_per_m2: flux.to_vec(),
        moisture_flux_kg_per_m2_s: vec![1e-4],
        wind_speed_m_per_s: vec![5.0],
        richardson: flux.map(|flux| 0.01 - 0.002 * flux).to_vec(),
        u_10m_m_per_s: vec![4.0],
        v_10m_m_per_s: vec![0.0],
        u_current_m_per_s: vec![0.0],
        v_current_m_per_s: vec![0.0],
        ..Columns::default()
    };
    let result = Ysu::on(&[Device::Thread]).run(&columns, &Options::new(60.0))?;
    let mut text = String::from("flux [W/m2]   height [m]   heat that the air gains [W/m2]\n");
    for (column, flux) in flux.iter().enumerate() {
        writeln!(text, "{flux:>11}   {:>10.4}   {:>30.6}", result.height_m[column], result.heat_w_per_m2[column])?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
