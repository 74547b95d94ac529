//! A clear-sky batch of any size, shared by devices chunk by chunk.

use std::sync::Mutex;

use isobar_launch::{Device, Error};

use super::share::{Share, check_finite, put};
use super::{Outputs, Precision, Radiances, Resident};
use crate::Schedule;
use crate::clear_sky::{Profiles, Reflection};

/// Why radiances could not be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddingError {
    /// The batch.
    #[error(transparent)]
    Batch(#[from] crate::Error),
    /// A device.
    #[error(transparent)]
    Device(#[from] Error),
    /// The numbers of valid profiles are too large for the precision.
    #[error("the radiance of profile {profile}, angle {angle} is beyond the range of {precision}")]
    NotFinite {
        /// Which profile.
        profile: usize,
        /// Which angle or stream.
        angle: usize,
        /// `f32` or `f64`.
        precision: &'static str,
    },
}

/// A clear-sky calculation on some devices, in the precision that [`ClearSkyModel::run`] is asked for.
///
/// ```
/// use isobar_adding::clear_sky::{Absorption, Profiles, Reflection, Source};
/// use isobar_adding::launch::{ClearSkyModel, Outputs};
/// use isobar_launch::Device;
///
/// let profiles = Profiles {
///     cosine: vec![1.0],
///     absorption: Absorption::OpticalDepth(vec![0.0, 40.0]),
///     source: Source::Isothermal(vec![50.0, 80.0]),
///     surface_planck: vec![100.0],
///     emissivity: vec![1.0],
///     cosmic: vec![0.0],
///     reflection: Reflection::Specular,
///     sun: None,
/// };
/// let radiances = ClearSkyModel::new(&[Device::Cpu]).run::<f64>(&profiles, Outputs::Ends, &|_| {})?;
/// assert_eq!(radiances.top, [80.0]); // the opaque layer hides the surface
/// # Ok::<(), isobar_adding::launch::AddingError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClearSkyModel {
    devices: Vec<Device>,
    schedule: Schedule,
    profiles_per_chunk: Option<usize>,
}

/// Profiles that a GPU takes at a time, so that several chunks and several GPUs share a batch.
const GPU_CHUNK: usize = 1 << 18;
/// Profiles that the CPU takes at a time: their inputs fit into its caches.
const CPU_CHUNK: usize = 1 << 12;

impl ClearSkyModel {
    /// On these devices, which share each batch.
    #[must_use]
    pub fn new(devices: &[Device]) -> Self {
        Self { devices: devices.to_vec(), schedule: Schedule::Auto, profiles_per_chunk: None }
    }

    /// Shares the work in this way; the radiances do not depend on it.
    #[must_use]
    pub fn schedule(mut self, schedule: Schedule) -> Self {
        self.schedule = schedule;
        self
    }

    /// Takes so many profiles at a time; the radiances do not depend on it.
    #[must_use]
    pub fn profiles_per_chunk(mut self, profiles: usize) -> Self {
        self.profiles_per_chunk = Some(profiles.max(1));
        self
    }

    /// The radiances of a batch. `progress` is told now and then how many profiles are done.
    ///
    /// # Errors
    /// A batch that is not valid or too large for the precision, or a device that fails.
    pub fn run<R: Precision>(
        &self,
        batch: &Profiles,
        outputs: Outputs,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Radiances<R>, AddingError> {
        batch.validate()?;
        if outputs == Outputs::Emission && batch.reflection != Reflection::None {
            return Err(crate::Error::Setup("a reflecting surface needs the downward radiance: ask for Ends").into());
        }
        let (profiles, angles) = (batch.profiles(), batch.angles());
        let room = |wanted: bool, rows: usize| vec![R::ZERO; if wanted { rows * profiles } else { 0 }];
        let levels = outputs == Outputs::Levels;
        let result = Mutex::new(Radiances {
            top: room(true, angles),
            surface_down: room(outputs != Outputs::Emission, angles),
            level_up: room(levels, (batch.layers() + 1) * angles),
            level_down: room(levels, (batch.layers() + 1) * angles),
        });
        let share = Share {
            devices: &self.devices,
            profiles,
            profiles_per_chunk: self.profiles_per_chunk,
            cpu_chunk: CPU_CHUNK,
            gpu_chunk: GPU_CHUNK,
            most_profiles: Resident::<R>::most_profiles(batch),
            bytes_per_profile: Resident::<R>::bytes_per_profile(batch, outputs),
        };
        share.run(progress, |queue, range| {
            let mut resident = Resident::<R>::new(queue, batch, range.clone(), outputs)?;
            resident.compute(queue, self.schedule)?;
            let part = resident.radiances(queue)?;
            let all = &mut *result.lock().expect("no worker panics");
            put(&mut all.top, &part.top, profiles, &range);
            put(&mut all.surface_down, &part.surface_down, profiles, &range);
            put(&mut all.level_up, &part.level_up, profiles, &range);
            put(&mut all.level_down, &part.level_down, profiles, &range);
            Ok(())
        })?;
        let radiances = result.into_inner().expect("no worker panics");
        check_finite(&radiances.top, profiles)?;
        Ok(radiances)
    }
}
