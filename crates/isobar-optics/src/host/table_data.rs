//! Tables in the host's memory, in the order in which kernels read them.

use isobar_core::kernel::WARP;
use isobar_core::{HostMemory, Real, TableMemory};

use super::gas_optics::GasOptics;
use crate::tables::{AbsorberRow, Axis, BandRow, FlavourRow, GasTables, LaneRow, Run};

/// The tables of a spectrum in a precision.
#[derive(Clone, Debug)]
pub struct TableData<R> {
    /// Coefficients.
    pub coefficients: Vec<R>,
    /// The bands.
    pub bands: Vec<BandRow>,
    /// Pairs of key gases.
    pub flavour_rows: Vec<FlavourRow>,
    /// Ratios of reference mixing ratios.
    pub ratios: Vec<R>,
    /// Lesser gases.
    pub absorbers: Vec<AbsorberRow<R>>,
    /// What lanes have.
    pub lanes: Vec<LaneRow>,
    /// Runs of lanes.
    pub runs: Vec<Run>,
    /// The first run of each warp.
    pub first_runs: Vec<u32>,
    /// Runs of the bands of fluxes by band.
    pub flux_runs: Vec<Run>,
    /// The first of them of each warp.
    pub first_flux_runs: Vec<u32>,
    /// Radiation of black bodies.
    pub planck: Vec<R>,
    /// Parts of the sun's irradiance.
    pub solar: Vec<R>,
    /// Best secants.
    pub secants: Vec<R>,
    /// First temperatures.
    pub first_temperature: Vec<R>,
    axes: [Axis<R>; 4],
    tropopause_pa: R,
    model: u32,
    /// The number of g-points.
    pub points: usize,
    flux_bands: u32,
    flavours: u32,
    slots: u32,
    mixtures: u32,
    major_inner: u32,
    minor_rows: u32,
}

impl<R: Real> TableData<R> {
    /// Those of a k-distribution.
    #[must_use]
    pub fn new(optics: &GasOptics) -> Self {
        let reals = |values: &[f64]| values.iter().map(|&value| plain(value)).collect::<Vec<R>>();
        let axis =
            |axis: &Axis<f64>| Axis { first: R::from_f64(axis.first), step: R::from_f64(axis.step), nodes: axis.nodes };
        let absorber = |row: &AbsorberRow<f64>| AbsorberRow {
            gas: row.gas,
            with_density: row.with_density,
            scaling_gas: row.scaling_gas,
            complement: row.complement,
            reference: R::from_f64(row.reference),
        };
        let lanes = arrangement(&optics.points_of_bands);
        let (runs, first_runs) = in_runs(&lanes[..optics.points]);
        let flux_band = |(&band, point)| LaneRow { band, point };
        let (flux_runs, first_flux_runs) =
            in_runs(&optics.flux_band_of_point.iter().zip(0..).map(flux_band).collect::<Vec<_>>());
        Self {
            coefficients: reals(&optics.coefficients),
            bands: optics.bands.clone(),
            flavour_rows: optics.flavour_rows.clone(),
            ratios: reals(&optics.ratios),
            absorbers: optics.absorbers.iter().map(absorber).collect(),
            planck: reals(&by_lane(&optics.planck, optics.points, lanes.len())),
            solar: reals(&by_lane(&optics.solar_parts, optics.points, lanes.len())),
            secants: reals(&optics.secants),
            first_temperature: reals(&optics.first_temperature),
            axes: [&optics.temperature, &optics.ln_pressure, &optics.ln_water, &optics.planck_temperature].map(axis),
            tropopause_pa: R::from_f64(optics.tropopause_pa),
            model: optics.model as u32,
            points: optics.points,
            flavours: optics.flavours,
            slots: optics.slots,
            mixtures: optics.mixtures,
            major_inner: optics.major_inner,
            minor_rows: optics.minor_rows,
            flux_bands: optics.band_limits_per_cm.len() as u32,
            lanes,
            runs,
            first_runs,
            flux_runs,
            first_flux_runs,
        }
    }

