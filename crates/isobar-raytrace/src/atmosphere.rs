//! The state of the atmosphere along one vertical profile, as a host owns it.

use isobar_core::interpolate::linear;
use isobar_core::{Column, Dual, Field, FieldMut, Real};

use crate::profile::{Profile, log_pressure_slope};

/// A profile of pressure, temperature, trace gases and extinction on common heights, with an
/// optional cloud and surface layer.
///
/// Every vector over levels has the same length, at least 2, and the heights are strictly
/// monotone, in either direction: [`Atmosphere::validate`] checks it.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Atmosphere {
    /// Time of each level \[s since 2000-01-01T00:00Z\].
    pub time_s: Vec<f64>,
    /// Height of each level \[km\].
    pub height_km: Vec<f64>,
    /// Longitude of each level \[deg\]; carried along, the profile counts everywhere.
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
        let rising = self.height_km[1] > self.height_km[0];
        for (i, pair) in self.height_km.windows(2).enumerate() {
            if (pair[1] > pair[0]) != rising || pair[1] == pair[0] {
                return Err(Error::Order { level: i + 1, value: pair[1] });
            }
        }
        Ok(())
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
        let (z, n) = (&self.height_km, self.levels());
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
    /// gases.
    pub fn make_hydrostatic(&mut self, reference_km: f64, water: Option<usize>) {
        let levels = self.levels();
        let water = water.map(|gas| Column::from(self.mixing_ratio[gas].as_slice()));
        crate::hydrostatic::adjust(
            Column::from(self.height_km.as_slice()),
            Column::from(self.temperature_k.as_slice()),
            water,
            reference_km,
            FieldMut::item_fastest(&mut self.pressure_hpa, levels, 1),
        );
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
}

impl<R: Real> ProfileData<R> {
    /// Copies an atmosphere, turned so that heights ascend.
    ///
    /// # Errors
    /// As [`Atmosphere::validate`].
    pub fn new(atmosphere: &Atmosphere) -> Result<Self, Error> {
        atmosphere.validate()?;
        let descending = atmosphere.height_km[1] < atmosphere.height_km[0];
        let turned = |values: &Vec<f64>| {
            let mut copy: Vec<R> = values.iter().map(|&x| R::from_f64(x)).collect();
            if descending {
                copy.reverse();
            }
            copy
        };
        let height_km = turned(&atmosphere.height_km);
        let pressure_hpa = turned(&atmosphere.pressure_hpa);
        let slope =
            |i: usize| log_pressure_slope([pressure_hpa[i], pressure_hpa[i + 1]], [height_km[i], height_km[i + 1]]);
        Ok(Self {
            log_pressure_slope_per_km: (0..height_km.len() - 1).map(slope).collect(),
            temperature_k: turned(&atmosphere.temperature_k),
            mixing_ratio: atmosphere.mixing_ratio.iter().flat_map(turned).collect(),
            extinction_per_km: atmosphere.extinction_per_km.iter().flat_map(turned).collect(),
            height_km,
            pressure_hpa,
        })
    }

    /// A view for a core on this host.
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

fn by_item<R: Copy>(values: &[R], levels: usize) -> Field<'_, R> {
    if values.is_empty() { Field::empty() } else { Field::level_fastest(values, levels, values.len() / levels) }
}
