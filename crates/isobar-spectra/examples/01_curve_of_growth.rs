//! A line that saturates: its equivalent width grows with the gas, then with the square root of it.
//!
//! `cargo run --release -p isobar-spectra --example 01_curve_of_growth`

use std::fmt::Write as _;

use isobar_core::Real;
use isobar_launch::{Device, Queue};
use isobar_spectra::{Absorber, Air, Gas, Grid, Isotopologue, Line, Options, PartitionSum};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    // One made-up line of a molecule of 28 u whose partition sum grows with temperature.
    let line = Line {
        wavenumber_per_cm: 2100.0,
        intensity: 1e-19,
        air_width_per_cm_atm: 0.06,
        self_width_per_cm_atm: 0.06,
        lower_energy_per_cm: 200.0,
        air_exponent: 0.7,
        self_exponent: 0.7,
        ..Line::default()
    };
    let partition = PartitionSum::new("a linear molecule", &[(150.0, 54.5), (296.0, 107.4), (350.0, 127.0)])?;
    let isotopologue = Isotopologue { name: "X".into(), mass_u: 28.0, partition };
    let gas = Gas::new("X", vec![(line, 0)], vec![isotopologue])?;

    let grid = Grid::regular(2080.0, 2120.0, 0.0005)?;
    let mut absorber = Absorber::<f64>::new(Queue::parallel(Device::Cpu)?, &gas, &grid, Options::default())?;
    let air = Air { pressure_hpa: 500.0, temperature_k: 250.0, mole_fraction: 0.0 };
    let cross_sections = absorber.cross_sections(&air)?;

    let mut text = String::from("column [cm^-2]   equivalent width [cm^-1]\n");
    for exponent in 16..=22 {
        let column = Real::powi(10.0_f64, exponent);
        let absorbed: f64 = cross_sections.iter().map(|&sigma| -Real::exp_m1(-sigma * column)).sum();
        writeln!(text, "{column:14.0e}   {:.6}", absorbed * 0.0005)?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
