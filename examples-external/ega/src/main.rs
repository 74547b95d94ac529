//! What a limb sounder sees, ray by ray: `cargo run --release`.

use isobar_ega::band_model::{Band, TableGrid};
use isobar_ega::{Filter, Forward, ForwardSetup, TableData};
use isobar_raytrace::{Atmosphere, Position, Ray};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One gas in one channel, with an emissivity table from a band model.
    let band = Band { strength: 1e-21, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };
    let grid = TableGrid {
        pressures_hpa: vec![0.01, 0.1, 1.0, 10.0, 100.0, 1000.0],
        temperatures_k: vec![vec![200.0, 250.0, 300.0]; 6],
        column_factor: 1.122,
        emissivities: (1e-6, 0.9999),
    };
    let tables = TableData::new(&[Some(band.table(&grid))], 1, false)?;
    let setup = ForwardSetup {
        gases: vec!["CO2".into()],
        wavenumbers_per_cm: vec![792.0],
        filters: vec![Filter { wavenumber_per_cm: vec![791.0, 793.0], transmission: vec![1.0, 1.0] }],
        windows: vec![0],
        ..ForwardSetup::default()
    };
    let height_km: Vec<f64> = (0..=80).map(f64::from).collect();
    // A scale height of 7 km.
    let pressure_hpa = std::iter::successors(Some(1013.25), |below| Some(0.8669 * below)).take(81).collect();
    let temperature_k = height_km.iter().map(|z| 220.0 + 0.5 * z).collect();
    let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, temperature_k)?;
    atmosphere.mixing_ratio = vec![vec![400e-6; 81]];
    let forward = Forward::new(&setup, &tables, &atmosphere)?;
    for tangent_km in [10.0, 20.0, 30.0, 40.0] {
        let at = |height_km, latitude_deg| Position { height_km, longitude_deg: 0.0, latitude_deg };
        let ray = Ray { time_s: 0.0, observer: at(780.0, 0.0), view_point: at(tangent_km, 26.8) };
        let seen = forward.ray(&ray)?;
        println!("{tangent_km} km: {:.6e} W/(m2 sr cm-1), {:.6}", seen.radiance[0], seen.transmittance[0]);
    }
    Ok(())
}
