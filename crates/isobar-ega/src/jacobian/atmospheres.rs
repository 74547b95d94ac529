//! Atmospheres of one shape as a host prepares them for the kernels.

use core::ops::Range;

use isobar_core::Real;
use isobar_raytrace::hydrostatic_slopes::{HydrostaticStep, hydrostatic_steps};
use isobar_raytrace::{Atmosphere, ProfileData, Ray};

use super::batch::{Case, CaseRay};
use super::elements::Elements;
use crate::channel_data::{channels, spectrum};
use crate::physics::channel::Channel;
use crate::physics::transfer::{Cloud, Ground};
use crate::setup::ForwardSetup;

/// One atmosphere.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Its elements.
    pub elements: Elements,
    /// Its profile.
    pub profile: ProfileData<f64>,
    /// What else there is.
    pub case: Case,
    /// The number of each level of a track in the order of the atmosphere; none where it is one profile.
    pub in_atmosphere: Vec<u32>,
    /// How hydrostatic pressures follow each other; none where pressures are what they are.
    pub hydrostatic: Vec<HydrostaticStep>,
    /// The channels.
    pub channels: Vec<Channel<f64>>,
}

impl Prepared {
    /// An atmosphere as [`ForwardSetup::prepare`] makes it.
    ///
    /// # Errors
    /// An atmosphere that [`Atmosphere::validate`] refuses.
    pub fn new(setup: &ForwardSetup, atmosphere: &Atmosphere) -> Result<Self, isobar_raytrace::Error> {
        let (height_km, depth_km) =
            atmosphere.cloud.as_ref().map_or((0.0, 0.0), |cloud| (cloud.height_km, cloud.depth_km));
        let surface_k = atmosphere.surface.as_ref().map_or(0.0, |surface| surface.temperature_k);
        let slopes = atmosphere.surface_height_slopes();
        let [by_first, by_second] = slopes.by_level_km_per_hpa;
        let profile = ProfileData::new(atmosphere)?;
        let case = Case {
            rules: setup.path.rules(atmosphere.surface_height_km()),
            ground: Ground { kind: setup.ground as u32, unused: 0, temperature_k: surface_k },
            cloud: Cloud { height_km, depth_km },
            surface_height_by: [slopes.by_height, slopes.by_pressure_km_per_hpa, by_first, by_second],
            surface_level: slopes.first_level as u32,
            descends: u32::from(atmosphere.height_km[1] < atmosphere.height_km[0]),
            ends_km: profile.ends_km(),
        };
        let channels = channels(&setup.wavenumbers_per_cm, &setup.channel_setup(), atmosphere);
        let in_atmosphere = if profile.feet.is_empty() { Vec::new() } else { order_of_levels(atmosphere) };
        let steps = |reference_km| hydrostatic_steps(atmosphere, reference_km, setup.gas("H2O"));
        let hydrostatic = setup.hydrostatic_reference_km.map_or_else(Vec::new, steps);
        Ok(Self { elements: Elements::of(atmosphere), profile, case, in_atmosphere, hydrostatic, channels })
    }

    /// Atmospheres that are alike in this go to the kernels together: the elements, and the profiles of a track.
    #[must_use]
    pub fn shape(&self) -> (Elements, usize) {
        (self.elements, self.profile.feet.len())
    }

    /// Has it a cloud?
    #[must_use]
    pub fn has_cloud(&self) -> bool {
        self.case.cloud.depth_km > 0.0
    }
}

/// The numbers of the levels in the order of [`ProfileData`], in which the heights of each profile ascend.
fn order_of_levels(atmosphere: &Atmosphere) -> Vec<u32> {
    let numbers = |profile: Range<usize>| {
        let descends = atmosphere.height_km[profile.start + 1] < atmosphere.height_km[profile.start];
        let end = profile.end - 1 + profile.start;
        profile.map(move |level| (if descends { end - level } else { level }) as u32)
    };
    atmosphere.profiles().into_iter().flat_map(numbers).collect()
}

/// A ray through an atmosphere of a number.
#[must_use]
pub fn case_ray(ray: &Ray, case: usize) -> CaseRay {
    CaseRay { sight: ray.line_of_sight(), time_s: ray.time_s, case: case as u32, unused: 0 }
}

/// What each node of the spectra of cloud and surface counts in each channel, `channel * nodes + node`: a spectrum is
/// linear in its nodes.
#[must_use]
pub fn node_weights(setup: &ForwardSetup, elements: &Elements) -> [Vec<f64>; 2] {
    let of = |nodes_per_cm: &[f64], nodes: usize| {
        let mut weights = Vec::new();
        for &nu in &setup.wavenumbers_per_cm {
            weights.extend((0..nodes).map(|node| {
                let mut unit = vec![0.0; nodes];
                unit[node] = f64::ONE;
                spectrum(nodes_per_cm, &unit, nu).unwrap_or(0.0)
            }));
        }
        weights
    };
    [
        of(&setup.cloud_wavenumbers_per_cm, elements.cloud_nodes),
        of(&setup.surface_wavenumbers_per_cm, elements.surface_nodes),
    ]
}
