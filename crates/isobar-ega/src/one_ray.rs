//! One ray after the other on the thread that calls: the kernels of a chunk, without a launcher.

use isobar_core::{Column, Field, FieldMut};
use isobar_raytrace::one_ray::reason;
use isobar_raytrace::{Atmosphere, Position, Ray};

use crate::channel_data::source_functions;
use crate::constants::SOURCE_NODES;
use crate::here::Here;
use crate::kernels::Rows;
use crate::path_here::{PathHere, along_path, one_level};
use crate::physics::channel::Channels;
use crate::physics::coverage::Outside;
use crate::sequence::{Traced, compute};
use crate::setup::{ForwardError, ForwardSetup};
use crate::state::State;
use crate::table_data::TableData;
use crate::tables::Cell;

/// What a pencil beam sees.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayRadiance {
    /// Radiance of each channel \[W/(m^2 sr cm^-1)\], or brightness temperature \[K\] where the setup asks for it.
    pub radiance: Vec<f64>,
    /// Transmittance of the whole path in each channel.
    pub transmittance: Vec<f64>,
    /// The tangent point.
    pub tangent_point: Position,
    /// Points of the path; 0: the ray misses the atmosphere.
    pub points: u32,
    /// For each gas, the points of the path that lie outside its tables, and the state at the first of them.
    pub outside: Vec<Outside>,
    /// Whether some channel ended early: see [`crate::Radiances::cut_short`].
    pub cut_short: bool,
}

/// The radiances of one ray through an atmosphere, on the thread that calls: as a launcher computes them for many rays,
/// bit for bit.
///
/// A field of view takes more than one ray ([`crate::FieldOfView::convolve`]) and does not count here. For more rays
/// through one atmosphere there is [`Forward`].
///
/// # Errors
/// A setup to which tables or atmosphere do not fit, an invalid atmosphere, or a ray that cannot be traced.
///
/// # Example
/// A grey body of gas at 250 K in front of cold space:
/// ```
/// use isobar_ega::band_model::{Band, TableGrid};
/// use isobar_ega::{Filter, ForwardSetup, TableData, planck, ray_radiance};
/// use isobar_raytrace::{Atmosphere, Position, Ray};
///
/// let band = Band { strength: 1e-21, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };
/// let grid = TableGrid {
///     pressures_hpa: vec![0.01, 0.1, 1.0, 10.0, 100.0, 1000.0],
///     temperatures_k: vec![vec![200.0, 250.0, 300.0]; 6],
///     column_factor: 1.122,
///     emissivities: (1e-6, 0.9999),
/// };
/// let tables = TableData::new(&[Some(band.table(&grid))], 1, false)?;
/// let setup = ForwardSetup {
///     gases: vec!["CO2".into()],
///     wavenumbers_per_cm: vec![792.0],
///     filters: vec![Filter { wavenumber_per_cm: vec![791.0, 793.0], transmission: vec![1.0, 1.0] }],
///     windows: vec![0],
///     ..ForwardSetup::default()
/// };
/// let height_km: Vec<f64> = (0..=80).map(f64::from).collect();
/// let pressure_hpa = height_km.iter().map(|z| 1013.25 * isobar_core::Real::exp(-z / 7.0)).collect();
/// let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, vec![250.0; 81])?;
/// atmosphere.mixing_ratio = vec![vec![400e-6; 81]];
///
/// let ray = Ray {
///     time_s: 0.0,
///     observer: Position { height_km: 780.0, longitude_deg: 0.0, latitude_deg: 0.0 },
///     view_point: Position { height_km: 12.0, longitude_deg: 0.0, latitude_deg: 26.8 },
/// };
/// let seen = ray_radiance(&setup, &tables, &atmosphere, &ray)?;
/// let black = planck::radiance(250.0, 792.0);
/// assert!((seen.radiance[0] / black - (1.0 - seen.transmittance[0])).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_radiance(
    setup: &ForwardSetup,
    tables: &TableData,
    atmosphere: &Atmosphere,
    ray: &Ray,
) -> Result<RayRadiance, ForwardError> {
    Forward::new(setup, tables, atmosphere)?.ray(ray)
}

/// A setup, its tables and an atmosphere, ready for rays.
#[derive(Debug)]
pub struct Forward<'a> {
    setup: &'a ForwardSetup,
    tables: &'a TableData,
    state: State<f64>,
    source: Vec<f64>,
}

impl<'a> Forward<'a> {
    /// Checks that all fits together and prepares what rays share.
    ///
    /// # Errors
    /// A setup to which tables or atmosphere do not fit, or an invalid atmosphere.
    pub fn new(setup: &'a ForwardSetup, tables: &'a TableData, atmosphere: &Atmosphere) -> Result<Self, ForwardError> {
        setup.check(tables)?;
        let atmosphere = setup.prepare(atmosphere)?;
        setup.check_sources(&atmosphere)?;
        let brightness_temperature = setup.brightness_temperature;
        let state = State { brightness_temperature, ..State::new(setup, &atmosphere)? };
        Ok(Self { setup, tables, state, source: source_functions(&setup.filters) })
    }

    /// The radiances of a ray: see [`ray_radiance`].
    ///
    /// # Errors
    /// A ray that cannot be traced.
    pub fn ray(&self, ray: &Ray) -> Result<RayRadiance, ForwardError> {
        let Self { setup, tables, state, source } = self;
        let gases = setup.gases.len();
        let mut path = PathHere::trace(&state.profile, state.rules, ray, gases)
            .map_err(|status| isobar_raytrace::Error::Ray { ray: 0, reason: reason(status) })?;
        let (summary, time_s) = (path.summary, [ray.time_s]);
        let (points, channels) = (path.points(), state.channels.len());
        let tables = tables.view();
        let mut outside = vec![Outside::default(); gases];
        let mut cells = vec![Cell::default(); points * tables.grids.len()];
        let (mut absorptance, mut sun) = (vec![0.0; points * channels], [0.0]);
        let (mut radiance, mut transmittance) = (vec![0.0; channels], vec![0.0; channels]);
        let mut cut_short = vec![0; if setup.jurassic_exact { channels } else { 0 }];
        let source = Field::item_fastest(source, SOURCE_NODES, channels);
        let traced = Traced {
            tables,
            channels: Channels { channels: Column::from(&state.channels[..]), source },
            wavenumber_per_cm: Column::from(&setup.wavenumbers_per_cm[..]),
            summaries: Column::from(&summary[..]),
            paths: path.paths(),
            time_s: Column::from(&time_s[..]),
            outside: one_level(&mut outside),
            cells: along_path(&mut cells, points),
            absorptance: FieldMut::item_fastest(&mut absorptance, points, channels),
            rows: Rows::channels_together(channels),
            sun: one_level(&mut sun),
            radiance: one_level(&mut radiance),
            transmittance: one_level(&mut transmittance),
            cut_short: one_level(&mut cut_short),
        };
        let Ok(()) = compute(setup, state, traced, &mut Here::default());
        let [summary] = summary;
        let tangent_point = Position {
            height_km: summary.tangent_height_km,
            longitude_deg: summary.tangent_longitude_deg,
            latitude_deg: summary.tangent_latitude_deg,
        };
        let cut_short = cut_short.contains(&1);
        Ok(RayRadiance { radiance, transmittance, tangent_point, points: summary.points, outside, cut_short })
    }
}
