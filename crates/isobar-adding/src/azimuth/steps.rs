//! From profiles to radiances: which kernels follow each other, whoever runs them, and the memory between them.

use isobar_core::fields::{Extents, LAYER};
use isobar_core::{Column, Field, FieldMut, Kernel, Real};

use crate::azimuth::{Options, Surface};
use crate::fields::azimuth::{AZIMUTH, ProfileViews, RadianceViews, SUN, VIEW};
use crate::fields::scattering;
#[cfg(feature = "launch")]
use crate::fields::scattering::STREAM;
use crate::physics::azimuth::medium::Nodes;
#[cfg(feature = "launch")]
use crate::physics::azimuth::operator::VIEWS;
use crate::physics::azimuth::spherical::Recurrence;
use crate::physics::azimuth::surface::Kind;
use crate::schedule::azimuth::add::AddLayers;
use crate::schedule::azimuth::batch::{Batch, Places};
use crate::schedule::azimuth::beams::SunBeams;
use crate::schedule::azimuth::corrections::Corrections;
use crate::schedule::azimuth::layers::LayerOperators;
use crate::schedule::azimuth::streams::StreamRadiances;
use crate::schedule::azimuth::sum::SumComponents;
use crate::schedule::azimuth::surface::{GivenSurface, SurfaceComponents, SurfacePlaces};

/// Moments of Henyey and Greenstein's phase function that the second correction adds up at most: they end earlier, but
/// for asymmetries of more than 0.998.
const MOMENTS: u32 = 1 << 15;

/// Whoever runs kernels.
pub(crate) trait Launch {
    /// What may go wrong.
    type Error;

    /// Whether there are kernels with room for 4 and for 16 nodes, which are faster for these, besides those for 8 and
    /// 32: each takes its time to compile.
    const ALL_ROOMS: bool;

    /// Is it a GPU?
    fn is_gpu(&self) -> bool;

    /// Runs all items.
    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Self::Error>;
}

/// What the memory depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) profiles: usize,
    pub(super) layers: usize,
    pub(crate) nodes: usize,
    pub(super) views: usize,
    pub(super) suns: usize,
    azimuths: usize,
    pub(super) components: usize,
    levels: bool,
    pub(crate) surface: Surface,
    /// Is the surface given by direction, whatever is said of it otherwise?
    given: bool,
}

impl Sizes {
    pub(crate) fn new(extents: &Extents, options: &Options, azimuths: bool, profiles: usize) -> Self {
        Self {
            profiles,
            layers: extents.size(LAYER),
            nodes: options.nodes,
            views: extents.size(VIEW),
            suns: extents.size(SUN),
            azimuths: extents.size(AZIMUTH),
            components: options.computed_components(azimuths),
            levels: options.levels,
            surface: options.surface,
            given: false,
        }
    }

    /// Of means over the azimuth, seen along nodes and perhaps one view.
    #[cfg(feature = "launch")]
    pub(crate) fn of_streams(extents: &Extents, nodes: usize, levels: bool, profiles: usize) -> Self {
        Self {
            profiles,
            layers: extents.size(LAYER),
            nodes,
            views: extents.size(STREAM) - nodes,
            suns: 1,
            azimuths: 1,
            components: 1,
            levels,
            surface: Surface::Lambertian,
            given: true,
        }
    }

    /// Those of [`Self::rows`] that teams of lanes have: operators, passages and light.
    #[cfg(feature = "launch")]
    pub(crate) const OF_TEAMS: core::ops::Range<usize> = 1..4;

    /// Rows of beams, operators, passages, light, radiances upward and downward by component, and of the surface.
    pub(crate) fn rows(&self) -> [usize; 7] {
        let Self { layers, nodes: n, views, suns, components, .. } = *self;
        let seen = components * if self.levels { layers + 1 } else { 1 } * suns * views;
        let surface = SurfacePlaces::rows(n, views, suns, components);
        [
            (layers + 1) * suns,
            components * layers * Places::rows(n, views, suns),
            components * layers * n * n,
            components * (layers + 1) * suns * 2 * n,
            seen,
            seen,
            if self.surface == Surface::Lambertian && !self.given { 0 } else { surface },
        ]
    }

    /// The memory of this.
    #[cfg(feature = "launch")]
    pub(crate) fn bytes<R>(&self) -> usize {
        self.profiles * self.rows().iter().sum::<usize>() * size_of::<R>() + self.kernel_items() * size_of::<u32>()
    }

    /// The most items that a kernel has.
    #[cfg(feature = "launch")]
    pub(crate) fn kernel_items(&self) -> usize {
        let Self { profiles, layers, nodes, views, suns, azimuths, components, .. } = *self;
        let operators = layers * components * views.div_ceil(VIEWS).max(1);
        profiles * operators.max(nodes + views).max(suns * views * azimuths).max(layers + 1)
    }
}

/// What [`crate::Scattering`] has in the place of a surface's parameters and of light from any direction.
#[derive(Clone, Copy)]
pub(crate) struct Streams<'a, R> {
    /// As [`GivenSurface`] wants them.
    pub(crate) emissivity: Field<'a, R>,
    pub(crate) sun_reflectivity: Field<'a, R>,
    pub(crate) specular: bool,
    /// The radiances.
    pub(crate) outputs: scattering::RadianceViews<'a, R>,
}

