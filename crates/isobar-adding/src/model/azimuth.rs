//! Layers that scatter, seen from any direction, on some devices.

use std::marker::PhantomData;
use std::ops::Range;

use isobar_core::fields::{self, Declared, Extents, LAYER, MOMENT, check};
use isobar_core::{Field, FieldMut, Kernel, Real};
use isobar_launch::{
    Buffer, Device, Error, Given, Job, Model, Outputs, Plain, Ptx, Queue, Scheme, Shape, compiled_here,
};

use super::cosines::bad_cosine;
use super::finite::not_finite;
use super::moments::doubts_of;
use crate::azimuth::steps::{Launch, Sizes, Steps, nodes};
use crate::azimuth::{NodeTables, Options, ProfileViews, RadianceViews, Radiances, azimuths};
use crate::ptx::PTX;

/// Radiances and fluxes of profiles that scatter, from any direction, in the precision `R`: on one thread, on all, on
/// GPUs.
///
/// ```
/// use isobar_adding::azimuth::{Options, Profiles};
/// use isobar_adding::{Adding, Device};
///
/// // Rayleigh's scattering over black ground, the Sun at 60 degrees, seen from above in two azimuths.
/// let profiles = Profiles {
///     viewing_cosine: vec![0.8],
///     relative_azimuth: vec![0.0, 180.0],
///     optical_depth: vec![0.2],
///     single_scattering_albedo: vec![1.0],
///     phase_moments: vec![1.0, 0.0, 0.1],
///     surface_planck_radiance: vec![0.0],
///     surface_parameters: vec![0.0],
///     cosmic_background: vec![0.0],
///     sun_cosine: vec![0.5],
///     sun_irradiance: vec![std::f64::consts::PI],
///     ..Profiles::default()
/// };
/// let radiances = Adding::<f64>::on(&[Device::Cpu]).run(&profiles, &Options::new(4))?;
/// // More light comes back than goes on at a right angle.
/// assert!(radiances.top_radiance[1] > 1.2 * radiances.top_radiance[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Adding<R>(PhantomData<R>);

/// Profiles that a GPU takes at a time, if its memory holds them.
pub(super) const GPU_CHUNK: usize = 1 << 12;
/// Profiles that a CPU's thread takes at a time: their operators stay in its cache.
pub(super) const CPU_CHUNK: usize = 4;

impl<R: Precision> Adding<R> {
    /// On these devices, which share each batch.
    #[must_use]
    pub fn on(devices: &[Device]) -> Model<Self> {
        Model::new(Self(PhantomData), devices)
    }
}

impl<R: Precision> Scheme for Adding<R> {
    type Real = R;
    type Inputs<'a> = ProfileViews<'a, R>;
    type Results = Radiances<R>;
    type Options = Options;
    type Tables = ();
    type Workspace = Workspace<R>;

    const ITEM: &'static str = "profile";
    const PTX: &'static [Ptx] = &PTX;
    const TOP_FIRST: bool = true;

    fn job_a_thread(&self) -> bool {
        true
    }

    fn extents(&self, inputs: &ProfileViews<'_, R>, options: &Options) -> Result<Extents, fields::Error> {
        options.extents(inputs)
    }

    fn wants(&self, declared: &'static Declared, _extents: &Extents, options: &Options) -> bool {
        match declared.name {
            "upward_radiance" | "downward_radiance" => options.levels,
            "upward_flux" | "downward_flux" | "direct_flux" | "actinic_flux" => options.fluxes,
            _ => true,
        }
    }

    fn check(
        &self,
        inputs: &ProfileViews<'_, R>,
        extents: &Extents,
        options: &Options,
        range: Range<usize>,
    ) -> Vec<fields::Error> {
        let mut bad = check::values(inputs, extents, range.clone(), Self::ITEM);
        bad.extend(range.clone().filter_map(|item| bad_parameter(inputs, options, item)));
        bad.extend(range.clone().filter_map(|item| bad_cosine(&inputs.viewing_cosine, &inputs.sun_cosine, item)));
        bad.extend(range.filter_map(|item| bad_moment(&inputs.phase_moments, extents, item)));
        bad
    }

