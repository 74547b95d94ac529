//! `isobar-bench model-file`: a file of made-up columns as a climate model writes it, of any size.

use std::path::PathBuf;

use clap::Args;
use isobar::core::Real;
use isobar::io::netcdf::{DatasetWriter, OutputVariable};
use isobar::program::failure::Failure;

/// The options of `isobar-bench model-file`.
#[derive(Args, Debug)]
pub(crate) struct ModelFile {
    /// Columns, in rows of a hundred
    #[arg(long, default_value_t = 1_000_000)]
    columns: usize,
    /// Layers of each
    #[arg(long, default_value_t = 60)]
    layers: usize,
    /// The file, NetCDF
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

const LONGITUDES: usize = 100;
/// Rows that are written at a time.
const ROWS: usize = 200;
const ON_LEVELS: [&str; 4] = ["time", "lev", "lat", "lon"];

/// A variable of layers, by the pressure of a ground of 1000 hPa \[Pa\].
type OfLayer = (&'static str, &'static str, fn(f64) -> f64);

const OF_LAYERS: [OfLayer; 6] = [
    ("T", "K", |p| (288.0 * Real::powf(p / 1e5, 0.19)).max(210.0)),
    ("Q", "kg/kg", |p| (0.01 * (p / 1e5) * (p / 1e5) * (p / 1e5)).max(2e-6)),
    ("O3", "mol/mol", |p| 3e-8 + 6e-6 * Real::exp(-(Real::ln(p / 2e3) / 1.5) * (Real::ln(p / 2e3) / 1.5))),
    ("CLOUD", "fraction", |p| if (7e4..9e4).contains(&p) { 0.4 } else { 0.0 }),
    ("CLDLIQ", "kg/kg", |p| if (7e4..9e4).contains(&p) { 1e-4 } else { 0.0 }),
    ("CLDICE", "kg/kg", |p| if (2e4..4e4).contains(&p) { 1e-5 } else { 0.0 }),
];
const OF_SURFACE: [(&str, &str, f32); 3] = [("PS", "Pa", 1e5), ("TS", "K", 288.0), ("ALBEDO", "1", 0.1)];

pub(crate) fn run(options: &ModelFile) -> Result<(), Failure> {
    let layers = options.layers.max(2);
    let latitudes = options.columns.div_ceil(LONGITUDES).max(1);
    let sigma = |level: usize| (level as f64 / layers as f64) * Real::sqrt(level as f64 / layers as f64);
    let a = |level: usize| 4e4 * (1.0 - sigma(level)) * sigma(level);
    let b = |level: usize| sigma(level) - a(level) / 1e5;
    let levels = |of: &dyn Fn(usize) -> f64| (0..=layers).map(of).collect::<Vec<f64>>();
    let pressure = |layer: usize| {
        let at = |level: usize| a(level) + 1e5 * b(level);
        0.5 * (at(layer) + at(layer + 1))
    };
    let mut file = DatasetWriter::create(&options.out)?;
    file.in_parts("lat", latitudes);
    for start in (0..latitudes).step_by(ROWS) {
        let rows = ROWS.min(latitudes - start);
        file.begin_part(start);
        file.attribute("title", "Made-up columns as a climate model writes them")?;
        for (name, size) in [("time", 1), ("lev", layers), ("ilev", layers + 1), ("lat", rows), ("lon", LONGITUDES)] {
            file.dimension(name, size)?;
        }
        let variable = |name: &'static str, dimensions: &'static [&'static str], units: &'static str| OutputVariable {
            name,
            dimensions,
            units,
            long_name: name,
            standard_name: None,
            reference_name: None,
        };
        let latitude = |row: usize| -90.0 + 180.0 * ((start + row) as f64 + 0.5) / latitudes as f64;
        file.variable(&variable("lat", &["lat"], "degree"), &(0..rows).map(latitude).collect::<Vec<_>>())?;
        let longitude = |column: usize| 360.0 * column as f64 / LONGITUDES as f64;
        file.variable(&variable("lon", &["lon"], "degree"), &(0..LONGITUDES).map(longitude).collect::<Vec<_>>())?;
        file.variable(&variable("hyai", &["ilev"], "Pa"), &levels(&a))?;
        file.variable(&variable("hybi", &["ilev"], "1"), &levels(&b))?;
        for (name, units, of) in OF_LAYERS {
            let one = |layer: usize| {
                let value = of(pressure(layer));
                (0..rows * LONGITUDES).map(move |column| (value * (1.0 + 1e-5 * (column % 97) as f64)) as f32)
            };
            file.variable(&variable(name, &ON_LEVELS, units), &(0..layers).flat_map(one).collect::<Vec<f32>>())?;
        }
        for (name, units, value) in OF_SURFACE {
            file.variable(&variable(name, &["time", "lat", "lon"], units), &vec![value; rows * LONGITUDES])?;
        }
        let cosine = |place: usize| Real::cos(latitude(place / LONGITUDES).to_radians()) as f32;
        let cosines: Vec<f32> = (0..rows * LONGITUDES).map(cosine).collect();
        file.variable(&variable("COSZRS", &["time", "lat", "lon"], "1"), &cosines)?;
        file.end_part()?;
    }
    Ok(file.commit()?)
}
