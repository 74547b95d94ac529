//! Long-wave fluxes and heating of a column, by a k-distribution of made-up numbers; `KDistribution::open` reads real
//! ones. `cargo run -p isobar-longwave --example 01_fluxes`

use std::fmt::Write as _;
use std::sync::Arc;

use isobar_longwave::{Batch, Columns, Options, TableData, analytic};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    let tables = Arc::new(TableData::<f64>::new(&analytic::k_distribution()));
    // One column of five layers, from the surface up.
    let columns = Columns {
        pressure: vec![9.5e4, 8e4, 6e4, 3.5e4, 1e4],
        level_pressure: vec![1e5, 9e4, 7e4, 5e4, 2e4, 0.0],
        temperature: vec![288.0, 281.0, 266.0, 240.0, 217.0],
        level_temperature: vec![291.0, 285.0, 274.0, 255.0, 222.0, 215.0],
        // H2O CO2 O3 N2O CO CH4 O2; one value stands for all layers, none for no gas.
        gases: [
            vec![0.012, 0.008, 0.003, 2e-4, 4e-6],
            vec![4e-4],
            vec![3e-8, 4e-8, 5e-8, 1e-7, 3e-6],
            vec![3e-7],
            vec![],
            vec![1.8e-6],
            vec![0.209],
        ],
        surface_temperature: vec![292.0],
        emissivity: vec![0.98],
        ..Columns::default()
    };
    let pressure = columns.level_pressure.clone();
    let mut batch = Batch::new(tables, columns, Options::default())?;
    batch.compute();
    let result = batch.outputs();
    let mut text = String::from("  p [Pa]   up [W/m2]   down [W/m2]   heating of the layer above [K/day]\n");
    for (level, p) in pressure.iter().enumerate() {
        let heating = result.heating.get(level).map_or(String::new(), |heating| format!("{heating:>12.6}"));
        let line = format!("{p:>8}   {:>9.5}   {:>11.5}   {heating}", result.up[level], result.down[level]);
        writeln!(text, "{}", line.trim_end())?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
