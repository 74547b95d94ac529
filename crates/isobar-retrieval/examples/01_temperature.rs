//! The temperature of some levels, retrieved from radiances of the limb that were simulated.
//! `cargo run -p isobar-retrieval --example 01_temperature`

use std::fmt::Write as _;

use isobar_core::Real;
use isobar_ega::band_model::{Band, TableGrid};
use isobar_ega::jacobian::Geometry;
use isobar_ega::launch::Infrared;
use isobar_ega::{Filter, ForwardSetup, TableData};
use isobar_io::{Control, Observation};
use isobar_launch::Device;
use isobar_raytrace::{Atmosphere, Position, Ray};
use isobar_retrieval::{Derivative, Retrieval};

const CONTROL: &str = "NG = 1\nEMITTER[0] = CO2\nND = 1\nNU[0] = 792\nRETT_ZMIN = 12\nRETT_ZMAX = 24\nERR_TEMP = 10
ERR_TEMP_CZ = 4\nERR_TEMP_CH = 100\nERR_NOISE[0] = 1e-3\nCONV_ITMAX = 10\nKERNEL_RECOMP = 1";

fn atmosphere(warmer_k: f64) -> Result<Atmosphere, isobar_raytrace::Error> {
    let height_km: Vec<f64> = (0..=20).map(|i| 3.0 * f64::from(i)).collect();
    let pressure_hpa = height_km.iter().map(|z| 1000.0 * Real::exp(-z / 7.0)).collect();
    let warm = |z: &f64| 220.0 + if (12.0..=24.0).contains(z) { warmer_k } else { 0.0 };
    let temperature_k = height_km.iter().map(warm).collect();
    let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, temperature_k)?;
    atmosphere.mixing_ratio = vec![vec![4e-4; 21]];
    atmosphere.extinction_per_km = vec![vec![0.0; 21]];
    Ok(atmosphere)
}

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    let pairs = CONTROL.lines().filter_map(|line| line.split_once(" = "));
    let pairs: Vec<_> = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let (control, _) = Control::from_pairs(&pairs)?;
    let band = Band { strength: 3e-21, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };
    let grid = TableGrid {
        pressures_hpa: (0..12).map(|i| 0.3 * Real::powi(2.0, i)).collect(),
        temperatures_k: vec![vec![200.0, 220.0, 240.0, 260.0]; 12],
        column_factor: 1.122,
        emissivities: (1e-6, 0.9999),
    };
    let tables = TableData::new(&[Some(band.table(&grid))], 1, false)?;
    let filter = Filter { wavenumber_per_cm: vec![791.0, 793.0], transmission: vec![1.0, 1.0] };
    let setup = ForwardSetup {
        gases: vec!["CO2".into()],
        wavenumbers_per_cm: vec![792.0],
        filters: vec![filter],
        windows: vec![0],
        ..ForwardSetup::default()
    };
    let model = Infrared::<f64>::new(&setup, tables)?.on(&[Device::Cpu]);
    let degrees = |z: f64| Real::acos((6367.421 + z) / (6367.421 + 800.0)) * 180.0 / std::f64::consts::PI;
    let position = |height_km, latitude_deg| Position { height_km, longitude_deg: 0.0, latitude_deg };
    let ray = |z: f64| Ray { time_s: 0.0, observer: position(800.0, 0.0), view_point: position(z, degrees(z)) };
    let rays: Vec<Ray> = (0..9).map(|i| ray(10.0 + 2.0 * f64::from(i))).collect();
    let seen = model.run(&atmosphere(5.0)?, &rays)?;
    let measured = Observation {
        rays,
        tangent_points: seen.tangent_points,
        radiance: seen.radiance,
        transmittance: seen.transmittance,
    };
    let options = control.retrieval()?;
    let retrieval = Retrieval {
        model: &model,
        control: &control,
        options: &options,
        derivative: Derivative::Exact(Geometry::Moving),
    };
    let estimate = retrieval.run(&atmosphere(0.0)?, &measured, &|_, _| ())?;
    let mut text = format!("converged: {}; true: 225 K\n", estimate.converged);
    for level in 4..=8 {
        let (z, t) = (estimate.atmosphere.height_km[level], estimate.atmosphere.temperature_k[level]);
        writeln!(text, "{z:>3} km   {t:.4} K")?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
