//! From derivatives by radiances to those by profiles: which kernels follow each other, and the memory between them.

use isobar_core::fields::{Declared, Extents, MOMENT};
use isobar_core::{FieldMut, Real};

use crate::azimuth::steps::{Launch, Sizes, Steps, written};
use crate::azimuth::{Options, Surface};
use crate::fields::azimuth::{CotangentViews, GradientViews};
use crate::physics::azimuth::surface::PARAMETERS;
use crate::schedule::azimuth::add::AddLayers;
use crate::schedule::azimuth::adjoint::add::AddAdjoint;
use crate::schedule::azimuth::adjoint::beams::{BeamsAdjoint, OF_LAYER};
use crate::schedule::azimuth::adjoint::corrections::CorrectionsAdjoint;
use crate::schedule::azimuth::adjoint::gather::Gather;
use crate::schedule::azimuth::adjoint::layers::LayersAdjoint;
use crate::schedule::azimuth::adjoint::sum::SumAdjoint;
use crate::schedule::azimuth::adjoint::surface::SurfaceAdjoint;

/// The adjoint's fields.
pub(crate) const FIELDS: usize = 9;

/// Rows of derivatives by light, by radiances upward and downward, by beams, by what passes directly and by layers; of
/// derivatives by the surface's reflectances and parameters; and of radiances.
pub(crate) fn rows(sizes: &Sizes) -> [usize; FIELDS] {
    let Sizes { layers, nodes: n, views, suns, components, .. } = *sizes;
    let [_, _, _, light, _, _, surface] = sizes.rows();
    let beams = components * (layers + 1) * suns;
    let parameters = if sizes.surface == Surface::Lambertian { 0 } else { (n + views) * PARAMETERS };
    let seen = beams * views;
    [light, seen, seen, beams, components * layers, layers * OF_LAYER, surface, parameters, layers + 1]
}

/// Is there a derivative by this input? Of asymmetries and moments by those that are given.
pub(crate) fn wanted(declared: &Declared, extents: &Extents) -> bool {
    declared.name != "asymmetry" || extents.size(MOMENT) == 0
}

/// The options without what the forward run need not leave.
pub(crate) fn ends(options: &Options) -> Options {
    Options { levels: false, fluxes: false, ..options.clone() }
}

/// A batch with its memory, and the adjoint's.
pub(crate) struct AdjointSteps<'a, R> {
    /// What is differentiated. Its outputs are empty, for nobody needs them.
    pub(crate) forward: Steps<'a, R>,
    pub(crate) cotangents: CotangentViews<'a, R>,
    pub(crate) gradients: GradientViews<'a, R>,
    /// As [`rows`].
    pub(crate) fields: [FieldMut<'a, R>; FIELDS],
}

impl<R: Real> AdjointSteps<'_, R> {
    /// Runs the kernels that have room for the nodes.
    pub(crate) fn of_any_size<L: Launch>(&self, on: &mut L) -> Result<(), L::Error> {
        match self.forward.sizes.nodes {
            ..=8 => self.run::<8, L>(on),
            _ => self.run::<32, L>(on),
        }
    }

    fn run<const N: usize, L: Launch>(&self, on: &mut L) -> Result<(), L::Error> {
        let Self { forward, cotangents, gradients, .. } = self;
        let (batch, cotangents, gradients) = (forward.batch(), *cotangents, *gradients);
        let [light, up, down, beams, direct, layers, surface, parameters, radiances] = self.fields;
        let added = forward.add_layers::<N, L>(on)?;
        let AddLayers { operators, beams: beam, light: light_at_levels, .. } = added;
        on.launch(&SumAdjoint { batch, cotangents, up, down })?;
        on.launch(&AddAdjoint { forward: added, cotangents, up, down, light, beams, direct, surface, gradients })?;
        if let Some(forward) = forward.surface_components() {
            on.launch(&SurfaceAdjoint { forward, surface: written(surface), parameters })?;
        }
        on.launch(&BeamsAdjoint { batch, beam, cotangents, beams: written(beams), layers, gradients })?;
        if forward.options.corrects(&batch.inputs) {
            on.launch(&CorrectionsAdjoint {
                forward: forward.corrections(),
                cotangents,
                radiances,
                layers,
                azimuth: forward.azimuths[0],
                azimuth_weight: forward.azimuths[1],
                parameters,
                gradients,
            })?;
        }
        on.launch(&LayersAdjoint::<R, N> {
            batch,
            operators,
            beam,
            light: written(light_at_levels),
            light_bar: written(light),
            up: written(up),
            down: written(down),
            direct: written(direct),
            layers,
            gradients,
        })?;
        on.launch(&Gather { batch, layers: written(layers), parameters: written(parameters), gradients })
    }
}
