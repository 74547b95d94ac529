//! A batch of profiles that scatter, of any size, shared by devices chunk by chunk.

use std::sync::Mutex;

use isobar_launch::Device;

use super::scattered::{ScatteringRadiances, ScatteringSchedule};
use super::scattering_resident::ScatteringResident;
use super::share::{Share, check_finite, put};
use super::{AddingError, Precision};
use crate::scattering::batch::ScatteringProfiles;

/// A calculation with scattering on some devices, in the precision of the radiances that are asked for.
///
/// ```
/// use isobar_adding::scattering::batch::{PhaseFunction, Reflection, ScatteringProfiles};
/// use isobar_launch::Device;
/// use isobar_adding::launch::ScatteringModel;
///
/// // An isothermal atmosphere over a black surface of its own temperature: nothing is to be seen of the cloud.
/// let profiles = ScatteringProfiles {
///     nodes: 4,
///     viewing_cosine: None,
///     optical_depth: vec![0.1, 100.0],
///     albedo: vec![0.0, 0.0],
///     phase: PhaseFunction::Asymmetry(vec![0.0, 0.85]),
///     delta: true,
///     planck_radiance: vec![80.0; 2],
///     surface_planck: vec![80.0],
///     emissivity: vec![1.0; 4],
///     reflection: Reflection::Specular,
///     cosmic: vec![0.0],
///     sun: None,
/// };
/// let radiances = ScatteringModel::new(&[Device::Cpu]).run::<f64>(&profiles, false, &|_| {})?;
/// assert!(radiances.top.iter().all(|radiance| (radiance - 80.0).abs() < 1e-12));
/// # Ok::<(), isobar_adding::launch::AddingError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScatteringModel {
    devices: Vec<Device>,
    schedule: ScatteringSchedule,
    profiles_per_chunk: Option<usize>,
}

/// Profiles that a GPU takes at a time, if its memory holds them: enough for all of its warps.
const GPU_CHUNK: usize = 1 << 15;
/// Profiles that the CPU takes at a time: some for each thread, and a few hundred MB of matrices.
const CPU_CHUNK: usize = 1 << 9;

impl ScatteringModel {
    /// On these devices, which share each batch.
    #[must_use]
    pub fn new(devices: &[Device]) -> Self {
        Self { devices: devices.to_vec(), schedule: ScatteringSchedule::Auto, profiles_per_chunk: None }
    }

    /// Adds the layers in this order.
    #[must_use]
    pub fn schedule(mut self, schedule: ScatteringSchedule) -> Self {
        self.schedule = schedule;
        self
    }

    /// Takes so many profiles at a time; the radiances do not depend on it.
    #[must_use]
    pub fn profiles_per_chunk(mut self, profiles: usize) -> Self {
        self.profiles_per_chunk = Some(profiles.max(1));
        self
    }

    /// The radiances of a batch: at the top, and if `levels` at all levels. `progress` is told now and then how many
    /// profiles are done.
    ///
    /// # Errors
    /// A batch that is not valid or too large for the precision, or a device that fails.
    pub fn run<R: Precision>(
        &self,
        batch: &ScatteringProfiles,
        levels: bool,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<ScatteringRadiances<R>, AddingError> {
        batch.validate()?;
        let (profiles, streams) = (batch.profiles(), batch.streams());
        let schedule = self.schedule.resolve(profiles, streams);
        let room = |rows: usize| vec![R::ZERO; rows * streams * profiles];
        let rows = if levels { batch.layers() + 1 } else { 0 };
        let result = Mutex::new(ScatteringRadiances { top: room(1), level_up: room(rows), level_down: room(rows) });
        let share = Share {
            devices: &self.devices,
            profiles,
            profiles_per_chunk: self.profiles_per_chunk,
            cpu_chunk: CPU_CHUNK,
            gpu_chunk: GPU_CHUNK,
            most_profiles: usize::MAX,
            bytes_per_profile: ScatteringResident::<R>::bytes_per_profile(batch, schedule, levels),
        };
        share.run(progress, |queue, range| {
            let mut resident = ScatteringResident::<R>::new(queue, batch, range.clone(), schedule, levels)?;
            resident.compute(queue)?;
            let part = resident.radiances(queue)?;
            let all = &mut *result.lock().expect("no worker panics");
            put(&mut all.top, &part.top, profiles, &range);
            put(&mut all.level_up, &part.level_up, profiles, &range);
            put(&mut all.level_down, &part.level_down, profiles, &range);
            Ok(())
        })?;
        let radiances = result.into_inner().expect("no worker panics");
        check_finite(&radiances.top, profiles)?;
        Ok(radiances)
    }
}
