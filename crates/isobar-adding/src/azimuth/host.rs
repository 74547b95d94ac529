//! Numbers that are neither `f32` nor `f64`, as those that carry their derivatives, on the calling thread.

use std::convert::Infallible;

use isobar_core::fields::{Error, Extents, LAYER, MOMENT, Need, OutputSet, OwnedInputs, OwnedOutputs, check};
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real};

use crate::azimuth::adjoint_steps::{AdjointSteps, ends, rows, wanted};
use crate::azimuth::steps::{Launch, Sizes, Steps, nodes};
use crate::azimuth::{Cotangents, Gradients, NodeTables, Options, Profiles, RadianceViews, Radiances, azimuths};
use crate::fields::azimuth::{AZIMUTH, ProfileViews, SUN, VIEW};

/// Radiances of any kind of numbers: with [`isobar_core::Dual`] they come with their derivatives by whatever varies in
/// the inputs, the tangent linear model.
///
/// Results are those of [`crate::Adding`]. Values have its bits but where layers do not scatter, which it takes apart.
///
/// ```
/// use isobar_adding::azimuth::{Options, Profiles, compute};
/// use isobar_core::Dual;
///
/// let number = |x: f64| Dual::<f64, 1>::constant(x);
/// let profiles = Profiles {
///     viewing_cosine: vec![number(0.8)],
///     optical_depth: vec![Dual::variable(0.2, 0)],
///     single_scattering_albedo: vec![number(0.9)],
///     asymmetry: vec![number(0.5)],
///     planck_radiance: vec![number(80.0)],
///     surface_planck_radiance: vec![number(100.0)],
///     surface_parameters: vec![number(0.1)],
///     cosmic_background: vec![number(0.0)],
///     ..Profiles::default()
/// };
/// let radiances = compute(&profiles, &Options::new(4))?;
/// // The layer hides the warmer surface.
/// assert!(radiances.top_radiance[0].derivative[0] < 0.0);
/// # Ok::<(), isobar_core::fields::Error>(())
/// ```
///
/// # Errors
/// Sizes and options that do not go together. Values are not checked.
pub fn compute<R: Real>(profiles: &Profiles<R>, options: &Options) -> Result<Radiances<R>, Error> {
    let inputs = ProfileViews::try_from(profiles)?;
    let extents = options.extents(&inputs)?;
    let mut results = room(&extents, options);
    let mut statuses = vec![0; extents.items()];
    let outputs = views(&mut results, &mut statuses, extents.items());
    with_steps(&inputs, outputs, &extents, options, |steps| {
        let Ok(()) = steps.of_any_size(&mut Here);
    })?;
    results.status = statuses;
    Ok(results)
}

/// Derivatives of a number that is computed from the radiances of profiles, and whose derivatives by these are
/// `cotangents`: the adjoint model, for numbers of any kind.
///
/// Results are those of [`crate::AddingAdjoint`]. The cost does not depend on the number of inputs; with one cotangent
/// of 1 it is a row of the Jacobian.
///
/// ```
/// use isobar_adding::azimuth::{Cotangents, Options, Profiles, pull_back};
///
/// let profiles = Profiles {
///     viewing_cosine: vec![0.8],
///     optical_depth: vec![0.2, 0.3],
///     single_scattering_albedo: vec![0.9, 0.5],
///     asymmetry: vec![0.5, 0.7],
///     planck_radiance: vec![80.0, 90.0],
///     surface_planck_radiance: vec![100.0],
///     surface_parameters: vec![0.1],
///     cosmic_background: vec![0.0],
///     ..Profiles::default()
/// };
/// let cotangents = Cotangents { top_radiance: vec![1.0], ..Cotangents::default() };
/// let gradients = pull_back(&profiles, &cotangents, &Options::new(4))?;
/// // Both layers hide the warmer surface.
/// assert!(gradients.optical_depth.iter().all(|&slope| slope < 0.0));
/// # Ok::<(), isobar_core::fields::Error>(())
/// ```
///
/// # Errors
/// As [`compute`].
pub fn pull_back<R: Real>(
    profiles: &Profiles<R>,
    cotangents: &Cotangents<R>,
    options: &Options,
) -> Result<Gradients<R>, Error> {
    let inputs = ProfileViews::try_from(profiles)?;
    let extents = options.extents(&inputs)?;
    let items = extents.items();
    let cotangents =
        check::complete(&cotangents.views(&extents, "profile")?, &extents, "profile", &|_| Need::Optional)?;
    let mut gradients = Gradients::default();
    gradients.resize(&extents, &|declared| wanted(declared, &extents))?;
    let sizes = Sizes::new(&extents, options, !inputs.relative_azimuth.is_empty(), items);
    let rows = rows(&sizes);
    let mut memory: Vec<Vec<R>> = rows.iter().map(|rows| vec![R::ZERO; rows * items]).collect();
    let fields = fields(&mut memory, &rows, items);
    let options = ends(options);
    let views = gradients.views(items);
    with_steps(&inputs, RadianceViews::empty(), &extents, &options, |forward| {
        let Ok(()) = AdjointSteps { forward, cotangents, gradients: views, fields }.of_any_size(&mut Here);
    })?;
    Ok(gradients)
}

