//! Profiles that scatter, and their radiances, in the memory of one device.

use std::f64::consts::PI;
use std::ops::Range;

use isobar_core::{Field, FieldMut, Real};
use isobar_launch::{Buffer, Error, Plain, Queue};

use super::Precision;
use super::ptx::load;
use super::scattered::{ScatteringRadiances, ScatteringSchedule};
use super::share::part;
use crate::scattering::add::{AddLayers, Levels};
use crate::scattering::batch::{PhaseFunction, Reflection, ScatteringProfiles};
use crate::scattering::operator::{LARGEST_ALBEDO, LayerOperators};
use crate::scattering::phase::Phase;
use crate::scattering::scan::{CloseTree, OpenTree, StarPairs, height, nodes};
use crate::scattering::slab::{Slabs, SlabsMut};
use crate::scattering::streams::width;
use crate::scattering::sun::{Beam, Sunlight};
use crate::scattering::surface::{LAMBERTIAN, SPECULAR, Surface};
use crate::scattering::unroll::LARGEST_ORDER;

/// Some profiles of a batch that scatters on the device of a queue, and room for their radiances.
pub struct ScatteringResident<R: Real + Plain> {
    inputs: Inputs<R>,
    work: Work<R>,
    top: Buffer<R>,
    schedule: ScatteringSchedule,
    all_levels: bool,
    statuses: Buffer<u32>,
}

/// What is given of each profile.
struct Inputs<R: Real + Plain> {
    profiles: usize,
    layers: usize,
    streams: usize,
    nodes: usize,
    delta: bool,
    cosine: Buffer<R>,
    weight: Buffer<R>,
    optical_depth: Buffer<R>,
    albedo: Buffer<R>,
    planck: Buffer<R>,
    asymmetry: Option<Buffer<R>>,
    moments: Option<Buffer<R>>,
    reflection: Reflection,
    emissivity: Buffer<R>,
    surface_planck: Buffer<R>,
    cosmic: Buffer<R>,
    sun: Option<SunAbove<R>>,
}

struct SunAbove<R: Plain> {
    cosine: Buffer<R>,
    over_pi: Buffer<R>,
    reflectivity: Buffer<R>,
}

/// What is computed on the way to the radiance at the top.
struct Work<R: Real + Plain> {
    reflection: Buffer<R>,
    transmission: Buffer<R>,
    source_up: Buffer<R>,
    /// With the Sun; otherwise the same as upward.
    source_down: Option<Buffer<R>>,
    beam: Option<Buffer<R>>,
    surface_source: Option<Buffer<R>>,
    levels: Option<LevelBuffers<R>>,
    /// For all levels in sequence: how light passes each layer.
    passage: Option<[Buffer<R>; 2]>,
    /// The heights of the tree from 1 up.
    tree: Vec<Nodes<R>>,
}

/// What is kept of each level, and its radiances.
struct LevelBuffers<R: Plain> {
    reflection: Buffer<R>,
    source: Buffer<R>,
    up: Buffer<R>,
    down: Buffer<R>,
}

/// Nodes of one height: reflection from above and below, transmission down and up; sources up and down.
struct Nodes<R: Plain> {
    matrices: [Buffer<R>; 4],
    sources: [Buffer<R>; 2],
}

impl<R: Real + Plain> ScatteringResident<R> {
    /// Takes the profiles of a range, which are valid, to the queue's device, and makes room for the schedule, which is
    /// not `Auto`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], or what the driver answers.
    pub fn new(
        queue: &Queue,
        batch: &ScatteringProfiles,
        range: Range<usize>,
        schedule: ScatteringSchedule,
        levels: bool,
    ) -> Result<Self, Error> {
        load(queue)?;
        let inputs = Inputs::new(queue, batch, &range)?;
        let (profiles, streams) = (range.len(), batch.streams());
        Ok(Self {
            work: Work::new(queue, &inputs, schedule, levels)?,
            top: queue.zeros(profiles * streams)?,
            // No kernel has more items than a warp for each profile of each layer; the Sun's may have one for few.
            statuses: queue.zeros(profiles * batch.layers())?,
            inputs,
            schedule,
            all_levels: levels,
        })
    }

