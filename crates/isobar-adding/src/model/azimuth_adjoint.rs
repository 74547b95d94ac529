//! The adjoint of layers that scatter, seen from any direction.

use std::marker::PhantomData;
use std::ops::Range;

use isobar_core::fields::{self, Declared, Extents, OutputSet, OwnedInputs, check};
use isobar_core::{FieldMut, Real};
use isobar_launch::{
    Buffer, Device, Error, Given, Job, Model, Outputs, Plain, Ptx, Queue, RunError, Scheme, Shape, compiled_here,
};

use super::azimuth::{CPU_CHUNK, GPU_CHUNK, Workspace, bad_moment, bad_parameter, field_mut};
use super::cosines::bad_cosine;
use super::finite::not_finite;
use super::moments::doubts_of;
use crate::azimuth::adjoint_steps::{self, AdjointSteps, FIELDS, ends, rows};
use crate::azimuth::steps::Sizes;
use crate::azimuth::{AdjointViews, Cotangents, Gradients, Options, ProfileViews, Profiles, RadianceViews};
use crate::ptx::PTX;

/// Derivatives of numbers that are computed from the radiances and fluxes of [`crate::Adding`], by all that these
/// depend on: a product of the vector of [`Cotangents`] and the Jacobian. On CPUs: there are no kernels for GPUs.
///
/// The cost does not depend on how many inputs there are. Options for levels and fluxes mean nothing here: what has no
/// cotangents does not count.
///
/// ```
/// use isobar_adding::azimuth::{Cotangents, Options, Profiles};
/// use isobar_adding::{AddingAdjoint, Device};
///
/// let profiles = Profiles {
///     viewing_cosine: vec![0.8],
///     relative_azimuth: vec![0.0, 180.0],
///     optical_depth: vec![0.2, 0.1],
///     single_scattering_albedo: vec![1.0, 0.9],
///     asymmetry: vec![0.1, 0.7],
///     surface_planck_radiance: vec![0.0],
///     surface_parameters: vec![0.05],
///     cosmic_background: vec![0.0],
///     sun_cosine: vec![0.5],
///     sun_irradiance: vec![std::f64::consts::PI],
///     ..Profiles::default()
/// };
/// // Of the mean of both azimuths.
/// let cotangents = Cotangents { top_radiance: vec![0.5, 0.5], ..Cotangents::default() };
/// let model = AddingAdjoint::<f64>::on(&[Device::Cpu]);
/// let gradients = model.run((&profiles, &cotangents), &Options::new(4))?;
/// // More scattering, more light.
/// assert!(gradients.single_scattering_albedo.iter().all(|&slope| slope > 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AddingAdjoint<R>(PhantomData<R>);

impl<R: Precision> AddingAdjoint<R> {
    /// On these devices, which share each batch.
    #[must_use]
    pub fn on(devices: &[Device]) -> Model<Self> {
        Model::new(Self(PhantomData), devices)
    }

    /// The Jacobian of an output of [`crate::Adding`], as `top_radiance`: derivatives of each of its rows, one after
    /// the other, by all inputs. Each costs what a product with cotangents does.
    ///
    /// # Errors
    /// A name that is no output's; as [`Model::run`].
    pub fn jacobian(
        model: &Model<Self>,
        profiles: &Profiles<R>,
        output: &str,
        options: &Options,
    ) -> Result<Vec<Gradients<R>>, RunError> {
        let extents = options.extents(&ProfileViews::try_from(profiles)?)?;
        let (items, mut rows) = (extents.items(), None);
        Cotangents::<R>::default().each_real(&mut |declared, _| {
            if declared.name == output {
                rows = Some(extents.rows(declared.shape));
            }
        });
        let rows = rows.ok_or_else(|| fields::Error::Setup(format!("{output}: there is no such radiance or flux")))?;
        let row = |row: usize| {
            let mut cotangents = Cotangents::default();
            cotangents.each_real(&mut |declared, values| {
                if declared.name == output {
                    *values = vec![R::ZERO; rows * items];
                    values[row * items..][..items].fill(R::ONE);
                }
            });
            model.run((profiles, &cotangents), options)
        };
        (0..rows).map(row).collect()
    }
}

impl<'a, R: Real> TryFrom<(&'a Profiles<R>, &'a Cotangents<R>)> for AdjointViews<'a, R> {
    type Error = fields::Error;

