//! The scheme on CPU threads and GPUs.

use std::ops::Range;

use isobar_core::fields::{self, Extents, LAYER, REACTION};
use isobar_core::kernel::WARP;
use isobar_launch::{Buffer, Device, Error, Job, Model, Ptx, Queue, Scheme, Shape, compiled_here};

use crate::fields::{BIN, ColumnViews, Rates};
use crate::host::tables::{LOWEST_K, NODES, STEP_K};
use crate::physics::air::Optics;
use crate::ptx::PTX;
use crate::schedule::arguments::{Flux, Paths, Rate};
use crate::{Options, Tables};

/// Photolysis with the user's tables, to run on devices: see [`crate`].
#[derive(Clone, Debug)]
pub struct Photolysis<R> {
    tables: Tables,
    precision: std::marker::PhantomData<R>,
}

impl<R: Precision> Photolysis<R> {
    /// With these tables.
    ///
    /// # Errors
    /// Tables without a reaction.
    pub fn new(tables: &Tables) -> Result<Self, fields::Error> {
        if tables.reactions().is_empty() {
            return Err(fields::Error::Setup("tables without a reaction".to_owned()));
        }
        Ok(Self { tables: tables.clone(), precision: std::marker::PhantomData })
    }

    /// On these devices, which share each batch.
    #[must_use]
    pub fn on(self, devices: &[Device]) -> Model<Self> {
        Model::new(self, devices)
    }
}

/// The tables in a device's memory.
pub struct DeviceTables<R: Precision> {
    sun: Buffer<R>,
    scattering: Buffer<R>,
    oxygen: Buffer<R>,
    ozone: Buffer<R>,
    product: Buffer<R>,
    quenching: Buffer<R>,
}

/// What the kernels leave to each other.
pub struct Workspace<R: Precision> {
    paths: Buffer<R>,
    kept: Buffer<R>,
    statuses: Buffer<u32>,
}

/// The bytes of workspace that a chunk may take: some hundred columns, of which several chunks overlap on a GPU.
const CHUNK_BYTES: usize = 64 << 20;

impl<R: Precision> Photolysis<R> {
    /// Numbers of workspace of a column: slant paths, and what is kept of levels.
    fn numbers(extents: &Extents) -> [usize; 2] {
        let layers = extents.size(LAYER);
        [(layers + 1) * layers, extents.size(BIN) * Flux::<R>::rows(layers)]
    }
}

impl<R: Precision> Scheme for Photolysis<R> {
    type Real = R;
    type Inputs<'a> = ColumnViews<'a, R>;
    type Results = Rates<R>;
    type Options = Options;
    type Tables = DeviceTables<R>;
    type Workspace = Workspace<R>;
    const ITEM: &'static str = "column";
    const PTX: &'static [Ptx] = PTX;

    fn extents(&self, columns: &ColumnViews<'_, R>, options: &Options) -> Result<Extents, fields::Error> {
        options.check()?;
        let layers = columns.temperature_k.levels();
        if layers == 0 {
            return Err(fields::Error::Setup("columns need at least one layer".to_owned()));
        }
        Ok(Extents::new(columns.temperature_k.items())
            .with(LAYER, layers)
            .with(BIN, self.tables.sun.len())
            .with(REACTION, self.tables.reactions().len()))
    }

    fn check(
        &self,
        columns: &ColumnViews<'_, R>,
        extents: &Extents,
        _options: &Options,
        range: Range<usize>,
    ) -> Vec<fields::Error> {
        let mut bad = fields::check::values(columns, extents, range.clone(), Self::ITEM);
        if bad.is_empty() {
            bad.extend(range.filter_map(|column| {
                let height = |level: usize| columns.height_km.at(level, column).value();
                let level = (0..extents.size(LAYER)).find(|&level| height(level) >= height(level + 1))?;
                let (below, above) = (height(level), height(level + 1));
                Some(fields::Error::Setup(format!(
                    "height_km of column {column}: level {} is at {above} km, not above {below} km",
                    level + 1
                )))
            }));
        }
        bad
    }

