//! Atmosphere and rays in, radiances out.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use isobar_core::fields::{CHANNEL, Extents, OwnedOutputs};
use isobar_core::{FieldMut, Status};
use isobar_launch::{BadItems, Device, Error, Model, RunError};
use isobar_raytrace::{Atmosphere, Position, Ray};
use rayon::prelude::*;

use super::clock::StageTimes;
use super::in_words::in_words;
use super::infrared::{Infrared, PreparedAtmosphere};
use super::scheme::Precision;
use super::slot::Slot;
use crate::coverage::Outside;
use crate::fields::{BeamViews, Beams, GAS, RayViews};
use crate::{FieldOfView, FieldOfViewError, ForwardError, ForwardSetup, planck};

/// The number of values that are worth another thread of the host.
const VALUES_TO_SHARE: usize = 8192;

/// Radiances and transmittances of a batch of rays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Radiances {
    /// Radiance \[W/(m^2 sr cm^-1)\] or brightness temperature \[K\], `ray * channels + channel`; NaN for a failed ray.
    pub radiance: Vec<f64>,
    /// Transmittance of the path, in the order of radiances; NaN for a failed ray.
    pub transmittance: Vec<f64>,
    /// Tangent point of each ray.
    pub tangent_points: Vec<Position>,
    /// Points of each path; zero where a ray misses the atmosphere.
    pub points: Vec<u32>,
    /// What became of each ray.
    pub statuses: Vec<Status>,
    /// For each gas, the points of all paths that lie outside its tables, and the state at the first of them.
    pub outside: Vec<Outside>,
    /// Rays of which some channel ended early: with `jurassic_exact` a gas let nothing of a segment pass, while more
    /// than a millionth of what is behind could still be seen.
    pub cut_short: usize,
    /// Time of each kernel, summed over workers, where [`Infrared::timed`] asked for it.
    pub stages: StageTimes,
}

impl Radiances {
    /// For each gas whose tables some paths leave, where, in words: it was extrapolated there.
    #[must_use]
    pub fn outside_tables(&self, gases: &[String]) -> Vec<String> {
        let points = self.points.iter().map(|&points| u64::from(points)).sum();
        in_words(gases, &self.outside, points)
    }

    /// What is said where some channel of a ray ended early, if any did.
    #[must_use]
    pub fn early_ends(&self) -> Option<String> {
        (self.cut_short > 0).then(|| {
            format!(
                "{} of {} rays: a gas becomes opaque within one step in some channel, and as in JURASSIC the channel \
                 ends there without the emission of that step; shorten RAYDS or RAYDZ",
                self.cut_short,
                self.statuses.len()
            )
        })
    }

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

    /// Resizes the results for `rays` rays; what was in them is lost.
    fn make_room(&mut self, rays: usize, setup: &ForwardSetup) {
        let values = rays * setup.wavenumbers_per_cm.len();
        for room in [&mut self.radiance, &mut self.transmittance] {
            room.truncate(values);
            if room.len() < values {
                // To touch new memory takes one thread longer than the kernels.
                *room = (0..values).into_par_iter().with_min_len(VALUES_TO_SHARE).map(|_| 0.0).collect();
            }
        }
        self.points.resize(rays, 0);
        self.tangent_points.clear();
        self.statuses.clear();
        self.outside.clear();
        self.outside.resize(setup.gases.len(), Outside::default());
        self.cut_short = 0;
    }
}

