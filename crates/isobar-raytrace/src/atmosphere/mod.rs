//! The state of the atmosphere along one vertical profile, as a host owns it.

mod error;
mod profile_data;
mod surface_height;

use isobar_core::{Column, FieldMut};

pub use self::error::Error;
pub use self::profile_data::ProfileData;
pub use self::surface_height::SurfaceHeightSlopes;
use crate::geodesy::to_cartesian;

/// Pressure, temperature, trace gases and extinction on common heights, with an optional cloud and surface layer: one
/// vertical profile, or several along a track.
///
/// Every vector over levels has the same length, at least 2, and the heights of a profile are strictly
/// monotone, in either direction: [`Atmosphere::validate`] checks it.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Atmosphere {
    /// How it varies horizontally.
    pub horizontal: Horizontal,
    /// Time of each level \[s since 2000-01-01T00:00Z\].
    pub time_s: Vec<f64>,
    /// Height of each level \[km\].
    pub height_km: Vec<f64>,
    /// Longitude of each level \[deg\]; carried along where one profile counts everywhere.
    pub longitude_deg: Vec<f64>,
    /// Latitude of each level \[deg\]; carried along.
    pub latitude_deg: Vec<f64>,
    /// Pressure at each level \[hPa\].
    pub pressure_hpa: Vec<f64>,
    /// Temperature at each level \[K\].
    pub temperature_k: Vec<f64>,
    /// Volume mixing ratio \[mol/mol\], `[gas][level]`.
    pub mixing_ratio: Vec<Vec<f64>>,
    /// Extinction coefficient \[1/km\], `[window][level]`.
    pub extinction_per_km: Vec<Vec<f64>>,
    /// A grey cloud, if there is one.
    pub cloud: Option<CloudLayer>,
    /// A surface with its own temperature and emissivity, if there is one.
    pub surface: Option<SurfaceLayer>,
}

/// How an atmosphere varies horizontally.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Horizontal {
    /// It does not: all levels are one profile.
    #[default]
    Uniform,
    /// Profiles along a track: a new one begins where longitude or latitude changes from level to level. A point lies
    /// between the two nearest ones (JURASSIC's `IP` of 2).
    Track,
}

/// A cloud with a Gaussian vertical profile: `exp(-0.5 ((z - height) / depth)^2) * extinction(wavenumber)`.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CloudLayer {
    /// Height of the maximum \[km\].
    pub height_km: f64,
    /// Depth \[km\]; zero or less means no cloud.
    pub depth_km: f64,
    /// Extinction at the maximum \[1/km\], one value a wavenumber node of the configuration.
    pub extinction_per_km: Vec<f64>,
}

/// A surface layer.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfaceLayer {
    /// Height of the surface \[km\].
    pub height_km: f64,
    /// Pressure at the surface \[hPa\]; not positive means that the height alone counts.
    pub pressure_hpa: f64,
    /// Temperature of the surface \[K\]; not positive means that of the lowest air.
    pub temperature_k: f64,
    /// Emissivity, one value a wavenumber node of the configuration.
    pub emissivity: Vec<f64>,
}

impl Atmosphere {
    /// An atmosphere of air alone, without trace gases.
    ///
    /// # Errors
    /// As [`Atmosphere::validate`].
    pub fn new(height_km: Vec<f64>, pressure_hpa: Vec<f64>, temperature_k: Vec<f64>) -> Result<Self, Error> {
        let zeros = vec![0.0; height_km.len()];
        let atmosphere = Self {
            time_s: zeros.clone(),
            longitude_deg: zeros.clone(),
            latitude_deg: zeros,
            height_km,
            pressure_hpa,
            temperature_k,
            ..Self::default()
        };
        atmosphere.validate()?;
        Ok(atmosphere)
    }

