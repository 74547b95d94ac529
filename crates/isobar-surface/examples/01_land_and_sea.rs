//! Air that is colder or warmer than grass and sea, until the friction velocity stays. `cargo run -p isobar-surface
//! --example 01_land_and_sea`

use std::fmt::Write as _;

use isobar_surface::{Columns, Device, Options, SurfaceLayer};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    // Five columns over grass, then the same over sea; a single value is that of all.
    let warmer = [-4.0, -1.0, 0.0, 1.0, 4.0];
    let both = |land: f64, sea: f64| -> Vec<f64> { [[land; 5], [sea; 5]].concat() };
    let mut columns = Columns {
        u_m_per_s: vec![6.0],
        v_m_per_s: vec![0.0],
        // At 20 m; air that sinks from there warms by 0.2 K.
        temperature_k: warmer.iter().chain(&warmer).map(|warmer| 288.0 + warmer - 0.2).collect(),
        vapour_kg_per_kg: vec![0.008],
        pressure_pa: vec![99_763.0],
        thickness_m: vec![40.0],
        surface_pressure_pa: vec![1e5],
        boundary_layer_height_m: vec![500.0],
        moisture_availability: both(0.3, 1.0),
        land_or_water: both(1.0, 2.0),
        surface_temperature_k: vec![288.0; 10],
        grid_length_m: vec![3000.0],
        roughness_m: both(0.05, 1e-4),
        friction_velocity_m_per_s: vec![0.3; 10],
        temperature_scale_k: vec![0.0; 10],
        sensible_heat_flux_w_per_m2: vec![0.0; 10],
        moisture_flux_kg_per_m2_s: vec![0.0; 10],
        surface_vapour_kg_per_kg: vec![0.0],
        ..Columns::default()
    };
    let model = SurfaceLayer::on(&[Device::Thread]);
    let mut results = model.run(&columns, &Options::default())?;
    for _step in 1..60 {
        columns.roughness_m.clone_from(&results.roughness_m);
        columns.friction_velocity_m_per_s.clone_from(&results.friction_velocity_m_per_s);
        columns.temperature_scale_k.clone_from(&results.temperature_scale_k);
        columns.sensible_heat_flux_w_per_m2.clone_from(&results.sensible_heat_flux_w_per_m2);
        columns.moisture_flux_kg_per_m2_s.clone_from(&results.moisture_flux_kg_per_m2_s);
        results = model.run(&columns, &Options::default())?;
    }
    let mut text =
        String::from("        air warmer by [K]   friction velocity [m/s]   heat [W/m2]   latent heat [W/m2]\n");
    for column in 0..10 {
        let (surface, warmer) = (["grass", "sea"][column / 5], warmer[column % 5]);
        let (friction, heat) = (results.friction_velocity_m_per_s[column], results.sensible_heat_flux_w_per_m2[column]);
        let latent = results.latent_heat_flux_w_per_m2[column];
        writeln!(text, "{surface:<6}  {warmer:>17}   {friction:>23.4}   {heat:>11.3}   {latent:>18.3}")?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