    fn doubts(&self, inputs: &ProfileViews<'_, R>, options: &Options) -> Vec<String> {
        doubts_of(inputs, options)
    }

    fn result_doubts(&self, results: &RadianceViews<'_, R>) -> Vec<String> {
        below_zero(results).into_iter().collect()
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
        sizes(shape, items).bytes::<R>()
    }

    fn workspace(&self, queue: &Queue, (): &(), shape: &Shape<Self>, items: usize) -> Result<Workspace<R>, Error> {
        Workspace::new(queue, sizes(shape, items))
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        R::enqueue(job)
    }
}

fn sizes<R: Precision>(shape: &Shape<Adding<R>>, profiles: usize) -> Sizes {
    let azimuths = shape.given("relative_azimuth") != Given::Nothing;
    Sizes::new(&shape.extents, &shape.options, azimuths, profiles)
}

/// How far below zero radiances may be, as a part of the largest: roundings.
const ROUNDING: f64 = 1e-6;

/// Radiances that no light has, which says that something is cut off.
fn below_zero<R: Real>(results: &RadianceViews<'_, R>) -> Option<String> {
    let both = [("upward at the top", results.top_radiance), ("downward", results.surface_downward_radiance)];
    let all = both.iter().flat_map(|(name, field)| {
        let places = (0..field.levels()).flat_map(|row| (0..field.items()).map(move |item| (row, item)));
        places.map(move |(row, item)| (field.at(row, item).value(), *name, item))
    });
    let largest = all.clone().fold(0.0, |largest: f64, (value, ..)| largest.max(value.abs()));
    let below = all.filter(|&(value, ..)| value < -ROUNDING * largest);
    let count = below.clone().count();
    let (value, name, item) = below.min_by(|(a, ..), (b, ..)| a.total_cmp(b))?;
    Some(format!(
        "{count} radiances are below zero, to {value:.4} ({name}, profile {item}): there are too few streams for such \
         a phase function or ground, or this ground's reflectance is below zero itself"
    ))
}

/// The first parameter of an item's surface that is out of its range.
pub(super) fn bad_parameter<R: Real>(
    inputs: &ProfileViews<'_, R>,
    options: &Options,
    item: usize,
) -> Option<fields::Error> {
    let given = &inputs.surface_parameters;
    let names = options.surface.parameters();
    (0..given.levels().min(names.len())).find_map(|row| {
        let ((name, low, high), value) = (names[row], given.at(row, item).value());
        let range = R::from_f64(low).value()..=R::from_f64(high).value();
        let error = || fields::Error::Value {
            variable: "surface_parameters",
            item_name: "profile",
            item,
            place: vec![(name, row)],
            value,
            accepted: format!("{low} to {high}"),
            unit: "1",
        };
        (!range.contains(&value)).then(error)
    })
}

/// The first phase function of an item whose first moment is not 1.
pub(super) fn bad_moment<R: Real>(given: &Field<'_, R>, extents: &Extents, item: usize) -> Option<fields::Error> {
    let moments = if given.items() == 0 { return None } else { extents.size(MOMENT) };
    (0..extents.size(LAYER)).find_map(|layer| {
        let value = given.at(layer * moments, item);
        let error = || fields::Error::Value {
            variable: "phase_moments",
            item_name: "profile",
            item,
            place: vec![("layer", layer), ("moment", 0)],
            value: value.value(),
            accepted: "1: phase functions are normalised".to_owned(),
            unit: "1",
        };
        (value != R::ONE).then(error)
    })
}