/// Why radiances could not be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InfraredError {
    /// A device could not be made ready, or failed.
    #[error(transparent)]
    Device(#[from] Error),
    /// The devices, the rays together, or a device that could not be made ready.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A device failed on the way, or the run was stopped. What was finished before is kept; the other rays are
    /// [`Status::NOT_COMPUTED`].
    #[error("{source} ({done} of {rays} rays were finished)", rays = finished.statuses.len())]
    Interrupted {
        /// Why.
        source: Error,
        /// The rays that were finished.
        done: usize,
        /// Their results: pencil beams, as radiances where the setup has a field of view.
        finished: Box<Radiances>,
    },
    /// The setup, or the atmosphere.
    #[error(transparent)]
    Forward(#[from] ForwardError),
    /// The field of view.
    #[error(transparent)]
    FieldOfView(#[from] FieldOfViewError),
}

/// [`Infrared`] on some devices: a [`Model`] with what comes before and after pencil beams.
///
/// The bits of the results depend neither on the devices nor on the chunks.
pub struct InfraredModel<R: Precision> {
    pub(super) model: Model<Infrared<R>>,
    /// Queues with their memory that no run is using.
    pub(super) idle_jacobians: Mutex<Vec<Slot>>,
    /// Memory of runs that are done, for what beams have beside radiances.
    idle_beams: Mutex<Vec<Beams<f64>>>,
    pub(super) items_per_chunk: Option<usize>,
    pub(super) stop: Option<Arc<AtomicBool>>,
}

impl<R: Precision> Infrared<R> {
    /// On these devices, which share each batch: [`Device::Thread`] is the calling thread, [`Device::Cpu`] all threads.
    #[must_use]
    pub fn on(self, devices: &[Device]) -> InfraredModel<R> {
        InfraredModel::new(self, devices)
    }
}

impl<R: Precision> InfraredModel<R> {
    fn new(infrared: Infrared<R>, devices: &[Device]) -> Self {
        // What becomes of a ray is what its status says.
        let model = Model::new(infrared, devices).bad_items(BadItems::Compute);
        let (idle_jacobians, idle_beams) = Default::default();
        Self { model, idle_jacobians, idle_beams, items_per_chunk: None, stop: None }
    }

    /// Computes `rays` rays at a time, and of derivatives as many channels; the results do not depend on it. By default
    /// a CPU's thread takes one ray at a time, a GPU many thousands.
    #[must_use]
    pub fn items_per_chunk(mut self, rays: usize) -> Self {
        self.model = self.model.items_per_chunk(rays);
        self.items_per_chunk = Some(rays.max(1));
        self
    }

    /// Tells [`InfraredModel::run`]'s caller now and then how many rays are done.
    #[must_use]
    pub fn progress(mut self, progress: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.model = self.model.progress(progress);
        self
    }

    /// Begins no more rays once `stop` is set, and ends with what is finished.
    #[must_use]
    pub fn stop_on(mut self, stop: Arc<AtomicBool>) -> Self {
        self.model = self.model.stop_on(stop.clone());
        self.stop = Some(stop);
        self
    }

    /// Every allocation of more bytes fails as if a device's memory did not hold it: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn largest_allocation(mut self, bytes: usize) -> Self {
        self.model = self.model.largest_allocation(bytes);
        self
    }

    /// Loses the devices once `rays` rays are done: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn lost_after(mut self, rays: usize) -> Self {
        self.model = self.model.lost_after(rays);
        self
    }

    /// The model of pencil beams, for rays as declared fields.
    #[must_use]
    pub fn pencil_beams(&self) -> &Model<Infrared<R>> {
        &self.model
    }

    /// What the forward model is asked for.
    #[must_use]
    pub fn setup(&self) -> &ForwardSetup {
        &self.model.scheme().setup
    }

    /// The radiances of rays through an atmosphere.
    ///
    /// A ray that cannot be traced has NaN radiances and a bad status; the others are computed all the same.
    ///
    /// # Errors
    /// An atmosphere that does not fit the setup or is invalid, a device that fails, a field of view that cannot be
    /// applied, a run that is stopped.
    pub fn run(&self, atmosphere: &Atmosphere, rays: &[Ray]) -> Result<Radiances, InfraredError> {
        let mut result = Radiances::default();
        self.run_into(atmosphere, rays, &mut result)?;
        Ok(result)
    }

    /// Writes what [`InfraredModel::run`] gives into results whose memory is used again: for many rays, new memory
    /// takes longer than the kernels.
    ///
    /// # Errors
    /// As [`InfraredModel::run`]; what is in the results is then lost.
    pub fn run_into(&self, atmosphere: &Atmosphere, rays: &[Ray], result: &mut Radiances) -> Result<(), InfraredError> {
        let infrared = self.model.scheme();
        let setup = &infrared.setup;
        // A field of view is of radiances.
        let at_once = setup.brightness_temperature && setup.field_of_view.is_none();
        let through = PreparedAtmosphere::seen_as(setup, atmosphere, at_once)?;
        result.make_room(rays.len(), setup);
        let done = match rays {
            [] => Ok(Vec::new()),
            rays => self.beams(&through, rays, result),
        };
        result.stages = infrared.clock.read();
        match done {
            Ok(_) => {}
            Err(RunError::Interrupted { source, done, .. }) => {
                return Err(InfraredError::Interrupted { source, done, finished: Box::new(std::mem::take(result)) });
            }
            Err(error) => return Err(error.into()),
        }
        if let Some(view) = &setup.field_of_view {
            self.see(view, rays, result)?;
        }
        Ok(())
    }

    /// What an instrument with a field of view sees. Threads of the host have all rays, whatever device and chunk they
    /// came from.
    fn see(&self, view: &FieldOfView, rays: &[Ray], result: &mut Radiances) -> Result<(), FieldOfViewError> {
        let setup = &self.model.scheme().setup;
        let (channels, most) = (setup.wavenumbers_per_cm.len(), VALUES_TO_SHARE / setup.wavenumbers_per_cm.len());
        let means = (0..rays.len()).into_par_iter().with_min_len(most).map(|ray| view.mean(rays, ray));
        let means = means.collect::<Vec<_>>().into_iter().collect::<Result<Vec<_>, _>>()?;
        for (values, radiance) in [(&mut result.radiance, true), (&mut result.transmittance, false)] {
            let pencil = values.clone();
            values.par_chunks_mut(channels).with_min_len(most).zip(&means).for_each(|(seen, mean)| {
                mean.of(&pencil, seen);
                if radiance && setup.brightness_temperature {
                    for (radiance, &wavenumber_per_cm) in seen.iter_mut().zip(&setup.wavenumbers_per_cm) {
                        *radiance = planck::brightness_temperature(*radiance, wavenumber_per_cm);
                    }
                }
            });
        }
        Ok(())
    }

    /// Each ray by itself: radiances and transmittances are written to their place, ray by ray.
    fn beams(
        &self,
        through: &PreparedAtmosphere<R>,
        rays: &[Ray],
        result: &mut Radiances,
    ) -> Result<Vec<isobar_core::fields::Error>, RunError> {
        let (count, gases) = (rays.len(), result.outside.len());
        let channels = result.radiance.len() / count;
        let mut idle = self.idle_beams.lock().expect("no worker panics").pop();
        let rest = idle.get_or_insert_default();
        let extents = Extents::new(count).with(GAS, gases);
        rest.resize(&extents, &|declared| !declared.shape.contains(&CHANNEL) && declared.name != "points")?;
        let views = BeamViews {
            radiance: FieldMut::level_fastest(&mut result.radiance, channels, count),
            transmittance: FieldMut::level_fastest(&mut result.transmittance, channels, count),
            points: FieldMut::item_fastest(&mut result.points, 1, count),
            ..rest.views(count)
        };
        let done = self.model.run_views(RayViews::from(rays), through, &views);
        let tangent_point = |ray: usize| Position {
            height_km: rest.tangent_height_km[ray],
            longitude_deg: rest.tangent_longitude_deg[ray],
            latitude_deg: rest.tangent_latitude_deg[ray],
        };
        let tangent_points = (0..count).into_par_iter().with_min_len(VALUES_TO_SHARE).map(tangent_point);
        tangent_points.collect_into_vec(&mut result.tangent_points);
        result.statuses.extend(rest.status.iter().map(|&status| Status(status)));
        let computed = |ray: usize| rest.status[ray] != Status::NOT_COMPUTED.0;
        result.cut_short = (0..count).filter(|&ray| rest.cut_short[ray] != 0 && computed(ray)).count();
        for i in (0..gases * count).filter(|&i| rest.outside_points[i] > 0 && computed(i % count)) {
            let (pressure_hpa, temperature_k) = (rest.outside_pressure_hpa[i], rest.outside_temperature_k[i]);
            let of_ray = Outside { pressure_hpa, temperature_k, points: rest.outside_points[i], ray: 0 };
            result.outside[i / count].add(&of_ray, i % count);
        }
        // What is not computed has what was there before.
        for ray in (0..count).filter(|&ray| !computed(ray)) {
            result.radiance[ray * channels..(ray + 1) * channels].fill(f64::NAN);
            result.transmittance[ray * channels..(ray + 1) * channels].fill(f64::NAN);
            (result.points[ray], result.tangent_points[ray]) = (0, Position::default());
        }
        self.idle_beams.lock().expect("no worker panics").extend(idle);
        done
    }
}
