//! Means over the azimuth of layers that scatter, on some devices.

use std::marker::PhantomData;
use std::ops::Range;

use isobar_core::Field;
use isobar_core::fields::{self, Declared, Extents, LEVEL, MOMENT, OutputSet, check};
use isobar_launch::{Device, Error, Job, Model, Outputs, Ptx, Queue, Scheme, Shape, compiled_here};

use super::azimuth::{CPU_CHUNK, GPU_CHUNK, Workspace, bad_moment};
use super::cosines::bad_cosine;
use super::finite::not_finite;
use super::moments::Moments;
use crate::azimuth;
use crate::azimuth::steps::{Sizes, Steps, Streams};
use crate::ptx::PTX;
use crate::scattering::{Options, ProfileViews, Radiances, Reflection};

/// Means over the azimuth of the radiances of profiles that scatter, over a surface whose emissivity is given by
/// direction, in the precision `R`: [`super::Adding`] with one component, seen along its nodes, too.
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

    fn job_a_thread(&self) -> bool {
        true
    }

    fn extents(&self, inputs: &ProfileViews<'_, R>, options: &Options) -> Result<Extents, fields::Error> {
        options.extents(inputs)
    }

    fn wants(&self, declared: &'static Declared, _extents: &Extents, options: &Options) -> bool {
        options.levels || !declared.shape.contains(&LEVEL)
    }

    fn check(
        &self,
        inputs: &ProfileViews<'_, R>,
        extents: &Extents,
        _options: &Options,
        range: Range<usize>,
    ) -> Vec<fields::Error> {
        let mut bad = check::values(inputs, extents, range.clone(), Self::ITEM);
        let [views, suns] = [inputs.viewing_cosine, inputs.sun_cosine].map(Field::from);
        bad.extend(range.clone().filter_map(|item| bad_cosine(&views, &suns, item)));
        bad.extend(range.filter_map(|item| bad_moment(&inputs.phase_moments, extents, item)));
        bad
    }

    fn doubts(&self, inputs: &ProfileViews<'_, R>, options: &Options) -> Vec<String> {
        let layers = inputs.single_scattering_albedo.levels().max(inputs.optical_depth.levels());
        let moments = Moments { values: &inputs.phase_moments, layers, terms: 2 * options.nodes };
        moments.doubts(options.delta_scaling, false)
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

fn sizes<R: Precision>(shape: &Shape<Scattering<R>>, profiles: usize) -> Sizes {
    Sizes::of_streams(&shape.extents, shape.options.nodes, shape.options.levels, profiles)
}

/// Gives the kernels of a job to its queue.
fn enqueue<R: Precision>(job: Job<'_, '_, '_, Scattering<R>>) -> Result<(), Error> {
    let Job { queue, workspace, options, extents, inputs, outputs, .. } = job;
    let chosen = azimuth::Options {
        delta_scaling: options.delta_scaling,
        corrections: false,
        levels: options.levels,
        components: 1,
        ..azimuth::Options::new(options.nodes)
    };
    let profiles = azimuth::ProfileViews {
        viewing_cosine: inputs.viewing_cosine.into(),
        relative_azimuth: Field::empty(),
        optical_depth: inputs.optical_depth,
        single_scattering_albedo: inputs.single_scattering_albedo,
        asymmetry: inputs.asymmetry,
        phase_moments: inputs.phase_moments,
        planck_radiance: inputs.planck_radiance,
        planck_radiance_level: Field::empty(),
        surface_planck_radiance: inputs.surface_planck_radiance,
        surface_parameters: Field::empty(),
        cosmic_background: inputs.cosmic_background,
        sun_cosine: inputs.sun_cosine.into(),
        sun_irradiance: inputs.sun_irradiance.into(),
    };
    let streams = Streams {
        emissivity: inputs.emissivity,
        sun_reflectivity: inputs.sun_reflectivity,
        specular: options.reflection == Reflection::Specular,
        outputs,
    };
    let moments = if inputs.phase_moments.is_empty() { 0 } else { extents.size(MOMENT) };
    let items = extents.items();
    let extents = Extents::new(items).with(MOMENT, moments);
    let (steps, mut on) = workspace.steps(queue, &chosen, &extents, profiles, azimuth::RadianceViews::empty());
    Steps { streams: Some(streams), ..steps }.of_any_size(&mut on)
}

compiled_here! {
    /// A precision in which scattering is computed: `f32` or `f64`.
    pub trait Precision {
        fn enqueue(job: Job<'_, '_, '_, Scattering<Self>>) = enqueue;
    }
}
