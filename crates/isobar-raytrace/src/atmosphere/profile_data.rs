//! The atmosphere as a core reads it.

use isobar_core::{Column, Field, Real};

use super::{Atmosphere, Error};
use crate::profile::{Profile, log_pressure_slope};
use crate::track::{Foot, Track};

/// The arrays behind a [`crate::profile::Profile`]: heights ascending, slopes precomputed, in the precision of a run.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProfileData<R> {
    /// Height \[km\], ascending.
    pub height_km: Vec<R>,
    /// Pressure \[hPa\].
    pub pressure_hpa: Vec<R>,
    /// Slope of ln p in each interval \[1/km\].
    pub log_pressure_slope_per_km: Vec<R>,
    /// Temperature \[K\].
    pub temperature_k: Vec<R>,
    /// Mixing ratios, `gas * levels + level`.
    pub mixing_ratio: Vec<R>,
    /// Extinctions, `window * levels + level`.
    pub extinction_per_km: Vec<R>,
    /// The profiles of a track; none where one profile counts everywhere.
    pub feet: Vec<Foot<R>>,
}

impl<R: Real> ProfileData<R> {
    /// Copies an atmosphere, each profile turned so that heights ascend.
    ///
    /// # Errors
    /// As [`Atmosphere::validate`].
    pub fn new(atmosphere: &Atmosphere) -> Result<Self, Error> {
        atmosphere.validate()?;
        let profiles = atmosphere.profiles();
        let turned = |values: &Vec<f64>| {
            let mut copy: Vec<R> = values.iter().map(|&x| R::from_f64(x)).collect();
            for profile in &profiles {
                if atmosphere.height_km[profile.start + 1] < atmosphere.height_km[profile.start] {
                    copy[profile.clone()].reverse();
                }
            }
            copy
        };
        let foot = |profile: &core::ops::Range<usize>| Foot {
            position_km: atmosphere.foot(profile.start).map(R::from_f64),
            first: profile.start as u32,
            levels: profile.len() as u32,
        };
        let height_km = turned(&atmosphere.height_km);
        let pressure_hpa = turned(&atmosphere.pressure_hpa);
        let slope =
            |i: usize| log_pressure_slope([pressure_hpa[i], pressure_hpa[i + 1]], [height_km[i], height_km[i + 1]]);
        Ok(Self {
            log_pressure_slope_per_km: (0..height_km.len() - 1).map(slope).collect(),
            feet: if profiles.len() > 1 { profiles.iter().map(foot).collect() } else { Vec::new() },
            temperature_k: turned(&atmosphere.temperature_k),
            mixing_ratio: atmosphere.mixing_ratio.iter().flat_map(turned).collect(),
            extinction_per_km: atmosphere.extinction_per_km.iter().flat_map(turned).collect(),
            height_km,
            pressure_hpa,
        })
    }

    /// A view of one profile for a core on this host.
    #[must_use]
    pub fn view(&self) -> Profile<'_, R> {
        let levels = self.height_km.len();
        Profile {
            height_km: Column::from(self.height_km.as_slice()),
            pressure_hpa: Column::from(self.pressure_hpa.as_slice()),
            log_pressure_slope_per_km: Column::from(self.log_pressure_slope_per_km.as_slice()),
            temperature_k: Column::from(self.temperature_k.as_slice()),
            mixing_ratio: by_item(&self.mixing_ratio, levels),
            extinction_per_km: by_item(&self.extinction_per_km, levels),
        }
    }
}

impl<R: Real> ProfileData<R> {
    /// A view of a track for a core on this host; nothing where one profile counts everywhere.
    #[must_use]
    pub fn track(&self) -> Option<Track<'_, R>> {
        (!self.feet.is_empty()).then(|| {
            let [lowest_km, highest_km] = self.ends_km();
            Track { levels: self.view(), feet: Column::from(self.feet.as_slice()), lowest_km, highest_km }
        })
    }

    /// The lowest and the highest of all levels \[km\].
    #[must_use]
    pub fn ends_km(&self) -> [R; 2] {
        let first = self.height_km[0];
        self.height_km.iter().fold([first, first], |[low, high], &z| [low.min(z), high.max(z)])
    }
}

fn by_item<R: Copy>(values: &[R], levels: usize) -> Field<'_, R> {
    if values.is_empty() { Field::empty() } else { Field::level_fastest(values, levels, values.len() / levels) }
}
