//! What a gas absorbs along a path through layers of different pressure, by emissivity growth from look-up tables.
//! `cargo run -p isobar-ega --example 01_emissivity_growth`

use std::fmt::Write as _;

use isobar_ega::TableData;
use isobar_ega::band_model::{Band, TableGrid};
use isobar_ega::growth::Growth;
use isobar_ega::rule::{Rule, Segment};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    // One gas in one channel, with a table from a band model.
    let band = Band { strength: 1e-21, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };
    let grid = TableGrid {
        pressures_hpa: vec![10.0, 100.0, 1000.0],
        temperatures_k: vec![vec![200.0, 250.0, 300.0]; 3],
        column_factor: 1.122,
        emissivities: (1e-6, 0.9999),
    };
    let data = TableData::new(&[Some(band.table(&grid))], 1, false)?;
    let tables = data.view();
    let table = tables.tables.at(0);
    let grid = tables.grids.at(table.grid as usize);

    let mut text = String::from("p [hPa]   T [K]   column [1/cm2]   transmittance so far\n");
    let (mut gas, mut passed) = (Growth::<f64>::start(), 1.0);
    for (pressure_hpa, temperature_k, column_per_cm2) in
        [(20.0, 220.0, 1e20), (60.0, 215.0, 4e20), (200.0, 230.0, 1e21), (500.0, 260.0, 3e21)]
    {
        let cell = tables.locate(&grid, pressure_hpa, temperature_k, &mut [0; 3], false, false);
        let segment = Segment { pressure_hpa, temperature_k, column_per_cm2, cell };
        passed *= 1.0 - gas.add(&tables, &table, &segment);
        writeln!(text, "{pressure_hpa:>7}   {temperature_k:>5}   {column_per_cm2:>14.0e}   {passed:>20.12}")?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
