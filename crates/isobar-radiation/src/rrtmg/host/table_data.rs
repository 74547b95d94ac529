//! The tables of a k-distribution, packed for kernels.

use isobar_core::{HostMemory, Real, TableMemory};

use crate::rrtmg::band::{Absorbers, Amount, Band, Fractions, Gas, Key, MOST_HALOCARBONS, MOST_MINORS, Region};
use crate::rrtmg::constants::FLUX;
use crate::rrtmg::grid;
use crate::rrtmg::host::aligned::Aligned;
use crate::rrtmg::host::k_distribution::{KDistribution, TableKind};
use crate::rrtmg::host::published;
use crate::rrtmg::sizes::{MOST_AT_ONCE, MOST_BANDS, MOST_SEGMENTS, MOST_TERMS, PAIR};
use crate::rrtmg::state;
use crate::rrtmg::tables::{
    ATMOSPHERE_VALUES, BandRow, CloudTables, MOST_RATIOS, MinorRow, NONE, QUAD, QUADS, Quad, RegionRow, Tables,
};

/// Tables in the host's memory.
#[derive(Clone, Debug)]
pub struct TableData<R> {
    /// See [`Tables`]: all of it. Rows begin with a cache line, or share one with others as a whole.
    pub coefficients: Aligned<R>,
    /// The bands.
    pub bands: Vec<BandRow<R>>,
    /// The quads.
    pub quads: Vec<Quad<R>>,
    /// The reference atmosphere.
    pub atmosphere: Vec<R>,
    /// Planck radiance.
    pub planck: Aligned<R>,
    /// Its derivative.
    pub planck_derivative: Vec<R>,
    /// Clouds of ice spheres.
    pub ice_spheres: Vec<R>,
    /// Clouds of ice by Fu.
    pub ice_fu: Vec<R>,
    /// Clouds of droplets.
    pub liquid: Vec<R>,
    /// The number of g-points.
    pub points: usize,
    /// The most terms that a layer has in all bands.
    pub terms: usize,
}

fn rounded<R: Real>(values: &[f64]) -> Vec<R> {
    values.iter().map(|&x| R::from_f64(x)).collect()
}

/// The pairs of key gases, each once.
fn pairs(bands: &[Band]) -> Vec<(Gas, Gas)> {
    let mut pairs = Vec::new();
    for absorbers in bands.iter().flat_map(|band| [&band.lower, &band.upper]) {
        if let Key::Two(a, b, _) = absorbers.key
            && !pairs.contains(&(a, b))
        {
            pairs.push((a, b));
        }
    }
    pairs
}

