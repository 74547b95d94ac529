//! The state of the atmosphere along one vertical profile, as a host owns it.

use isobar_core::interpolate::linear;
use isobar_core::{Column, Dual, Field, FieldMut, Real};

use crate::geodesy::to_cartesian;
use crate::profile::{Profile, log_pressure_slope};
use crate::track::{Foot, Track};

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

/// How the height of the surface follows the state: [`Atmosphere::surface_height_slopes`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfaceHeightSlopes {
    /// By the height of the surface layer.
    pub by_height: f64,
    /// By its pressure \[km/hPa\].
    pub by_pressure_km_per_hpa: f64,
    /// The first of two levels whose pressures count.
    pub first_level: usize,
    /// By these pressures \[km/hPa\].
    pub by_level_km_per_hpa: [f64; 2],
}

/// Why a profile or a ray was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A profile has too few levels.
    #[error("the atmosphere has {0} level(s), it needs at least 2")]
    TooFewLevels(usize),
    /// The vectors of an atmosphere differ in length.
    #[error("{variable} has {got} levels, the heights have {expected}")]
    Length {
        /// Which vector.
        variable: String,
        /// Its length.
        got: usize,
        /// The number of heights.
        expected: usize,
    },
    /// A value lies outside its accepted range.
    #[error("{variable} {value} at level {level} lies outside {range}")]
    Value {
        /// Which variable.
        variable: String,
        /// The level, from 0.
        level: usize,
        /// The value found.
        value: f64,
        /// The accepted range.
        range: &'static str,
    },
    /// The heights are neither ascending nor descending.
    #[error(
        "height {value} km at level {level} breaks the order of the profile: heights must ascend or descend strictly"
    )]
    Order {
        /// The level, from 0.
        level: usize,
        /// The height found \[km\].
        value: f64,
    },
    /// A profile of a track has a single level, or two profiles stand at one place.
    #[error("profile {profile} (from level {level}, at {longitude_deg} E, {latitude_deg} N) {reason}")]
    Profile {
        /// The profile, from 0.
        profile: usize,
        /// Its first level, from 0.
        level: usize,
        /// Its longitude \[deg\].
        longitude_deg: f64,
        /// Its latitude \[deg\].
        latitude_deg: f64,
        /// What is wrong.
        reason: &'static str,
    },
    /// A ray could not be traced.
    #[error("ray {ray}: {reason}")]
    Ray {
        /// The ray, from 0.
        ray: usize,
        /// Why.
        reason: &'static str,
    },
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
        let several = profiles.len() > 1;
        let mut places = std::collections::HashSet::new();
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
            // Both zeros are one number.
            if several && !places.insert(self.foot(profile.start).map(|x| (x + 0.0).to_bits())) {
                return Err(wrong("stands where an earlier one does"));
            }
        }
        Ok(())
    }

    /// Position at the Earth's surface below a level \[km\].
    fn foot(&self, level: usize) -> [f64; 3] {
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

    /// The height at which rays meet the surface \[km\]: that of the surface layer, or where the pressure equals
    /// the surface pressure if that is higher; without a surface layer the lowest level.
    #[must_use]
    pub fn surface_height_km(&self) -> f64 {
        let bottom = self.height_km.iter().copied().fold(f64::INFINITY, f64::min);
        let Some(surface) = &self.surface else { return bottom };
        let mut height = bottom.max(surface.height_km);
        if surface.pressure_hpa > 0.0 {
            let i = self.surface_interval(surface.pressure_hpa);
            let pressure_hpa = [surface.pressure_hpa, self.pressure_hpa[i], self.pressure_hpa[i + 1]];
            height = height.max(self.height_of_pressure(i, pressure_hpa));
        }
        height
    }

    /// The interval between levels that holds the pressure of the surface, or the nearest end.
    fn surface_interval(&self, surface_hpa: f64) -> usize {
        let target = Real::ln(surface_hpa);
        let above = |i: usize| Real::ln(self.pressure_hpa[i]) >= target;
        // Cloud and surface are those of the first profile.
        let (z, n) = (&self.height_km, self.profiles()[0].len());
        (0..n - 1).find(|&i| above(i) != above(i + 1)).unwrap_or(if above(0) == (z[1] > z[0]) { n - 2 } else { 0 })
    }

    /// The height of the first of three pressures: the others are those at the ends of interval `i`.
    fn height_of_pressure<R: Real>(&self, i: usize, [surface, low, high]: [R; 3]) -> R {
        let z = |level: usize| R::from_f64(self.height_km[level]);
        linear(low.ln(), z(i), high.ln(), z(i + 1), surface.ln())
    }

    /// The derivatives of [`Atmosphere::surface_height_km`]: by height and pressure of the surface layer, and by the
    /// pressure at two neighbouring levels, of which the first is named. Where the height is that of the lowest level,
    /// nothing moves it.
    #[must_use]
    pub fn surface_height_slopes(&self) -> SurfaceHeightSlopes {
        let mut slopes = SurfaceHeightSlopes::default();
        let Some(surface) = &self.surface else { return slopes };
        let bottom = self.height_km.iter().copied().fold(f64::INFINITY, f64::min);
        let mut height = Dual::<f64, 4>::constant(bottom).max(Dual::variable(surface.height_km, 0));
        if surface.pressure_hpa > 0.0 {
            let i = self.surface_interval(surface.pressure_hpa);
            slopes.first_level = i;
            let pressure_hpa = [surface.pressure_hpa, self.pressure_hpa[i], self.pressure_hpa[i + 1]];
            let numbers = [0, 1, 2].map(|k| Dual::variable(pressure_hpa[k], k + 1));
            height = height.max(self.height_of_pressure(i, numbers));
        }
        let [by_height, by_pressure, by_first, by_second] = height.derivative;
        slopes.by_height = by_height;
        slopes.by_pressure_km_per_hpa = by_pressure;
        slopes.by_level_km_per_hpa = [by_first, by_second];
        slopes
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
