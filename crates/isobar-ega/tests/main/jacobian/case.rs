//! A small atmosphere with everything that a radiance can depend on.

use isobar_core::Real;
use isobar_ega::band_model::{Band, TableGrid};
use isobar_ega::channel_data::source_functions;
use isobar_ega::jacobian::{Geometry, Model};
use isobar_ega::table::EmissivityTable;
use isobar_ega::{Filter, ForwardSetup, GroundKind, Interpolation, TableData};
use isobar_raytrace::{Atmosphere, CloudLayer, PathOptions, Position, Ray, SurfaceLayer};

/// A setup with its tables.
pub(crate) struct Case {
    pub(crate) setup: ForwardSetup,
    pub(crate) tables: TableData,
    pub(crate) source: Vec<f64>,
    pub(crate) atmosphere: Atmosphere,
    /// The geometry that is compared with differences.
    pub(crate) geometry: Geometry,
}

impl Case {
    /// Two gases and three channels, with all continua that their wavenumbers have.
    pub(crate) fn new() -> Self {
        Self::with(Interpolation::Linear)
    }

    /// The case of [`Self::new`] with tables for an interpolation.
    pub(crate) fn with(interpolation: Interpolation) -> Self {
        let wavenumbers_per_cm = vec![792.0, 1550.0, 2350.0];
        let filters: Vec<Filter> = wavenumbers_per_cm
            .iter()
            .map(|&nu| Filter { wavenumber_per_cm: vec![nu - 1.0, nu, nu + 1.0], transmission: vec![0.5, 1.0, 0.5] })
            .collect();
        let tables = band_tables();
        Self {
            source: source_functions(&filters),
            tables: TableData::packed(&tables, 3, false, interpolation).expect("valid tables"),
            setup: ForwardSetup {
                gases: vec!["CO2".into(), "H2O".into()],
                wavenumbers_per_cm,
                filters,
                path: PathOptions { step_height_km: 0.5, ..PathOptions::default() },
                windows: vec![0, 1, 0],
                cloud_wavenumbers_per_cm: vec![700.0, 2500.0],
                surface_wavenumbers_per_cm: vec![600.0, 2600.0],
                ground: GroundKind::SkyAndSun,
                interpolation,
                ..ForwardSetup::default()
            },
            atmosphere: atmosphere(),
            geometry: Geometry::Moving,
        }
    }

    /// The channels of [`Self::new`] again and again, `channels` of them.
    pub(crate) fn repeated(channels: usize) -> Self {
        let mut case = Self::new();
        let again = |of: &[f64]| of.iter().copied().cycle().take(channels).collect::<Vec<_>>();
        let setup = &mut case.setup;
        setup.wavenumbers_per_cm = again(&setup.wavenumbers_per_cm);
        setup.filters = setup.filters.iter().cloned().cycle().take(channels).collect();
        setup.windows = setup.windows.iter().copied().cycle().take(channels).collect();
        case.source = source_functions(&setup.filters);
        let tables = band_tables();
        let of_gas = tables.chunks(3).flat_map(|of_gas| of_gas.iter().cloned().cycle().take(channels));
        case.tables = TableData::packed(&of_gas.collect::<Vec<_>>(), channels, false, Interpolation::Linear)
            .expect("valid tables");
        case
    }

    pub(crate) fn model<'a>(&'a self, atmosphere: &Atmosphere, geometry: Geometry) -> Model<'a> {
        Model::new(&self.setup, &self.tables, &self.source, atmosphere, geometry).expect("a valid atmosphere")
    }
}

/// Tables of two gases in three channels.
fn band_tables() -> Vec<Option<EmissivityTable>> {
    let grid = TableGrid {
        pressures_hpa: (0..33).map(|i| 0.01 * Real::exp(0.36 * f64::from(i))).collect(),
        temperatures_k: vec![(0..9).map(|i| 170.0 + 20.0 * f64::from(i)).collect(); 33],
        column_factor: 1.122,
        emissivities: (1e-6, 0.9999),
    };
    [(1.5e-22, 700.0), (4e-24, 900.0), (1e-20, 500.0), (2e-23, 300.0), (6e-22, 800.0), (3e-24, 400.0)]
        .map(|(strength, energy_per_cm)| {
            Some(Band { strength, lorentz: 0.1, doppler: 1e-3, energy_per_cm }.table(&grid))
        })
        .into()
}

/// Not too smooth; levels are 1.7 to 4 km apart.
fn atmosphere() -> Atmosphere {
    let height_km: Vec<f64> = (0..17).map(|i| 0.05 + 1.7 * f64::from(i) + 0.07 * f64::from(i * i)).collect();
    let at = |f: &dyn Fn(f64) -> f64| height_km.iter().map(|&z| f(z)).collect::<Vec<f64>>();
    Atmosphere {
        horizontal: isobar_raytrace::Horizontal::Uniform,
        time_s: at(&|_| 0.0),
        longitude_deg: at(&|_| 0.0),
        latitude_deg: at(&|_| 0.0),
        pressure_hpa: at(&|z| 1013.25 * Real::exp(-z / 7.1)),
        temperature_k: at(&|z| 221.0 + 3.1 * (z - 14.0).abs().min(24.0) + 0.7 * Real::sin(z)),
        mixing_ratio: vec![at(&|z| 3.7e-4 * (1.0 + 0.01 * Real::cos(z))), at(&|z| 6e-3 * Real::exp(-z / 3.0) + 4e-6)],
        extinction_per_km: vec![at(&|z| 2e-4 * Real::exp(-z / 6.0)), at(&|z| 1e-4 * Real::exp(-z / 9.0))],
        height_km,
        cloud: Some(CloudLayer { height_km: 9.3, depth_km: 1.4, extinction_per_km: vec![0.02, 0.004] }),
        surface: Some(SurfaceLayer {
            height_km: 0.41,
            pressure_hpa: 920.0,
            temperature_k: 291.0,
            emissivity: vec![0.9, 0.8],
        }),
    }
}

fn ray(observer: (f64, f64), view_point: (f64, f64)) -> Ray {
    let at = |(height_km, latitude_deg)| Position { height_km, longitude_deg: 3.0, latitude_deg };
    Ray { time_s: 43_000.0, observer: at(observer), view_point: at(view_point) }
}

/// Limb, nadir, slant, upward and from within.
pub(crate) fn rays() -> Vec<(&'static str, Ray)> {
    vec![
        ("limb at 12 km", ray((780.0, 0.0), (12.0, 26.9))),
        ("limb at 31 km", ray((780.0, 0.0), (31.0, 26.6))),
        ("slant to the ground", ray((700.0, 0.0), (0.0, 4.1))),
        ("upward", ray((1.23, 0.0), (20.0, 0.31))),
        ("from within to the ground", ray((21.7, 0.0), (0.0, 0.6))),
    ]
}