impl<R: Real> TableData<R> {
    /// Packs the tables.
    ///
    /// # Panics
    /// If there are more bands, g-points, terms or pairs of key gases than kernels have room for: those of RRTMG_LW
    /// fit.
    #[must_use]
    pub fn new(k: &KDistribution) -> Self {
        let levels = published::rows(published::REFERENCE_ATMOSPHERE);
        let pairs = pairs(k.bands);
        assert!(pairs.len() <= MOST_RATIOS, "{} pairs of key gases", pairs.len());
        let mixing_ratio = |level: usize, gas: Gas| levels[level][2 + gas as usize];
        let ratio = |level: usize, (a, b): (Gas, Gas)| mixing_ratio(level, a) / mixing_ratio(level, b);
        let mut atmosphere = vec![R::ZERO; grid::LEVELS * ATMOSPHERE_VALUES];
        for (level, values) in atmosphere.chunks_mut(ATMOSPHERE_VALUES).enumerate() {
            let ratios = pairs.iter().map(|&pair| ratio(level, pair));
            for (to, from) in values.iter_mut().zip(levels[level].iter().copied().chain(ratios)) {
                *to = R::from_f64(from);
            }
        }
        let mut packing = Packing { coefficients: Vec::new(), pairs: &pairs, ratio: &ratio };
        let mut bands: Vec<BandRow<R>> = (0..k.bands.len()).map(|band| packing.band(k, band)).collect();
        let (mut first_point, mut terms) = (0, [0; 2]);
        for band in &mut bands {
            band.first_point = first_point;
            first_point += band.points;
            for region in 0..2 {
                band.regions[region].first_term = terms[region];
                // The absorbing ones can be filled up.
                terms[region] += 1 + (most_terms(&band.regions[region]) - 1).next_multiple_of(PAIR);
            }
        }
        // Room to read rows beyond the last, and beyond their ends, which count nothing.
        let most = bands.iter().map(|band| band.stride as usize).max().unwrap_or(0);
        packing.coefficients.extend(vec![0.0; 3 * most + MOST_AT_ONCE]);
        let quads = quads(&bands);
        let mut planck = published::columns(published::PLANCK);
        let of_quads = published::rows(published::PLANCK);
        let of_quads = of_quads.iter().flat_map(|row| quads.iter().map(|quad| row[quad.band as usize]));
        planck.extend(of_quads);
        let (terms, segments) = (terms[0].max(terms[1]) as usize, quads.len() / QUADS);
        assert!(
            bands.len() <= MOST_BANDS && segments <= MOST_SEGMENTS && terms <= MOST_TERMS,
            "{} bands, {segments} warps of g-points and {terms} terms are more than kernels have room for",
            bands.len()
        );
        Self {
            coefficients: Aligned::rounded(&packing.coefficients),
            quads,
            atmosphere,
            planck: Aligned::rounded(&planck),
            planck_derivative: rounded(&published::columns(published::PLANCK_DERIVATIVE)),
            ice_spheres: rounded(&published::columns(published::ICE_SPHERES)),
            ice_fu: rounded(&published::columns(published::ICE_FU)),
            liquid: rounded(&published::columns(published::LIQUID)),
            points: first_point as usize,
            terms,
            bands,
        }
    }

    /// Bands and g-points.
    #[must_use]
    pub fn spectrum(&self) -> (usize, usize) {
        (self.bands.len(), self.points)
    }

    /// Views of the tables.
    #[must_use]
    pub fn view(&self) -> Tables<'_, R> {
        self.view_in(&mut HostMemory::default())
    }

    /// Those where kernels read them.
    pub(crate) fn view_in(&self, memory: &mut impl TableMemory) -> Tables<'_, R> {
        Tables {
            coefficients: memory.column(&self.coefficients),
            bands: memory.column(&self.bands),
            quads: memory.column(&self.quads),
            atmosphere: memory.column(&self.atmosphere),
            planck: memory.column(&self.planck),
            planck_derivative: memory.column(&self.planck_derivative),
            clouds: CloudTables {
                ice_spheres: memory.column(&self.ice_spheres),
                ice_fu: memory.column(&self.ice_fu),
                liquid: memory.column(&self.liquid),
            },
            points: self.points as u32,
            terms: self.terms as u32,
        }
    }
}

/// The terms that a band can have in a layer, Planck fractions included.
fn most_terms<R>(region: &RegionRow<R>) -> u32 {
    let key = [0, 2].get(region.key_nodes as usize).copied().unwrap_or(8);
    let minors: u32 =
        region.minors[..region.minor_count as usize].iter().map(|minor| if minor.nodes > 1 { 2 } else { 1 }).sum();
    let others = [region.self_continuum, region.foreign_continuum, region.cross_sections];
    1 + key + minors + others.iter().filter(|&&table| table != NONE).count() as u32
}

