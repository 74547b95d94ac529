//! Tables of clouds, spread over the lanes of a k-distribution.

use isobar_core::{Column, Real, TableMemory};
use isobar_optics::tables::{Axis, LaneRow};
use isobar_optics::{CloudTables as File, ParticleTable, TableData};

use crate::cloud_tables::{CloudTables, Particles, QUANTITIES};

/// Kinds of particles, in the order in which their optical depths are added.
pub(crate) const SPECIES: usize = 4;
pub(crate) const LIQUID: usize = 0;
pub(crate) const ICE: usize = 1;
pub(crate) const RAIN: usize = 2;
pub(crate) const SNOW: usize = 3;

/// Optical properties of clouds: tables of droplets and of ice of one roughness, and perhaps of rain and of snow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloudOptics {
    /// Bands or g-points of the tables.
    pub spectral: usize,
    /// Are they g-points?
    pub by_point: bool,
    /// Droplets.
    pub liquid: ParticleTable,
    /// Ice.
    pub ice: ParticleTable,
    /// Rain; without it columns must not have any.
    pub rain: Option<ParticleTable>,
    /// Snow, likewise.
    pub snow: Option<ParticleTable>,
}

/// How rough ice is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Roughness {
    /// Smooth.
    Smooth,
    /// Between.
    #[default]
    Medium,
    /// Rough.
    Rough,
}

impl CloudOptics {
    /// Those of a file, with ice of this roughness; the roughest where the file has fewer.
    ///
    /// # Panics
    /// If the file has no ice: readers do not let it through.
    #[must_use]
    pub fn new(file: &File, roughness: Roughness) -> Self {
        let ice = &file.ice[(roughness as usize).min(file.ice.len() - 1)];
        Self {
            spectral: file.spectral,
            by_point: file.by_point,
            liquid: file.liquid.clone(),
            ice: ice.clone(),
            rain: file.rain.clone(),
            snow: file.snow.clone(),
        }
    }

    /// With the optics of droplets for rain, where there are none of rain. Sizes have to be in the range of the table:
    /// rain is larger. Of particles that are much larger than the wavelength the optical depth is that of the largest
    /// in the table, times its size over theirs.
    #[must_use]
    pub fn rain_as_liquid(mut self) -> Self {
        self.rain.get_or_insert_with(|| self.liquid.clone());
        self
    }

    /// With the optics of ice for snow, where there are none of snow, as ECMWF's model has it. Sizes have to be in the
    /// range of the table: see [`CloudOptics::rain_as_liquid`].
    #[must_use]
    pub fn snow_as_ice(mut self) -> Self {
        self.snow.get_or_insert_with(|| self.ice.clone());
        self
    }

    /// The table of each kind.
    fn species(&self) -> [Option<&ParticleTable>; SPECIES] {
        [Some(&self.liquid), Some(&self.ice), self.rain.as_ref(), self.snow.as_ref()]
    }
}

/// The tables in a precision, a row a size and quantity, of all lanes.
#[derive(Clone, Debug)]
pub(crate) struct CloudData<R> {
    /// Empty where there is none.
    pub(crate) tables: [Vec<R>; SPECIES],
    sizes: [Axis<R>; SPECIES],
    lanes: u32,
    /// The sizes for which the tables are \[um\].
    pub(crate) ranges_um: [Option<[f64; 2]>; SPECIES],
}

impl<R: Real> CloudData<R> {
    /// For the lanes of a k-distribution that has as many bands or g-points as the tables.
    pub(crate) fn new(optics: &CloudOptics, tables: &TableData<R>) -> Option<Self> {
        let spectral = if optics.by_point { tables.points } else { tables.bands.len() };
        if optics.spectral != spectral {
            return None;
        }
        let of_lane = |(lane, row): (usize, &LaneRow)| {
            if optics.by_point { lane.min(tables.points - 1) } else { row.band as usize }
        };
        let of_lanes: Vec<usize> = tables.lanes.iter().enumerate().map(of_lane).collect();
        Some(Self {
            tables: optics
                .species()
                .map(|table| table.map_or_else(Vec::new, |table| spread(table, optics.spectral, &of_lanes))),
            sizes: optics.species().map(|table| table.map_or_else(no_axis, |table| axis(table, optics.spectral))),
            lanes: of_lanes.len() as u32,
            ranges_um: optics.species().map(|table| table.map(|table| table.size_um)),
        })
    }

    /// The tables as kernels see them, where they read them.
    pub(crate) fn view_in(&self, memory: &mut impl TableMemory) -> CloudTables<'_, R> {
        let [liquid, ice, rain, snow] = [LIQUID, ICE, RAIN, SNOW]
            .map(|species| Particles { table: memory.column(&self.tables[species]), size: self.sizes[species] });
        CloudTables { liquid, ice, rain, snow, lanes: self.lanes }
    }
}

/// Tables of a spectrum without clouds.
pub(crate) fn none<'a, R: Real>() -> CloudTables<'a, R> {
    let none = Particles { table: Column::empty(), size: no_axis() };
    CloudTables { liquid: none, ice: none, rain: none, snow: none, lanes: 0 }
}

fn no_axis<R: Real>() -> Axis<R> {
    Axis { first: R::ZERO, step: R::ONE, nodes: 2 }
}

fn nodes(particles: &ParticleTable, spectral: usize) -> usize {
    particles.extinction.len() / spectral
}

fn axis<R: Real>(particles: &ParticleTable, spectral: usize) -> Axis<R> {
    let (nodes, [first, last]) = (nodes(particles, spectral), particles.size_um);
    Axis { first: R::from_f64(first), step: R::from_f64((last - first) / (nodes - 1) as f64), nodes: nodes as u32 }
}

fn spread<R: Real>(particles: &ParticleTable, spectral: usize, of_lanes: &[usize]) -> Vec<R> {
    let nodes = nodes(particles, spectral);
    let value = |node: usize, quantity: usize, spectral: usize| {
        let index = spectral * nodes + node;
        match quantity {
            0 => particles.extinction[index],
            1 => 1.0 - particles.albedo[index],
            _ => particles.asymmetry[index],
        }
    };
    let rows = (0..nodes).flat_map(|node| (0..QUANTITIES).map(move |quantity| (node, quantity)));
    rows.flat_map(|(node, quantity)| of_lanes.iter().map(move |&lane| (node, quantity, lane)))
        .map(|(node, quantity, lane)| R::from_f64(value(node, quantity, lane)))
        .collect()
}
