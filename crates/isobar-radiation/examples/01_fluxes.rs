//! Long-wave fluxes and heating of a column, by a k-distribution of made-up numbers; `isobar_io::read_rrtmg_lw` reads
//! real ones. `cargo run -p isobar-radiation --example 01_fluxes`

use std::fmt::Write as _;

use isobar_radiation::rrtmg::analytic;
use isobar_radiation::{Columns, Device, Options, Radiation};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    // One column of five layers, from the surface up. One value stands for all layers; a gas left out is not there.
    let columns = Columns {
        pressure_pa: vec![9.5e4, 8e4, 6e4, 3.5e4, 1e4],
        level_pressure_pa: vec![1e5, 9e4, 7e4, 5e4, 2e4, 0.0],
        temperature_k: vec![288.0, 281.0, 266.0, 240.0, 217.0],
        level_temperature_k: vec![291.0, 285.0, 274.0, 255.0, 222.0, 215.0],
        surface_temperature_k: vec![292.0],
        emissivity: vec![0.98],
        h2o: vec![0.012, 0.008, 0.003, 2e-4, 4e-6],
        o3: vec![3e-8, 4e-8, 5e-8, 1e-7, 3e-6],
        co2: vec![4e-4],
        n2o: vec![3e-7],
        ch4: vec![1.8e-6],
        o2: vec![0.209],
        ..Columns::default()
    };
    let radiation = Radiation::<f64>::new().with_rrtmg(&analytic::k_distribution()).unwrap().on(&[Device::Cpu]);
    let fluxes = radiation.run(&columns, &Options::of_rrtmg())?;
    let (up, down) = (&fluxes.longwave_up_w_per_m2, &fluxes.longwave_down_w_per_m2);
    let mut text = String::from("  p [Pa]   up [W/m2]   down [W/m2]   heating of the layer above [K/day]\n");
    for (level, p) in columns.level_pressure_pa.iter().enumerate() {
        let heating =
            fluxes.longwave_heating_k_per_day.get(level).map_or(String::new(), |heating| format!("{heating:>12.6}"));
        let line = format!("{p:>8}   {:>9.5}   {:>11.5}   {heating}", up[level], down[level]);
        writeln!(text, "{}", line.trim_end())?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
