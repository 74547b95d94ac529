//! The adjoint of the scheme on CPU threads and GPUs.

use std::ops::Range;
use std::sync::Arc;

use isobar_core::fields::{self, Declared, Dimension, Error as Invalid, Extents, LAYER, Need, OwnedInputs, check};
use isobar_core::{CountedBytes, Field, Real};
use isobar_launch::{
    Allocations, Buffer, Device, DeviceMemory, Error, Job, Model, Ptx, Queue, Scheme, Shape, chunks, compiled_here,
};
use isobar_optics::gases::gas_number;

use crate::device_tables::DeviceTables;
use crate::fields::{ColumnViews, Columns, ITEM};
use crate::fields_adjoint::{AdjointViews, Cotangents, Gradients};
use crate::host::options::{CloudSolver, LongwaveScattering, Options};
use crate::host::spectrum::{Spectra, Spectrum};
use crate::model::{CPU_CHUNK, OnQueue, Precision as Forward, Radiation};
use crate::order_adjoint::{AdjointMemory, AdjointRows, AdjointWork};

/// Columns of which a GPU takes the derivatives at a time, a warp each: some times as many as it has at once.
const GPU_CHUNK: usize = 1 << 13;

/// Derivatives of numbers that are computed from the fluxes and heating rates of [`Radiation`], by all that these
/// depend on: a product of the vector of [`Cotangents`] and the Jacobian.
///
/// The cost does not depend on how many inputs there are. It has clear skies and random sub-columns (McICA), whose
/// clouds stay where they are; a long wave that does not scatter; k-distributions of RRTMGP and ecCKD. Options for
/// fluxes by band, without clouds, or for their derivatives by the surface's temperature mean nothing here.
///
/// ```
/// use isobar_radiation::{Cotangents, Device, Options, Radiation, analytic};
///
/// let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/radiation/ecckd-longwave-32.nc");
/// let longwave = isobar_io::read_k_distribution(data.as_ref())?.gas_optics()?;
/// let columns = analytic::columns::<f64>(2, 60, false);
/// // Of what goes out at the top, which is the last of 61 levels.
/// let mut outgoing = vec![0.0; 61 * 2];
/// outgoing[60 * 2..].fill(1.0);
/// let cotangents = Cotangents { longwave_up_w_per_m2: outgoing, ..Cotangents::default() };
/// let adjoint = Radiation::<f64>::new().with(&longwave, None)?.adjoint().on(&[Device::Thread]);
/// let gradients = adjoint.run((&columns, &cotangents), &Options::default())?;
/// assert!(gradients.surface_temperature_k.iter().all(|&slope| slope > 0.0)); // a warmer ground sends out more
/// assert!(gradients.h2o.iter().sum::<f64>() < 0.0); // more water vapour lets out less
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RadiationAdjoint<R> {
    spectra: Arc<Spectra<R>>,
}

impl<R: Forward> Radiation<R> {
    /// The adjoint.
    #[must_use]
    pub fn adjoint(self) -> RadiationAdjoint<R> {
        RadiationAdjoint { spectra: self.spectra }
    }
}

impl<R: Precision> RadiationAdjoint<R> {
    /// On these devices, which share each batch.
    #[must_use]
    pub fn on(self, devices: &[Device]) -> Model<Self> {
        Model::new(self, devices)
    }
}

impl<'a, R: Real> TryFrom<(&'a Columns<R>, &'a Cotangents<R>)> for AdjointViews<'a, R> {
    type Error = fields::Error;

    /// Sizes are those of the columns. A cotangent has as many values as what it is by, or one for all of them.
    fn try_from((columns, cotangents): (&'a Columns<R>, &'a Cotangents<R>)) -> Result<Self, fields::Error> {
        let columns = ColumnViews::try_from(columns)?;
        let extents = Extents::new(columns.columns()).with(LAYER, columns.layers());
        Ok(Self { columns, cotangents: cotangents.views(&extents, ITEM)? })
    }
}

/// What columns have besides air, by which there are derivatives then.
const DIFFUSE: Dimension = Dimension("diffuse albedo");
const AEROSOL: Dimension = Dimension("aerosol");
const ABSORBING_AEROSOL: Dimension = Dimension("absorbing aerosol");
const LONGWAVE_AEROSOL: Dimension = Dimension("long-wave aerosol");
const CLOUDS: Dimension = Dimension("clouds");
const RAIN: Dimension = Dimension("rain");
const SNOW: Dimension = Dimension("snow");

