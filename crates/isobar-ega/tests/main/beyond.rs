//! What goes on beyond nodes and tables, the continuum of N2 as measured, and clouds in steps that are too long:
//! against closed forms.

use isobar_core::Real;
use isobar_ega::{
    Continua, Filter, ForwardSetup, GroundKind, NitrogenContinuum, RayRadiance, TableData, planck, ray_radiance,
};
use isobar_raytrace::{Atmosphere, CloudLayer, PathOptions, Position, Ray, SurfaceLayer};

const NONE: Continua = Continua { co2: false, h2o: false, n2: NitrogenContinuum::Off, o2: false };

/// Channels without gases over a black ground.
fn setup(wavenumbers_per_cm: &[f64]) -> ForwardSetup {
    let filter = |nu: &f64| Filter { wavenumber_per_cm: vec![nu - 1e-3, nu + 1e-3], transmission: vec![1.0; 2] };
    ForwardSetup {
        wavenumbers_per_cm: wavenumbers_per_cm.to_vec(),
        filters: wavenumbers_per_cm.iter().map(filter).collect(),
        windows: vec![0; wavenumbers_per_cm.len()],
        path: PathOptions { refraction: false, ..PathOptions::default() },
        continua: NONE,
        ground: GroundKind::Emission,
        ..ForwardSetup::default()
    }
}

/// Homogeneous air up to a height.
fn air(top_km: f64, temperature_k: f64) -> Atmosphere {
    let mut air = Atmosphere::new(vec![0.0, top_km], vec![1013.25; 2], vec![temperature_k; 2]).unwrap();
    air.extinction_per_km = vec![vec![0.0; 2]];
    air
}

/// Straight down.
fn seen(setup: &ForwardSetup, atmosphere: &Atmosphere) -> Result<RayRadiance, String> {
    let at = |height_km| Position { height_km, ..Position::default() };
    let ray = Ray { time_s: 0.0, observer: at(700.0), view_point: at(0.0) };
    let tables = TableData::new(&[], setup.wavenumbers_per_cm.len(), false).unwrap();
    ray_radiance(setup, &tables, atmosphere, &ray).map_err(|error| error.to_string())
}

/// Lafferty et al. (1996) have `B = 1.97e-6 cm^-1 amagat^-2` and `beta = -181 K` at 2330 cm^-1, and O2 counts
/// `1.294 - 0.4545 T/296` as much as N2 as a partner: 3 km of air are `3e5 cm B rho^2 x (x + (1 - x) O2)` deep.
#[test]
fn nitrogen_as_measured_has_the_depth_that_was_measured() {
    let (t, x, km) = (250.0, 0.79, 3.0);
    let rho = 273.0 / t;
    let warmth = Real::exp(-181.0 * (1.0 / 296.0 - 1.0 / t));
    let depth = km * 1e5 * 1.97e-6 * rho * rho * warmth * x * (x + (1.0 - x) * (1.294 - 0.4545 * t / 296.0));
    for (n2, factor) in
        [(NitrogenContinuum::Measured, 1.0), (NitrogenContinuum::Jurassic, 1e-6), (NitrogenContinuum::Off, 0.0)]
    {
        let setup = ForwardSetup { continua: Continua { n2, ..NONE }, ..setup(&[2330.0, 2700.0]) };
        let passed = seen(&setup, &air(km, t)).unwrap().transmittance;
        let found = -Real::ln(passed[0]);
        // A path ends within a metre of the top.
        assert!((found - factor * depth).abs() <= 1e-3 * factor * depth, "{n2:?}: {found} for {}", factor * depth);
        assert_eq!(passed[1], 1.0);
        let said = setup.remarks(&air(km, t)).join("\n");
        assert_eq!(
            said.contains("1 of 2 channels, the first at 2330 cm^-1"),
            n2 == NitrogenContinuum::Jurassic,
            "{said}"
        );
    }
}

/// As where a filter is by wavelength.
#[test]
fn a_filter_without_its_channel_is_said() {
    let mut of = setup(&[900.0, 1000.0]);
    assert!(of.remarks(&air(3.0, 250.0)).is_empty());
    of.filters[1].wavenumber_per_cm = vec![9.9, 10.1];
    let said = of.remarks(&air(3.0, 250.0)).join("\n");
    assert!(
        said.starts_with("1 of 2 channels, the first at 1000 cm^-1, lie outside their filters, 9.9 to 10.1"),
        "{said}"
    );
}

fn ground(setup: &mut ForwardSetup, nodes_per_cm: &[f64], emissivity: &[f64]) -> Atmosphere {
    setup.surface_wavenumbers_per_cm = nodes_per_cm.to_vec();
    let (height_km, pressure_hpa, emissivity) = (0.0, 0.0, emissivity.to_vec());
    let surface = Some(SurfaceLayer { height_km, pressure_hpa, temperature_k: 290.0, emissivity });
    Atmosphere { surface, ..air(3.0, 250.0) }
}

