//! RRTMGP's coefficients in the order in which kernels read them.

use std::f64::consts::PI;

use isobar_core::Real;

use super::gas_optics::{CoefficientError, GasOptics, ROOM, axis, range, refuse};
use super::rrtmgp::{Rrtmgp, RrtmgpMinor};
use crate::constants::RRTMGP_AMOUNT;
use crate::gases::{DRY_AIR, H2O, gas_number};
use crate::tables::{AbsorberRow, Axis, BandRow, FlavourRow, Model, NONE, REGIONS};

/// G-points of a row are padded to a multiple of it, so that rows begin where a vector does.
const PAD: usize = 8;

impl TryFrom<&Rrtmgp> for GasOptics {
    type Error = CoefficientError;

    fn try_from(file: &Rrtmgp) -> Result<Self, CoefficientError> {
        if file.planck.is_some() == file.solar.is_some() {
            return refuse("RRTMGP's coefficients are either of the long wave or of the short wave".to_owned());
        }
        Builder::new(file)?.build()
    }
}

struct Builder<'f> {
    file: &'f Rrtmgp,
    points: usize,
    /// Numbers of the file's gases among ours.
    gases: Vec<usize>,
    coefficients: Vec<f64>,
}

impl<'f> Builder<'f> {
    fn new(file: &'f Rrtmgp) -> Result<Self, CoefficientError> {
        let number = |name: &String| {
            gas_number(name)
                .ok_or_else(|| CoefficientError(format!("RRTMGP's coefficients have an unknown gas, {name}")))
        };
        let gases = file.gases.iter().map(number).collect::<Result<_, _>>()?;
        let points = file.bands.last().map_or(0, |band| band.points.end);
        Ok(Self { file, points, gases, coefficients: Vec::new() })
    }

    fn build(mut self) -> Result<GasOptics, CoefficientError> {
        let file = self.file;
        let (flavour_rows, flavours, flavour_of) = self.flavours();
        let ratios = self.ratios(&flavour_rows);
        let mut bands = Vec::new();
        for (number, band) in file.bands.iter().enumerate() {
            let mut row = BandRow::default();
            for region in 0..REGIONS {
                row.flavour[region] = flavour_of[number][region];
            }
            self.add_major(&band.points, &mut row);
            self.add_rayleigh(&band.points, &mut row);
            bands.push(row);
        }
        let (absorbers, slots) = self.add_minors(&mut bands)?;
        self.coefficients.extend([0.0; ROOM]);

        let temperature = axis(&file.temperature_k)?;
        let ln_pressure: Vec<f64> = file.pressure_pa.iter().map(|&p| Real::ln(p)).collect();
        let [highest, .., lowest] = file.pressure_pa[..] else {
            return refuse("RRTMGP's coefficients have fewer than two pressures".to_owned());
        };
        let [coldest, .., warmest] = file.temperature_k[..] else {
            return refuse("RRTMGP's coefficients have fewer than two temperatures".to_owned());
        };
        let key = flavour_rows.iter().flat_map(|row| row.gases).map(|gas| gas as usize).filter(|&gas| gas != DRY_AIR);
        let mut key_gases: Vec<usize> = key.chain([H2O]).collect();
        key_gases.sort_unstable();
        key_gases.dedup();
        let (planck, planck_temperature) = self.planck()?;
        let (solar_parts, solar_irradiance_w_per_m2) = self.solar();
        let secants = file.planck.iter().flat_map(|planck| planck.secant.iter().flatten().copied()).collect();
        Ok(GasOptics {
            points: self.points,
            points_of_bands: file.bands.iter().map(|band| band.points.len() as u32).collect(),
            band_limits_per_cm: file.bands.iter().map(|band| band.wavenumber_per_cm).collect(),
            flux_band_of_point: file
                .bands
                .iter()
                .zip(0..)
                .flat_map(|(band, number)| band.points.clone().map(move |_| number))
                .collect(),
            gases: self.gases.clone(),
            key_gases,
            pressure_range_pa: [lowest, highest],
            temperature_range_k: [coldest, warmest],
            planck_range_k: file.planck.as_ref().and_then(|planck| range(&planck.temperature_k)),
            trained: Vec::new(),
            solar_irradiance_w_per_m2,
            spectrum: None,
            model: Model::Rrtmgp,
            bands,
            flavour_rows,
            ratios,
            absorbers,
            planck,
            solar_parts,
            secants,
            first_temperature: Vec::new(),
            temperature,
            ln_pressure: axis(&ln_pressure)?,
            ln_water: Axis::default(),
            planck_temperature,
            tropopause_pa: file.tropopause_pa,
            flavours,
            slots,
            mixtures: file.mixtures as u32,
            major_inner: file.mixtures as u32,
            minor_rows: (file.temperature_k.len() * file.mixtures) as u32,
            coefficients: self.coefficients,
        })
    }

