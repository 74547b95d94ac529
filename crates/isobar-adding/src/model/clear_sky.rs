//! Clear sky on some devices.

use std::marker::PhantomData;
use std::ops::Range;

use isobar_core::fields::{self, ANGLE, Declared, Extents, LAYER, LEVEL};
use isobar_core::{Column, Field, Real};
use isobar_launch::{Buffer, Device, Error, Job, Model, Outputs, Plain, Ptx, Queue, Scheme, Shape, compiled_here};

use super::finite::not_finite;
use crate::clear_sky::block::Block;
use crate::clear_sky::deep::Deep;
use crate::clear_sky::sequential::Sequential;
use crate::clear_sky::sequential_levels::SequentialLevels;
use crate::clear_sky::surface::SurfaceSource;
use crate::clear_sky::warp::Warp;
use crate::clear_sky::{
    Batch, EMISSION, LEVELS, Options, Output, ProfileViews, REFLECTION, Radiances, Reflection, Schedule, Slant,
};
use crate::ptx::PTX;
use crate::schedule::Shape as BatchShape;

/// Radiances of clear-sky profiles, in the precision `R`: on one thread, on all, on GPUs.
///
/// ```
/// use isobar_adding::clear_sky::{Options, Profiles};
/// use isobar_adding::{ClearSky, Device};
///
/// let profiles = Profiles {
///     optical_depth: vec![0.0, 40.0],
///     planck_radiance: vec![50.0, 80.0],
///     surface_planck_radiance: vec![100.0],
///     emissivity: vec![1.0],
///     cosmic_background: vec![0.0],
///     ..Profiles::default()
/// };
/// let radiances = ClearSky::<f64>::on(&[Device::Cpu]).run(&profiles, &Options::new(&[1.0]))?;
/// assert_eq!(radiances.top_radiance, [80.0]); // the opaque layer hides the surface
/// # Ok::<(), isobar_adding::RunError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ClearSky<R>(PhantomData<R>);

/// Profiles that a GPU takes at a time: few enough that copies of some overlap with the kernels of others.
const GPU_CHUNK: usize = 1 << 16;
/// Profiles that a CPU takes at a time: their inputs fit into its caches.
const CPU_CHUNK: usize = 1 << 12;

impl<R: Precision> ClearSky<R> {
    /// On these devices, which share each batch.
    #[must_use]
    pub fn on(devices: &[Device]) -> Model<Self> {
        Model::new(Self(PhantomData), devices)
    }
}

// SAFETY: two numbers, without gaps.
unsafe impl<R: Real + Plain> Plain for Slant<R> {}

/// What the options say of each angle, and what is left to the next kernel.
pub struct Workspace<R: Plain + Real> {
    /// Whose the tables are.
    options: Options,
    slant: Buffer<Slant<R>>,
    /// `mu w / sum mu w` of a Lambertian surface.
    weight: Option<Buffer<R>>,
    /// What the surface sends up of sunlight and diffuse light.
    surface_source: Option<Buffer<R>>,
    /// What comes down to the surface where it is not wanted: some schedules write it.
    surface_down: Option<Buffer<R>>,
    statuses: Buffer<u32>,
}

impl<R: Precision> Scheme for ClearSky<R> {
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

    fn wants(&self, declared: &'static Declared, _extents: &Extents, options: &Options) -> bool {
        match options.output {
            _ if declared.shape.contains(&LEVEL) => options.output == Output::Levels,
            Output::Emission => declared.name != "surface_downward_radiance",
            Output::Ends | Output::Levels => true,
        }
    }

    fn check_results(
        &self,
        results: &Outputs<'_, Self>,
        extents: &Extents,
        _options: &Options,
        range: Range<usize>,
    ) -> Vec<fields::Error> {
        not_finite(results, results.status, extents, range)
    }

    fn chunk_items(&self, device: Device, _extents: &Extents) -> usize {
        if device.is_cpu() { CPU_CHUNK } else { GPU_CHUNK }
    }

    fn tables(&self, _queue: &Queue) -> Result<(), Error> {
        Ok(())
    }

    fn workspace_bytes(&self, _device: Device, shape: &Shape<Self>, items: usize) -> usize {
        shape.extents.size(ANGLE) * items * (2 * size_of::<R>() + size_of::<u32>())
    }

    fn workspace(&self, queue: &Queue, (): &(), shape: &Shape<Self>, items: usize) -> Result<Workspace<R>, Error> {
        let size = shape.extents.size(ANGLE) * items;
        let lit = shape.given("sun_cosine") != isobar_launch::Given::Nothing;
        let lambertian = matches!(shape.options.reflection, Reflection::Lambertian { .. });
        Ok(Workspace {
            options: shape.options.clone(),
            slant: queue.upload(&slants(&shape.options))?,
            weight: weights(queue, &shape.options)?,
            surface_source: if lit || lambertian { Some(queue.zeros(size)?) } else { None },
            surface_down: None,
            statuses: queue.zeros(size)?,
        })
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        R::enqueue(job)
    }
}