/// What kernels leave to each other.
pub struct Workspace<R: Real + Plain> {
    pub(super) sizes: Sizes,
    /// As [`NodeTables::all`].
    nodes: Vec<Buffer<R>>,
    /// Azimuths of the surface's reflectance, and their weights.
    azimuths: [Buffer<R>; 2],
    /// As [`Sizes::rows`].
    fields: Vec<Buffer<R>>,
    statuses: Buffer<u32>,
}

impl<R: Real + Plain> Workspace<R> {
    pub(super) fn new(queue: &Queue, sizes: Sizes) -> Result<Self, Error> {
        let tables = NodeTables::new(sizes.nodes);
        let upload = |values: &Vec<f64>| queue.upload(&values.iter().map(|&x| R::from_f64(x)).collect::<Vec<_>>());
        let nodes = tables.all().map(upload);
        let [azimuth, weight] = azimuths(sizes.surface);
        Ok(Self {
            sizes,
            nodes: nodes.into_iter().collect::<Result<_, Error>>()?,
            azimuths: [upload(&azimuth)?, upload(&weight)?],
            fields: sizes
                .rows()
                .into_iter()
                .map(|rows| queue.zeros(rows * sizes.profiles))
                .collect::<Result<_, _>>()?,
            statuses: queue.zeros(sizes.kernel_items())?,
        })
    }

    /// A batch with this memory, and who runs its kernels.
    pub(super) fn steps<'a>(
        &'a mut self,
        queue: &'a Queue,
        options: &'a Options,
        extents: &Extents,
        inputs: ProfileViews<'a, R>,
        outputs: RadianceViews<'a, R>,
    ) -> (Steps<'a, R>, Queued<'a>) {
        let Self { sizes, nodes: tables, azimuths, fields: memory, statuses } = self;
        let n = sizes.nodes;
        let mut fields = [FieldMut::empty(); 7];
        for (number, ((field, memory), rows)) in fields.iter_mut().zip(memory).zip(sizes.rows()).enumerate() {
            *field = field_mut(memory, rows, extents.items(), Sizes::OF_TEAMS.contains(&number));
        }
        let steps = Steps {
            sizes: *sizes,
            options,
            inputs,
            outputs,
            streams: None,
            moments: extents.size(MOMENT),
            skips: true,
            nodes: nodes(n, |i, rows| tables[i].item_fastest(rows, n), |i| tables[i].column()),
            azimuths: azimuths.each_ref().map(Buffer::column),
            fields,
        };
        (steps, Queued { queue, statuses })
    }
}

/// A field whose neighbours are read together: rows by a CPU's thread and by a team of lanes, items by lanes that have
/// one each.
pub(super) fn field_mut<'a, R: Plain>(
    buffer: &'a mut Buffer<R>,
    rows: usize,
    items: usize,
    of_team: bool,
) -> FieldMut<'a, R> {
    match rows {
        0 => FieldMut::empty(),
        rows if of_team || buffer.device().is_cpu() => buffer.level_fastest_mut(rows, items),
        rows => buffer.item_fastest_mut(rows, items),
    }
}

/// Gives the kernels of a job to its queue.
fn enqueue<R: Precision>(job: Job<'_, '_, '_, Adding<R>>) -> Result<(), Error> {
    let Job { queue, workspace, options, extents, inputs, outputs, .. } = job;
    let (steps, mut on) = workspace.steps(queue, options, &extents, inputs, outputs);
    steps.of_any_size(&mut on)
}

/// Kernels go to a queue.
pub(super) struct Queued<'a> {
    queue: &'a Queue,
    statuses: &'a mut Buffer<u32>,
}

impl Launch for Queued<'_> {
    type Error = Error;
    const ALL_ROOMS: bool = true;

    fn is_gpu(&self) -> bool {
        !self.queue.device().is_cpu()
    }

    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Error> {
        self.queue.launch(kernel, self.statuses)
    }
}

compiled_here! {
    /// A precision in which light from any direction is computed: `f32` or `f64`.
    pub trait Precision {
        fn enqueue(job: Job<'_, '_, '_, Adding<Self>>) = enqueue;
    }
}
