//! Infrared radiances of many rays: paths, absorption and emission, one chunk of rays after the other on CPU threads
//! and GPUs.
//!
//! [`Infrared::new`] checks the setup and takes the tables to the devices; [`Infrared::run`] takes an atmosphere and
//! rays and gives radiances, [`Infrared::jacobian`] their derivatives, [`Infrared::jacobians`] those of many
//! atmospheres. The steps of a chunk are in `chunk.rs` and, for Jacobians, `batch.rs`; what stays on a device in
//! `resident.rs`.
#![allow(unsafe_code, reason = "copies to devices go on while the host does something else")]

mod batch;
mod chunk;
mod clock;
mod jacobian;
mod plain;
mod precision;
mod ptx;
mod resident;
mod scratch;

use std::borrow::Cow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use isobar_core::Status;
use isobar_launch::{Device, Error, Plain};
use isobar_raytrace::{Atmosphere, Position, Ray};

use crate::channel_data::source_functions;
use crate::coverage::Outside;
use crate::{ForwardSetup, TableData, planck};
use chunk::{Part, Slot, Worker};
pub use clock::StageTimes;
pub use jacobian::{Jacobian, Jacobians};
pub use precision::Precision;
pub use ptx::{PTX, load};
use resident::{ResidentTables, State};

/// Radiances and transmittances of a batch of rays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Radiances {
    /// Radiance \[W/(m^2 sr cm^-1)\] or brightness temperature \[K\], `ray * channels + channel`; NaN for a failed ray.
    pub radiance: Vec<f64>,
    /// Transmittance of the path, likewise.
    pub transmittance: Vec<f64>,
    /// Tangent point of each ray.
    pub tangent_points: Vec<Position>,
    /// Points of each path; zero where a ray misses the atmosphere.
    pub points: Vec<u32>,
    /// What became of each ray.
    pub statuses: Vec<Status>,
    /// For each gas, the points of all paths that lie outside its tables, and the state at the first of them.
    pub outside: Vec<Outside>,
    /// Rays of which some channel ended early: [`crate::radiance::CUT_SHORT`].
    pub cut_short: usize,
    /// Time of each kernel, summed over workers, where [`Infrared::timed`] asked for it.
    pub stages: StageTimes,
}

impl Radiances {
    /// The first ray that could not be computed, as an error.
    ///
    /// # Errors
    /// If there is one.
    pub fn check(&self) -> Result<(), isobar_raytrace::Error> {
        match self.statuses.iter().position(|status| !status.is_ok()) {
            None => Ok(()),
            Some(ray) => {
                let reason = isobar_raytrace::one_ray::reason(self.statuses[ray]);
                Err(isobar_raytrace::Error::Ray { ray, reason })
            }
        }
    }
}