    fn chunk_items(&self, _device: Device, extents: &Extents) -> usize {
        let numbers: usize = Self::numbers(extents).iter().sum();
        (CHUNK_BYTES / (numbers * size_of::<R>())).clamp(1, 1 << 11).next_multiple_of(WARP)
    }

    fn tables(&self, queue: &Queue) -> Result<DeviceTables<R>, Error> {
        let upload = |values: &[f64]| queue.upload(&values.iter().map(|&x| R::from_f64(x)).collect::<Vec<R>>());
        Ok(DeviceTables {
            sun: upload(&self.tables.sun)?,
            scattering: upload(&self.tables.scattering)?,
            oxygen: upload(&self.tables.oxygen)?,
            ozone: upload(&self.tables.ozone)?,
            product: upload(&self.tables.product)?,
            quenching: upload(&self.tables.quenching)?,
        })
    }

    fn workspace_bytes(&self, _device: Device, shape: &Shape<Self>, columns: usize) -> usize {
        Self::numbers(&shape.extents).iter().sum::<usize>() * columns * size_of::<R>()
    }

    fn workspace(
        &self,
        queue: &Queue,
        _tables: &DeviceTables<R>,
        shape: &Shape<Self>,
        columns: usize,
    ) -> Result<Workspace<R>, Error> {
        let [paths, kept] = Self::numbers(&shape.extents);
        let warps = columns.div_ceil(WARP) * shape.extents.size(BIN).max(shape.extents.size(LAYER));
        Ok(Workspace {
            paths: queue.zeros(paths * columns)?,
            kept: queue.zeros(kept * columns)?,
            statuses: queue.zeros(warps)?,
        })
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        R::enqueue(job)
    }
}

fn enqueue<R: Precision>(job: Job<'_, '_, '_, Photolysis<R>>) -> Result<(), Error> {
    let Job { queue, tables, workspace, options, extents, inputs: columns, outputs, .. } = job;
    let count = extents.items();
    let [paths_rows, kept_rows] = Photolysis::<R>::numbers(&extents);
    let Workspace { paths, kept, statuses } = workspace;
    let optics = Optics {
        sun: tables.sun.column(),
        scattering: tables.scattering.column(),
        oxygen: tables.oxygen.column(),
        ozone: tables.ozone.column(),
        product: tables.product.column(),
        quenching: tables.quenching.column(),
        lowest_k: R::from_f64(LOWEST_K),
        step_k: R::from_f64(STEP_K),
        nodes: NODES as u32,
        bins: extents.size(BIN) as u32,
        reactions: extents.size(REACTION) as u32,
        cloud_albedo: R::from_f64(options.cloud_albedo),
        cloud_asymmetry: R::from_f64(options.cloud_asymmetry),
    };
    let columns_of = [paths.len() / paths_rows, kept.len() / kept_rows];
    let paths = paths.item_fastest_mut(paths_rows, columns_of[0]).range(0..count);
    let kept = kept.item_fastest_mut(kept_rows, columns_of[1]).range(0..count);
    queue
        .launch(&Paths { height_km: columns.height_km, cosine_of_zenith: columns.cosine_of_zenith, paths }, statuses)?;
    let flux = outputs.actinic_flux_per_cm2_s;
    // SAFETY: the kernel before wrote them, and nobody writes them while this one runs.
    let paths = unsafe { paths.read() };
    queue.launch(&Flux { columns, optics, paths, kept, actinic_flux_per_cm2_s: flux }, statuses)?;
    // SAFETY: as above.
    let actinic_flux_per_cm2_s = unsafe { flux.read() };
    queue.launch(&Rate { columns, optics, actinic_flux_per_cm2_s, rate_per_s: outputs.rate_per_s }, statuses)
}

compiled_here! {
    /// A precision in which photolysis is computed: `f32` or `f64`.
    pub trait Precision {
        fn enqueue(job: Job<'_, '_, '_, Photolysis<Self>>) = enqueue;
    }
}