/// Quads, those of bands with long lists first, so that the lanes of a GPU's warp have about as much to do. A warp
/// takes bands as a whole where it can, for lanes of one band share what they read, and is filled up rather than given
/// a part of a band as long as that takes no more warps.
fn quads<R: Real>(bands: &[BandRow<R>]) -> Vec<Quad<R>> {
    let of_band = |band: usize| {
        let BandRow { first_point, points, stride, flux, regions, .. } = bands[band];
        let first_terms = [regions[0].first_term, regions[1].first_term];
        let band = band as u32;
        let quad = |first| Quad { band, first, point: first_point + first, stride, first_terms, at_once: 0, flux };
        (0..points).step_by(QUAD).map(quad).collect::<Vec<_>>()
    };
    let mut left: Vec<Vec<Quad<R>>> = (0..bands.len()).map(of_band).collect();
    left.sort_by_key(|quads| std::cmp::Reverse(most_terms(&bands[quads[0].band as usize].regions[0])));
    let count: usize = left.iter().map(Vec::len).sum();
    let mut spare = count.next_multiple_of(QUADS) - count;
    let mut quads = Vec::new();
    while !left.is_empty() {
        let (mut warp, mut room) = (Vec::new(), QUADS);
        while room > 0 && !left.is_empty() {
            let part = if let Some(whole) = left.iter().position(|quads| quads.len() <= room) {
                left.remove(whole)
            } else if room <= spare {
                break;
            } else {
                left[0].drain(..room).collect()
            };
            room -= part.len();
            warp.push(part);
        }
        // A CPU takes three quads as if they were four, which then have to lie in the warp.
        warp.sort_by_key(|part| [0, 3, 1, 2].get(part.len()).copied().unwrap_or(0));
        quads.extend(warp.concat());
        let filler = Quad { flux: R::ZERO, ..quads[quads.len() - 1] };
        quads.resize(quads.len() + room, filler);
        spare = spare.saturating_sub(room);
    }
    quads.chunks_mut(QUADS).for_each(take_at_once);
    quads
}

/// Says how many g-points of a warp a CPU takes at once.
fn take_at_once<R: Real>(warp: &mut [Quad<R>]) {
    let mut quad = 0;
    while quad < QUADS {
        let goes_on = |pair: &&[Quad<R>]| pair[0].band == pair[1].band && pair[0].point + QUAD as u32 == pair[1].point;
        let left = 1 + warp[quad..].windows(2).take_while(goes_on).count();
        // Behind an odd number of quads, the next ones write over what is too much.
        let taken = if left > 2 && quad + 4 <= QUADS { 4 } else { left.min(2) };
        warp[quad].at_once = (taken * QUAD) as u32;
        let next = quad + taken;
        quad += left.min(taken);
        if quad < next && warp[quad].flux == R::ZERO {
            // What is too much fills the warp.
            quad = next;
        }
    }
}

/// The numbers of a row of `points` g-points: what a CPU reads of one band at once lies within it.
fn stride(points: usize) -> usize {
    points.next_multiple_of(points.next_power_of_two().clamp(QUAD, MOST_AT_ONCE))
}

struct Packing<'a> {
    coefficients: Vec<f64>,
    pairs: &'a [(Gas, Gas)],
    ratio: &'a dyn Fn(usize, (Gas, Gas)) -> f64,
}

