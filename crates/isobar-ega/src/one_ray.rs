//! One ray after the other on the thread that calls: the kernels of a chunk, without a launcher.

use core::marker::PhantomData;

use isobar_core::{Column, Field, FieldMut, Status};
use isobar_raytrace::kernel::{CountPoints, TracePaths};
use isobar_raytrace::one_ray::reason;
use isobar_raytrace::path::{PathSummary, Paths};
use isobar_raytrace::{Atmosphere, Position, ProfileData, Ray};

use crate::channel_data::{channels, source_functions};
use crate::constants::SOURCE_NODES;
use crate::here::run;
use crate::kernels::{CheckCoverage, Grow, Integrate, LocateCells, SunOnGround};
use crate::physics::channel::{Channel, Channels};
use crate::physics::coverage::Outside;
use crate::physics::growth::Growth;
use crate::physics::jurassic::{JurassicGrowth, JurassicMeanPath};
use crate::physics::mean_path::MeanPath;
use crate::physics::planck;
use crate::physics::transfer::{CUT_SHORT, Cloud, Ground, NO_GAS};
use crate::setup::{Approximation, ForwardError, ForwardSetup, GroundKind};
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
    /// Whether some channel ended early: [`CUT_SHORT`].
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
    surface_height_km: f64,
    profile: ProfileData<f64>,
    channels: Vec<Channel<f64>>,
    source: Vec<f64>,
    ground: Ground<f64>,
    cloud: Cloud<f64>,
}

impl<'a> Forward<'a> {
    /// Checks that all fits together and prepares what rays share.
    ///
    /// # Errors
    /// A setup to which tables or atmosphere do not fit, or an invalid atmosphere.
    pub fn new(setup: &'a ForwardSetup, tables: &'a TableData, atmosphere: &Atmosphere) -> Result<Self, ForwardError> {
        setup.check(tables)?;
        let atmosphere = setup.prepare(atmosphere)?;
        let (height_km, depth_km) =
            atmosphere.cloud.as_ref().map_or((0.0, 0.0), |cloud| (cloud.height_km, cloud.depth_km));
        let temperature_k = atmosphere.surface.as_ref().map_or(0.0, |surface| surface.temperature_k);
        Ok(Self {
            setup,
            tables,
            surface_height_km: atmosphere.surface_height_km(),
            profile: ProfileData::new(&atmosphere)?,
            channels: channels(&setup.wavenumbers_per_cm, &setup.channel_setup(), &atmosphere),
            source: source_functions(&setup.filters),
            ground: Ground { kind: setup.ground as u32, unused: 0, temperature_k },
            cloud: Cloud { height_km, depth_km },
        })
    }

