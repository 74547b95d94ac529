//! The tables of a spectrum in the host's memory.

use isobar_core::fields::Error;
use isobar_core::{Real, TableMemory};
use isobar_optics::{GasOptics, TableData};

use super::cloud_optics::{self, CloudData, CloudOptics, ICE, LIQUID, RAIN, SNOW, SPECIES};
use super::options::Options;
use crate::order::Tables;
use crate::rrtmg::bands::BANDS;
use crate::rrtmg::{self, KDistribution};

/// Gases and clouds of the long wave or the short wave.
#[derive(Clone, Debug)]
pub(crate) struct Spectrum<R> {
    pub(crate) optics: GasOptics,
    pub(crate) gases: TableData<R>,
    pub(crate) clouds: Option<CloudData<R>>,
}

impl<R: Real> Spectrum<R> {
    pub(crate) fn new(gases: &GasOptics, clouds: Option<&CloudOptics>) -> Result<Self, Error> {
        let tables = TableData::new(gases);
        let clouds = match clouds {
            None => None,
            Some(optics) => Some(CloudData::new(optics, &tables).ok_or_else(|| {
                let what = if optics.by_point { "g-points" } else { "bands" };
                Error::Setup(format!(
                    "tables of clouds with {} {what} do not fit a k-distribution of {} bands and {} g-points",
                    optics.spectral,
                    tables.bands.len(),
                    tables.points
                ))
            })?),
        };
        Ok(Self { optics: gases.clone(), gases: tables, clouds })
    }

    /// The tables where kernels read them.
    pub(crate) fn view_in(&self, memory: &mut impl TableMemory) -> Tables<'_, R> {
        Tables {
            gases: self.gases.view_in(memory),
            clouds: self.clouds.as_ref().map_or_else(cloud_optics::none, |clouds| clouds.view_in(memory)),
            irradiance_w_per_m2: self.optics.solar_irradiance_w_per_m2,
        }
    }

    pub(crate) fn bands(&self) -> usize {
        self.gases.bands.len()
    }

    /// The rows that a spectral field has: those of g-points where `given` is their number, else those of bands.
    pub(crate) fn rows(&self, given: usize) -> usize {
        if given == self.gases.points { given } else { self.bands() }
    }
}

/// RRTMG_LW's k-distribution.
#[derive(Clone, Debug)]
pub(crate) struct Rrtmg<R> {
    pub(crate) tables: rrtmg::TableData<R>,
    /// The gases that absorb.
    pub(crate) gases: Vec<usize>,
}

/// The spectra that are computed.
#[derive(Clone, Debug)]
pub struct Spectra<R> {
    pub(crate) longwave: Option<Spectrum<R>>,
    /// The long wave with another form of tables, and a schedule of its own.
    pub(crate) rrtmg: Option<Rrtmg<R>>,
    pub(crate) shortwave: Option<Spectrum<R>>,
}

impl<R> Default for Spectra<R> {
    fn default() -> Self {
        Self { longwave: None, rrtmg: None, shortwave: None }
    }
}

impl<R: Real> Spectra<R> {
    /// With a k-distribution, whose file says of which spectrum it is, and tables of clouds for it, without which the
    /// sky has to be clear.
    ///
    /// # Errors
    /// Tables of clouds with other bands than the k-distribution; a second k-distribution of the same spectrum.
    pub fn with(mut self, gases: &GasOptics, clouds: Option<&CloudOptics>) -> Result<Self, Error> {
        let is_longwave = gases.is_longwave();
        if if is_longwave { self.has_longwave() } else { self.shortwave.is_some() } {
            return Err(two_of(if is_longwave { "long" } else { "short" }));
        }
        let slot = if is_longwave { &mut self.longwave } else { &mut self.shortwave };
        *slot = Some(Spectrum::new(gases, clouds)?);
        Ok(self)
    }

    /// With RRTMG_LW's k-distribution of the long wave, which has optics of clouds of its own.
    ///
    /// # Errors
    /// There is a k-distribution of the long wave.
    pub fn with_rrtmg(mut self, k: &KDistribution) -> Result<Self, Error> {
        if self.has_longwave() {
            return Err(two_of("long"));
        }
        self.rrtmg = Some(Rrtmg { tables: rrtmg::TableData::new(k), gases: k.gases() });
        Ok(self)
    }

