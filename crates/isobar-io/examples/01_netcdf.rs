//! A field written to NetCDF and read in another unit, and what a mistake is answered with.
//! `cargo run -p isobar-io --example 01_netcdf`

use std::fmt::Write as _;

use isobar_io::netcdf::{Accepted, Axis, Dataset, DatasetWriter, Dimension, OutputVariable, VariableSpec};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join(format!("isobar-example-{}.nc", std::process::id()));
    let mut file = DatasetWriter::create(&path)?;
    file.dimension("layer", 3)?;
    file.dimension("column", 2)?;
    let pressure = OutputVariable {
        name: "p",
        dimensions: &["layer", "column"],
        units: "hPa",
        long_name: "pressure",
        standard_name: Some("air_pressure"),
        reference_name: None,
    };
    file.variable(&pressure, &[1000.0, 990.0, 500.0, 495.0, 10.0, 9.5])?;
    // Written beside and renamed: there is a whole file or none.
    file.commit()?;

    let axes = [Axis::required(Dimension::Layer), Axis::required(Dimension::Profile)];
    let spec = VariableSpec {
        name: "pressure",
        aliases: &["p"],
        standard_names: &["air_pressure"],
        unit: "Pa",
        axes: &axes,
        accepted: Accepted::FINITE,
    };
    let mut text = format!("{:?} Pa\n", Dataset::open(&path)?.read(&spec)?.values);
    let mistaken = VariableSpec { unit: "K", ..spec };
    let complaint = Dataset::open(&path)?.read(&mistaken).expect_err("pressure is no temperature");
    writeln!(text, "{}", complaint.to_string().replace(&path.display().to_string(), "example.nc"))?;
    std::fs::remove_file(&path)?;
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