    /// The bytes that a profile takes on a device.
    #[must_use]
    pub fn bytes_per_profile(batch: &ScatteringProfiles, schedule: ScatteringSchedule, levels: bool) -> usize {
        let (layers, n) = (batch.layers(), batch.streams());
        let moments = match &batch.phase {
            PhaseFunction::Asymmetry(_) => 1,
            PhaseFunction::Moments(_) => batch.terms() + usize::from(batch.delta),
        };
        let inputs = layers * (3 + moments) + 6 * n + 4;
        let slab = 2 * n * n + 2 * n;
        let nodes_of_tree: usize = (1..=height(layers)).map(|h| nodes(layers, h)).sum();
        let tree = if schedule == ScatteringSchedule::Tree { nodes_of_tree * (2 * slab) } else { layers * (n * n + n) };
        let all_levels = (layers + 1) * (n * n + 3 * n);
        let work = layers * slab
            + match (schedule, levels) {
                (_, true) => all_levels + tree,
                (ScatteringSchedule::Tree, false) => tree,
                _ => 0,
            };
        size_of::<R>() * (inputs + work) + size_of::<u32>() * layers
    }

    /// Computes the radiances, by the queue with which the profiles were brought.
    ///
    /// # Errors
    /// What the driver answers; on a GPU also later, by [`ScatteringResident::radiances`].
    pub fn compute(&mut self, queue: &Queue) -> Result<(), Error>
    where
        R: Precision,
    {
        R::compute_scattering(self, queue)
    }

    pub(crate) fn compute_any(&mut self, queue: &Queue) -> Result<(), Error> {
        let (streams, sun) = (self.inputs.streams, usize::from(self.inputs.sun.is_some()));
        // With the kernels that have room for the order: in the operators the Sun is a stream, too.
        macro_rules! with_room {
            ($order:expr, $method:ident) => {
                match width($order) {
                    _ if queue.device().is_cpu() => self.$method::<LARGEST_ORDER>(queue),
                    4 => self.$method::<4>(queue),
                    8 => self.$method::<8>(queue),
                    16 => self.$method::<16>(queue),
                    _ => self.$method::<LARGEST_ORDER>(queue),
                }
            };
        }
        with_room!(streams + sun, layers)?;
        match self.schedule {
            ScatteringSchedule::Tree => with_room!(streams, tree),
            ScatteringSchedule::Auto | ScatteringSchedule::Sequential => with_room!(streams, sequence),
        }
    }

