//! Layers that scatter on some devices.

use std::marker::PhantomData;
use std::ops::Range;

use isobar_core::fields::{self, Declared, Extents, LAYER, LEVEL};
use isobar_core::{Field, FieldMut};
use isobar_launch::{Buffer, Device, Error, Given, Job, Model, Outputs, Ptx, Queue, Scheme, Shape, compiled_here};

use super::finite::not_finite;
use super::slabs::{Layout, Sizes, Workspace};
use crate::ptx::PTX;
use crate::scattering::add::AddLayers;
use crate::scattering::directions::StreamDirections;
use crate::scattering::operator::LayerOperators;
use crate::scattering::phase::Phase;
use crate::scattering::scan::{CloseTree, OpenTree, StarPairs, nodes};
use crate::scattering::streams::width;
use crate::scattering::sun::Beam;
use crate::scattering::surface::{LAMBERTIAN, SPECULAR, Surface};
use crate::scattering::unroll::LARGEST_ORDER;
use crate::scattering::{Options, ProfileViews, RadianceViews, Radiances, Reflection, STREAM, Schedule};

/// Radiances of profiles that scatter, in the precision `R`: on one thread, on all, on GPUs.
///
/// ```
/// use isobar_adding::scattering::{Options, Profiles};
/// use isobar_adding::{Device, Scattering};
///
/// // An isothermal atmosphere over a black surface of its own temperature: nothing is to be seen of the cloud.
/// let profiles = Profiles {
///     optical_depth: vec![0.1, 100.0],
///     single_scattering_albedo: vec![0.0, 0.0],
///     asymmetry: vec![0.0, 0.85],
///     planck_radiance: vec![80.0; 2],
///     surface_planck_radiance: vec![80.0],
///     emissivity: vec![1.0; 4],
///     cosmic_background: vec![0.0],
///     ..Profiles::default()
/// };
/// let radiances = Scattering::<f64>::on(&[Device::Cpu]).run(&profiles, &Options::new(4))?;
/// assert!(radiances.top_radiance.iter().all(|radiance| (radiance - 80.0).abs() < 1e-12));
/// # Ok::<(), isobar_adding::RunError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Scattering<R>(PhantomData<R>);

/// Profiles that a GPU takes at a time, if its memory holds them: enough for all of its warps.
const GPU_CHUNK: usize = 1 << 14;
/// Profiles that a CPU takes at a time: some for each thread, and a few hundred MB of matrices.
const CPU_CHUNK: usize = 1 << 9;

impl<R: Precision> Scattering<R> {
    /// On these devices, which share each batch.
    #[must_use]
    pub fn on(devices: &[Device]) -> Model<Self> {
        Model::new(Self(PhantomData), devices)
    }
}

impl<R: Precision> Scheme for Scattering<R> {
    type Real = R;
    type Inputs<'a> = ProfileViews<'a, R>;
    type Results = Radiances<R>;
    type Options = Options;
    type Tables = ();
    type Workspace = Workspace<R>;

    const ITEM: &'static str = "profile";
    const PTX: &'static [Ptx] = &PTX;
    const TOP_FIRST: bool = true;

    fn extents(&self, inputs: &ProfileViews<'_, R>, options: &Options) -> Result<Extents, fields::Error> {
        options.extents(inputs)
    }

    fn resolve(&self, _inputs: &ProfileViews<'_, R>, extents: &Extents, options: &Options) -> Options {
        Options { schedule: options.schedule.resolve(extents.items(), extents.size(STREAM)), ..options.clone() }
    }

    fn wants(&self, declared: &'static Declared, _extents: &Extents, options: &Options) -> bool {
        options.levels || !declared.shape.contains(&LEVEL)
    }

    fn check_results(
        &self,
        results: &Outputs<'_, Self>,
        extents: &Extents,
        _options: &Options,
        range: Range<usize>,
    ) -> Vec<fields::Error> {
        not_finite(&RadianceViews::<R>::DECLARED[0], results.top_radiance, results.status, extents, range)
    }

    fn chunk_items(&self, device: Device, _extents: &Extents) -> usize {
        if device.is_cpu() { CPU_CHUNK } else { GPU_CHUNK }
    }

    fn tables(&self, _queue: &Queue) -> Result<(), Error> {
        Ok(())
    }

    fn workspace_bytes(&self, _device: Device, shape: &Shape<Self>, items: usize) -> usize {
        layout(shape, items).bytes::<R>()
    }