    /// The distinct pairs of key gases of each region, and which each band has. A band without any has two of carbon
    /// dioxide, with coefficients of zero.
    fn flavours(&self) -> (Vec<FlavourRow>, u32, Vec<[u32; REGIONS]>) {
        let temperatures = self.file.temperature_k.len();
        let mut pairs: [Vec<[usize; 2]>; REGIONS] = Default::default();
        let mut flavour_of = vec![[0; REGIONS]; self.file.bands.len()];
        for (band, flavours) in self.file.bands.iter().zip(&mut flavour_of) {
            for region in 0..REGIONS {
                let pair = if band.key[region] == [0, 0] { [2, 2] } else { band.key[region] };
                let known = pairs[region].iter().position(|&known| known == pair);
                flavours[region] = known.unwrap_or_else(|| {
                    pairs[region].push(pair);
                    pairs[region].len() - 1
                }) as u32;
            }
        }
        let most = pairs.iter().map(Vec::len).max().unwrap_or(0);
        let gas = |number: usize| if number == 0 { DRY_AIR } else { self.gases[number - 1] } as u32;
        let mut rows = Vec::new();
        for pairs in &mut pairs {
            // As many in each region: the first is repeated.
            pairs.resize(most, pairs[0]);
            for pair in pairs {
                let ratio = (rows.len() * temperatures) as u32;
                rows.push(FlavourRow { gases: pair.map(gas), ratio, padding: 0 });
            }
        }
        (rows, most as u32, flavour_of)
    }

    /// The ratio of a pair's mixing ratios in the reference atmosphere, at each temperature.
    fn ratios(&self, flavours: &[FlavourRow]) -> Vec<f64> {
        let (file, width) = (self.file, 1 + self.gases.len());
        let number = |gas: u32| self.gases.iter().position(|&known| known as u32 == gas).map_or(0, |index| 1 + index);
        let region_of = |row: usize| row / (flavours.len() / REGIONS);
        let reference = |temperature: usize, gas: u32, region: usize| {
            file.reference_mixing_ratio[(temperature * width + number(gas)) * REGIONS + region]
        };
        let ratio = |row: usize, temperature: usize| {
            let [first, second] = flavours[row].gases;
            reference(temperature, first, region_of(row)) / reference(temperature, second, region_of(row))
        };
        let temperatures = file.temperature_k.len();
        (0..flavours.len()).flat_map(|row| (0..temperatures).map(move |t| ratio(row, t)).collect::<Vec<_>>()).collect()
    }

    /// Rows of major coefficients, and of Planck fractions behind each.
    fn add_major(&mut self, points: &std::ops::Range<usize>, row: &mut BandRow) {
        let padded = points.len().next_multiple_of(PAD);
        row.major = self.coefficients.len() as u32;
        row.minor_stride = padded as u32;
        let fraction = self.file.planck.as_ref().map(|planck| &planck.fraction);
        row.fraction = if fraction.is_some() { padded as u32 } else { 0 };
        row.major_stride = row.minor_stride + row.fraction;
        let rows = self.file.major.len() / self.points;
        for number in 0..rows {
            let range = number * self.points + points.start..number * self.points + points.end;
            self.push_row(self.file.major[range.clone()].iter().map(|k| k * RRTMGP_AMOUNT), padded);
            if let Some(fraction) = fraction {
                self.push_row(fraction[range].iter().copied(), padded);
            }
        }
    }

