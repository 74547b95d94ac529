//! The tables of a spectrum in the host's memory.

use isobar_core::fields::Error;
use isobar_core::{Column, Real};
use isobar_optics::tables::GasTables;
use isobar_optics::{GasOptics, TableData};

use super::cloud_optics::{self, CloudData, CloudOptics, ICE, LIQUID, RAIN, SNOW, SPECIES};
use crate::physics::cloud::CloudTables;

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

    /// The tables as kernels see them.
    pub(crate) fn view(&self) -> (GasTables<'_, R>, CloudTables<'_, R>) {
        let clouds = self.clouds.as_ref().map_or_else(cloud_optics::none, |clouds| {
            clouds.view_of(clouds.tables.each_ref().map(|table| {
                let none = table.is_empty();
                if none { Column::empty() } else { Column::from(&table[..]) }
            }))
        });
        (self.gases.view(), clouds)
    }

    pub(crate) fn bands(&self) -> usize {
        self.gases.bands.len()
    }

    /// The rows that a spectral field has: those of bands, or of g-points where it has so many.
    pub(crate) fn rows(&self, given: usize) -> usize {
        if given == self.gases.points { given } else { self.bands() }
    }
}

/// The spectra that are computed.
#[derive(Clone, Debug)]
pub struct Spectra<R> {
    pub(crate) longwave: Option<Spectrum<R>>,
    pub(crate) shortwave: Option<Spectrum<R>>,
}

impl<R> Default for Spectra<R> {
    fn default() -> Self {
        Self { longwave: None, shortwave: None }
    }
}

impl<R: Real> Spectra<R> {
    /// With a k-distribution, whose file says of which spectrum it is, and tables of clouds for it, without which the
    /// sky has to be clear.
    ///
    /// # Errors
    /// Tables of clouds with other bands than the k-distribution; a second k-distribution of the same spectrum.
    pub fn with(mut self, gases: &GasOptics, clouds: Option<&CloudOptics>) -> Result<Self, Error> {
        let (name, slot) =
            if gases.is_longwave() { ("long", &mut self.longwave) } else { ("short", &mut self.shortwave) };
        if slot.is_some() {
            return Err(Error::Setup(format!("there are two k-distributions of the {name} wave")));
        }
        *slot = Some(Spectrum::new(gases, clouds)?);
        Ok(self)
    }

    /// Gas optics of the spectra that there are, the long wave first.
    pub fn gas_optics(&self) -> impl Iterator<Item = &GasOptics> {
        self.each().map(|spectrum| &spectrum.optics)
    }

    /// Gas optics of the first spectrum that has no tables of clouds, without which its sky has to be clear.
    #[must_use]
    pub fn without_clouds(&self) -> Option<&GasOptics> {
        self.each().find(|spectrum| spectrum.clouds.is_none()).map(|spectrum| &spectrum.optics)
    }

    /// The sizes of droplets, ice, rain and snow that all tables of clouds have \[um\]; all sizes where there are no
    /// tables.
    #[must_use]
    pub fn cloud_sizes_um(&self) -> [[f64; 2]; SPECIES] {
        let ranges = self.each().filter_map(|spectrum| spectrum.clouds.as_ref()).map(|clouds| clouds.ranges_um);
        ranges.fold([[0.0, f64::INFINITY]; SPECIES], |all, some| {
            [LIQUID, ICE, RAIN, SNOW].map(|species| match some[species] {
                Some([low, high]) => [all[species][0].max(low), all[species][1].min(high)],
                None => all[species],
            })
        })
    }

    /// Those that there are.
    pub(crate) fn each(&self) -> impl Iterator<Item = &Spectrum<R>> {
        self.longwave.iter().chain(&self.shortwave)
    }
}