    /// The radiances that were computed.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn radiances(&self, queue: &Queue) -> Result<ScatteringRadiances<R>, Error> {
        let (level_up, level_down) = match &self.work.levels {
            Some(levels) => (queue.to_host(&levels.up)?, queue.to_host(&levels.down)?),
            None => (Vec::new(), Vec::new()),
        };
        Ok(ScatteringRadiances { top: queue.to_host(&self.top)?, level_up, level_down })
    }

    /// Every layer's operators.
    fn layers<const N: usize>(&mut self, queue: &Queue) -> Result<(), Error> {
        let (inputs, work) = (&self.inputs, &mut self.work);
        let (layers, profiles, streams) = (inputs.layers, inputs.profiles, inputs.streams);
        let items = profiles * streams;
        let mut sunlight = Sunlight::none();
        if let (Some(sun), Some(beam), Some(source)) = (&inputs.sun, &mut work.beam, &mut work.surface_source) {
            let kernel = Beam {
                optical_depth: inputs.optical_depth.item_fastest(layers, profiles),
                albedo: inputs.albedo.item_fastest(layers, profiles),
                phase: inputs.phase(),
                cosine: sun.cosine.column(),
                sun_over_pi: sun.over_pi.column(),
                reflectivity: sun.reflectivity.item_fastest(streams, profiles),
                beam: beam.item_fastest_mut(layers + 1, profiles),
                surface_source: source.item_fastest_mut(streams, profiles),
            };
            queue.launch(&kernel, &mut self.statuses)?;
            sunlight = Sunlight { cosine: sun.cosine.column(), beam: beam.item_fastest(layers + 1, profiles) };
        }
        let kernel = LayerOperators::<R, N> {
            order: streams as u32,
            optical_depth: inputs.optical_depth.item_fastest(layers, profiles),
            albedo: inputs.albedo.item_fastest(layers, profiles),
            planck: inputs.planck.item_fastest(layers, profiles),
            largest_albedo: R::from_f64(LARGEST_ALBEDO),
            cosine: inputs.cosine.item_fastest(streams, profiles),
            weight: inputs.weight.item_fastest(streams, profiles),
            nodes: inputs.nodes as u32,
            phase: inputs.phase(),
            sunlight,
            reflection: work.reflection.item_fastest_mut(layers * streams, items),
            transmission: work.transmission.item_fastest_mut(layers * streams, items),
            source_up: work.source_up.item_fastest_mut(layers, items),
            source_down: work.source_down.as_mut().map_or(FieldMut::empty(), |b| b.item_fastest_mut(layers, items)),
        };
        queue.launch(&kernel, &mut self.statuses)
    }

    /// Layer upon layer.
    fn sequence<const N: usize>(&mut self, queue: &Queue) -> Result<(), Error> {
        let (inputs, work) = (&self.inputs, &mut self.work);
        let (layers, items, order) = (inputs.layers, inputs.profiles * inputs.streams, inputs.streams as u32);
        let slabs = slabs(&work.reflection, &work.transmission, &work.source_up, work.source_down.as_ref(), inputs);
        let surface = inputs.surface(work.surface_source.as_ref());
        let (cosmic, top) = (inputs.cosmic.column(), self.top.item_fastest_mut(1, items));
        let levels = levels(&mut work.levels, inputs.streams, layers + 1, items);
        let (transmission, source) = match &mut work.passage {
            Some([transmission, source]) => {
                (transmission.item_fastest_mut(layers * inputs.streams, items), source.item_fastest_mut(layers, items))
            }
            None => (FieldMut::empty(), FieldMut::empty()),
        };
        let kernel = AddLayers::<R, N> { order, layers: slabs, surface, cosmic, top, levels, transmission, source };
        queue.launch(&kernel, &mut self.statuses)
    }

    /// Pairs of layers, pairs of pairs and so on.
    fn tree<const N: usize>(&mut self, queue: &Queue) -> Result<(), Error> {
        let (inputs, work, statuses) = (&self.inputs, &mut self.work, &mut self.statuses);
        let (layers, streams, order) = (inputs.layers, inputs.streams, inputs.streams as u32);
        let items = inputs.profiles * streams;
        let leaves = slabs(&work.reflection, &work.transmission, &work.source_up, work.source_down.as_ref(), inputs);
        for h in 1..=work.tree.len() {
            let (below, from) = work.tree.split_at_mut(h - 1);
            let children =
                below.last().map_or(leaves, |below| below.slabs(nodes(layers, h as u32 - 1), streams, items));
            let parents = from[0].slabs_mut(nodes(layers, h as u32), streams, items);
            queue.launch(&StarPairs::<R, N> { order, children, parents }, statuses)?;
        }
        let root = work.tree.last().map_or(leaves, |root| root.slabs(1, streams, items));
        let surface = inputs.surface(work.surface_source.as_ref());
        let (cosmic, top) = (inputs.cosmic.column(), self.top.item_fastest_mut(1, items));
        let levels = levels(&mut work.levels, streams, layers + 1, items);
        queue.launch(&CloseTree::<R, N> { order, root, surface, cosmic, top, levels }, statuses)?;
        if !self.all_levels {
            return Ok(());
        }
        for height in (1..=work.tree.len() as u32).rev() {
            let below = work.tree[..height as usize - 1].last();
            let children = below.map_or(leaves, |below| below.slabs(nodes(layers, height - 1), streams, items));
            queue.launch(&OpenTree::<R, N> { order, children, height, levels }, statuses)?;
        }
        Ok(())
    }
}

