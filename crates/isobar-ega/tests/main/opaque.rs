//! A segment in which a gas lets nothing pass emits as a black body; as JURASSIC has it, it is left out.

use isobar_core::Real;
use isobar_ega::band_model::{Band, TableGrid};
use isobar_ega::jacobian::{Geometry, Model};
use isobar_ega::{Filter, ForwardSetup, GroundKind, Interpolation, TableData, planck, ray_radiance};
use isobar_raytrace::{Atmosphere, Position, Ray};

#[test]
fn an_opaque_segment_emits() {
    // A gas that is opaque within metres.
    let band = Band { strength: 1e-15, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };
    let grid = TableGrid {
        pressures_hpa: (0..32).map(|i| 0.1 * Real::exp(0.3 * f64::from(i))).collect(),
        temperatures_k: vec![vec![200.0, 250.0, 300.0]; 32],
        column_factor: 1.3,
        emissivities: (1e-6, 0.9999),
    };
    let table = Some(band.table(&grid));
    let height_km: Vec<f64> = (0..=40).map(f64::from).collect();
    let pressure_hpa = height_km.iter().map(|z| 1013.25 * Real::exp(-z / 7.0)).collect();
    let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, vec![250.0; 41]).unwrap();
    atmosphere.mixing_ratio = vec![vec![1e-2; 41]];
    let at = |height_km| Position { height_km, longitude_deg: 0.0, latitude_deg: 0.0 };
    let ray = Ray { time_s: 0.0, observer: at(5.0), view_point: at(0.0) };
    let black = planck::radiance(250.0, 792.0);
    for interpolation in [Interpolation::Linear, Interpolation::Logarithmic] {
        for jurassic_exact in [false, true] {
            let setup = ForwardSetup {
                gases: vec!["CO2".into()],
                wavenumbers_per_cm: vec![792.0],
                filters: vec![Filter { wavenumber_per_cm: vec![791.9, 792.1], transmission: vec![1.0, 1.0] }],
                windows: vec![0],
                interpolation,
                jurassic_exact,
                ground: GroundKind::None,
                ..ForwardSetup::default()
            };
            let tables = TableData::packed(std::slice::from_ref(&table), 1, jurassic_exact, interpolation).unwrap();
            let seen = ray_radiance(&setup, &tables, &atmosphere, &ray).unwrap();
            assert_eq!(seen.cut_short, jurassic_exact);
            if jurassic_exact {
                // No segment counts.
                assert_eq!((seen.radiance[0], seen.transmittance[0]), (0.0, 1.0));
            } else {
                // The filter's mean over 0.2 cm^-1, and the table of the source function.
                assert!((seen.radiance[0] / black - 1.0).abs() < 1e-5, "{} is not {black}", seen.radiance[0]);
                assert!(seen.transmittance[0] < 1e-9);
                let source = isobar_ega::channel_data::source_functions(&setup.filters);
                let model = Model::new(&setup, &tables, &source, &atmosphere, Geometry::Moving).unwrap();
                let found = model.ray(&ray).unwrap();
                assert_eq!(found.radiance, seen.radiance);
                // What the first segments emit depends on the temperature of their levels, as a black body does.
                let elements = model.elements();
                let by_temperature: f64 = found.derivative[elements.levels..2 * elements.levels].iter().sum();
                let want = planck::radiance(250.5, 792.0) - planck::radiance(249.5, 792.0);
                assert!((by_temperature / want - 1.0).abs() < 1e-4, "{by_temperature} is not {want}");
            }
        }
    }
    let other = TableData::new(&[table], 1, false).unwrap();
    let setup = ForwardSetup {
        gases: vec!["CO2".into()],
        wavenumbers_per_cm: vec![792.0],
        filters: vec![Filter { wavenumber_per_cm: vec![791.9, 792.1], transmission: vec![1.0, 1.0] }],
        windows: vec![0],
        interpolation: Interpolation::Logarithmic,
        ..ForwardSetup::default()
    };
    let error = ray_radiance(&setup, &other, &atmosphere, &ray).unwrap_err().to_string();
    assert_eq!(error, "the tables are packed for Linear interpolation, the setup has Logarithmic");
}
