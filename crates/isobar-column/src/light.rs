//! Columns for photolysis, and its rates among the inputs of chemistry.
//!
//! Above the model's top there is one more layer of [`ABOVE_KM`], of the temperature of the uppermost one, with all the
//! air that is there by its weight, and RCEMIP's ozone ([`crate::rcemip::ozone`]) integrated over its pressures.
//!
//! Clouds that cover a part `f` of a layer count as clouds of all of it, of their optical depth times `f^(3/2)`
//! (Briegleb 1992, doi:10.1029/92JD00291).

use isobar_core::constants::AVOGADRO_PER_MOL;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::constants::{DRY_AIR_KG_PER_MOL, GRAVITY};
use crate::rcemip;

/// The thickness of the layer above the top \[km\].
pub const ABOVE_KM: f64 = 40.0;
/// Parts of that layer for which ozone is summed, from pressure to pressure by one factor, and that factor.
const PARTS: usize = 48;
const FACTOR: f64 = 0.8;

/// Density of water and of ice \[g/cm^3\].
const WATER_DENSITY: f64 = 1.0;
const ICE_DENSITY: f64 = 0.917;

/// The most that photolysis takes, at which all is dark.
const MOST_OPTICAL_DEPTH: f64 = 1e4;

/// Molecules of air above a square centimetre for a difference of pressures \[molecule/(cm^2 Pa)\].
const AIR_PER_CM2_PA: f64 = 1e-4 * AVOGADRO_PER_MOL / (GRAVITY * DRY_AIR_KG_PER_MOL);

/// Molecules of ozone above a pressure \[Pa\] \[molecule/cm^2\].
#[inline(always)]
#[must_use]
pub fn ozone_above<R: Real>(pressure: R) -> R {
    let (mut sum, mut below) = (R::ZERO, pressure);
    for _ in 0..PARTS {
        let above = below * R::from_f64(FACTOR);
        let middle = R::from_f64(0.5) * (below + above);
        sum = Real::mul_add(rcemip::ozone(middle), below - above, sum);
        below = above;
    }
    sum * R::from_f64(AIR_PER_CM2_PA)
}

/// Columns for photolysis of each column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ToPhotolysis<'a, R> {
    /// The albedo of the ground.
    pub albedo: R,
    /// The square of the Sun's mean distance by that of the day.
    pub nearness: R,
    /// Pressure of `(interface, column)` \[Pa\].
    pub interface_pressure_pa: Field<'a, R>,
    /// Temperature of `(layer, column)` \[K\].
    pub temperature_k: Field<'a, R>,
    /// Thickness, likewise \[m\].
    pub thickness_m: Field<'a, R>,
    /// Ozone, likewise \[mol/mol\].
    pub ozone_mol_per_mol: Field<'a, R>,
    /// The cloudy part of the layers; without items, as the next four, where there are no clouds.
    pub cloud_fraction: Field<'a, R>,
    /// Liquid water of the cloudy part \[g/m^2\].
    pub liquid_path_g_per_m2: Field<'a, R>,
    /// Ice of the cloudy part \[g/m^2\].
    pub ice_path_g_per_m2: Field<'a, R>,
    /// Effective radius of droplets \[um\].
    pub liquid_radius_um: Field<'a, R>,
    /// Effective size of ice, twice its radius \[um\].
    pub ice_size_um: Field<'a, R>,
    /// Heights of levels, two more than there are layers \[km\].
    pub all_height_km: FieldMut<'a, R>,
    /// Temperatures of layers, one more \[K\].
    pub all_temperature_k: FieldMut<'a, R>,
    /// Molecules of air of these \[1/cm^2\].
    pub all_air_per_cm2: FieldMut<'a, R>,
    /// Molecules of ozone of these \[1/cm^2\].
    pub all_ozone_per_cm2: FieldMut<'a, R>,
    /// Optical depth of clouds of these.
    pub all_cloud_optical_depth: FieldMut<'a, R>,
    /// The albedo, one level.
    pub all_albedo: FieldMut<'a, R>,
    /// The nearness, one level.
    pub all_nearness: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for ToPhotolysis<'_, R> {
    const NAME: &'static str = "column_to_photolysis";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.temperature_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let layers = self.temperature_k.levels();
        let air_of = R::from_f64(AIR_PER_CM2_PA);
        let mut height = R::ZERO;
        self.all_height_km.set(0, column, height);
        for layer in 0..layers {
            height += R::from_f64(1e-3) * self.thickness_m.at(layer, column);
            self.all_height_km.set(layer + 1, column, height);
            let (below, above) =
                (self.interface_pressure_pa.at(layer, column), self.interface_pressure_pa.at(layer + 1, column));
            let air = air_of * (below - above);
            self.all_temperature_k.set(layer, column, self.temperature_k.at(layer, column));
            self.all_air_per_cm2.set(layer, column, air);
            let ozone = self.ozone_mol_per_mol.at(layer, column).max(R::ZERO);
            self.all_ozone_per_cm2.set(layer, column, ozone * air);
            if !self.cloud_fraction.is_empty() {
                self.all_cloud_optical_depth.set(layer, column, self.cloud_optical_depth(layer, column));
            }
        }
        let top = self.interface_pressure_pa.at(layers, column);
        self.all_height_km.set(layers + 1, column, height + R::from_f64(ABOVE_KM));
        self.all_temperature_k.set(layers, column, self.temperature_k.at(layers - 1, column));
        self.all_air_per_cm2.set(layers, column, air_of * top);
        self.all_ozone_per_cm2.set(layers, column, ozone_above(top));
        if !self.cloud_fraction.is_empty() {
            self.all_cloud_optical_depth.set(layers, column, R::ZERO);
        }
        self.all_albedo.set(0, column, self.albedo);
        self.all_nearness.set(0, column, self.nearness);
        Status::OK
    }
}