    fn workspace(&self, queue: &Queue, (): &(), shape: &Shape<Self>, items: usize) -> Result<Workspace<R>, Error> {
        Workspace::new(queue, layout(shape, items))
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        R::enqueue(job)
    }
}

fn layout<R: Precision>(shape: &Shape<Scattering<R>>, profiles: usize) -> Layout {
    Layout {
        profiles,
        layers: shape.extents.size(LAYER),
        nodes: shape.options.nodes,
        streams: shape.extents.size(STREAM),
        sun: shape.given("sun_cosine") != Given::Nothing,
        levels: shape.options.levels,
        schedule: shape.options.schedule,
    }
}

/// Gives the kernels of a job to its queue.
fn enqueue<R: Precision>(job: Job<'_, '_, '_, Scattering<R>>) -> Result<(), Error> {
    let Job { queue, workspace, options, extents, inputs, outputs, .. } = job;
    // What the whole batch has decided stands.
    let schedule = if options.schedule == Schedule::Auto { workspace.layout.schedule } else { options.schedule };
    if workspace.layout.schedule != schedule {
        *workspace = Workspace::new(queue, Layout { schedule, ..workspace.layout })?;
    }
    let (streams, sun) = (extents.size(STREAM), usize::from(!inputs.sun_cosine.is_empty()));
    let sizes = Sizes { order: streams, items: extents.items() * streams };
    let mut profiles = Batch { queue, options, inputs, outputs, layers: extents.size(LAYER), sizes, workspace };
    // With the kernels that have room for the order: in the operators the Sun is a stream, too.
    macro_rules! with_room {
        ($order:expr, $method:ident) => {
            match width($order) {
                _ if queue.device().is_cpu() => profiles.$method::<LARGEST_ORDER>(),
                4 => profiles.$method::<4>(),
                8 => profiles.$method::<8>(),
                16 => profiles.$method::<16>(),
                _ => profiles.$method::<LARGEST_ORDER>(),
            }
        };
    }
    with_room!(streams + sun, operators)?;
    match schedule {
        Schedule::Tree => with_room!(streams, tree),
        Schedule::Auto | Schedule::Sequential => with_room!(streams, sequence),
    }
}

/// Profiles on a device, and what is known of their layers.
struct Batch<'a, R: Precision> {
    queue: &'a Queue,
    options: &'a Options,
    inputs: ProfileViews<'a, R>,
    outputs: RadianceViews<'a, R>,
    layers: usize,
    sizes: Sizes,
    workspace: &'a mut Workspace<R>,
}