/// Views of memory of so many rows each.
fn fields<'a, R: Real, const COUNT: usize>(
    memory: &'a mut [Vec<R>],
    rows: &[usize; COUNT],
    items: usize,
) -> [FieldMut<'a, R>; COUNT] {
    let mut fields = [FieldMut::empty(); COUNT];
    for ((field, memory), &rows) in fields.iter_mut().zip(memory).zip(rows) {
        if rows > 0 {
            *field = FieldMut::level_fastest(memory, rows, items);
        }
    }
    fields
}

/// Gives a batch with memory of its own to `run`.
fn with_steps<R: Real>(
    inputs: &ProfileViews<'_, R>,
    outputs: RadianceViews<'_, R>,
    extents: &Extents,
    options: &Options,
    run: impl FnOnce(Steps<'_, R>),
) -> Result<(), Error> {
    let inputs = check::complete(inputs, extents, "profile", &|declared| declared.need())?;
    let items = extents.items();
    let sizes = Sizes::new(extents, options, !inputs.relative_azimuth.is_empty(), items);
    let real = |values: &Vec<f64>| values.iter().map(|&x| R::from_f64(x)).collect::<Vec<R>>();
    let tables = NodeTables::new(options.nodes);
    let tables: Vec<Vec<R>> = tables.all().into_iter().map(real).collect();
    let directions = azimuths(options.surface).map(|values| real(&values));
    let rows = sizes.rows();
    let mut memory: Vec<Vec<R>> = rows.iter().map(|rows| vec![R::ZERO; rows * items]).collect();
    let fields = fields(&mut memory, &rows, items);
    let n = options.nodes;
    run(Steps {
        sizes,
        options,
        inputs,
        outputs,
        streams: None,
        moments: extents.size(MOMENT),
        skips: false,
        nodes: nodes(n, |i, rows| Field::item_fastest(&tables[i], rows, n), |i| Column::from(&tables[i][..])),
        azimuths: directions.each_ref().map(|values| Column::from(&values[..])),
        fields,
    });
    Ok(())
}

/// Room for the results.
fn room<R: Real>(extents: &Extents, options: &Options) -> Radiances<R> {
    let items = extents.items();
    let directions = extents.size(SUN) * extents.size(VIEW) * extents.size(AZIMUTH);
    let levels = extents.size(LAYER) + 1;
    let of = |rows: usize, wanted: bool| vec![R::ZERO; if wanted { rows * items } else { 0 }];
    let flux = || of(levels * extents.size(SUN), options.fluxes);
    Radiances {
        top_radiance: of(directions, true),
        surface_downward_radiance: of(directions, true),
        upward_radiance: of(levels * directions, options.levels),
        downward_radiance: of(levels * directions, options.levels),
        upward_flux: flux(),
        downward_flux: flux(),
        direct_flux: flux(),
        actinic_flux: flux(),
        status: Vec::new(),
    }
}

fn views<'a, R: Real>(results: &'a mut Radiances<R>, statuses: &'a mut [u32], items: usize) -> RadianceViews<'a, R> {
    fn view<T: Copy>(values: &mut [T], items: usize) -> FieldMut<'_, T> {
        if values.is_empty() {
            return FieldMut::empty();
        }
        let rows = values.len() / items;
        FieldMut::item_fastest(values, rows, items)
    }
    RadianceViews {
        top_radiance: view(&mut results.top_radiance, items),
        surface_downward_radiance: view(&mut results.surface_downward_radiance, items),
        upward_radiance: view(&mut results.upward_radiance, items),
        downward_radiance: view(&mut results.downward_radiance, items),
        upward_flux: view(&mut results.upward_flux, items),
        downward_flux: view(&mut results.downward_flux, items),
        direct_flux: view(&mut results.direct_flux, items),
        actinic_flux: view(&mut results.actinic_flux, items),
        status: view(statuses, items),
    }
}

/// Items one after the other.
struct Here;

impl Launch for Here {
    type Error = Infallible;
    const ALL_ROOMS: bool = false;

    fn is_gpu(&self) -> bool {
        false
    }

    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Infallible> {
        for index in 0..kernel.items() {
            // SAFETY: each item once, one after the other.
            let _ = unsafe { kernel.item::<1>(index, Lanes::starting_at(0)) };
        }
        Ok(())
    }
}