fn slants<R: Real>(options: &Options) -> Vec<Slant<R>> {
    options.cosine.iter().map(|&mu| Slant::new(mu)).collect()
}

fn weights<R: Precision>(queue: &Queue, options: &Options) -> Result<Option<Buffer<R>>, Error> {
    let weights = options.flux_weights();
    weights.map(|weights| queue.upload(&weights.into_iter().map(R::from_f64).collect::<Vec<_>>())).transpose()
}

/// Gives the kernels of a job to its queue.
fn enqueue<R: Precision>(job: Job<'_, '_, '_, ClearSky<R>>) -> Result<(), Error> {
    let Job { queue, workspace, options, extents, inputs, mut outputs, .. } = job;
    let (profiles, angles) = (extents.items(), extents.size(ANGLE));
    if workspace.options != *options {
        workspace.slant = queue.upload(&slants(options))?;
        workspace.weight = weights(queue, options)?;
        workspace.options = options.clone();
    }
    let Workspace { slant, weight, surface_source, surface_down, statuses, .. } = workspace;
    if outputs.surface_downward_radiance.is_empty() {
        let known = surface_down.take().filter(|known| known.len() >= angles * profiles);
        let buffer = surface_down.insert(known.map_or_else(|| queue.zeros(angles * profiles), Ok)?);
        outputs.surface_downward_radiance = buffer.item_fastest_mut(angles, profiles);
    }
    let mut batch = Batch {
        inputs,
        outputs,
        slant: slant.column(),
        surface_source: Field::empty(),
        layers: extents.size(LAYER) as u32,
        specular: u32::from(options.reflection == Reflection::Specular),
    };
    if weight.is_some() {
        // What falls on the surface has to be known before what it reflects.
        solve(queue, batch, Output::Ends, options.schedule, statuses)?;
    }
    if let Some(source) = surface_source {
        let kernel = SurfaceSource {
            inputs,
            outputs,
            weight: weight.as_ref().map_or(Column::empty(), Buffer::column),
            source: source.item_fastest_mut(angles, profiles),
        };
        queue.launch(&kernel, statuses)?;
        batch.surface_source = source.item_fastest(angles, profiles);
    }
    solve(queue, batch, options.output, options.schedule, statuses)
}

fn solve<R: Precision>(
    queue: &Queue,
    batch: Batch<'_, R>,
    output: Output,
    schedule: Schedule,
    statuses: &mut Buffer<u32>,
) -> Result<(), Error> {
    let (profiles, layers, angles) =
        (batch.inputs.surface_planck_radiance.len(), batch.layers as usize, batch.slant.len());
    let schedule = match queue.device().is_cpu() {
        // Its thread does the work of all lanes: what reads the layers once is the fastest.
        true => Schedule::Block,
        false => schedule.resolve(BatchShape { profiles, layers, angles, levels: output == Output::Levels }),
    };
    match (schedule, output) {
        (Schedule::Warp, Output::Levels) => queue.launch(&Warp::<R, LEVELS>(batch), statuses),
        (Schedule::Warp, _) => queue.launch(&Warp::<R, REFLECTION>(batch), statuses),
        (Schedule::Deep, Output::Levels) => queue.launch(&Deep::<R, LEVELS>(batch), statuses),
        (Schedule::Deep, _) => queue.launch(&Deep::<R, REFLECTION>(batch), statuses),
        (Schedule::Block, Output::Ends) => queue.launch(&Block::<R, REFLECTION>::new(batch), statuses),
        (Schedule::Block, Output::Emission) => queue.launch(&Block::<R, EMISSION>::new(batch), statuses),
        (_, Output::Levels) => queue.launch(&SequentialLevels(batch), statuses),
        (_, Output::Ends) if angles == 1 => queue.launch(&Sequential::<R, REFLECTION, 1>(batch), statuses),
        (_, Output::Ends) => queue.launch(&Sequential::<R, REFLECTION, 2>(batch), statuses),
        (_, Output::Emission) if angles == 1 => queue.launch(&Sequential::<R, EMISSION, 1>(batch), statuses),
        (_, Output::Emission) => queue.launch(&Sequential::<R, EMISSION, 2>(batch), statuses),
    }
}

compiled_here! {
    /// A precision in which clear skies are computed: `f32` or `f64`.
    pub trait Precision {
        fn enqueue(job: Job<'_, '_, '_, ClearSky<Self>>) = enqueue;
    }
}
