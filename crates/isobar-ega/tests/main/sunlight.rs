//! The Sun on the ground: Lambert's law through air that absorbs nothing.

use isobar_core::Real;
use isobar_ega::{Filter, ForwardSetup, GroundKind, TableData, planck, ray_radiance};
use isobar_raytrace::{Atmosphere, Position, Ray, SurfaceLayer};

const NU: f64 = 2700.0;
const EMISSIVITY: f64 = 0.7;

/// What the ground sends to a ray of a view point \[deg\] away, more than without the Sun.
fn sunlight(solar_zenith_deg: f64, view_deg: f64, jurassic_exact: bool) -> f64 {
    let height_km: Vec<f64> = (0..=40).map(f64::from).collect();
    let pressure_hpa = height_km.iter().map(|z| 1013.25 * Real::exp(-z / 7.0)).collect();
    let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, vec![250.0; 41]).unwrap();
    atmosphere.surface =
        Some(SurfaceLayer { temperature_k: 280.0, emissivity: vec![EMISSIVITY; 2], ..SurfaceLayer::default() });
    let at = |height_km, latitude_deg| Position { height_km, longitude_deg: 0.0, latitude_deg };
    let ray = Ray { time_s: 0.0, observer: at(700.0, view_deg), view_point: at(0.0, 0.0) };
    let tables = TableData::new(&[None], 1, jurassic_exact).unwrap();
    let seen = |ground| {
        let setup = ForwardSetup {
            wavenumbers_per_cm: vec![NU],
            filters: vec![Filter { wavenumber_per_cm: vec![NU - 0.1, NU + 0.1], transmission: vec![1.0, 1.0] }],
            windows: vec![0],
            surface_wavenumbers_per_cm: vec![NU - 1.0, NU + 1.0],
            solar_zenith_deg: Some(solar_zenith_deg),
            jurassic_exact,
            ground,
            ..ForwardSetup::default()
        };
        ray_radiance(&setup, &tables, &atmosphere, &ray).unwrap().radiance[0]
    };
    seen(GroundKind::SkyAndSun) - seen(GroundKind::Sky)
}

#[test]
fn the_ground_scatters_sunlight_by_lamberts_law() {
    let overhead = (1.0 - EMISSIVITY) / core::f64::consts::PI * planck::radiance(5780.0, NU) * 6.764e-5;
    for zenith in [0.0, 30.0, 60.0, 85.0, 89.9] {
        for view in [0.0, 5.0, 15.0] {
            let (got, want) = (sunlight(zenith, view, false), overhead * Real::cos(f64::to_radians(zenith)));
            // A difference of radiances, of which the ground's own is a part.
            assert!((got - want).abs() < 1e-12 * overhead, "{zenith} {view}: {got:e} is not {want:e}");
        }
    }
    assert_eq!(sunlight(95.0, 5.0, false), 0.0);
    // JURASSIC's grows towards the horizon.
    for zenith in [0.0, 60.0] {
        let want = 0.5 * overhead / Real::cos(f64::to_radians(zenith));
        assert!((sunlight(zenith, 0.0, true) / want - 1.0).abs() < 1e-9, "{zenith}");
    }
}