/// Which of them a derivative is by.
fn is_of(name: &str) -> Option<Dimension> {
    match name {
        "surface_albedo_diffuse" => Some(DIFFUSE),
        "aerosol_absorption_longwave" => Some(ABSORBING_AEROSOL),
        "aerosol_optical_depth_longwave" | "aerosol_albedo_longwave" => Some(LONGWAVE_AEROSOL),
        "aerosol_optical_depth" | "aerosol_albedo" | "aerosol_asymmetry" => Some(AEROSOL),
        "rain_path_g_per_m2" | "rain_radius_um" => Some(RAIN),
        "snow_path_g_per_m2" | "snow_size_um" => Some(SNOW),
        "liquid_path_g_per_m2" | "liquid_radius_um" | "ice_path_g_per_m2" | "ice_size_um" => Some(CLOUDS),
        _ => None,
    }
}

impl<R: Precision> Scheme for RadiationAdjoint<R> {
    type Real = R;
    type Inputs<'a> = AdjointViews<'a, R>;
    type Results = Gradients<R>;
    type Options = Options;
    type Tables = DeviceTables<R>;
    type Workspace = AdjointBuffers<R>;

    const ITEM: &'static str = ITEM;
    const PTX: &'static [Ptx] = crate::ptx::PTX;

    fn extents(&self, inputs: &AdjointViews<'_, R>, options: &Options) -> Result<Extents, Invalid> {
        let refuse = |text: &str| Err(Invalid::Setup(text.to_owned()));
        let columns = &inputs.columns;
        if self.spectra.is_rrtmg() {
            return refuse("the adjoint has no RRTMG_LW");
        }
        if self.spectra.has_longwave() && options.longwave_scattering != LongwaveScattering::None {
            return refuse("the adjoint has no long wave that scatters");
        }
        if columns.is_cloudy() && options.cloud_solver != CloudSolver::McIca {
            return refuse("the adjoint has clouds by random sub-columns (McICA) alone");
        }
        let is_given = |field: &Field<'_, R>| usize::from(!field.is_empty());
        let given = [
            (DIFFUSE, is_given(&columns.surface_albedo_diffuse)),
            (AEROSOL, is_given(&columns.aerosol_optical_depth)),
            (ABSORBING_AEROSOL, is_given(&columns.aerosol_absorption_longwave)),
            (LONGWAVE_AEROSOL, is_given(&columns.aerosol_optical_depth_longwave)),
            (CLOUDS, is_given(&columns.cloud_fraction)),
            (RAIN, is_given(&columns.rain_path_g_per_m2)),
            (SNOW, is_given(&columns.snow_path_g_per_m2)),
        ];
        let extents = self.spectra.extents(columns, options)?;
        Ok(given.into_iter().fold(extents, |extents, (what, given)| extents.with(what, given)))
    }

    fn need(&self, declared: &Declared, options: &Options) -> Need {
        let name = declared.name;
        let unread = (name.starts_with("longwave_") && !self.spectra.has_longwave())
            || (name.starts_with("shortwave_") && !self.spectra.has_shortwave());
        if unread { Need::Ignored } else { self.spectra.need(declared, options) }
    }

