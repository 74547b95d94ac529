//! What kernels of layers that scatter leave to each other, on one device.

use isobar_core::{Field, FieldMut, Real};
use isobar_launch::{Buffer, Error, Plain, Queue};

use crate::scattering::Schedule;
use crate::scattering::add::Levels;
use crate::scattering::quadrature::Quadrature;
use crate::scattering::scan::{height, nodes};
use crate::scattering::slab::{Slabs, SlabsMut};

/// What the memory depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The profiles, at most.
    pub(super) profiles: usize,
    pub(super) layers: usize,
    /// The streams that have weights, and all.
    pub(super) nodes: usize,
    pub(super) streams: usize,
    pub(super) sun: bool,
    pub(super) levels: bool,
    /// Sequential or a tree.
    pub(super) schedule: Schedule,
}

/// Operators of layers, what is known of levels, and the tree.
pub struct Workspace<R: Real + Plain> {
    pub(super) layout: Layout,
    pub(super) node_cosine: Buffer<R>,
    pub(super) node_weight: Buffer<R>,
    pub(super) reflection: Buffer<R>,
    pub(super) transmission: Buffer<R>,
    pub(super) source_up: Buffer<R>,
    /// With the Sun; otherwise the same as upward.
    pub(super) source_down: Option<Buffer<R>>,
    pub(super) beam: Option<Buffer<R>>,
    pub(super) surface_source: Option<Buffer<R>>,
    /// Reflection and source of all that is below each level.
    pub(super) levels: Option<[Buffer<R>; 2]>,
    /// For all levels in sequence: how light passes each layer.
    pub(super) passage: Option<[Buffer<R>; 2]>,
    /// The heights of the tree from 1 up.
    pub(super) tree: Vec<Nodes<R>>,
    pub(super) statuses: Buffer<u32>,
}

/// Nodes of one height: reflection from above and below, transmission down and up; sources up and down.
pub(super) struct Nodes<R: Plain> {
    matrices: [Buffer<R>; 4],
    sources: [Buffer<R>; 2],
}

impl Layout {
    fn heights(&self) -> u32 {
        if self.schedule == Schedule::Tree { height(self.layers) } else { 0 }
    }

    /// The bytes that the workspace takes.
    pub(super) fn bytes<R>(&self) -> usize {
        let n = self.streams;
        let of_layers = 2 * n * n + n + if self.sun { n + 1 } else { 0 };
        let of_nodes: usize = (1..=self.heights()).map(|h| nodes(self.layers, h)).sum();
        let of_levels = if self.levels { 2 * (n * n + n) } else { 0 };
        let reals = self.layers * of_layers + of_nodes * (4 * n * n + 2 * n) + (self.layers + 1) * of_levels + n + 1;
        self.profiles * (reals * size_of::<R>() + self.layers * size_of::<u32>())
    }
}

impl<R: Real + Plain> Workspace<R> {
    pub(super) fn new(queue: &Queue, layout: Layout) -> Result<Self, Error> {
        let Layout { profiles, layers, streams: n, .. } = layout;
        let items = profiles * n;
        let (vectors, matrices) =
            (|count: usize| queue.zeros::<R>(count * items), |count: usize| queue.zeros::<R>(count * n * items));
        let with_sun = |len: usize| if layout.sun { queue.zeros(len).map(Some) } else { Ok(None) };
        let both = |wanted: bool, count: usize| -> Result<Option<[Buffer<R>; 2]>, Error> {
            if wanted { Ok(Some([matrices(count)?, vectors(count)?])) } else { Ok(None) }
        };
        let tree = (1..=layout.heights()).map(|h| {
            let count = nodes(layers, h);
            Ok(Nodes {
                matrices: [matrices(count)?, matrices(count)?, matrices(count)?, matrices(count)?],
                sources: [vectors(count)?, vectors(count)?],
            })
        });
        let quadrature = Quadrature::double_gauss(layout.nodes);
        let upload = |values: &[f64]| queue.upload(&values.iter().map(|&x| R::from_f64(x)).collect::<Vec<_>>());
        Ok(Self {
            layout,
            node_cosine: upload(&quadrature.cosine)?,
            node_weight: upload(&quadrature.weight)?,
            reflection: matrices(layers)?,
            transmission: matrices(layers)?,
            source_up: vectors(layers)?,
            source_down: with_sun(layers * items)?,
            beam: with_sun((layers + 1) * profiles)?,
            surface_source: with_sun(items)?,
            levels: both(layout.levels, layers + 1)?,
            passage: both(layout.levels && layout.schedule != Schedule::Tree, layers)?,
            tree: tree.collect::<Result<_, Error>>()?,
            // No kernel has more items than a warp for each profile of each layer; the Sun's may have one for few.
            statuses: queue.zeros(profiles * layers)?,
        })
    }
}

