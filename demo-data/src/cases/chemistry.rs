//! Cells of the stratosphere for chemical kinetics, and the command's concentrations of them after a day.

use std::path::Path;

use isobar_core::Real;
use isobar_io::netcdf::{DatasetWriter, OutputVariable};

use super::folder::Folder;
use super::short;

const HEIGHTS_KM: [f64; 4] = [20.0, 25.0, 30.0, 35.0];
const LATITUDES_DEG: [f64; 2] = [0.0, 50.0];
/// The Sun's, in May.
const DECLINATION_DEG: f64 = 18.0;
const HOURS: usize = 24;

/// The command of the README.
const COMMAND: [&str; 19] = [
    "chem",
    "--mechanism",
    "mechanisms/chapman_nox.kpp",
    "--cells",
    "chemistry/cells.nc",
    "-o",
    "chemistry/concentrations.nc",
    "--hours",
    "24",
    "--dt",
    "600",
    "--every",
    "6",
    "--method",
    "rodas4",
    "--rtol",
    "1e-4",
    "--device",
    "cpu",
];

/// The input file.
pub(super) fn cells() -> Result<Vec<u8>, String> {
    let folder = Folder::new()?;
    write_cells(&folder.path("cells.nc")).map_err(|error| error.to_string())?;
    folder.read("cells.nc")
}

/// What the command says to it.
pub(super) fn concentrations(data: &Path) -> Result<Vec<u8>, String> {
    let folder = Folder::new()?;
    for name in ["mechanisms/chapman_nox.kpp", "chemistry/cells.nc"] {
        folder.add_as(&data.join(name), name)?;
    }
    folder.isobar(&COMMAND)?;
    folder.read("chemistry/concentrations.nc")
}

/// Height and latitude of each cell.
fn places() -> impl Iterator<Item = (f64, f64)> {
    LATITUDES_DEG.into_iter().flat_map(|latitude| HEIGHTS_KM.into_iter().map(move |height| (height, latitude)))
}

/// The cosine of the solar zenith angle where it is positive; hour 0 is noon.
fn sun(hour: f64, latitude_deg: f64) -> f64 {
    let (latitude, declination) = (latitude_deg.to_radians(), DECLINATION_DEG.to_radians());
    let angle = (15.0 * hour).to_radians();
    let cosine =
        Real::sin(latitude) * Real::sin(declination) + Real::cos(latitude) * Real::cos(declination) * Real::cos(angle);
    // Exactly 0 by night.
    if cosine > 1e-6 { short(cosine) } else { 0.0 }
}

/// Smooth mixing ratios around a height.
fn layer(height: f64, middle: f64, width: f64, most: f64) -> f64 {
    let x = (height - middle) / width;
    short(most * Real::exp(-0.5 * x * x))
}

fn write_cells(path: &Path) -> Result<(), isobar_io::Error> {
    let mut file = DatasetWriter::create(path)?;
    file.attribute("Conventions", "CF-1.11")?;
    file.attribute(
        "title",
        "Cells of the stratosphere from 20 to 35 km, at the equator and at 50 degrees north, with \
                             the sunlight of a day",
    )?;
    file.attribute("comment", "Made by cargo xtask demo-data; for demonstration only")?;
    file.dimension("time", HOURS + 1)?;
    file.dimension("cell", places().count())?;
    let of_height = |value: &dyn Fn(f64) -> f64| places().map(|(height, _)| value(height)).collect::<Vec<f64>>();
    let mut put = |name, dimensions, units, long_name, standard_name, values: &[f64]| {
        let variable = OutputVariable { name, dimensions, units, long_name, standard_name, reference_name: None };
        file.variable(&variable, values)
    };
    let hours: Vec<f64> = (0..=HOURS).map(|hour| hour as f64).collect();
    put("time", &["time"], "h", "time since noon", None, &hours)?;
    let cell: &[&str] = &["cell"];
    put("height", cell, "km", "height", Some("height"), &of_height(&|z| z))?;
    let latitudes: Vec<f64> = places().map(|(_, latitude)| latitude).collect();
    put("latitude", cell, "degree", "latitude", None, &latitudes)?;
    let pressure = Some("air_pressure");
    put("air_pressure", cell, "hPa", "pressure", pressure, &of_height(&|z| short(55.3 * Real::exp((20.0 - z) / 6.5))))?;
    let temperature = Some("air_temperature");
    put("air_temperature", cell, "K", "temperature", temperature, &of_height(&|z| short(216.65 + 1.3 * (z - 20.0))))?;
    let lights: Vec<f64> =
        hours.iter().flat_map(|&hour| places().map(move |(_, latitude)| sun(hour, latitude))).collect();
    put("SUN", &["time", "cell"], "1", "sunlight: cosine of the solar zenith angle", None, &lights)?;
    put("O3", cell, "ppmv", "ozone", None, &of_height(&|z| layer(z, 34.0, 9.0, 8.0)))?;
    put("NO", cell, "ppbv", "nitrogen monoxide", None, &of_height(&|z| layer(z, 38.0, 10.0, 7.0)))?;
    put("NO2", cell, "ppbv", "nitrogen dioxide", None, &of_height(&|z| layer(z, 32.0, 7.0, 6.0)))?;
    put("N2O", cell, "ppbv", "nitrous oxide", None, &of_height(&|z| short(320.0 * Real::exp((17.0 - z) / 8.0))))?;
    file.commit()
}