impl<R: Precision> Batch<'_, R> {
    /// Every layer's operators.
    fn operators<const N: usize>(&mut self) -> Result<(), Error> {
        let Self { inputs, layers, sizes, workspace: work, .. } = self;
        let (inputs, layers, profiles) = (*inputs, *layers, sizes.items / sizes.order);
        let phase = Phase::expanded_of(&inputs, 2 * self.options.nodes as u32, self.options.delta_scaling);
        let mut beam = Field::empty();
        if let (Some(buffer), Some(source)) = (&mut work.beam, &mut work.surface_source) {
            let kernel = Beam {
                inputs,
                phase,
                beam: buffer.item_fastest_mut(layers + 1, profiles),
                surface_source: source.item_fastest_mut(sizes.order, profiles),
            };
            self.queue.launch(&kernel, &mut work.statuses)?;
            beam = buffer.item_fastest(layers + 1, profiles);
        }
        let directions = directions(&work.node_cosine, &work.node_weight, &inputs);
        let kernel = LayerOperators::<R, N> {
            order: sizes.order as u32,
            inputs,
            crtm_limits: u32::from(self.options.crtm_limits),
            directions,
            phase,
            beam,
            reflection: sizes.matrices_mut(&mut work.reflection, layers),
            transmission: sizes.matrices_mut(&mut work.transmission, layers),
            source_up: work.source_up.item_fastest_mut(layers, sizes.items),
            source_down: match &mut work.source_down {
                Some(buffer) => buffer.item_fastest_mut(layers, sizes.items),
                None => FieldMut::empty(),
            },
        };
        self.queue.launch(&kernel, &mut work.statuses)
    }

    /// Layer upon layer.
    fn sequence<const N: usize>(&mut self) -> Result<(), Error> {
        let Self { queue, options, inputs, outputs, layers, sizes, workspace: work } = self;
        let (order, top) = (sizes.order as u32, outputs.top_radiance);
        let operators = [&work.reflection, &work.transmission, &work.source_up];
        let slabs = sizes.layers(operators, work.source_down.as_ref(), *layers);
        let directions = directions(&work.node_cosine, &work.node_weight, inputs);
        let surface = surface(options, inputs, directions, work.surface_source.as_ref(), *sizes);
        let levels = sizes.levels(&mut work.levels, [outputs.upward_radiance, outputs.downward_radiance], *layers + 1);
        let (transmission, source) = match &mut work.passage {
            Some([transmission, source]) => {
                (sizes.matrices_mut(transmission, *layers), source.item_fastest_mut(*layers, sizes.items))
            }
            None => (FieldMut::empty(), FieldMut::empty()),
        };
        let cosmic = inputs.cosmic_background;
        let status = outputs.status;
        let kernel =
            AddLayers::<R, N> { order, layers: slabs, surface, cosmic, top, status, levels, transmission, source };
        queue.launch(&kernel, &mut work.statuses)
    }

    /// Pairs of layers, pairs of pairs and so on.
    fn tree<const N: usize>(&mut self) -> Result<(), Error> {
        let Self { queue, options, inputs, outputs, layers, sizes, workspace: work } = self;
        let (order, top, layers) = (sizes.order as u32, outputs.top_radiance, *layers);
        let operators = [&work.reflection, &work.transmission, &work.source_up];
        let leaves = sizes.layers(operators, work.source_down.as_ref(), layers);
        let statuses = &mut work.statuses;
        for h in 1..=work.tree.len() {
            let (below, from) = work.tree.split_at_mut(h - 1);
            let children = below.last().map_or(leaves, |below| sizes.nodes(below, nodes(layers, h as u32 - 1)));
            let parents = sizes.nodes_mut(&mut from[0], nodes(layers, h as u32));
            queue.launch(&StarPairs::<R, N> { order, children, parents }, statuses)?;
        }
        let root = work.tree.last().map_or(leaves, |root| sizes.nodes(root, 1));
        let directions = directions(&work.node_cosine, &work.node_weight, inputs);
        let surface = surface(options, inputs, directions, work.surface_source.as_ref(), *sizes);
        let levels = sizes.levels(&mut work.levels, [outputs.upward_radiance, outputs.downward_radiance], layers + 1);
        let cosmic = inputs.cosmic_background;
        let status = outputs.status;
        queue.launch(&CloseTree::<R, N> { order, root, surface, cosmic, top, status, levels }, statuses)?;
        if levels.up.is_empty() {
            return Ok(());
        }
        for height in (1..=work.tree.len() as u32).rev() {
            let below = work.tree[..height as usize - 1].last();
            let children = below.map_or(leaves, |below| sizes.nodes(below, nodes(layers, height - 1)));
            queue.launch(&OpenTree::<R, N> { order, children, height, levels }, statuses)?;
        }
        Ok(())
    }
}

fn directions<'a, R: Precision>(
    node_cosine: &'a Buffer<R>,
    node_weight: &'a Buffer<R>,
    inputs: &ProfileViews<'a, R>,
) -> StreamDirections<'a, R> {
    StreamDirections {
        node_cosine: node_cosine.column(),
        node_weight: node_weight.column(),
        viewing_cosine: inputs.viewing_cosine,
    }
}

/// The surface, with what it reflects of the Sun.
fn surface<'a, R: Precision>(
    options: &Options,
    inputs: &ProfileViews<'a, R>,
    directions: StreamDirections<'a, R>,
    source: Option<&'a Buffer<R>>,
    sizes: Sizes,
) -> Surface<'a, R> {
    Surface {
        kind: match options.reflection {
            Reflection::Specular => SPECULAR,
            Reflection::Lambertian => LAMBERTIAN,
        },
        reflection: Field::empty(),
        inputs: *inputs,
        source: source.map_or(Field::empty(), |buffer| buffer.item_fastest(sizes.order, sizes.items / sizes.order)),
        directions,
    }
}

compiled_here! {
    /// A precision in which scattering is computed: `f32` or `f64`.
    pub trait Precision {
        fn enqueue(job: Job<'_, '_, '_, Scattering<Self>>) = enqueue;
    }
}