    /// Is the long wave computed?
    #[must_use]
    pub fn has_longwave(&self) -> bool {
        self.longwave.is_some() || self.rrtmg.is_some()
    }

    /// Is it RRTMG_LW's?
    #[must_use]
    pub fn is_rrtmg(&self) -> bool {
        self.rrtmg.is_some()
    }

    /// Is the short wave computed?
    #[must_use]
    pub fn has_shortwave(&self) -> bool {
        self.shortwave.is_some()
    }

    /// Are sizes of ice diameters for RRTMG_LW, too, since other k-distributions are beside it?
    pub(crate) fn has_diameters(&self) -> bool {
        self.rrtmg.is_some() && self.each().next().is_some()
    }

    /// The size that RRTMG_LW's optics of ice mean over that of the columns.
    pub(crate) fn rrtmg_ice_size(&self, options: &Options) -> f64 {
        if self.has_diameters() { 0.5 * options.rrtmg.ice.size_of_radius() } else { 1.0 }
    }

    /// What the size of ice in columns is over its effective radius: as tables of clouds have it, twice; as RRTMG_LW's
    /// optics of ice have it where that is alone.
    #[must_use]
    pub fn ice_size_of_radius(&self, options: &Options) -> f64 {
        if self.is_rrtmg() && !self.has_diameters() { options.rrtmg.ice.size_of_radius() } else { 2.0 }
    }

    /// How many spectra are computed.
    #[must_use]
    pub fn count(&self) -> usize {
        usize::from(self.has_longwave()) + usize::from(self.has_shortwave())
    }

    /// Does a k-distribution know this gas, by its number in [`isobar_optics::gases::GASES`]?
    #[must_use]
    pub fn knows_gas(&self, number: usize) -> bool {
        self.each().any(|spectrum| spectrum.optics.gases.contains(&number))
            || self.rrtmg.as_ref().is_some_and(|k| k.gases.contains(&number))
    }

    /// Bands and g-points of RRTMG_LW, if it is the long wave's.
    #[must_use]
    pub fn rrtmg_sizes(&self) -> Option<[usize; 2]> {
        self.rrtmg.as_ref().map(|k| [k.tables.bands.len(), k.tables.points])
    }

    /// The limits of RRTMG_LW's bands \[cm^-1\], if it is the long wave's.
    #[must_use]
    pub fn rrtmg_band_limits(&self) -> Option<Vec<[f64; 2]>> {
        self.rrtmg.as_ref().map(|_| BANDS.iter().map(|band| band.wavenumbers_per_cm).collect())
    }

    /// Gas optics of the spectra that there are, the long wave first, but RRTMG_LW's.
    pub fn gas_optics(&self) -> impl Iterator<Item = &GasOptics> {
        self.each().map(|spectrum| &spectrum.optics)
    }

    /// Gas optics of the first spectrum that has no tables of clouds, without which its sky has to be clear.
    #[must_use]
    pub fn without_clouds(&self) -> Option<&GasOptics> {
        self.each().find(|spectrum| spectrum.clouds.is_none()).map(|spectrum| &spectrum.optics)
    }

    /// The sizes of droplets, ice, rain and snow that all tables of clouds have, and RRTMG_LW's optics of these options
    /// \[um\]; all sizes where there are no tables.
    #[must_use]
    pub fn cloud_sizes_um(&self, options: &Options) -> [[f64; 2]; SPECIES] {
        let ranges = self.each().filter_map(|spectrum| spectrum.clouds.as_ref()).map(|clouds| clouds.ranges_um);
        let of_rrtmg = self.rrtmg.is_some().then(|| {
            let ice = options.rrtmg.ice.range_um().map(|size| size / self.rrtmg_ice_size(options));
            [Some(options.rrtmg.liquid.range_um()), Some(ice), None, None]
        });
        ranges.chain(of_rrtmg).fold([[0.0, f64::INFINITY]; SPECIES], |all, some| {
            [LIQUID, ICE, RAIN, SNOW].map(|species| match some[species] {
                Some([low, high]) => [all[species][0].max(low), all[species][1].min(high)],
                None => all[species],
            })
        })
    }

    /// Those that there are, but RRTMG_LW's.
    pub(crate) fn each(&self) -> impl Iterator<Item = &Spectrum<R>> {
        self.longwave.iter().chain(&self.shortwave)
    }
}

fn two_of(wave: &str) -> Error {
    Error::Setup(format!("there are two k-distributions of the {wave} wave"))
}
