//! Setups, tables and results go through a text and come back as they were.
#![cfg(feature = "serde")]

use isobar_ega::band_model::{Band, TableGrid};
use isobar_ega::coverage::Outside;
use isobar_ega::jacobian::{Elements, RayJacobian};
use isobar_ega::{
    Approximation, Continua, FieldOfView, Filter, ForwardSetup, GroundKind, NitrogenContinuum, RayRadiance,
};
use isobar_raytrace::Position;
use serde::{Serialize, de::DeserializeOwned};

fn there_and_back<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn setups_come_back() {
    let setup = ForwardSetup {
        gases: vec!["CO2".into(), "H2O".into()],
        wavenumbers_per_cm: vec![792.0, 1043.0],
        filters: vec![Filter { wavenumber_per_cm: vec![791.5, 792.5], transmission: vec![1.0, 0.1] }; 2],
        approximation: Approximation::CurtisGodson,
        continua: Continua { n2: NitrogenContinuum::Measured, ..Continua::default() },
        windows: vec![0, 1],
        ground: GroundKind::SkyAndSun,
        solar_zenith_deg: Some(30.1),
        field_of_view: Some(FieldOfView { offset_km: vec![-1.0, 1.0], weight: vec![0.5, 0.5] }),
        ..ForwardSetup::default()
    };
    // A setup has no equality of its own.
    assert_eq!(format!("{:?}", there_and_back(&setup)), format!("{setup:?}"));
}

#[test]
fn what_a_setup_does_not_say_is_the_default() {
    let setup: ForwardSetup = serde_json::from_str(r#"{"gases": ["O3"], "path": {"step_height_km": 0.5}}"#).unwrap();
    assert_eq!(setup.gases, ["O3"]);
    assert_eq!((setup.path.step_height_km, setup.path.step_length_km, setup.ground), (0.5, 10.0, GroundKind::Sky));
}

#[test]
fn tables_come_back() {
    let band = Band { strength: 1e-21, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };
    let grid = TableGrid {
        pressures_hpa: vec![1.0, 10.0],
        temperatures_k: vec![vec![200.0, 300.0]; 2],
        column_factor: 2.0,
        emissivities: (1e-6, 0.9999),
    };
    assert_eq!(there_and_back(&band), band);
    assert_eq!(there_and_back(&grid), grid);
    let table = band.table(&grid);
    assert_eq!(there_and_back(&table), table);
}

#[test]
fn results_come_back() {
    let tangent_point = Position { height_km: 8.1, longitude_deg: 0.0, latitude_deg: 27.2 };
    let seen = RayRadiance {
        radiance: vec![0.1, 1.0 / 3.0],
        transmittance: vec![0.5, f64::MIN_POSITIVE],
        tangent_point,
        points: 100,
        outside: vec![Outside { pressure_hpa: 1e-3, temperature_k: 180.0, points: 2, ray: 0 }],
        cut_short: true,
    };
    assert_eq!(there_and_back(&seen), seen);
    let jacobian =
        RayJacobian { radiance: vec![0.1], transmittance: vec![0.5], tangent_point, derivative: vec![1e-300, -2.5] };
    assert_eq!(there_and_back(&jacobian), jacobian);
    let elements = Elements { levels: 3, gases: 2, windows: 1, cloud_nodes: 0, surface_nodes: 2 };
    assert_eq!(there_and_back(&elements), elements);
}