    /// Sizes are those of the profiles. A cotangent has as many values as what it is by, or one for all of them.
    fn try_from((profiles, cotangents): (&'a Profiles<R>, &'a Cotangents<R>)) -> Result<Self, fields::Error> {
        let profiles = ProfileViews::try_from(profiles)?;
        let extents = crate::azimuth::sizes(&profiles);
        Ok(Self { profiles, cotangents: cotangents.views(&extents, "profile")? })
    }
}

impl<R: Precision> Scheme for AddingAdjoint<R> {
    type Real = R;
    type Inputs<'a> = AdjointViews<'a, R>;
    type Results = Gradients<R>;
    type Options = Options;
    type Tables = ();
    type Workspace = AdjointWorkspace<R>;

    const ITEM: &'static str = "profile";
    const PTX: &'static [Ptx] = &PTX;
    const TOP_FIRST: bool = true;

    fn job_a_thread(&self) -> bool {
        true
    }

    fn extents(&self, inputs: &AdjointViews<'_, R>, options: &Options) -> Result<Extents, fields::Error> {
        options.extents(&inputs.profiles)
    }

    fn wants(&self, declared: &'static Declared, extents: &Extents, _options: &Options) -> bool {
        adjoint_steps::wanted(declared, extents)
    }

    fn check(
        &self,
        inputs: &AdjointViews<'_, R>,
        extents: &Extents,
        options: &Options,
        range: Range<usize>,
    ) -> Vec<fields::Error> {
        let mut bad = check::values(inputs, extents, range.clone(), Self::ITEM);
        bad.extend(range.clone().filter_map(|item| bad_parameter(&inputs.profiles, options, item)));
        let profiles = &inputs.profiles;
        bad.extend(range.clone().filter_map(|item| bad_cosine(&profiles.viewing_cosine, &profiles.sun_cosine, item)));
        bad.extend(range.filter_map(|item| bad_moment(&inputs.profiles.phase_moments, extents, item)));
        bad
    }

    fn doubts(&self, inputs: &AdjointViews<'_, R>, options: &Options) -> Vec<String> {
        doubts_of(&inputs.profiles, options)
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
        let sizes = sizes(shape, items);
        let rows = sizes.rows().iter().sum::<usize>() + rows(&sizes).iter().sum::<usize>();
        items * rows * size_of::<R>() + sizes.kernel_items() * size_of::<u32>()
    }

    fn workspace(
        &self,
        queue: &Queue,
        (): &(),
        shape: &Shape<Self>,
        items: usize,
    ) -> Result<AdjointWorkspace<R>, Error> {
        let sizes = sizes(shape, items);
        let forward = Workspace::new(queue, sizes)?;
        let fields = rows(&sizes).into_iter().map(|rows| queue.zeros(rows * items)).collect::<Result<_, _>>()?;
        Ok(AdjointWorkspace { forward, fields })
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        R::enqueue(job)
    }
}

fn sizes<R: Precision>(shape: &Shape<AddingAdjoint<R>>, profiles: usize) -> Sizes {
    let azimuths = shape.given("relative_azimuth") != Given::Nothing;
    Sizes::new(&shape.extents, &ends(&shape.options), azimuths, profiles)
}

/// What kernels leave to each other.
pub struct AdjointWorkspace<R: Real + Plain> {
    forward: Workspace<R>,
    /// As [`rows`].
    fields: Vec<Buffer<R>>,
}

/// Gives the kernels of a job to its queue.
fn enqueue<R: Precision>(job: Job<'_, '_, '_, AddingAdjoint<R>>) -> Result<(), Error> {
    let Job { queue, workspace, options, extents, inputs, outputs, .. } = job;
    let AdjointWorkspace { forward, fields: memory } = workspace;
    let options = ends(options);
    let rows = rows(&forward.sizes);
    let mut fields = [FieldMut::empty(); FIELDS];
    for ((field, memory), rows) in fields.iter_mut().zip(memory).zip(rows) {
        *field = field_mut(memory, rows, extents.items(), false);
    }
    let (forward, mut on) = forward.steps(queue, &options, &extents, inputs.profiles, RadianceViews::empty());
    AdjointSteps { forward, cotangents: inputs.cotangents, gradients: outputs, fields }.of_any_size(&mut on)
}

compiled_here! {
    /// A precision in which derivatives of light from any direction are computed: `f32` or `f64`.
    pub trait Precision {
        fn enqueue(job: Job<'_, '_, '_, AddingAdjoint<Self>>) = enqueue;
    }
}
