//! Absorption of clouds from water paths and sizes.

use isobar_core::{Column, Real};

use crate::rrtmg::clouds::{Clouds, EBERT_CURRY_GROUPS, FU_SIZE};
use crate::rrtmg::tables::CloudTables;
use crate::rrtmg::views::ColumnViews;

/// Less water \[g/m^2\] or optical depth than this is none.
const NOTHING: f64 = 1e-20;

/// Ebert and Curry's coefficients \[m^2/g\] and \[um m^2/g\] of five groups of bands.
const EBERT_CURRY: [(f64, f64); 5] =
    [(0.0036, 1.136), (0.0068, 0.600), (0.0003, 1.338), (0.0016, 1.166), (0.0020, 1.118)];

impl Clouds<'_> {
    /// The band whose optical depth and secant a cloud has in a band.
    #[inline(always)]
    pub(crate) fn entry(&self, band: usize, column: usize) -> usize {
        if self.entries.is_empty() {
            return band;
        }
        match self.entries.at(self.entries.levels() - 1, column) {
            1 => 0,
            EBERT_CURRY_GROUPS => ebert_curry_group(band),
            _ => band,
        }
    }

    /// The optical depth of the cloudy part of a layer in a band.
    #[inline(always)]
    pub(crate) fn optical_depth<R: Real>(
        &self,
        columns: &ColumnViews<'_, R>,
        tables: &CloudTables<'_, R>,
        (band, bands): (usize, usize),
        layer: usize,
        column: usize,
    ) -> R {
        let nothing = R::from_f64(NOTHING);
        let band = self.entry(band, column);
        let entries = if self.entries.is_empty() { bands as u32 } else { self.entries.at(layer, column) };
        if band >= entries as usize {
            return R::ZERO;
        }
        let group = if entries == EBERT_CURRY_GROUPS { band } else { ebert_curry_group(band) };
        if !columns.cloud_optical_depth.is_empty() {
            let depth = columns.cloud_optical_depth.at(layer * bands + band, column);
            return if depth < nothing { R::ZERO } else { depth };
        }
        let (ice, liquid) =
            (columns.ice_path_g_per_m2.at(layer, column), columns.liquid_path_g_per_m2.at(layer, column));
        if ice + liquid < nothing {
            return R::ZERO;
        }
        let mut depth = R::ZERO;
        if ice != R::ZERO {
            let size_um = self.ice_size_um(columns.ice_size_um.at(layer, column));
            depth += ice * self.ice_absorption(tables, (band, group), size_um);
        }
        if liquid != R::ZERO {
            depth += liquid * self.liquid_absorption(tables, band, columns.liquid_radius_um.at(layer, column));
        }
        depth
    }

    /// The size as the optics of ice mean it \[um\].
    #[inline(always)]
    fn ice_size_um<R: Real>(&self, given_um: R) -> R {
        match (self.diameters, self.ice) {
            (0, _) => given_um,
            (_, 3) => given_um * R::from_f64(0.5 * FU_SIZE),
            _ => given_um * R::from_f64(0.5),
        }
    }

    /// \[m^2/g\]
    #[inline(always)]
    fn ice_absorption<R: Real>(&self, tables: &CloudTables<'_, R>, (band, group): (usize, usize), size_um: R) -> R {
        let c = R::from_f64;
        let position = (size_um - c(2.0)) / c(3.0);
        match self.ice {
            0 => c(0.005) + R::ONE / size_um,
            1 => {
                let (a, b) = EBERT_CURRY[group];
                c(a) + c(b) / size_um
            }
            2 => between(&tables.ice_spheres, band, 43, position),
            _ => between(&tables.ice_fu, band, 46, position),
        }
    }

    /// \[m^2/g\]
    #[inline(always)]
    fn liquid_absorption<R: Real>(&self, tables: &CloudTables<'_, R>, band: usize, radius_um: R) -> R {
        if self.liquid == 0 {
            return R::from_f64(0.090_361_4);
        }
        between(&tables.liquid, band, 58, radius_um - R::from_f64(1.5))
    }
}

/// Ebert and Curry's group of a band, from 0.
#[inline(always)]
fn ebert_curry_group(band: usize) -> usize {
    match band {
        0 => 0,
        1 => 1,
        2..5 => 2,
        5..8 => 3,
        _ => 4,
    }
}

/// The value of a band's table at a position that counts its nodes from 1.
#[inline(always)]
fn between<R: Real>(table: &Column<'_, R>, band: usize, nodes: usize, position: R) -> R {
    let index = position.index(1, nodes as i32 - 1);
    let fraction = position - R::from_f64(f64::from(index));
    let at = |node: usize| table.at(band * nodes + node);
    let (low, high) = (at(index as usize - 1), at(index as usize));
    low + fraction * (high - low)
}