    /// The number of levels.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.height_km.len()
    }

    /// Checks lengths, order and ranges: pressure in `(0, 50000]` hPa (a profile in Pa is refused), temperature above
    /// 0, mixing ratios in `[0, 1]`, extinction not negative.
    ///
    /// # Errors
    /// The first value that breaks a rule, with its variable, level and accepted range.
    pub fn validate(&self) -> Result<(), Error> {
        let levels = self.levels();
        if levels < 2 {
            return Err(Error::TooFewLevels(levels));
        }
        let check = |variable: String, values: &[f64], range: &'static str, ok: &dyn Fn(f64) -> bool| {
            if values.len() != levels {
                return Err(Error::Length { variable, got: values.len(), expected: levels });
            }
            match values.iter().position(|&x| !(x.is_finite() && ok(x))) {
                Some(level) => Err(Error::Value { variable, level, value: values[level], range }),
                None => Ok(()),
            }
        };
        check("height [km]".into(), &self.height_km, "(-6367, inf)", &|z| z > -6367.0)?;
        check("pressure [hPa]".into(), &self.pressure_hpa, "(0, 50000]", &|p| p > 0.0 && p <= 5e4)?;
        check("temperature [K]".into(), &self.temperature_k, "(0, inf)", &|t| t > 0.0)?;
        for (gas, values) in self.mixing_ratio.iter().enumerate() {
            check(format!("mixing ratio of gas {gas}"), values, "[0, 1]", &|q| (0.0..=1.0).contains(&q))?;
        }
        for (window, values) in self.extinction_per_km.iter().enumerate() {
            check(format!("extinction [1/km] of window {window}"), values, "[0, inf)", &|k| k >= 0.0)?;
        }
        if self.horizontal == Horizontal::Track {
            check("longitude [deg]".into(), &self.longitude_deg, "(-inf, inf)", &|_| true)?;
            check("latitude [deg]".into(), &self.latitude_deg, "[-90, 90]", &|y| (-90.0..=90.0).contains(&y))?;
        }
        let profiles = self.profiles();
        let again = self.first_at_a_known_place(&profiles);
        for (number, profile) in profiles.iter().enumerate() {
            let wrong = |reason: &'static str| Error::Profile {
                profile: number,
                level: profile.start,
                longitude_deg: self.longitude_deg[profile.start],
                latitude_deg: self.latitude_deg[profile.start],
                reason,
            };
            if profile.len() < 2 {
                return Err(wrong("has a single level: the levels of a profile must follow each other"));
            }
            let heights = &self.height_km[profile.clone()];
            let rising = heights[1] > heights[0];
            for (i, pair) in heights.windows(2).enumerate() {
                if (pair[1] > pair[0]) != rising || pair[1] == pair[0] {
                    return Err(Error::Order { level: profile.start + i + 1, value: pair[1] });
                }
            }
            if again == Some(number) {
                return Err(wrong("stands where an earlier one does"));
            }
        }
        Ok(())
    }

    /// The first of several profiles that stands where an earlier one does, in whatever degrees: within a millimetre,
    /// to which sines and cosines know a place.
    fn first_at_a_known_place(&self, profiles: &[core::ops::Range<usize>]) -> Option<usize> {
        const SAME_PLACE_KM: f64 = 1e-6;
        let mut feet: Vec<([f64; 3], usize)> =
            profiles.iter().enumerate().map(|(number, profile)| (self.foot(profile.start), number)).collect();
        feet.sort_by(|(a, _), (b, _)| a[0].total_cmp(&b[0]));
        let later = feet.iter().enumerate().flat_map(|(place, (foot, number))| {
            let near = feet[place + 1..].iter().take_while(|(other, _)| other[0] - foot[0] <= SAME_PLACE_KM);
            let same = near.filter(|(other, _)| (0..3).all(|axis| (other[axis] - foot[axis]).abs() <= SAME_PLACE_KM));
            same.map(|(_, other)| *number.max(other))
        });
        later.min()
    }

    /// Position at the Earth's surface below a level \[km\].
    pub(super) fn foot(&self, level: usize) -> [f64; 3] {
        let x = to_cartesian(0.0, self.longitude_deg[level], self.latitude_deg[level]);
        [x[0], x[1], x[2]]
    }

    /// The levels of each profile; one for all unless the atmosphere is a track.
    #[must_use]
    pub fn profiles(&self) -> Vec<core::ops::Range<usize>> {
        let levels = self.levels();
        let begins = |i: &usize| {
            self.longitude_deg[*i] != self.longitude_deg[*i - 1] || self.latitude_deg[*i] != self.latitude_deg[*i - 1]
        };
        let mut starts = vec![0];
        if self.horizontal == Horizontal::Track {
            starts.extend((1..levels).filter(begins));
        }
        starts.iter().zip(starts[1..].iter().chain([&levels])).map(|(&start, &end)| start..end).collect()
    }

    /// The profiles of a track, each an atmosphere with the same cloud and surface.
    #[must_use]
    pub fn split(&self) -> Vec<Self> {
        let one = |levels: core::ops::Range<usize>| {
            let of = |values: &Vec<f64>| values[levels.clone()].to_vec();
            Self {
                horizontal: Horizontal::Uniform,
                time_s: of(&self.time_s),
                height_km: of(&self.height_km),
                longitude_deg: of(&self.longitude_deg),
                latitude_deg: of(&self.latitude_deg),
                pressure_hpa: of(&self.pressure_hpa),
                temperature_k: of(&self.temperature_k),
                mixing_ratio: self.mixing_ratio.iter().map(of).collect(),
                extinction_per_km: self.extinction_per_km.iter().map(of).collect(),
                cloud: self.cloud.clone(),
                surface: self.surface.clone(),
            }
        };
        self.profiles().into_iter().map(one).collect()
    }

    /// A track of atmospheres that have the same gases and windows, one after the other, with cloud and surface of the
    /// first.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn join(profiles: &[Self]) -> Self {
        let mut all = Self { horizontal: Horizontal::Track, ..profiles[0].clone() };
        for profile in &profiles[1..] {
            for (values, more) in [
                (&mut all.time_s, &profile.time_s),
                (&mut all.height_km, &profile.height_km),
                (&mut all.longitude_deg, &profile.longitude_deg),
                (&mut all.latitude_deg, &profile.latitude_deg),
                (&mut all.pressure_hpa, &profile.pressure_hpa),
                (&mut all.temperature_k, &profile.temperature_k),
            ] {
                values.extend(more);
            }
            let lists = all.mixing_ratio.iter_mut().zip(&profile.mixing_ratio);
            let lists = lists.chain(all.extinction_per_km.iter_mut().zip(&profile.extinction_per_km));
            lists.for_each(|(values, more)| values.extend(more));
        }
        all
    }

    /// Is it a track of several profiles?
    #[must_use]
    pub fn varies(&self) -> bool {
        self.horizontal == Horizontal::Track && self.profiles().len() > 1
    }

    /// The level of each profile whose pressure stays where the atmosphere is made hydrostatic: the one nearest to
    /// `reference_km`, the first of two.
    ///
    /// # Errors
    /// A height outside a profile.
    pub fn reference_levels(&self, reference_km: f64) -> Result<Vec<usize>, Error> {
        let level = |profile: core::ops::Range<usize>| {
            let heights = &self.height_km[profile.clone()];
            let low_km = heights.iter().copied().fold(f64::INFINITY, f64::min);
            let high_km = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            match (low_km..=high_km).contains(&reference_km) {
                true => Ok(profile.start + crate::hydrostatic::reference_level(Column::from(heights), reference_km)),
                false => Err(Error::Reference { reference_km, low_km, high_km }),
            }
        };
        self.profiles().into_iter().map(level).collect()
    }

    /// What is said where [`Atmosphere::reference_levels`] lie at other heights than the one that was asked for.
    #[must_use]
    pub fn reference_remark(&self, reference_km: f64) -> Option<String> {
        let levels = self.reference_levels(reference_km).ok()?;
        let level = levels.into_iter().find(|&level| self.height_km[level] != reference_km)?;
        let height_km = self.height_km[level];
        Some(format!(
            "HYDZ = {reference_km} km lies between levels: the pressure of the nearest, {height_km} km, stays"
        ))
    }

    /// Refuses a surface above all air.
    ///
    /// # Errors
    /// Height or pressure of the surface is that of the highest level, or lies above it.
    pub fn check_surface(&self) -> Result<(), Error> {
        let Some(surface) = &self.surface else { return Ok(()) };
        let top_km = self.height_km.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let found_km = self.surface_height_km();
        if found_km < top_km {
            return Ok(());
        }
        let (height_km, pressure_hpa) = (surface.height_km, surface.pressure_hpa);
        Err(Error::Surface { height_km, pressure_hpa, found_km, top_km })
    }

    /// Makes the pressure hydrostatic around the level nearest to `reference_km`; `water` is the index of H2O among the
    /// gases. Each profile of a track by itself.
    pub fn make_hydrostatic(&mut self, reference_km: f64, water: Option<usize>) {
        for profile in self.profiles() {
            let levels = profile.len();
            let water = water.map(|gas| Column::from(&self.mixing_ratio[gas][profile.clone()]));
            crate::hydrostatic::adjust(
                Column::from(&self.height_km[profile.clone()]),
                Column::from(&self.temperature_k[profile.clone()]),
                water,
                reference_km,
                FieldMut::item_fastest(&mut self.pressure_hpa[profile], levels, 1),
            );
        }
    }
}