/// A transparent sky: what is seen is the ground's emissivity times its black body.
#[test]
fn an_emissivity_is_linear_between_nodes_and_refused_where_the_line_leaves_its_range() {
    let mut of = setup(&[900.0, 1000.0]);
    let mut check = |nodes: &[f64], values: &[f64], expected: [f64; 2], remarks: usize| {
        let atmosphere = ground(&mut of, nodes, values);
        let radiance = seen(&of, &atmosphere).unwrap().radiance;
        for ((found, nu), expected) in radiance.iter().zip([900.0, 1000.0]).zip(expected) {
            let found = found / planck::radiance(290.0, nu);
            assert!((found - expected).abs() < 1e-6, "{nodes:?} {nu}: {found} for {expected}");
        }
        assert_eq!(of.remarks(&atmosphere).len(), remarks, "{nodes:?}");
    };
    check(&[800.0, 1200.0], &[0.8, 0.6], [0.75, 0.7], 0);
    check(&[1200.0, 1000.0, 800.0], &[0.6, 0.7, 0.9], [0.8, 0.7], 0);
    check(&[950.0, 1050.0], &[0.8, 0.6], [0.9, 0.7], 1);
    for (nodes, values, expected) in [
        (
            [1000.0, 1100.0],
            [1.0, 0.2],
            "channel 0 (900 cm^-1): the emissivity of the surface = 1.8 lies outside [0, 1] on the line beyond its \
             nodes, 1000 to 1100 cm^-1 (SFNU)",
        ),
        (
            [950.0, 960.0],
            [0.5, 1.0],
            "channel 0 (900 cm^-1): the emissivity of the surface = -2 lies outside [0, 1] on the line beyond its \
             nodes, 950 to 960 cm^-1 (SFNU)",
        ),
    ] {
        let atmosphere = ground(&mut of, &nodes, &values);
        assert_eq!(seen(&of, &atmosphere).unwrap_err(), expected);
        // Who does not see the ground needs no emissivity.
        let without = ForwardSetup { ground: GroundKind::None, ..of.clone() };
        assert!(seen(&without, &atmosphere).is_ok());
    }
}

fn with_cloud(of: &mut ForwardSetup, depth_km: f64, extinction_per_km: &[f64]) -> Atmosphere {
    of.cloud_wavenumbers_per_cm = vec![1000.0, 1100.0];
    let extinction_per_km = extinction_per_km.to_vec();
    Atmosphere { cloud: Some(CloudLayer { height_km: 12.03, depth_km, extinction_per_km }), ..air(30.0, 250.0) }
}

#[test]
fn an_extinction_below_zero_is_refused() {
    let mut of = setup(&[900.0]);
    let atmosphere = with_cloud(&mut of, 2.0, &[0.0, 0.1]);
    assert!(
        seen(&of, &atmosphere).unwrap_err().contains("extinction of the cloud [1/km] = -0.1 lies outside [0, inf)")
    );
    let none = with_cloud(&mut of, 0.0, &[0.0, 0.1]);
    assert!(seen(&of, &none).is_ok());
}

/// A Gaussian of deviation `d` and maximum `k` is `k d sqrt(2 pi)` deep: to a thousandth wherever nothing is said, and
/// far off where steps are long.
#[test]
fn steps_too_long_for_a_cloud_are_said() {
    let mut far = 0;
    for depth_km in [1.0, 0.2, 0.1, 0.08, 0.07, 0.05, 0.02] {
        for step_km in [0.5, 0.1, 0.02] {
            let mut of = setup(&[1050.0]);
            of.path.step_height_km = step_km;
            let atmosphere = with_cloud(&mut of, depth_km, &[0.2 / depth_km; 2]);
            let expected = 0.2 * Real::sqrt(2.0 * core::f64::consts::PI);
            let off = (-Real::ln(seen(&of, &atmosphere).unwrap().transmittance[0]) / expected - 1.0).abs();
            let said = of.remarks(&atmosphere);
            assert!(said.len() == 1 || off < 1e-3, "{depth_km} {step_km}: {off}");
            assert!(said.is_empty() || said[0].contains("too long for a cloud of depth"), "{said:?}");
            far += usize::from(off > 0.1);
        }
    }
    assert!(far > 0);
}

/// Below 100 K a line through the first two nodes stands for Planck's function. It is negative below
/// `T - B/B' = T - T^2 (1 - exp(-x)) / (c2 nu)` of 100 K, but for the curvature within a node.
#[test]
fn temperatures_outside_the_table_of_sources_are_said_or_refused() {
    let of = setup(&[1000.0]);
    let zero_k = 100.0 - 1e4 / (1.438_775 * 1000.0);
    for (t, said, ok) in [
        (250.0, false, true),
        (400.0, false, true),
        (401.0, true, true),
        (zero_k + 0.2, true, true),
        (zero_k - 0.2, true, false),
    ] {
        let atmosphere = air(30.0, t);
        assert_eq!(of.outside_sources(&atmosphere).is_some(), said, "{t} K");
        let seen = seen(&of, &atmosphere);
        assert_eq!(seen.is_ok(), ok, "{t} K");
        if let Err(error) = seen {
            assert!(error.starts_with("channel 0 (1000 cm^-1): the source function at 92.8"), "{error}");
            assert!(error.ends_with("lies outside [0, inf) on the line beyond its nodes, 100 to 400 K"), "{error}");
        }
    }
    let words = "2 of 2 temperatures of levels and surface, from 401 to 401 K, lie outside the table of source \
                 functions, 100 to 400 K";
    assert_eq!(of.outside_sources(&air(30.0, 401.0)).unwrap(), words);
}