    /// The tables as a GPU reads them, two coefficients at once: Planck fractions stand beside coefficients, and lesser
    /// gases' tables by twos, the last perhaps beside nothing.
    #[must_use]
    pub fn side_by_side(&self) -> Self {
        let (mut coefficients, mut bands) = (self.coefficients.clone(), self.bands.clone());
        let pair = |(first, second): (&R, &R)| [*first, *second];
        for band in &mut bands {
            if band.fraction != 0 {
                let [temperature, ln_pressure, ..] = &self.axes;
                let rows = temperature.nodes * (ln_pressure.nodes + 1) * self.mixtures;
                let major = &mut coefficients[band.major as usize..][..(rows * band.major_stride) as usize];
                for row in major.chunks_mut(band.major_stride as usize) {
                    let (first, second) = row.split_at(band.fraction as usize);
                    let pairs: Vec<R> = first.iter().zip(second).flat_map(pair).collect();
                    row.copy_from_slice(&pairs);
                }
            }
            let table = (self.minor_rows * band.minor_stride) as usize;
            for (start, &minors) in band.minor.iter_mut().zip(&band.minors) {
                let tables = &self.coefficients[*start as usize..][..minors as usize * table];
                *start = coefficients.len() as u32;
                for two in tables.chunks(2 * table) {
                    let (first, second) = two.split_at(table);
                    let second = second.iter().copied().chain(std::iter::repeat(R::ZERO));
                    coefficients.extend(first.iter().zip(second).flat_map(|(&first, second)| [first, second]));
                }
            }
        }
        Self { coefficients, bands, ..self.clone() }
    }

    /// Warps of g-points.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.lanes.len() / WARP
    }

    /// The tables as kernels see them.
    #[must_use]
    pub fn view(&self) -> GasTables<'_, R> {
        self.view_in(&mut HostMemory::default())
    }

    /// Those where kernels read them.
    #[must_use]
    pub fn view_in(&self, memory: &mut impl TableMemory) -> GasTables<'_, R> {
        let [temperature, ln_pressure, ln_water, planck_temperature] = self.axes;
        GasTables {
            coefficients: memory.column(&self.coefficients),
            bands: memory.column(&self.bands),
            flavour_rows: memory.column(&self.flavour_rows),
            ratios: memory.column(&self.ratios),
            absorbers: memory.column(&self.absorbers),
            lanes: memory.column(&self.lanes),
            runs: memory.column(&self.runs),
            first_runs: memory.column(&self.first_runs),
            flux_runs: memory.column(&self.flux_runs),
            first_flux_runs: memory.column(&self.first_flux_runs),
            planck: memory.column(&self.planck),
            solar: memory.column(&self.solar),
            secants: memory.column(&self.secants),
            temperature,
            ln_pressure,
            ln_water,
            planck_temperature,
            first_temperature: memory.column(&self.first_temperature),
            tropopause_pa: self.tropopause_pa,
            model: self.model,
            segments: self.segments() as u32,
            points: self.points as u32,
            band_count: self.bands.len() as u32,
            flux_bands: self.flux_bands,
            flavours: self.flavours,
            slots: self.slots,
            mixtures: self.mixtures,
            major_inner: self.major_inner,
            minor_rows: self.minor_rows,
        }
    }
}

/// The nearest number; 0 where it would be subnormal, with which processors are slow.
fn plain<R: Real>(value: f64) -> R {
    let number = R::from_f64(value);
    if number.abs() < R::MIN_POSITIVE { R::ZERO } else { number }
}

/// G-points in the order of bands, 32 a warp. Lanes beyond the last repeat the last g-point on a GPU and have none in
/// runs: as nothing is emitted or sent by the sun there, they count for nothing.
fn arrangement(points_of_bands: &[u32]) -> Vec<LaneRow> {
    let points = |(band, &points): (usize, &u32)| (0..points).map(move |point| LaneRow { band: band as u32, point });
    let mut lanes: Vec<LaneRow> = points_of_bands.iter().enumerate().flat_map(points).collect();
    let last = *lanes.last().expect("there is a g-point");
    lanes.resize(lanes.len().next_multiple_of(WARP), last);
    lanes
}

/// The runs of each warp, and the first of each warp with their number.
fn in_runs(points: &[LaneRow]) -> (Vec<Run>, Vec<u32>) {
    let (mut runs, mut first_runs) = (Vec::<Run>::new(), vec![0]);
    for warp in points.chunks(WARP) {
        let first = runs.len();
        for (lane, row) in warp.iter().enumerate() {
            let next = |run: &Run| run.band == row.band && run.point + run.lanes == row.point;
            match runs[first..].last_mut() {
                Some(run) if next(run) => run.lanes += 1,
                _ => runs.push(Run { band: row.band, point: row.point, lane: lane as u32, lanes: 1 }),
            }
        }
        first_runs.push(runs.len() as u32);
    }
    (runs, first_runs)
}

/// Rows of g-points as rows of lanes, with zeros behind.
fn by_lane(values: &[f64], points: usize, lanes: usize) -> Vec<f64> {
    let row = |row: &[f64]| row.iter().copied().chain(std::iter::repeat_n(0.0, lanes - points)).collect::<Vec<_>>();
    values.chunks(points).flat_map(row).collect()
}
