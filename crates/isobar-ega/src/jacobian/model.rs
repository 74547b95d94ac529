//! One atmosphere and one ray after the other, on the thread that calls.

use isobar_core::{Column, Field, FieldMut, Status};
use isobar_raytrace::path::PathSummary;
use isobar_raytrace::sensitivity::Geometry;
use isobar_raytrace::{Atmosphere, Position, Ray};

use super::atmospheres::{Prepared, case_ray, node_weights};
use super::batch::Batch;
use super::elements::Elements;
use super::sequence::{compute, count_steps};
use super::work::{Work, WorkSize};
use crate::here::Here;
use crate::interpolation::Interpolation;
use crate::physics::transfer::NO_GAS;
use crate::setup::{Approximation, ForwardSetup};
use crate::table_data::TableData;
use crate::tables::Tables;

/// Variables of a step that a CPU computes at a time: all of a step that touches no more than 4 levels.
const VARIABLES: usize = 16;
/// Channels that a CPU computes at a time: what they need stays in its caches.
const TILE: usize = 32;

/// What all rays of an atmosphere share.
#[derive(Debug)]
pub struct Model<'a> {
    approximation: Approximation,
    interpolation: Interpolation,
    transmittances_given: bool,
    geometry: Geometry,
    tables: Tables<'a>,
    source: &'a [f64],
    pub(crate) prepared: Prepared,
    solar_zenith_deg: f64,
    co2: u32,
    h2o: u32,
    /// What the nodes of cloud and surface count in the channels.
    nodes: [Vec<f64>; 2],
}

/// Radiances of a ray and their derivatives.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayJacobian {
    /// Radiance of each channel \[W/(m^2 sr cm^-1)\].
    pub radiance: Vec<f64>,
    /// Transmittance of the path.
    pub transmittance: Vec<f64>,
    /// The tangent point.
    pub tangent_point: Position,
    /// Derivatives of the radiances, `channel * elements + element`, or of their weighted sum, one row: see
    /// [`super::Elements`].
    pub derivative: Vec<f64>,
}

/// Which derivatives are wanted.
enum Derivatives<'w> {
    None,
    /// Of the radiance of each channel.
    OfEach,
    /// Of their sum with these weights.
    OfSum(&'w [f64]),
}

impl<'a> Model<'a> {
    /// A model of an atmosphere as [`ForwardSetup::prepare`] makes it, with `source` from
    /// [`crate::channel_data::source_functions`]. Derivatives are those by the atmosphere before.
    ///
    /// # Errors
    /// An atmosphere that [`Atmosphere::validate`] refuses.
    pub fn new(
        setup: &ForwardSetup,
        tables: &'a TableData,
        source: &'a [f64],
        atmosphere: &Atmosphere,
        geometry: Geometry,
    ) -> Result<Self, isobar_raytrace::Error> {
        let gas = |name| setup.gas(name).map_or(NO_GAS, |gas| gas as u32);
        let prepared = Prepared::new(setup, atmosphere)?;
        Ok(Self {
            approximation: setup.approximation,
            interpolation: setup.interpolation,
            transmittances_given: setup.jurassic_exact,
            geometry,
            tables: tables.view(),
            source,
            nodes: node_weights(setup, &prepared.elements),
            prepared,
            solar_zenith_deg: setup.solar_zenith_deg.unwrap_or(-1.0),
            co2: gas("CO2"),
            h2o: gas("H2O"),
        })
    }

    /// The numbers by which radiances are differentiated.
    #[must_use]
    pub fn elements(&self) -> Elements {
        self.prepared.elements
    }

    /// Radiances of a ray and their derivatives.
    ///
    /// # Errors
    /// The status of a ray that cannot be traced.
    pub fn ray(&self, ray: &Ray) -> Result<RayJacobian, Status> {
        self.compute(ray, Derivatives::OfEach)
    }

    /// Radiances of a ray alone: there are no derivatives.
    ///
    /// # Errors
    /// The status of a ray that cannot be traced.
    pub fn radiances(&self, ray: &Ray) -> Result<RayJacobian, Status> {
        self.compute(ray, Derivatives::None)
    }

    /// Radiances of a ray and the derivatives of their weighted sum over the channels, one row, in the memory of a few
    /// channels.
    ///
    /// # Errors
    /// The status of a ray that cannot be traced.
    ///
    /// # Panics
    /// If there are not as many weights as channels.
    pub fn pullback(&self, ray: &Ray, weights: &[f64]) -> Result<RayJacobian, Status> {
        assert_eq!(weights.len(), self.prepared.channels.len(), "a weight a channel");
        self.compute(ray, Derivatives::OfSum(weights))
    }

