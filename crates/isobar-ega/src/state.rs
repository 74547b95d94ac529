//! What all rays through an atmosphere share, as a host prepares it.

use isobar_core::Real;
use isobar_raytrace::trace::StepRules;
use isobar_raytrace::{Atmosphere, ProfileData};

use crate::channel_data::channels;
use crate::physics::channel::Channel;
use crate::physics::transfer::{Cloud, Ground, NO_GAS};
use crate::setup::ForwardSetup;

/// What rays need beside the tables and the source functions.
#[derive(Debug)]
pub(crate) struct State<R> {
    pub(crate) profile: ProfileData<f64>,
    pub(crate) channels: Vec<Channel<R>>,
    pub(crate) rules: StepRules<f64>,
    pub(crate) ground: Ground<R>,
    pub(crate) cloud: Cloud<R>,
    /// Are brightness temperatures wanted in the place of radiances?
    pub(crate) brightness_temperature: bool,
    pub(crate) co2: u32,
    pub(crate) h2o: u32,
}

impl<R: Real> State<R> {
    /// For radiances.
    pub(crate) fn new(setup: &ForwardSetup, atmosphere: &Atmosphere) -> Result<Self, isobar_raytrace::Error> {
        let r = R::from_f64;
        let gas = |name| setup.gas(name).map_or(NO_GAS, |gas| gas as u32);
        let surface_k = atmosphere.surface.as_ref().map_or(0.0, |surface| surface.temperature_k);
        let (height, depth) = atmosphere.cloud.as_ref().map_or((0.0, 0.0), |cloud| (cloud.height_km, cloud.depth_km));
        Ok(Self {
            profile: ProfileData::new(atmosphere)?,
            channels: channels(&setup.wavenumbers_per_cm, &setup.channel_setup(), atmosphere),
            rules: setup.path.rules(atmosphere.surface_height_km()),
            ground: Ground { kind: setup.ground as u32, unused: 0, temperature_k: r(surface_k) },
            cloud: Cloud { height_km: r(height), depth_km: r(depth) },
            brightness_temperature: false,
            co2: gas("CO2"),
            h2o: gas("H2O"),
        })
    }
}