impl<R: Real + Plain> Inputs<R> {
    fn new(queue: &Queue, batch: &ScatteringProfiles, range: &Range<usize>) -> Result<Self, Error> {
        let (profiles, layers) = (range.len(), batch.layers());
        let upload = |values: &[f64]| queue.upload(&part::<R>(values, batch.profiles(), range));
        let (cosine, weight) = batch.directions();
        let (asymmetry, moments) = match &batch.phase {
            PhaseFunction::Asymmetry(values) => (Some(upload(values)?), None),
            PhaseFunction::Moments(values) => (None, Some(upload(values)?)),
        };
        let sun = match &batch.sun {
            Some(sun) => Some(SunAbove {
                cosine: upload(&sun.cosine)?,
                over_pi: upload(&sun.irradiance.iter().map(|f| f / PI).collect::<Vec<_>>())?,
                reflectivity: upload(&sun.reflectivity)?,
            }),
            None => None,
        };
        Ok(Self {
            profiles,
            layers,
            streams: batch.streams(),
            nodes: batch.nodes,
            delta: batch.delta,
            cosine: upload(&cosine)?,
            weight: upload(&weight)?,
            optical_depth: upload(&batch.optical_depth)?,
            albedo: upload(&batch.albedo)?,
            planck: upload(&batch.planck_radiance)?,
            asymmetry,
            moments,
            reflection: batch.reflection,
            emissivity: upload(&batch.emissivity)?,
            surface_planck: upload(&batch.surface_planck)?,
            cosmic: upload(&batch.cosmic)?,
            sun,
        })
    }

    fn phase(&self) -> Phase<'_, R> {
        let terms = 2 * self.nodes;
        let rows = self.layers * (terms + usize::from(self.delta));
        Phase {
            forward: Field::empty(),
            backward: Field::empty(),
            sun_forward: Field::empty(),
            sun_backward: Field::empty(),
            moments: self.moments.as_ref().map_or(Field::empty(), |b| b.item_fastest(rows, self.profiles)),
            asymmetry: self.asymmetry.as_ref().map_or(Field::empty(), |b| b.item_fastest(self.layers, self.profiles)),
            terms: terms as u32,
            delta: u32::from(self.delta),
        }
    }

    /// The surface, with what it reflects of the Sun.
    fn surface<'a>(&'a self, source: Option<&'a Buffer<R>>) -> Surface<'a, R> {
        let of_streams = |buffer: &'a Buffer<R>| buffer.item_fastest(self.streams, self.profiles);
        Surface {
            kind: match self.reflection {
                Reflection::Specular => SPECULAR,
                Reflection::Lambertian => LAMBERTIAN,
            },
            reflection: Field::empty(),
            emissivity: of_streams(&self.emissivity),
            planck: self.surface_planck.column(),
            source: source.map_or(Field::empty(), of_streams),
            cosine: of_streams(&self.cosine),
            weight: of_streams(&self.weight),
        }
    }
}