    fn compute(&self, ray: &Ray, derivatives: Derivatives<'_>) -> Result<RayJacobian, Status> {
        let (elements, profile) = (self.prepared.elements, &self.prepared.profile);
        let (rays, cases) = ([case_ray(ray, 0)], [self.prepared.case]);
        let channels = self.prepared.channels.len();
        let [cloud_nodes, surface_nodes] = &self.nodes;
        let batch = Batch {
            elements,
            tables: self.tables,
            source: Field::item_fastest(self.source, self.source.len() / channels, channels),
            cases: Column::from(&cases[..]),
            channels: Field::level_fastest(&self.prepared.channels, channels, 1),
            height_km: columns(&profile.height_km, elements.levels),
            pressure_hpa: columns(&profile.pressure_hpa, elements.levels),
            log_pressure_slope_per_km: columns(&profile.log_pressure_slope_per_km, elements.levels - 1),
            temperature_k: columns(&profile.temperature_k, elements.levels),
            mixing_ratio: columns(&profile.mixing_ratio, elements.levels),
            extinction_per_km: columns(&profile.extinction_per_km, elements.levels),
            feet: columns(&profile.feet, profile.feet.len()),
            in_atmosphere: columns(&self.prepared.in_atmosphere, elements.levels),
            hydrostatic: columns(&self.prepared.hydrostatic, self.prepared.hydrostatic.len()),
            rays: Column::from(&rays[..]),
            wanted: Field::empty(),
            cloud_nodes: columns(cloud_nodes, elements.cloud_nodes),
            surface_nodes: columns(surface_nodes, elements.surface_nodes),
            solar_zenith_deg: self.solar_zenith_deg,
            co2: self.co2,
            h2o: self.h2o,
            transmittances_given: u32::from(self.transmittances_given),
            frozen: u32::from(self.geometry == Geometry::Frozen),
            logarithmic: u32::from(self.interpolation == Interpolation::Logarithmic),
            first_channel: 0,
            tile: channels as u32,
            summed: 0,
        };
        let (mut summary, mut touched) = ([PathSummary::default()], [0]);
        let mut launcher = Here::default();
        let (summaries, most) =
            (FieldMut::item_fastest(&mut summary, 1, 1), FieldMut::item_fastest(&mut touched, 1, 1));
        let Ok(()) = count_steps(&batch, summaries, most, &mut launcher);
        let status = launcher.status;
        if !status.is_ok() {
            return Err(status);
        }
        let (count, weights) = match derivatives {
            Derivatives::None => (0, None),
            Derivatives::OfEach => (elements.count(), None),
            Derivatives::OfSum(weights) => (elements.count(), Some(Column::from(weights))),
        };
        let size = WorkSize {
            rays: 1,
            channels,
            tile: channels.min(TILE),
            summed: weights.is_some(),
            points: summary[0].points.max(1) as usize,
            touched: if count > 0 { touched[0] as usize } else { 0 },
            gases: elements.gases,
            windows: elements.windows,
            elements: count,
            wanted: count,
            nodes: elements.cloud_nodes + elements.surface_nodes,
            clouds: self.prepared.has_cloud(),
            tracks: batch.tracks(),
            memory: self.approximation.memory(),
            variables: VARIABLES,
            rays_together: false,
        };
        let mut memory = vec![0.0; size.doubles()];
        let work = Work::carve(FieldMut::item_fastest(&mut memory, 1, size.doubles()), &size);
        let how = (self.approximation, size.tile);
        let Ok(()) = compute::<VARIABLES, _>(&batch, &work, how, weights, &mut launcher);
        let mut results = memory;
        results.truncate(size.results());
        let derivative = results.split_off(2 * channels);
        let transmittance = results.split_off(channels);
        let tangent_point = Position {
            height_km: summary[0].tangent_height_km,
            longitude_deg: summary[0].tangent_longitude_deg,
            latitude_deg: summary[0].tangent_latitude_deg,
        };
        Ok(RayJacobian { radiance: results, transmittance, tangent_point, derivative })
    }
}

/// Columns of `levels` values; none where there are no levels.
fn columns<T: Copy>(values: &[T], levels: usize) -> Field<'_, T> {
    if values.is_empty() { Field::empty() } else { Field::level_fastest(values, levels, values.len() / levels) }
}
