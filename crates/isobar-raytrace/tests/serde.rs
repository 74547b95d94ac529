//! Atmospheres, rays, options and paths go through a text and come back as they were.
#![cfg(feature = "serde")]

use isobar_core::Real;
use isobar_raytrace::{Atmosphere, CloudLayer, PathOptions, Position, Ray, SurfaceLayer, trace_ray};
use serde::{Serialize, de::DeserializeOwned};

fn there_and_back<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn a_case_and_its_path_come_back() {
    let height_km: Vec<f64> = (0..=80).map(f64::from).collect();
    let pressure_hpa = height_km.iter().map(|z| 1013.25 * Real::exp(-z / 7.0)).collect();
    let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, vec![250.0; 81]).unwrap();
    atmosphere.mixing_ratio = vec![vec![400e-6; 81]];
    atmosphere.cloud = Some(CloudLayer { height_km: 10.0, depth_km: 0.1, extinction_per_km: vec![1e-3] });
    atmosphere.surface =
        Some(SurfaceLayer { height_km: 0.1, pressure_hpa: 0.0, temperature_k: 290.0, emissivity: vec![0.9, 0.95] });
    assert_eq!(there_and_back(&atmosphere), atmosphere);

    let ray = Ray {
        time_s: 0.1,
        observer: Position { height_km: 780.0, longitude_deg: 0.0, latitude_deg: 0.0 },
        view_point: Position { height_km: 12.0, longitude_deg: 0.0, latitude_deg: 26.8 },
    };
    let options = PathOptions { step_height_km: 0.5, ..PathOptions::default() };
    assert_eq!(there_and_back(&ray), ray);
    assert_eq!(there_and_back(&options), options);
    let path = trace_ray(&atmosphere, &ray, &options).unwrap();
    let back = there_and_back(&path);
    assert_eq!(back.summary, path.summary);
    assert_eq!(back.points, path.points);
}

#[test]
fn what_options_do_not_say_is_the_default() {
    let options: PathOptions = serde_json::from_str(r#"{"refraction": false}"#).unwrap();
    assert_eq!(options, PathOptions { refraction: false, ..PathOptions::default() });
}