/// Views of slabs of matrices of an order, and vectors of `profiles * order` elements.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) order: usize,
    pub(super) items: usize,
}

impl Sizes {
    pub(super) fn matrices<'a, R: Plain>(&self, buffer: &'a Buffer<R>, count: usize) -> Field<'a, R> {
        buffer.item_fastest(count * self.order, self.items)
    }

    pub(super) fn matrices_mut<'a, R: Plain>(&self, buffer: &'a mut Buffer<R>, count: usize) -> FieldMut<'a, R> {
        buffer.item_fastest_mut(count * self.order, self.items)
    }

    /// The layers' operators as slabs.
    pub(super) fn layers<'a, R: Real + Plain>(
        &self,
        [reflection, transmission, source_up]: [&'a Buffer<R>; 3],
        source_down: Option<&'a Buffer<R>>,
        layers: usize,
    ) -> Slabs<'a, R> {
        let vectors = |buffer: &'a Buffer<R>| buffer.item_fastest(layers, self.items);
        let (reflection, transmission) = (self.matrices(reflection, layers), self.matrices(transmission, layers));
        let slabs = Slabs::homogeneous(reflection, transmission, vectors(source_up));
        Slabs { source_down: source_down.map_or(slabs.source_up, vectors), ..slabs }
    }

    pub(super) fn nodes<'a, R: Real + Plain>(&self, nodes: &'a Nodes<R>, count: usize) -> Slabs<'a, R> {
        let [reflection_above, reflection_below, transmission_down, transmission_up] =
            nodes.matrices.each_ref().map(|buffer| self.matrices(buffer, count));
        let [source_up, source_down] = nodes.sources.each_ref().map(|buffer| buffer.item_fastest(count, self.items));
        Slabs { reflection_above, reflection_below, transmission_down, transmission_up, source_up, source_down }
    }

    pub(super) fn nodes_mut<'a, R: Real + Plain>(&self, nodes: &'a mut Nodes<R>, count: usize) -> SlabsMut<'a, R> {
        let [reflection_above, reflection_below, transmission_down, transmission_up] =
            nodes.matrices.each_mut().map(|buffer| self.matrices_mut(buffer, count));
        let [source_up, source_down] =
            nodes.sources.each_mut().map(|buffer| buffer.item_fastest_mut(count, self.items));
        SlabsMut { reflection_above, reflection_below, transmission_down, transmission_up, source_up, source_down }
    }

    /// All levels, or nothing.
    pub(super) fn levels<'a, R: Real + Plain>(
        &self,
        buffers: &'a mut Option<[Buffer<R>; 2]>,
        [up, down]: [FieldMut<'a, R>; 2],
        count: usize,
    ) -> Levels<'a, R> {
        let Some([reflection, source]) = buffers else { return Levels::none() };
        Levels {
            reflection: self.matrices_mut(reflection, count),
            source: source.item_fastest_mut(count, self.items),
            up,
            down,
        }
    }
}