/// Why radiances could not be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InfraredError {
    /// A device could not be made ready.
    #[error(transparent)]
    Device(#[from] Error),
    /// A device failed on the way. What was finished before is kept; the other rays are [`Status::NOT_COMPUTED`].
    #[error("{source} ({done} of {rays} rays were finished)", rays = finished.statuses.len())]
    Interrupted {
        /// Why.
        source: Error,
        /// The rays that were finished.
        done: usize,
        /// Their results: pencil beams, as radiances.
        finished: Box<Radiances>,
    },
    /// The atmosphere, or a ray.
    #[error(transparent)]
    Atmosphere(#[from] isobar_raytrace::Error),
    /// The field of view.
    #[error(transparent)]
    FieldOfView(#[from] crate::FieldOfViewError),
    /// The setup does not fit together.
    #[error("{what}: {got}, expected {expected}")]
    Setup {
        /// What does not fit.
        what: &'static str,
        /// What was found.
        got: usize,
        /// What fits.
        expected: String,
    },
}

/// A forward calculation, ready on its devices, with look-ups and radiances in the precision `R`.
///
/// Paths are traced in double precision whatever `R` is: single precision resolves half a metre at the Earth's radius,
/// and tracing takes a hundredth of the time.
pub struct Infrared<'a, R: Plain> {
    setup: &'a ForwardSetup,
    /// On the host.
    data: &'a TableData,
    tables: Vec<ResidentTables<'a>>,
    source: Vec<R>,
    /// Queues with their memory that no run is using: a GPU hands out memory slowly.
    idle: Mutex<Vec<Slot<R>>>,
    /// The same for Jacobians.
    idle_jacobians: Mutex<Vec<batch::Slot>>,
    rays_per_chunk: Option<usize>,
    timed: bool,
    on_this_thread: bool,
    by_launches: bool,
}

impl<'a, R: Precision> Infrared<'a, R> {
    /// Checks a setup and takes its tables to the devices, which will share each batch.
    ///
    /// # Errors
    /// A setup that does not fit together, or a device that cannot be used.
    pub fn new(setup: &'a ForwardSetup, tables: &'a TableData, devices: &[Device]) -> Result<Self, InfraredError> {
        let channels = setup.wavenumbers_per_cm.len();
        let expect = |what, got: usize, ok: bool, expected: String| {
            if ok { Ok(()) } else { Err(InfraredError::Setup { what, got, expected }) }
        };
        expect("channels", channels, channels > 0, "at least 1".into())?;
        expect("filters", setup.filters.len(), setup.filters.len() == channels, format!("{channels}, one a channel"))?;
        expect("windows", setup.windows.len(), setup.windows.len() == channels, format!("{channels}, one a channel"))?;
        let heads = tables.parts().tables.len();
        let expected = (setup.gases.len() * channels).max(1);
        expect("tables", heads, heads == expected, format!("{expected}, one a gas and channel"))?;
        // Single precision cannot repeat JURASSIC's double.
        let bits = size_of::<R>() * 8;
        let exact = setup.jurassic_exact;
        expect("bits of precision for JURASSIC's arithmetic", bits, !exact || bits == 64, "64".into())?;
        expect("devices", devices.len(), !devices.is_empty(), "at least 1".into())?;
        let data = tables;
        let tables = devices.iter().map(|&device| ResidentTables::new(device, data)).collect::<Result<_, _>>()?;
        Ok(Self {
            setup,
            data,
            tables,
            source: source_functions(&setup.filters),
            idle: Mutex::default(),
            idle_jacobians: Mutex::default(),
            rays_per_chunk: None,
            timed: false,
            on_this_thread: false,
            by_launches: false,
        })
    }

    /// Sends so many rays at a time; the results do not depend on it. Otherwise one at a time on a CPU thread, and many
    /// thousands on a GPU.
    #[must_use]
    pub fn rays_per_chunk(mut self, rays: usize) -> Self {
        self.rays_per_chunk = Some(rays.max(1));
        self
    }

    /// Measures each kernel: a GPU then works on one thing at a time, by one worker.
    #[must_use]
    pub fn timed(mut self) -> Self {
        self.timed = true;
        self
    }

    /// Computes each batch on the thread that calls, where there is one device and that is the CPU: for callers that
    /// have a batch a thread.
    #[must_use]
    pub fn on_this_thread(mut self) -> Self {
        self.on_this_thread = true;
        self
    }

    /// Computes Jacobians on the CPU by the launches that a GPU gets: slower, the same bits. For tests without a GPU.
    #[must_use]
    pub fn by_launches(mut self) -> Self {
        self.by_launches = true;
        self
    }

    /// Are Jacobians computed by launches, for many atmospheres at a time: on a GPU?
    #[must_use]
    pub fn launches_jacobians(&self) -> bool {
        self.by_launches || self.tables.iter().any(|tables| !tables.device().is_cpu())
    }

    /// The radiances of rays through an atmosphere. `progress` is told now and then how many rays are done.
    ///
    /// A ray that cannot be traced has NaN radiances and a bad status; the others are computed all the same.
    ///
    /// # Errors
    /// An atmosphere that does not fit the setup or is invalid, a device that fails, a field of view that cannot be
    /// applied.
    pub fn run(
        &self,
        atmosphere: &Atmosphere,
        rays: &[Ray],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Radiances, InfraredError> {
        let atmosphere = self.prepare(atmosphere)?;
        let state = State::<R>::new(self.setup, &atmosphere)?;
        let mut result = self.pencil_beams(&state, rays, progress)?;
        let channels = self.setup.wavenumbers_per_cm.len();
        if let Some(view) = &self.setup.field_of_view {
            view.convolve(rays, channels, &mut result.radiance)?;
            view.convolve(rays, channels, &mut result.transmittance)?;
        }
        if self.setup.brightness_temperature {
            for (i, radiance) in result.radiance.iter_mut().enumerate() {
                *radiance = planck::brightness_temperature(*radiance, self.setup.wavenumbers_per_cm[i % channels]);
            }
        }
        Ok(result)
    }

    /// The atmosphere as the setup wants it.
    fn prepare<'b>(&self, atmosphere: &'b Atmosphere) -> Result<Cow<'b, Atmosphere>, InfraredError> {
        let setup = self.setup;
        atmosphere.validate()?;
        let expect = |what, got: usize, expected: usize| {
            if got == expected {
                Ok(())
            } else {
                Err(InfraredError::Setup { what, got, expected: expected.to_string() })
            }
        };
        expect("gases in the atmosphere", atmosphere.mixing_ratio.len(), setup.gases.len())?;
        if let Some(&window) = setup.windows.iter().max()
            && window > 0
            && window >= atmosphere.extinction_per_km.len()
        {
            let (what, expected) = ("extinction windows in the atmosphere", format!("at least {}", window + 1));
            return Err(InfraredError::Setup { what, got: atmosphere.extinction_per_km.len(), expected });
        }
        if let Some(cloud) = &atmosphere.cloud {
            expect("cloud extinctions", cloud.extinction_per_km.len(), setup.cloud_wavenumbers_per_cm.len())?;
        }
        if let Some(surface) = &atmosphere.surface {
            expect("surface emissivities", surface.emissivity.len(), setup.surface_wavenumbers_per_cm.len())?;
        }
        let mut atmosphere = Cow::Borrowed(atmosphere);
        if let Some(reference_km) = setup.hydrostatic_reference_km {
            atmosphere.to_mut().make_hydrostatic(reference_km, setup.gas("H2O"));
        }
        Ok(atmosphere)
    }

    /// An idle slot on a device, or a new one.
    fn slot(&self, device: Device) -> Result<Slot<R>, Error> {
        let mut idle = self.idle.lock().expect("no worker panics");
        match idle.iter().position(|slot| slot.device() == device) {
            Some(known) => Ok(idle.swap_remove(known)),
            None => {
                drop(idle);
                Slot::new(device)
            }
        }
    }

    /// The same for Jacobians.
    fn jacobian_slot(&self, device: Device) -> Result<batch::Slot, Error> {
        let mut idle = self.idle_jacobians.lock().expect("no worker panics");
        match idle.iter().position(|slot| slot.device() == device) {
            Some(known) => Ok(idle.swap_remove(known)),
            None => {
                drop(idle);
                batch::Slot::new(device)
            }
        }
    }

    /// Every ray by itself: workers of all devices take chunks of rays from one counter.
    fn pencil_beams(
        &self,
        state: &State<R>,
        rays: &[Ray],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Radiances, InfraredError> {
        let channels = self.setup.wavenumbers_per_cm.len();
        let gases = self.setup.gases.len();
        let result = Mutex::new(Radiances {
            radiance: vec![f64::NAN; rays.len() * channels],
            transmittance: vec![f64::NAN; rays.len() * channels],
            tangent_points: vec![Position::default(); rays.len()],
            points: vec![0; rays.len()],
            statuses: vec![Status::NOT_COMPUTED; rays.len()],
            outside: vec![Outside::default(); gases],
            cut_short: 0,
            stages: StageTimes::new(),
        });
        let failure = Mutex::new(None);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |tables: &ResidentTables<'_>| -> Result<(), Error> {
            let size = self.rays_per_chunk.unwrap_or_else(|| chunk::usual_size(tables.device(), rays.len()));
            let mut worker =
                Worker::new(self.setup, state, &self.source, tables, self.slot(tables.device())?, self.timed)?;
            loop {
                let start = next.fetch_add(size, Ordering::Relaxed);
                if start >= rays.len() || failure.lock().expect("no worker panics").is_some() {
                    let mut result = result.lock().expect("no worker panics");
                    worker.clock.stages.iter().for_each(|&(name, time)| clock::add(&mut result.stages, name, time));
                    self.idle.lock().expect("no worker panics").push(worker.leave());
                    return Ok(());
                }
                let end = rays.len().min(start + size);
                worker.run(&rays[start..end], &mut |offset, part: Part| {
                    part.put_into(&mut result.lock().expect("no worker panics"), start + offset);
                    progress(done.fetch_add(part.rays(), Ordering::Relaxed) + part.rays());
                })?;
            }
        };
        let work = |tables: &ResidentTables<'_>| {
            if let Err(error) = work(tables) {
                failure.lock().expect("no worker panics").get_or_insert(error);
            }
        };
        match &self.tables[..] {
            [tables @ ResidentTables::Host(_)] if self.on_this_thread => work(tables),
            all => std::thread::scope(|scope| {
                for tables in all {
                    for _ in 0..chunk::workers(tables.device(), self.timed) {
                        scope.spawn(|| work(tables));
                    }
                }
            }),
        }
        let result = result.into_inner().expect("no worker panics");
        match failure.into_inner().expect("no worker panics") {
            Some(source) => {
                let done = result.statuses.iter().filter(|&&status| status != Status::NOT_COMPUTED).count();
                Err(InfraredError::Interrupted { source, done, finished: Box::new(result) })
            }
            None => Ok(result),
        }
    }
}