impl<R: Real + Plain> Work<R> {
    fn new(queue: &Queue, inputs: &Inputs<R>, schedule: ScatteringSchedule, levels: bool) -> Result<Self, Error> {
        let (layers, profiles, n) = (inputs.layers, inputs.profiles, inputs.streams);
        let items = profiles * n;
        let (vectors, matrices) =
            (|count: usize| queue.zeros::<R>(count * items), |count: usize| queue.zeros::<R>(count * n * items));
        let with_sun = |len: usize| if inputs.sun.is_some() { queue.zeros(len).map(Some) } else { Ok(None) };
        let level_buffers = || -> Result<LevelBuffers<R>, Error> {
            let count = layers + 1;
            Ok(LevelBuffers {
                reflection: matrices(count)?,
                source: vectors(count)?,
                up: vectors(count)?,
                down: vectors(count)?,
            })
        };
        let is_tree = schedule == ScatteringSchedule::Tree;
        let heights = if is_tree { height(layers) } else { 0 };
        let tree = (1..=heights).map(|h| {
            let count = nodes(layers, h);
            Ok(Nodes {
                matrices: [matrices(count)?, matrices(count)?, matrices(count)?, matrices(count)?],
                sources: [vectors(count)?, vectors(count)?],
            })
        });
        Ok(Self {
            reflection: matrices(layers)?,
            transmission: matrices(layers)?,
            source_up: vectors(layers)?,
            source_down: with_sun(layers * items)?,
            beam: with_sun((layers + 1) * profiles)?,
            surface_source: with_sun(items)?,
            levels: if levels { Some(level_buffers()?) } else { None },
            passage: if levels && !is_tree { Some([matrices(layers)?, vectors(layers)?]) } else { None },
            tree: tree.collect::<Result<_, Error>>()?,
        })
    }
}

impl<R: Real + Plain> Nodes<R> {
    fn slabs(&self, count: usize, order: usize, items: usize) -> Slabs<'_, R> {
        let [reflection_above, reflection_below, transmission_down, transmission_up] =
            self.matrices.each_ref().map(|buffer| buffer.item_fastest(count * order, items));
        let [source_up, source_down] = self.sources.each_ref().map(|buffer| buffer.item_fastest(count, items));
        Slabs { reflection_above, reflection_below, transmission_down, transmission_up, source_up, source_down }
    }

    fn slabs_mut(&mut self, count: usize, order: usize, items: usize) -> SlabsMut<'_, R> {
        let [reflection_above, reflection_below, transmission_down, transmission_up] =
            self.matrices.each_mut().map(|buffer| buffer.item_fastest_mut(count * order, items));
        let [source_up, source_down] = self.sources.each_mut().map(|buffer| buffer.item_fastest_mut(count, items));
        SlabsMut { reflection_above, reflection_below, transmission_down, transmission_up, source_up, source_down }
    }
}

/// The layers' operators as slabs.
fn slabs<'a, R: Real + Plain>(
    reflection: &'a Buffer<R>,
    transmission: &'a Buffer<R>,
    source_up: &'a Buffer<R>,
    source_down: Option<&'a Buffer<R>>,
    inputs: &Inputs<R>,
) -> Slabs<'a, R> {
    let (layers, streams) = (inputs.layers, inputs.streams);
    let items = inputs.profiles * streams;
    let matrix = |buffer: &'a Buffer<R>| buffer.item_fastest(layers * streams, items);
    let slabs = Slabs::homogeneous(matrix(reflection), matrix(transmission), source_up.item_fastest(layers, items));
    Slabs { source_down: source_down.map_or(slabs.source_up, |buffer| buffer.item_fastest(layers, items)), ..slabs }
}

/// All levels, or nothing.
fn levels<R: Real + Plain>(
    buffers: &mut Option<LevelBuffers<R>>,
    streams: usize,
    count: usize,
    items: usize,
) -> Levels<'_, R> {
    match buffers {
        Some(LevelBuffers { reflection, source, up, down }) => Levels {
            reflection: reflection.item_fastest_mut(count * streams, items),
            source: source.item_fastest_mut(count, items),
            up: up.item_fastest_mut(count, items),
            down: down.item_fastest_mut(count, items),
        },
        None => Levels::none(),
    }
}