impl Packing<'_> {
    /// Appends a table in rows as long as [`stride`] says; says where it begins.
    fn table(&mut self, k: &KDistribution, band: usize, kind: TableKind, factors: &[f64]) -> u32 {
        let Some(values) = k.table(band, kind) else { return NONE };
        let points = k.bands[band].points();
        let start = self.coefficients.len();
        for row in values.chunks_exact(points) {
            let factor = |point: usize| factors.get(point).copied().unwrap_or(1.0);
            self.coefficients.extend(row.iter().enumerate().map(|(point, value)| value * factor(point)));
            self.coefficients.resize(self.coefficients.len() + stride(points) - points, 0.0);
        }
        u32::try_from(start).expect("fewer than 2^32 coefficients")
    }

    fn band<R: Real>(&mut self, k: &KDistribution, index: usize) -> BandRow<R> {
        let band = &k.bands[index];
        let [from, to] = band.wavenumbers_per_cm;
        let regions = [Region::Lower, Region::Upper].map(|region| self.region(k, index, region));
        BandRow {
            first_point: 0,
            points: band.points() as u32,
            stride: stride(band.points()) as u32,
            secant: band.secant.map(R::from_f64),
            flux: R::from_f64(FLUX * (to - from)),
            regions,
        }
    }

    fn region<R: Real>(&mut self, k: &KDistribution, index: usize, region: Region) -> RegionRow<R> {
        let band = &k.bands[index];
        let absorbers = band.absorbers(region);
        let points = band.points();
        // Tables are linear: what multiplies the finished optical depth of a g-point multiplies its column of them.
        let mut factors = vec![1.0; points];
        let (first, values) = absorbers.point_factors;
        factors[first..first + values.len()].copy_from_slice(values);
        let (key, pair) = match absorbers.key {
            Key::None => ([NONE, NONE], None),
            Key::One(gas) | Key::FirstLevel(gas) => ([gas as u32, NONE], None),
            Key::Two(a, b, _) => ([a as u32, b as u32], Some((a, b))),
        };
        let ratio_at = |level: Option<u8>| match (pair, level) {
            (Some(pair), Some(level)) => R::from_f64((self.ratio)(usize::from(level) - 1, pair)),
            _ => R::ONE,
        };
        let mut minors = [MinorRow::default(); MOST_MINORS];
        for (row, minor) in minors.iter_mut().zip(absorbers.minors) {
            row.ratio = ratio_at(minor.mixture);
        }
        let (fraction_region, mixture) = match absorbers.fractions {
            Fractions::None => (None, None),
            Fractions::Plain => (Some(region), None),
            Fractions::OfLower => (Some(Region::Lower), None),
            Fractions::Mixture(level) => (Some(region), Some(level)),
        };
        let fraction_ratio = ratio_at(mixture);
        let fractions = fraction_region.map_or(NONE, |from| self.table(k, index, TableKind::Fractions(from), &[]));
        for (row, minor) in minors.iter_mut().zip(absorbers.minors) {
            let kind = TableKind::Minor(region, minor.gas);
            *row = MinorRow { ratio: row.ratio, ..self.minor(k, index, absorbers, kind, &factors) };
        }
        let mut halocarbons = [NONE; MOST_HALOCARBONS];
        let mut cross_sections = NONE;
        for (i, &gas) in band.halocarbons.iter().enumerate().filter(|_| absorbers.halocarbons) {
            let table = self.table(k, index, TableKind::CrossSection(gas), &factors);
            halocarbons[i] = gas as u32;
            cross_sections = cross_sections.min(table);
        }
        let mut continuum = |wanted: bool, kind| if wanted { self.table(k, index, kind, &factors) } else { NONE };
        let self_continuum = continuum(absorbers.self_continuum, TableKind::SelfContinuum);
        let foreign_continuum = continuum(absorbers.foreign_continuum, TableKind::ForeignContinuum);
        let position = pair.and_then(|pair| self.pairs.iter().position(|&other| other == pair));
        RegionRow {
            key,
            key_table: self.table(k, index, TableKind::Key(region), &factors),
            key_nodes: absorbers.key.nodes() as u32,
            first_level: u32::from(matches!(absorbers.key, Key::FirstLevel(_))),
            key_ratio: position.unwrap_or(0) as u32,
            fractions,
            fraction_nodes: if mixture.is_some() { absorbers.key.nodes() as u32 } else { 1 },
            fraction_ratio,
            self_continuum,
            foreign_continuum,
            cross_sections,
            halocarbons,
            minors,
            minor_count: absorbers.minors.len() as u32,
            first_term: 0,
            factor: [absorbers.factor.slope, absorbers.factor.origin, absorbers.factor.limit].map(R::from_f64),
        }
    }

    fn minor<R: Real>(
        &mut self,
        k: &KDistribution,
        band: usize,
        absorbers: &Absorbers,
        kind: TableKind,
        factors: &[f64],
    ) -> MinorRow<R> {
        let TableKind::Minor(region, gas) = kind else { unreachable!("a minor table") };
        let minor = absorbers.minors.iter().find(|minor| minor.gas == gas).expect("the band has it");
        let row = MinorRow {
            table: self.table(k, band, kind, factors),
            gas: gas as u32,
            nodes: k.bands[band].minor_nodes(region, gas) as u32,
            scale: NONE,
            threshold: R::INFINITY,
            ..MinorRow::default()
        };
        match minor.amount {
            Amount::Column => row,
            Amount::TimesDensity => MinorRow { scale: state::DENSITY as u32, ..row },
            Amount::TimesBroadening => MinorRow { scale: state::BROADENING as u32, ..row },
            Amount::Adjusted { threshold, shift, exponent, reference } => {
                let [threshold, shift, exponent, reference] = [threshold, shift, exponent, reference].map(R::from_f64);
                MinorRow { threshold, shift, exponent, reference, ..row }
            }
        }
    }
}
