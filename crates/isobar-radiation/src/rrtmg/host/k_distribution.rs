//! Absorption coefficients as the host owns them: every table of every band, the g-point the fastest index.

use isobar_optics::gases::gas_number;

use crate::rrtmg::band::{Band, Fractions, GASES, Gas, HALOCARBONS, Halocarbon, Key, Region};
use crate::rrtmg::bands::{BANDS, WEIGHTS};
use crate::rrtmg::grid;

/// What a table holds. Its rows are numbered as `(level * temperatures + temperature) * nodes + node`, as far as it has
/// these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableKind {
    /// Planck fractions along the key mixture.
    Fractions(Region),
    /// Absorption of the key gases \[1e-20 cm^2\], by level, temperature and mixture.
    Key(Region),
    /// Absorption of a lesser gas, by temperature and mixture.
    Minor(Region, Gas),
    /// A halocarbon's cross section.
    CrossSection(Halocarbon),
    /// The self-broadened continuum, by temperature.
    SelfContinuum,
    /// The foreign-broadened one, by state.
    ForeignContinuum,
}

impl TableKind {
    /// The tables of a band in the order of the coefficient file.
    #[must_use]
    pub fn of(band: &Band) -> Vec<Self> {
        let mut kinds = Vec::new();
        for region in [Region::Lower, Region::Upper] {
            if matches!(band.absorbers(region).fractions, Fractions::Plain | Fractions::Mixture(_)) {
                kinds.push(Self::Fractions(region));
            }
        }
        for region in [Region::Lower, Region::Upper] {
            if band.absorbers(region).key.nodes() > 0 {
                kinds.push(Self::Key(region));
            }
        }
        kinds.extend(band.minor_tables.iter().map(|&(region, gas)| Self::Minor(region, gas)));
        kinds.extend(band.halocarbons.iter().map(|&gas| Self::CrossSection(gas)));
        kinds.extend([Self::SelfContinuum, Self::ForeignContinuum]);
        kinds
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(self, band: &Band) -> usize {
        match self {
            Self::Fractions(region) => match band.absorbers(region).fractions {
                Fractions::Mixture(_) => band.absorbers(region).key.nodes(),
                _ => 1,
            },
            Self::Key(region) => {
                let levels = if region == Region::Lower { grid::LOWER_LEVELS } else { grid::UPPER_LEVELS };
                levels * grid::KEY_TEMPERATURES * band.absorbers(region).key.nodes()
            }
            Self::Minor(region, gas) => grid::MINOR_TEMPERATURES * band.minor_nodes(region, gas),
            Self::CrossSection(_) => 1,
            Self::SelfContinuum => grid::SELF_TEMPERATURES,
            Self::ForeignContinuum => grid::FOREIGN_STATES,
        }
    }
}

/// A table of one band: `values[row * points + point]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it holds.
    pub kind: TableKind,
    /// Its values.
    pub values: Vec<f64>,
}

/// All absorption coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct KDistribution {
    /// The description of each band.
    pub bands: &'static [Band],
    /// The tables of each band, in the order of [`TableKind::of`].
    pub tables: Vec<Vec<Table>>,
}

impl KDistribution {
    /// The reduced distribution of RRTMG_LW from tables with all 16 original points.
    ///
    /// Absorption becomes the weighted mean of a group, Planck fractions the sum.
    ///
    /// # Panics
    /// If the tables are not those of the bands.
    #[must_use]
    pub fn reduced(original: &[Vec<Table>]) -> Self {
        let tables = BANDS.iter().zip(original).map(|(band, tables)| {
            let reduce = |table: &Table| Table { kind: table.kind, values: reduce(band, table) };
            tables.iter().map(reduce).collect()
        });
        Self { bands: &BANDS, tables: tables.collect() }
    }

    /// The gases that absorb, by their numbers in [`isobar_optics::gases::GASES`].
    #[must_use]
    pub fn gases(&self) -> Vec<usize> {
        let regions = || self.bands.iter().flat_map(|band| [&band.lower, &band.upper]);
        let has = |gas: Gas| {
            regions().any(|absorbers| {
                let key = match absorbers.key {
                    Key::None => false,
                    Key::One(one) | Key::FirstLevel(one) => one == gas,
                    Key::Two(a, b, _) => a == gas || b == gas,
                };
                key || absorbers.minors.iter().any(|minor| minor.gas == gas)
            })
        };
        let gases = GASES.into_iter().filter(|&gas| has(gas)).map(Gas::name);
        let in_a_band = |gas: &Halocarbon| self.bands.iter().any(|band| band.halocarbons.contains(gas));
        let halocarbons = HALOCARBONS.into_iter().filter(in_a_band).map(Halocarbon::name);
        gases.chain(halocarbons).filter_map(gas_number).collect()
    }

    /// The number of g-points of all bands.
    #[must_use]
    pub fn points(&self) -> usize {
        self.bands.iter().map(Band::points).sum()
    }

    /// A table, or nothing where the band has none of that kind.
    #[must_use]
    pub fn table(&self, band: usize, kind: TableKind) -> Option<&[f64]> {
        self.tables[band].iter().find(|table| table.kind == kind).map(|table| &table.values[..])
    }
}

fn reduce(band: &Band, table: &Table) -> Vec<f64> {
    let sum_only = matches!(table.kind, TableKind::Fractions(_));
    let mut reduced = Vec::with_capacity(table.values.len() / grid::ORIGINAL_POINTS * band.points());
    for row in table.values.chunks_exact(grid::ORIGINAL_POINTS) {
        let mut first = 0;
        for &size in band.groups {
            let group = first..first + usize::from(size);
            let total: f64 = WEIGHTS[group.clone()].iter().sum();
            let value = |point: usize| if sum_only { row[point] } else { row[point] * (WEIGHTS[point] / total) };
            reduced.push(group.clone().map(value).sum());
            first = group.end;
        }
    }
    reduced
}