    fn useless(&self, declared: &Declared) -> Option<&'static str> {
        self.spectra.useless(declared)
    }

    fn wants(&self, declared: &'static Declared, extents: &Extents, _options: &Options) -> bool {
        let name = declared.name;
        let of_longwave = ["level_temperature_k", "surface_temperature_k", "emissivity"].contains(&name)
            || name.ends_with("_longwave");
        let of_shortwave = ["cosine_zenith", "total_solar_irradiance_w_per_m2"].contains(&name)
            || name.starts_with("surface_albedo")
            || is_of(name) == Some(AEROSOL);
        (!of_longwave || self.spectra.has_longwave())
            && (!of_shortwave || self.spectra.has_shortwave())
            && gas_number(name).is_none_or(|gas| self.spectra.knows_gas(gas))
            && is_of(name).is_none_or(|what| extents.size(what) > 0)
    }

    fn check(
        &self,
        inputs: &AdjointViews<'_, R>,
        extents: &Extents,
        options: &Options,
        range: Range<usize>,
    ) -> Vec<Invalid> {
        let of_columns = self.spectra.check(&inputs.columns, extents, options, range.clone());
        let of_cotangents = check::values(&inputs.cotangents, extents, range, ITEM);
        check::first_of_each([of_columns, of_cotangents])
    }

    fn doubts(&self, inputs: &AdjointViews<'_, R>, _options: &Options) -> Vec<String> {
        self.spectra.doubts(&inputs.columns)
    }

    fn chunk_items(&self, device: Device, _extents: &Extents) -> usize {
        at_a_time(device)
    }

    fn job_a_thread(&self) -> bool {
        true
    }

    fn tables(&self, queue: &Queue) -> Result<DeviceTables<R>, Error> {
        DeviceTables::new(queue, &self.spectra)
    }

    fn workspace_bytes(&self, device: Device, shape: &Shape<Self>, columns: usize) -> usize {
        let (rows, columns) = (self.rows(device, shape), columns.min(at_a_time(device)));
        let mut counted = CountedBytes(statuses(shape, columns) * size_of::<u32>());
        // SAFETY: nobody uses the views.
        unsafe { AdjointMemory::<R>::new(&rows, columns, &mut counted) };
        counted.0
    }

    fn workspace(
        &self,
        queue: &Queue,
        _tables: &DeviceTables<R>,
        shape: &Shape<Self>,
        columns: usize,
    ) -> Result<AdjointBuffers<R>, Error> {
        let (rows, columns) = (self.rows(queue.device(), shape), columns.min(at_a_time(queue.device())));
        let mut parts = DeviceMemory::new(queue);
        // SAFETY: the parts live as long as the views, and nobody gets these for longer.
        let memory = unsafe { AdjointMemory::new(&rows, columns, &mut parts) };
        let statuses = queue.zeros(statuses(shape, columns))?;
        Ok(AdjointBuffers { columns, memory, statuses, _parts: parts.end()? })
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        R::enqueue_adjoint(job)
    }
}

/// Columns that have memory: those of larger jobs take turns.
fn at_a_time(device: Device) -> usize {
    if device.is_cpu() { CPU_CHUNK } else { GPU_CHUNK }
}

/// Items of the kernel that has the most: that of gas states.
fn statuses<R: Precision>(shape: &Shape<RadiationAdjoint<R>>, columns: usize) -> usize {
    columns.div_ceil(32) * shape.extents.size(LAYER).div_ceil(32) * 32 + columns
}

impl<R: Precision> RadiationAdjoint<R> {
    fn rows(&self, device: Device, shape: &Shape<Self>) -> AdjointRows {
        let layers = shape.extents.size(LAYER);
        let of = |spectrum: &Spectrum<R>| AdjointRows::new(&spectrum.gases.view(), layers, !device.is_cpu());
        self.spectra.each().map(of).reduce(AdjointRows::either).unwrap_or_default()
    }
}

/// Memory for some columns.
pub struct AdjointBuffers<R: Real> {
    columns: usize,
    memory: AdjointMemory<'static, R>,
    /// Statuses of launches, which nobody looks at: a column that was checked is computed.
    statuses: Buffer<u32>,
    _parts: Allocations,
}

fn enqueue<R: Precision>(job: Job<'_, '_, '_, RadiationAdjoint<R>>) -> Result<(), Error> {
    let Job { queue, tables, workspace, options, extents, inputs, outputs } = job;
    for range in chunks(extents.items(), workspace.columns) {
        let work = AdjointWork {
            inputs: fields::InputSet::range(&inputs, &range),
            gradients: fields::OutputSet::range(&outputs, &range),
            memory: workspace.memory,
        };
        work.compute(tables.views(), options, &mut OnQueue { queue, statuses: &mut workspace.statuses })?;
    }
    Ok(())
}

compiled_here! {
    /// A precision in which derivatives of fluxes are computed: `f32` or `f64`.
    pub trait Precision: Forward {
        fn enqueue_adjoint(job: Job<'_, '_, '_, RadiationAdjoint<Self>>) = enqueue;
    }
}