/// A batch with its memory.
pub(crate) struct Steps<'a, R> {
    pub(crate) sizes: Sizes,
    pub(crate) options: &'a Options,
    pub(crate) inputs: ProfileViews<'a, R>,
    pub(crate) outputs: RadianceViews<'a, R>,
    /// With them the outputs are empty.
    pub(crate) streams: Option<Streams<'a, R>>,
    /// Moments of each layer in the inputs.
    pub(crate) moments: usize,
    /// Do layers count as clear whose moments of a component are all 0?
    pub(crate) skips: bool,
    pub(crate) nodes: Nodes<'a, R>,
    /// Azimuths of the surface's reflectance, and their weights.
    pub(crate) azimuths: [Column<'a, R>; 2],
    /// As [`Sizes::rows`].
    pub(crate) fields: [FieldMut<'a, R>; 7],
}

impl<R: Real> Steps<'_, R> {
    /// Runs the kernels that have room for the nodes.
    pub(crate) fn of_any_size<L: Launch>(&self, on: &mut L) -> Result<(), L::Error> {
        let nodes = self.sizes.nodes;
        if const { L::ALL_ROOMS } {
            if nodes <= 4 && !on.is_gpu() {
                return self.run::<4, L>(on);
            }
            if (9..=16).contains(&nodes) {
                return self.run::<16, L>(on);
            }
        }
        if nodes <= 8 { self.run::<8, L>(on) } else { self.run::<32, L>(on) }
    }

    fn run<const N: usize, L: Launch>(&self, on: &mut L) -> Result<(), L::Error> {
        let Self { options, inputs, outputs, .. } = *self;
        let batch = self.batch();
        let AddLayers { up, down, levels, light, .. } = self.add_layers::<N, L>(on)?;
        if let Some(Streams { outputs, .. }) = self.streams {
            let (light, up, down) = (written(light), written(up), written(down));
            return on.launch(&StreamRadiances { batch, light, up, down, levels, outputs });
        }
        on.launch(&SumComponents { batch, up: written(up), down: written(down), levels, outputs })?;
        if options.corrects(&inputs) {
            on.launch(&self.corrections())?;
        }
        Ok(())
    }

    /// What all kernels know.
    pub(super) fn batch(&self) -> Batch<'_, R> {
        let Self { sizes, options, inputs, .. } = *self;
        Batch {
            inputs,
            nodes: self.nodes,
            order: sizes.nodes as u32,
            views: sizes.views as u32,
            suns: sizes.suns as u32,
            moments: self.moments as u32,
            components: sizes.components as u32,
            delta: u32::from(options.delta_scaling),
            skips: u32::from(self.skips),
        }
    }

    /// The light of each component: the last of the kernels that compute it.
    pub(super) fn add_layers<const N: usize, L: Launch>(&self, on: &mut L) -> Result<AddLayers<'_, R, N>, L::Error> {
        let (batch, outputs, levels) = (self.batch(), self.outputs, u32::from(self.options.levels));
        let [beam, operators, passage, light, up, down, surface] = self.fields;
        on.launch(&SunBeams { batch, beam })?;
        on.launch(&LayerOperators::<R, N> { batch, operators })?;
        if let Some(Streams { emissivity, sun_reflectivity, specular, .. }) = self.streams {
            let specular = u32::from(specular);
            on.launch(&GivenSurface { batch, emissivity, sun_reflectivity, specular, surface })?;
        } else if let Some(components) = self.surface_components() {
            on.launch(&components)?;
        }
        let beams = written(beam);
        let (operators, surface) = (written(operators), written(surface));
        let last = AddLayers::<R, N> { batch, operators, surface, beams, passage, light, up, down, levels, outputs };
        on.launch(&last)?;
        Ok(last)
    }

    /// How the surface reflects, unless it is Lambertian.
    pub(super) fn surface_components(&self) -> Option<SurfaceComponents<'_, R>> {
        let [azimuth, azimuth_weight] = self.azimuths;
        let [.., surface] = self.fields;
        let kind = self.options.surface.kind()?;
        Some(SurfaceComponents { batch: self.batch(), kind, azimuth, azimuth_weight, surface })
    }

    pub(super) fn corrections(&self) -> Corrections<'_, R> {
        let batch = self.batch();
        let moments = if batch.moments == 0 { MOMENTS } else { batch.moments };
        // Of a Lambertian surface, whose field is empty, it does not matter.
        let kind = self.options.surface.kind().unwrap_or(Kind::Rpv);
        let [beam, .., surface] = self.fields.map(written);
        let levels = u32::from(self.options.levels);
        Corrections { batch, moments, levels, kind, surface, beam, outputs: self.outputs }
    }
}

/// What a kernel before has written.
pub(super) fn written<'a, R: Copy>(field: FieldMut<'a, R>) -> Field<'a, R> {
    // SAFETY: kernels follow each other, and none writes what it reads by a view of this kind.
    unsafe { field.read() }
}

/// The numbers of [`super::NodeTables`] as views: `field` and `column` are of its table of a number.
pub(crate) fn nodes<'a, R: Real>(
    n: usize,
    field: impl Fn(usize, usize) -> Field<'a, R>,
    column: impl Fn(usize) -> Column<'a, R>,
) -> Nodes<'a, R> {
    Nodes {
        functions: field(0, 4 * n * n),
        turned_secant: field(1, n),
        secant: column(2),
        flux: column(3),
        mean: column(4),
        axis: column(5),
        recurrence: Recurrence { first: column(6), ahead: column(7), back: column(8) },
    }
}
