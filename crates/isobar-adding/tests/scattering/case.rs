//! Profiles, and the radiances at all levels.

use isobar_adding::azimuth::quadrature::Quadrature;
use isobar_adding::scattering::{Options, Profiles, Reflection};
use isobar_adding::{Device, Precision, Scattering};
use isobar_core::fields::OwnedInputs;

#[derive(Clone, Debug)]
pub(crate) enum Scatter {
    /// `[layer, moment, profile]`.
    Moments(Vec<f64>),
    /// `[layer, profile]`.
    Asymmetry(Vec<f64>),
}

#[derive(Clone, Debug)]
pub(crate) struct Sun {
    pub(crate) cosine: Vec<f64>,
    pub(crate) irradiance: Vec<f64>,
    /// `[stream, profile]`.
    pub(crate) reflectivity: Vec<f64>,
}

/// Profiles with the profile fastest.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) layers: usize,
    pub(crate) nodes: usize,
    /// Of each profile, or nothing.
    pub(crate) view: Vec<f64>,
    /// `[layer, profile]`.
    pub(crate) optical_depth: Vec<f64>,
    pub(crate) albedo: Vec<f64>,
    pub(crate) planck: Vec<f64>,
    pub(crate) scatter: Scatter,
    pub(crate) delta: bool,
    pub(crate) surface: Reflection,
    /// `[stream, profile]`.
    pub(crate) emissivity: Vec<f64>,
    pub(crate) surface_planck: Vec<f64>,
    pub(crate) cosmic: Vec<f64>,
    pub(crate) sun: Option<Sun>,
}

/// `[stream, profile]`, `[level, stream, profile]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Radiances {
    pub(crate) top: Vec<f64>,
    pub(crate) up: Vec<f64>,
    pub(crate) down: Vec<f64>,
}

impl Case {
    /// One profile that scatters as Henyey and Greenstein say, over a black surface at 0 K, under a dark sky.
    pub(crate) fn new(nodes: usize, optical_depth: &[f64], albedo: &[f64], asymmetry: &[f64]) -> Self {
        Self {
            layers: optical_depth.len(),
            nodes,
            view: Vec::new(),
            optical_depth: optical_depth.to_vec(),
            albedo: albedo.to_vec(),
            planck: vec![0.0; optical_depth.len()],
            scatter: Scatter::Asymmetry(asymmetry.to_vec()),
            delta: true,
            surface: Reflection::Specular,
            emissivity: vec![1.0; nodes],
            surface_planck: vec![0.0],
            cosmic: vec![0.0],
            sun: None,
        }
    }

    /// Of each stream of the first profile.
    pub(crate) fn cosines(&self) -> Vec<f64> {
        Quadrature::double_gauss(self.nodes).cosine.into_iter().chain(self.view.first().copied()).collect()
    }

    pub(crate) fn radiances(&self) -> Radiances {
        self.radiances_in::<f64>()
    }

    pub(crate) fn radiances_in<R: Precision>(&self) -> Radiances {
        let (moments, asymmetry) = match self.scatter.clone() {
            Scatter::Moments(moments) => (moments, Vec::new()),
            Scatter::Asymmetry(asymmetry) => (Vec::new(), asymmetry),
        };
        let sun = self.sun.clone();
        let sun = sun.map_or_else(Default::default, |sun| (sun.cosine, sun.irradiance, sun.reflectivity));
        let profiles = Profiles {
            viewing_cosine: self.view.clone(),
            optical_depth: self.optical_depth.clone(),
            single_scattering_albedo: self.albedo.clone(),
            asymmetry,
            phase_moments: moments,
            planck_radiance: self.planck.clone(),
            surface_planck_radiance: self.surface_planck.clone(),
            emissivity: self.emissivity.clone(),
            cosmic_background: self.cosmic.clone(),
            sun_cosine: sun.0,
            sun_irradiance: sun.1,
            sun_reflectivity: sun.2,
        };
        let options =
            Options { delta_scaling: self.delta, reflection: self.surface, levels: true, ..Options::new(self.nodes) };
        let model = Scattering::<R>::on(&[Device::Thread]);
        let found = model.run(&profiles.rounded::<R>(), &options).expect("a valid batch");
        let wide = |values: Vec<R>| values.into_iter().map(|x| x.value()).collect::<Vec<f64>>();
        let (top, up, down) = (wide(found.top_radiance), wide(found.upward_radiance), wide(found.downward_radiance));
        assert_eq!(up[..top.len()], top);
        Radiances { top, up, down }
    }
}