    /// The radiances of a ray: see [`ray_radiance`].
    ///
    /// # Errors
    /// A ray that cannot be traced.
    pub fn ray(&self, ray: &Ray) -> Result<RayRadiance, ForwardError> {
        let setup = self.setup;
        let (sight, time_s) = ([ray.line_of_sight()], [ray.time_s]);
        let rays = Column::from(&sight[..]);
        let (profile, rules) = (self.profile.view(), setup.path.rules(self.surface_height_km));
        let mut summary = [PathSummary::default()];
        let status = run(&CountPoints { profile, rules, rays, summaries: one_level(&mut summary) });
        if !status.is_ok() {
            return Err(isobar_raytrace::Error::Ray { ray: 0, reason: reason(status) }.into());
        }

        let (points, channels, gases) = (summary[0].points.max(1) as usize, self.channels.len(), setup.gases.len());
        let mut memory = [1, 1, 1, 1, 1, gases, profile.windows()].map(|items| vec![0.0; points * items]);
        let mut field = memory.iter_mut().map(|values| along_path(values, points));
        let mut next = || field.next().expect("seven fields");
        let paths = Paths {
            height_km: next(),
            pressure_hpa: next(),
            temperature_k: next(),
            length_km: next(),
            air_column_per_cm2: next(),
            mixing_ratio: next(),
            extinction_per_km: next(),
            position_km: FieldMut::empty(),
        };
        run(&TracePaths { profile, rules, rays, paths, summaries: one_level(&mut summary) });
        let summaries = Column::from(&summary[..]);

        let tables = self.tables.view();
        let mut outside = vec![Outside::default(); gases];
        run(&CheckCoverage {
            tables,
            summaries,
            paths,
            outside: one_level(&mut outside),
            channels: channels as u32,
            unused: 0,
        });
        let mut cells = vec![Cell::default(); points * tables.grids.len()];
        let cells = along_path(&mut cells, points);
        if setup.approximation == Approximation::EmissivityGrowth {
            run(&LocateCells {
                tables,
                summaries,
                pressure_hpa: paths.pressure_hpa,
                temperature_k: paths.temperature_k,
                cells,
                equidistant_temperatures: u32::from(setup.jurassic_exact),
                unused: 0,
            });
        }
        let mut absorptance = vec![0.0; points * channels];
        let absorptance = FieldMut::item_fastest(&mut absorptance, points, channels);
        macro_rules! grow {
            ($rule:ty) => {
                run(&Grow {
                    tables,
                    summaries,
                    paths,
                    cells,
                    absorptance,
                    gases: gases as u32,
                    channels: channels as u32,
                    rule: PhantomData::<$rule>,
                })
            };
        }
        match (setup.approximation, setup.jurassic_exact) {
            (Approximation::EmissivityGrowth, false) => grow!(Growth<f64>),
            (Approximation::EmissivityGrowth, true) => grow!(JurassicGrowth<f64>),
            (Approximation::CurtisGodson, false) => grow!(MeanPath<f64>),
            (Approximation::CurtisGodson, true) => grow!(JurassicMeanPath<f64>),
        };

        let mut sun = [0.0];
        let sun = one_level(&mut sun);
        if setup.ground == GroundKind::SkyAndSun {
            let zenith_deg = setup.solar_zenith_deg.unwrap_or(-1.0);
            run(&SunOnGround { summaries, time_s: Column::from(&time_s[..]), zenith_deg, share: sun });
        }
        let gas = |name| setup.gas(name).map_or(NO_GAS, |gas| gas as u32);
        let (mut radiance, mut transmittance) = (vec![0.0; channels], vec![0.0; channels]);
        let status = run(&Integrate {
            channels: Channels {
                channels: Column::from(&self.channels[..]),
                source: Field::item_fastest(&self.source, SOURCE_NODES, channels),
            },
            summaries,
            paths,
            absorptance,
            sun,
            radiance: one_level(&mut radiance),
            transmittance: one_level(&mut transmittance),
            ground: self.ground,
            cloud: self.cloud,
            co2: gas("CO2"),
            h2o: gas("H2O"),
            transmittances_given: u32::from(setup.jurassic_exact),
            unused: 0,
        });
        if setup.brightness_temperature {
            for (radiance, &wavenumber_per_cm) in radiance.iter_mut().zip(&setup.wavenumbers_per_cm) {
                *radiance = planck::brightness_temperature(*radiance, wavenumber_per_cm);
            }
        }
        let [summary] = summary;
        let tangent_point = Position {
            height_km: summary.tangent_height_km,
            longitude_deg: summary.tangent_longitude_deg,
            latitude_deg: summary.tangent_latitude_deg,
        };
        let cut_short = Status(status.0 & CUT_SHORT.0) == CUT_SHORT;
        Ok(RayRadiance { radiance, transmittance, tangent_point, points: summary.points, outside, cut_short })
    }
}

/// One value an item; nothing where there are no items.
fn one_level<T: Copy>(values: &mut [T]) -> FieldMut<'_, T> {
    let items = values.len();
    if items == 0 { FieldMut::empty() } else { FieldMut::item_fastest(values, 1, items) }
}

/// The points of a path, neighbours in memory, once an item; nothing where there are no items.
fn along_path<T: Copy>(values: &mut [T], points: usize) -> FieldMut<'_, T> {
    let items = values.len() / points;
    if items == 0 { FieldMut::empty() } else { FieldMut::level_fastest(values, points, items) }
}