    fn add_rayleigh(&mut self, points: &std::ops::Range<usize>, row: &mut BandRow) {
        let Some(solar) = &self.file.solar else { return };
        let padded = points.len().next_multiple_of(PAD);
        row.rayleigh_stride = padded as u32;
        for (region, table) in solar.rayleigh.iter().enumerate() {
            row.rayleigh[region] = self.coefficients.len() as u32;
            for values in table.chunks(self.points) {
                self.push_row(values[points.clone()].iter().map(|k| k * RRTMGP_AMOUNT), padded);
            }
        }
    }

    /// Tables of the lesser gases, band by band, and who they are.
    fn add_minors(&mut self, bands: &mut [BandRow]) -> Result<(Vec<AbsorberRow<f64>>, u32), CoefficientError> {
        let file = self.file;
        let mut regions: [Vec<AbsorberRow<f64>>; REGIONS] = Default::default();
        for (region, absorbers) in regions.iter_mut().enumerate() {
            let minors = &file.minor[region];
            for (number, band) in file.bands.iter().enumerate() {
                let padded = band.points.len().next_multiple_of(PAD);
                let row = &mut bands[number];
                row.minor[region] = self.coefficients.len() as u32;
                row.slot[region] = absorbers.len() as u32;
                for minor in minors.absorbers.iter().filter(|minor| minor.points == band.points) {
                    row.minors[region] += 1;
                    absorbers.push(self.absorber(minor)?);
                    for values in minors.table.chunks(minors.contributors) {
                        let values = &values[minor.first..minor.first + minor.points.len()];
                        self.push_row(values.iter().map(|k| k * RRTMGP_AMOUNT), padded);
                    }
                }
            }
            if absorbers.len() != minors.absorbers.len() {
                return refuse("a lesser gas of RRTMGP's coefficients has other g-points than one band has".to_owned());
            }
        }
        let slots = regions.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for absorbers in &mut regions {
            absorbers.resize(slots, AbsorberRow { scaling_gas: NONE, ..AbsorberRow::default() });
        }
        Ok((regions.concat(), slots as u32))
    }

    fn absorber(&self, minor: &RrtmgpMinor) -> Result<AbsorberRow<f64>, CoefficientError> {
        let number = |name: &str| match gas_number(name) {
            Some(gas) => Ok(gas as u32),
            None => refuse(format!("RRTMGP's coefficients have an unknown gas, {name}")),
        };
        Ok(AbsorberRow {
            gas: number(&minor.gas)?,
            with_density: u32::from(minor.scales_with_density),
            scaling_gas: minor.scaling_gas.as_deref().map_or(Ok(NONE), number)?,
            complement: u32::from(minor.by_complement),
            reference: 0.0,
        })
    }

    fn push_row(&mut self, values: impl Iterator<Item = f64>, padded: usize) {
        let end = self.coefficients.len() + padded;
        self.coefficients.extend(values);
        self.coefficients.resize(end, 0.0);
    }

    /// Radiation of each g-point's band, as a flux.
    fn planck(&self) -> Result<(Vec<f64>, Axis<f64>), CoefficientError> {
        let Some(planck) = &self.file.planck else { return Ok((Vec::new(), Axis::default())) };
        let temperatures = planck.temperature_k.len();
        let mut values = Vec::with_capacity(temperatures * self.points);
        for temperature in 0..temperatures {
            for (number, band) in self.file.bands.iter().enumerate() {
                let radiance = planck.radiance[number * temperatures + temperature];
                values.extend(std::iter::repeat_n(PI * radiance, band.points.len()));
            }
        }
        Ok((values, axis(&planck.temperature_k)?))
    }

    /// Parts of the sun's irradiance, and its total.
    fn solar(&self) -> (Vec<f64>, f64) {
        /// The indices that the quiet sun has (Coddington et al. 2016, doi:10.1175/BAMS-D-14-00265.1).
        const QUIET: [f64; 2] = [0.1495954, 0.00066696];
        let Some(solar) = &self.file.solar else { return (Vec::new(), 0.0) };
        let [facular, sunspot] = [solar.facular_index - QUIET[0], solar.sunspot_index - QUIET[1]];
        let source = |g: usize| solar.quiet[g] + facular * solar.facular[g] + sunspot * solar.sunspot[g];
        let source: Vec<f64> = (0..self.points).map(source).collect();
        let total: f64 = source.iter().sum();
        (source.iter().map(|value| value / total).collect(), total)
    }
}
