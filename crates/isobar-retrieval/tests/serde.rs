//! Estimates, and what they come from, go through a text and come back as they were.
#![cfg(feature = "serde")]

use isobar_core::Real;
use isobar_ega::jacobian::Geometry;
use isobar_io::{Control, Observation};
use isobar_raytrace::{Atmosphere, Position, Ray};
use isobar_retrieval::{Analysis, Derivative, Estimate, Kernel, Measurement, Prior, StateVector};
use nalgebra::DMatrix;
use serde::{Serialize, de::DeserializeOwned};

const CONTROL: &[(&str, &str)] = &[
    ("NG", "1"),
    ("EMITTER[0]", "O3"),
    ("ND", "2"),
    ("NU[0]", "792"),
    ("NU[1]", "832"),
    ("RETT_ZMIN", "4"),
    ("RETT_ZMAX", "12"),
    ("ERR_TEMP", "5"),
    ("ERR_TEMP_CZ", "8"),
    ("ERR_TEMP_CH", "100"),
    ("ERR_NOISE[*]", "0.1"),
];

fn there_and_back<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn an_estimate_comes_back() {
    let pairs: Vec<_> = CONTROL.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let (control, _) = Control::from_pairs(&pairs).unwrap();
    let options = control.retrieval().unwrap();
    assert_eq!(there_and_back(&options), options);

    let height_km: Vec<f64> = (0..6).map(|i| 4.0 * f64::from(i)).collect();
    let pressure_hpa = height_km.iter().map(|z| 1000.0 * Real::exp(-z / 7.0)).collect();
    let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, vec![250.0; 6]).unwrap();
    atmosphere.mixing_ratio = vec![vec![1e-6; 6]];
    atmosphere.extinction_per_km = vec![vec![0.0; 6]];
    let state = StateVector::new(&control, &options, &atmosphere).unwrap();
    assert_eq!(there_and_back(&state), state);
    let prior = Prior::new(&state, &state.values(&atmosphere), &options).unwrap();

    let ray = Ray { time_s: 0.0, observer: Position::default(), view_point: Position::default() };
    let observation = Observation {
        rays: vec![ray; 2],
        tangent_points: vec![Position::default(); 2],
        radiance: vec![1.0, 3.0, 1.0 / 3.0, 5.0],
        transmittance: vec![0.0; 4],
    };
    let measurement = Measurement::new(&observation, &control, &options).unwrap();
    assert_eq!(there_and_back(&measurement), measurement);
    let matrix = DMatrix::from_fn(4, 3, |row, column| 1.0 / (1.0 + (row + 2 * column) as f64));
    let kernel = Kernel { radiance: observation.radiance.clone(), matrix };
    assert_eq!(there_and_back(&kernel), kernel);
    let analysis = Analysis::new(&state, &prior, &measurement, &kernel.matrix).unwrap();
    assert_eq!(there_and_back(&analysis), analysis);

    let estimate = Estimate {
        state,
        prior,
        measurement,
        atmosphere,
        observation,
        costs: vec![10.0, 0.9],
        converged: true,
        kernel: kernel.matrix,
        analysis: Some(analysis),
    };
    // An estimate has no equality of its own.
    assert_eq!(format!("{:?}", there_and_back(&estimate)), format!("{estimate:?}"));
    let derivative = Derivative::Exact(Geometry::Frozen);
    assert_eq!(there_and_back(&derivative), derivative);
}
