//! Exact derivatives of radiances by everything that they depend on: the Jacobian of the forward model.
//!
//! Nothing of the physics is written again. Each step of it (a step of a path, the growth of one gas over one segment, the emissivity of a segment) is
//! computed with [`isobar_core::Dual`] numbers whose variables are its own few inputs; then the derivatives of a radiance are
//! pulled back through the steps, from the end of the path to its beginning, and land on the levels that each step read. The cost
//! is that of some forward runs, however many levels, gases and windows there are, and the radiance has the bits of the plain run.
//!
//! | file | what |
//! |---|---|
//! | `elements` | the numbers by which radiances are differentiated |
//! | `along` | a path, and how its points follow the state |
//! | `absorption` | the growth of one gas along it |
//! | `transfer` | emission along it, and the ground |
//! | `ray` | all channels of a ray |
//!
//! # Kinks
//! Tables, source functions and profiles are piecewise linear or exponential: at a node the derivative is that of the piece that the forward
//! model takes. What the forward model decides (the number of points of a path, the segment in which a gas becomes opaque) counts as fixed.
//!
//! # Accuracy
//! Against differences of fourth order: `tests/jacobian`; against JURASSIC's kernels: `tests/golden.rs` of the crate `isobar-retrieval`.

mod absorption;
mod along;
mod elements;
mod ray;
mod transfer;

use isobar_core::Real;
use isobar_raytrace::atmosphere::SurfaceHeightSlopes;
use isobar_raytrace::trace::StepRules;
use isobar_raytrace::{Atmosphere, ProfileData};

use crate::channel::Channel;
use crate::channel_data::{channels, spectrum};
use crate::radiance::{Cloud, Ground, NO_GAS};
use crate::tables::Tables;
use crate::{Approximation, ForwardSetup, TableData};

pub use elements::Elements;
pub use isobar_raytrace::sensitivity::Geometry;
pub use ray::RayJacobian;

/// What all rays of an atmosphere share.
#[derive(Debug)]
pub struct Model<'a> {
    elements: Elements,
    approximation: Approximation,
    transmittances_given: bool,
    geometry: Geometry,
    tables: Tables<'a>,
    channels: Vec<Channel<f64>>,
    source: &'a [f64],
    profile: ProfileData<f64>,
    /// Do the heights of the atmosphere descend, other than those of the profile?
    descends: bool,
    rules: StepRules<f64>,
    ground: Ground<f64>,
    cloud: Cloud<f64>,
    surface_height: SurfaceHeightSlopes,
    solar_zenith_deg: Option<f64>,
    co2: u32,
    h2o: u32,
    /// What each node of the cloud's spectrum counts in a channel, `channel * nodes + node`.
    cloud_nodes: Vec<f64>,
    /// The same of the surface's.
    surface_nodes: Vec<f64>,
}

impl<'a> Model<'a> {
    /// A model of an atmosphere that fits the setup, with `source` from [`crate::channel_data::source_functions`].
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
        let (height_km, depth_km) =
            atmosphere.cloud.as_ref().map_or((0.0, 0.0), |cloud| (cloud.height_km, cloud.depth_km));
        let surface_k = atmosphere.surface.as_ref().map_or(0.0, |surface| surface.temperature_k);
        let elements = Elements::of(atmosphere);
        Ok(Self {
            elements,
            approximation: setup.approximation,
            transmittances_given: setup.jurassic_exact,
            geometry,
            tables: tables.view(),
            channels: channels(&setup.wavenumbers_per_cm, &setup.channel_setup(), atmosphere),
            source,
            profile: ProfileData::new(atmosphere)?,
            descends: atmosphere.height_km[1] < atmosphere.height_km[0],
            rules: setup.path.rules(atmosphere.surface_height_km()),
            ground: Ground { kind: setup.ground as u32, unused: 0, temperature_k: surface_k },
            cloud: Cloud { height_km, depth_km },
            surface_height: atmosphere.surface_height_slopes(),
            solar_zenith_deg: setup.solar_zenith_deg,
            co2: gas("CO2"),
            h2o: gas("H2O"),
            cloud_nodes: node_weights(setup, &setup.cloud_wavenumbers_per_cm, elements.cloud_nodes),
            surface_nodes: node_weights(setup, &setup.surface_wavenumbers_per_cm, elements.surface_nodes),
        })
    }

    /// The numbers by which radiances are differentiated.
    #[must_use]
    pub fn elements(&self) -> Elements {
        self.elements
    }
}

/// What each node of a spectrum counts in each channel: the spectrum is linear in its nodes.
fn node_weights(setup: &ForwardSetup, nodes_per_cm: &[f64], nodes: usize) -> Vec<f64> {
    let mut weights = Vec::new();
    for &nu in &setup.wavenumbers_per_cm {
        weights.extend((0..nodes).map(|node| {
            let mut unit = vec![0.0; nodes];
            unit[node] = f64::ONE;
            spectrum(nodes_per_cm, &unit, nu).unwrap_or(0.0)
        }));
    }
    weights
}
