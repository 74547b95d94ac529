//! Tables of clouds, spread over the lanes of a k-distribution.

use isobar_core::{Column, Real};
use isobar_optics::tables::{Axis, LaneRow};
use isobar_optics::{CloudTables as File, ParticleTable, TableData};

use crate::physics::cloud::{CloudTables, Particles, QUANTITIES};

/// Optical properties of clouds: tables of droplets and of ice of one roughness.
#[derive(Clone, Debug, PartialEq)]
pub struct CloudOptics {
    /// Bands or g-points of the tables.
    pub spectral: usize,
    /// Are they g-points?
    pub by_point: bool,
    /// Droplets.
    pub liquid: ParticleTable,
    /// Ice.
    pub ice: ParticleTable,
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
        Self { spectral: file.spectral, by_point: file.by_point, liquid: file.liquid.clone(), ice: ice.clone() }
    }
}

/// The tables in a precision, a row a size and quantity, of all lanes.
#[derive(Clone, Debug)]
pub(crate) struct CloudData<R> {
    pub(crate) liquid: Vec<R>,
    pub(crate) ice: Vec<R>,
    sizes: [Axis<R>; 2],
    lanes: u32,
    /// The sizes for which the tables are \[um\].
    pub(crate) ranges_um: [[f64; 2]; 2],
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
            liquid: spread(&optics.liquid, optics.spectral, &of_lanes),
            ice: spread(&optics.ice, optics.spectral, &of_lanes),
            sizes: [&optics.liquid, &optics.ice].map(|particles| axis(particles, optics.spectral)),
            lanes: of_lanes.len() as u32,
            ranges_um: [optics.liquid.size_um, optics.ice.size_um],
        })
    }

    /// The tables as kernels see them, where these values lie.
    pub(crate) fn view_of<'a>(&self, liquid: Column<'a, R>, ice: Column<'a, R>) -> CloudTables<'a, R> {
        let [liquid_size, ice_size] = self.sizes;
        CloudTables {
            liquid: Particles { table: liquid, size: liquid_size },
            ice: Particles { table: ice, size: ice_size },
            lanes: self.lanes,
        }
    }
}

/// Tables of a spectrum without clouds.
pub(crate) fn none<'a, R: Real>() -> CloudTables<'a, R> {
    let none = Particles { table: Column::empty(), size: Axis { first: R::ZERO, step: R::ONE, nodes: 2 } };
    CloudTables { liquid: none, ice: none, lanes: 0 }
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