impl<R: Real> ToPhotolysis<'_, R> {
    /// What the clouds of a layer are to a column that knows no cloudy parts: their optical depth times `f^(3/2)`.
    #[inline(always)]
    fn cloud_optical_depth(&self, layer: usize, column: usize) -> R {
        let fraction = self.cloud_fraction.at(layer, column);
        let [liquid, ice] = [&self.liquid_path_g_per_m2, &self.ice_path_g_per_m2].map(|path| path.at(layer, column));
        let [radius, size] = [&self.liquid_radius_um, &self.ice_size_um].map(|size| size.at(layer, column));
        let depth =
            optical_depth(liquid, WATER_DENSITY, radius) + optical_depth(ice, ICE_DENSITY, R::from_f64(0.5) * size);
        (depth * fraction * fraction.sqrt()).min(R::from_f64(MOST_OPTICAL_DEPTH))
    }
}

/// Optical depth of particles that are much larger than the wavelength, and take twice the light that falls on them:
/// `3/2` of their path \[g/m^2\] over their density \[g/cm^3\] and effective radius \[um\] (Stephens 1978,
/// doi:10.1175/1520-0469(1978)035<2123:RPIEWC>2.0.CO;2).
#[inline(always)]
fn optical_depth<R: Real>(path: R, density: f64, radius: R) -> R {
    if path > R::ZERO && radius > R::ZERO { R::from_f64(1.5 / density) * path / radius } else { R::ZERO }
}

/// Rates of each column among the inputs of its cells: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FromPhotolysis<'a, R> {
    /// Rates of `(reaction * (layers + 1) + layer, column)` \[1/s\].
    pub rate_per_s: Field<'a, R>,
    /// Pairs of a row of the inputs and the reaction whose rate it gets.
    pub pairs: Column<'a, [u32; 2]>,
    /// The layers of the model.
    pub layers: usize,
    /// Inputs of the rate formulas, `(input, cell)`.
    pub inputs: FieldMut<'a, f64>,
}

// SAFETY: an item writes the cells of its own column.
unsafe impl<R: Real> Kernel for FromPhotolysis<'_, R> {
    const NAME: &'static str = "column_from_photolysis";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.rate_per_s.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let columns = self.rate_per_s.items();
        for i in 0..self.pairs.len() {
            let [row, reaction] = self.pairs.at(i);
            for layer in 0..self.layers {
                let rate = self.rate_per_s.at(reaction as usize * (self.layers + 1) + layer, column).value();
                self.inputs.set(row as usize, layer * columns + column, rate);
            }
        }
        Status::OK
    }
}
